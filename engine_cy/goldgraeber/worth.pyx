"""What a decision is worth at a glance, in points: for informed playouts, priors and the greedy player.

The heart of it: a digger digs as often as that pays, then goes home. Each dig takes some turns, brings what a chip
brings on average, and may lose what is carried to a robber; every turn costs what a turn is worth elsewhere (RATE), and
what is carried counts by how likely it gets home in time (RISK, HASTE). So a digger with little looks for chips, and
one with much goes home.

The weights (state.pxd names them) are data, found by matches of the greedy player against itself: see worth.toml.
"""
from libc.stdint cimport uint32_t

from engine_cy.goldgraeber.codes cimport code_field
from engine_cy.goldgraeber.options cimport find_landings, find_unseen
from engine_cy.goldgraeber.sets cimport (
    common, count_of, gold_points, has, intersect, is_gold, meet, points_of, remove, size, strength_of, take_chip,
    take_first,
)
from engine_cy.goldgraeber.state cimport (
    AGAIN, BANK, DANGER, FAR, FEAR, FERRY, HASTE, HOUSE, HUNT, KINDS, LAND, LENGTHS, LOCOMOTIVE, LOOK, NEAR, NEXT,
    NOISE, PACE, PIPS, PRIZE, PROSPECT, RAFT, RAILS, RATE, RETREAT, RISK, ROBBER_POINTS, ROLLING, SHIELD, SHORE, STALK,
    TO_ROLL, VALUES, Fields, Options, Purse, Setup, State,
)
from engine_cy.goldgraeber.walks cimport walks
from engine_cy.rng cimport Rng, rng_next

cdef enum:
    MOST_DIGS = 6               # that a digger plans

# What a field has for a digger, see look_round.
cdef struct Prospects:
    float way                   # turns home
    float first                 # turns until the next chip
    float later                 # turns for each chip after that


# ---- The survey

cdef inline float chance_against(int strength) noexcept nogil:
    """GG-12: of beating a robber."""
    return (PIPS - strength) / <float>5.0


cdef inline void survey_chips(const Setup* r, const State* s, Survey* v) noexcept nogil:
    """What the seat may expect of a chip it has not looked at."""
    cdef Purse unknown = s.buried
    cdef float n = s.down_size
    cdef float alike
    cdef Fields known = s.looked[v.seat]
    cdef int field, kind
    v.targets = s.down
    while True:
        field = take_first(&known)
        if field < 0:
            break
        kind = s.chip[r.hole[field]]
        take_chip(&unknown, kind)
        n -= 1
        if kind > VALUES + 1:
            remove(&v.targets, field)
    v.gain = gold_points(&unknown)
    v.keep = n
    for kind in range(VALUES, KINDS):
        alike = count_of(&unknown, kind)
        v.gain += <double>ROBBER_POINTS * alike * chance_against(strength_of(kind))
        v.keep -= alike * (1 - chance_against(strength_of(kind)))
    if n > 0:
        v.gain /= n
        v.keep /= n


cdef void survey(const Setup* r, const State* s, int seat, Survey* v) noexcept nogil:
    cdef const float* w = r.weight[seat]
    cdef float by_rail, by_chips
    cdef int other
    v.seat = seat
    v.carried = points_of(&s.open[seat])
    survey_chips(r, s, v)
    by_rail = PIPS * (r.rail_size - 1 - s.locomotive)
    by_chips = (s.down_size - r.players) / w[PACE] if w[PACE] > 0 else by_rail
    v.turns = (min(by_rail, by_chips) + 1) / r.players
    v.rivals = 0
    other = seat
    for v.rivals in range(r.players - 1):
        other = other + 1 if other + 1 < r.players else 0
        v.reach[v.rivals] = walks(r, s.locomotive, s.digger[other], 0)
        v.stands[v.rivals] = s.digger[other]
        v.has[v.rivals] = points_of(&s.open[other])
    v.rivals = r.players - 1
    v.track = r.rail[s.locomotive + 1] if s.locomotive + 2 < r.rail_size else -1


# ---- The worth of fields

cdef inline float brought_home(const float* w, const Survey* v, float turns) noexcept nogil:
    """How much of what a digger carries is home after so many turns, before the game ends."""
    cdef float left = v.turns * v.turns
    cdef float haste = w[HASTE] * turns
    return left / ((left + haste * haste) * (1 + w[RISK] * turns))


cdef void look_round(const Setup* r, const State* s, const Survey* v, int field, Prospects* out) noexcept nogil:
    """What holds for a digger of the seat on this field, whatever it carries."""
    cdef const float* w = r.weight[v.seat]
    cdef const Fields* ends = walks(r, s.locomotive, field, 0)
    cdef float near = min(common(&r.near[field], &v.targets), 8) / <float>8.0
    cdef float far = min(common(&r.far[field], &v.targets), 16) / <float>16.0
    cdef float rest
    cdef int length
    cdef int hits = 0
    for length in range(LOCOMOTIVE + 1, LENGTHS):
        hits += meet(&ends[length], &v.targets)
    rest = 1 - hits / <float>5.0
    out.way = r.way_home[v.seat][field]
    out.first = 1 / max(w[NEXT] * (1 - rest) + rest * (w[NEAR] * near + w[FAR] * far), <float>0.02)
    out.later = 1 / max(w[AGAIN] * near, <float>0.02)


cdef float fortune(const Setup* r, const Survey* v, const Prospects* p, float carried) noexcept nogil:
    """What a digger with these open chips is worth: it digs as often as pays, goes home, and every turn of that could
    be spent otherwise."""
    cdef const float* w = r.weight[v.seat]
    cdef float turns = p.way
    cdef float most = carried * brought_home(w, v, turns) - w[RATE] * turns
    cdef float value
    cdef int digs
    for digs in range(MOST_DIGS):
        turns += p.later if digs else p.first
        carried = v.keep * carried + v.gain
        value = carried * brought_home(w, v, turns) - w[RATE] * turns
        if value > most:
            most = value
        elif digs:
            break
    return most


cdef float best_prize(const Setup* r, const State* s, const Fields* ends, float carried) noexcept nogil:
    """The most that a digger gains on average against one of the robbers face up where its walk may end."""
    cdef Fields there
    cdef int field, hole
    cdef float gain
    cdef float most = 0
    intersect(ends, &s.robbers, &there)
    while True:
        field = take_first(&there)
        if field < 0:
            return most
        hole = r.hole[field]
        gain = chance_against(strength_of(s.chip[hole])) * (
            carried + <double>ROBBER_POINTS + points_of(&s.loot[hole])
        ) - carried
        if gain > most:
            most = gain


cdef inline float loss(const Setup* r, const State* s, const Survey* v, int field, float carried) noexcept nogil:
    """Of the open chips, to other diggers and the locomotive; and what may be won from others by the next roll."""
    cdef const float* w = r.weight[v.seat]
    cdef const Fields* ends = walks(r, s.locomotive, field, 0)
    cdef float points = 0
    cdef int i
    for i in range(v.rivals):
        if r.ground[field] == LAND and has(v.reach[i], field):
            points += w[DANGER] * carried * carried / (carried + v.has[i] + 1)
        if v.has[i] > carried and r.ground[v.stands[i]] == LAND and has(ends, v.stands[i]):
            points -= w[STALK] * (v.has[i] - carried)
    if field == v.track:
        points += w[RAILS] * carried
    if meet(ends, &s.robbers):
        points -= w[PRIZE] * best_prize(r, s, ends, carried)
    return points


cdef float value_at(const Setup* r, const State* s, const Survey* v, int field, bint arrives) noexcept nogil:
    """A digger of the seat there. If it arrives, section 4 of the rules applies."""
    cdef const float* w = r.weight[v.seat]
    cdef Prospects p
    cdef float carried = v.carried
    cdef float prize, chance
    cdef int ground = r.ground[field]
    cdef int i
    cdef int rival = -1
    look_round(r, s, v, field, &p)
    if ground == HOUSE:
        return (1 + w[BANK]) * carried + fortune(r, v, &p, 0)
    if ground == SHORE:
        return w[RAFT] + fortune(r, v, &p, carried) - loss(r, s, v, field, carried)
    if arrives and ground == LAND:
        for i in range(v.rivals):
            if v.stands[i] == field and rival < 0:
                rival = i                   # GG-11g: the next clockwise
        if rival >= 0:
            prize = v.has[rival]
            return (
                (fortune(r, v, &p, carried + prize) + fortune(r, v, &p, 0)) / 2
                + w[HUNT] * prize / 2 - w[SHIELD] * carried / 2
            )
        i = r.hole[field]
        if has(&s.robbers, field):
            prize = ROBBER_POINTS + points_of(&s.loot[i])
        elif not has(&s.down, field):
            return fortune(r, v, &p, carried) - loss(r, s, v, field, carried)
        elif not has(&s.looked[v.seat], field):
            prize = v.keep * carried + v.gain
            return fortune(r, v, &p, prize) - (1 - v.keep) * w[FEAR] * carried - loss(r, s, v, field, prize)
        elif is_gold(s.chip[i]):
            carried += s.chip[i] + 1
            return fortune(r, v, &p, carried) - loss(r, s, v, field, carried)
        else:
            prize = 2
        chance = chance_against(strength_of(s.chip[i]))
        return (
            chance * (fortune(r, v, &p, carried + prize) - loss(r, s, v, field, carried + prize))
            + (1 - chance) * (fortune(r, v, &p, 0) - w[FEAR] * carried)
        )
    return fortune(r, v, &p, carried) - loss(r, s, v, field, carried)


cdef float ferry_value(const Setup* r, const State* s, const Survey* v, int field) noexcept nogil:
    """The best shore field that a raft on this one can go to."""
    cdef Fields shores
    cdef float value
    cdef float most = -1e9
    cdef int i
    find_landings(r, s, field, &shores)
    while True:
        i = take_first(&shores)
        if i < 0:
            return most
        value = value_at(r, s, v, i, False)
        if value > most:
            most = value


# ---- The worth of decisions

cdef float worth(const Setup* r, const State* s, int phase, const Survey* v, uint32_t d) noexcept nogil:
    """Of a decision legal in the phase, for the seat of the survey."""
    cdef const float* w = r.weight[v.seat]
    cdef int field = code_field(d)
    cdef Fields unseen
    if phase == PROSPECT:
        if field == TO_ROLL:
            return w[ROLLING]
        find_unseen(r, s, &s.looked[v.seat], &unseen)
        return w[LOOK] * size(&unseen) - loss(r, s, v, s.digger[v.seat], v.carried)
    if r.ground[field] == SHORE and phase != FERRY:
        return ferry_value(r, s, v, field)
    return value_at(r, s, v, field, phase != RETREAT)


cdef void appraise(const Setup* r, const State* s, const uint32_t* decisions, uint32_t n, float* out) noexcept nogil:
    cdef Survey v
    cdef uint32_t i
    survey(r, s, s.head.seat, &v)
    for i in range(n):
        out[i] = worth(r, s, s.head.phase, &v, decisions[i])


cdef uint32_t best(const Setup* r, const State* s, int phase, const Options* options, Rng* rng) noexcept nogil:
    cdef Survey v
    cdef Fields rest = options.fields
    cdef uint32_t chosen = 0
    cdef int field
    cdef float value
    cdef float most = -1e30
    cdef float scale
    survey(r, s, s.walker if phase == RETREAT else s.turn, &v)
    scale = r.weight[v.seat][NOISE] / 65536
    while True:
        field = take_first(&rest)
        if field < 0:
            return chosen
        value = worth(r, s, phase, &v, options.base | field) + (rng_next(rng) >> 48) * scale
        if value > most:
            most = value
            chosen = options.base | field
