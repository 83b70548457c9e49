"""What a decision is worth at a glance, in points: for informed playouts, priors and the greedy player.

The weights below are rules of thumb; they were tuned by matches of the greedy player against itself.
"""
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from engine_cy.bits cimport bit, lowest, popcount
from engine_cy.moon_river.board cimport around, code_a, code_b, code_bit, code_c, code_phase, connected, territory
from engine_cy.moon_river.boards cimport decision
from engine_cy.moon_river.state cimport (
    BASE_GAME, BONUS_PLACE, BUILD, CATTLE_THIEF, CLAIM, CORN, COWBOY, DESPERADO, DISCARD, DROUGHT, FARM, FOREST,
    GOLD_DIGGER, GOLD_RUSH, HERD, LANDSCAPES, MAX_KINDS, MOON_RIVER_CITY, OUTLAWS, PASS, RECRUIT, SELECT, STEAL, SWAP,
    TIMBER_RAFTING, TOKENS, Kind, Options, Ranch, Setup, State,
)
from engine_cy.rng cimport Rng, rng_next

# A territory of s plots and c cows counts as (s + GROWTH) * (c + HERDS): what it scores, and what it may yet.
cdef float GROWTH = 1.5
cdef float HERDS = 0.4
cdef float HOLD = 1.0           # of stopping while building is optional: two plots kept for a better place
cdef float EXTRA_COW = 1.0      # of a second cow on a plot, which only herding can use


# ---- The survey

cdef void survey(const Setup* r, const State* s, int seat, Survey* v) noexcept nogil:
    cdef const Ranch* ranch = &s.ranch[seat]
    cdef uint64_t land, group, edge
    cdef int i, n, cell, size, cows
    memset(v, 0, sizeof(Survey))
    n = 0
    for i in range(LANDSCAPES):
        land = ranch.land[i]
        while land:
            group = connected(land, land & (0 - land))
            land &= ~group
            size = popcount(group)
            cows = popcount(group & ranch.cows)
            v.size[n] = size
            v.cows[n] = cows
            edge = around(group) & ranch.free
            while edge:
                cell = lowest(edge)
                edge &= edge - 1
                v.near[i][cell] |= bit(n)
                v.near_size[i][cell] += size
                v.near_cows[i][cell] += cows
                v.near_points[i][cell] += size * cows
            n += 1
    v.n = n
    if s.scenario == TIMBER_RAFTING:
        v.members = ranch.land[FOREST]
    elif s.scenario == GOLD_RUSH:
        v.members = ranch.nuggets
    elif s.scenario == OUTLAWS:
        v.members = ranch.partners
    elif s.scenario == MOON_RIVER_CITY:
        v.members = ranch.land[FARM]
    survey_tokens(r, s, ranch, v)


cdef inline float to_come(const Setup* r, const State* s) noexcept nogil:
    """The share of the plots that is still to be drawn."""
    return <float>s.pile_size / r.plots


cdef inline void survey_tokens(const Setup* r, const State* s, const Ranch* ranch, Survey* v) noexcept nogil:
    cdef float ahead = to_come(r, s)
    cdef int i
    v.token[DESPERADO] = 1.0
    v.token[CATTLE_THIEF] = 3.0 if not s.last_round else 2.0
    for i in range(3):
        v.token[GOLD_DIGGER + i] = (ranch.resources >> 16 * i & 0xFFFF) + ahead * (2.0 if i < 2 else 12.0)
    v.token[COWBOY] = 1.5
    v.recruit = 0.0
    if s.shown:
        v.recruit = v.token[COWBOY]
        for i in range(TOKENS):
            if s.saloon[i] and v.token[i] > v.recruit:
                v.recruit = v.token[i]


# ---- The worth of plots

cdef inline float territory_gain(int size, int cows, int points, int plots, int new_cows) noexcept nogil:
    """What joining `plots` plots with `new_cows` to territories of this size, cows and points together brings."""
    cdef float before = points + HERDS * size + GROWTH * cows
    return (size + plots + GROWTH) * (cows + new_cows + HERDS) - before - GROWTH * HERDS


cdef inline float symbols_gain(const State* s, const Ranch* ranch, const Survey* v, const Kind* k) noexcept nogil:
    """Resources with their experts, a second cow, a circle."""
    cdef float gain = 0
    cdef int i
    for i in range(3):
        gain += (k.resources >> 16 * i & 0xFFFF) * (1 + ranch.experts[i])
    if k.cows > 1 and s.supply > 1:
        gain += EXTRA_COW
    if k.circle:
        gain += v.recruit
    return gain


cdef inline float group_gain(const State* s, const Survey* v, const Kind* k, int cell) noexcept nogil:
    """MR-31, roughly: what joining the groups beside the cell may bring."""
    cdef int scenario = s.scenario
    cdef uint64_t beside
    cdef int n
    if scenario == TIMBER_RAFTING:
        if k.landscape != FOREST:
            return 0
    elif scenario == GOLD_RUSH:
        if not k.nuggets:
            return 0
    elif scenario == OUTLAWS:
        if not k.circle:
            return 0
    elif scenario != MOON_RIVER_CITY or k.landscape != FARM:
        return 0
    beside = around(bit(cell)) & v.members
    if not beside:
        return 2.0
    n = popcount(connected(v.members, beside))
    if n >= 3:
        return 10.0
    return 9.0 if n == 2 else 4.0


cdef inline float plot_gain(const State* s, const Ranch* ranch, const Survey* v, const Kind* k,
                            int cell) noexcept nogil:
    """The gain of one plot on a free cell, all but its symbols'."""
    cdef int i = k.landscape
    cdef int cows = k.cows != 0 and s.supply != 0
    cdef float gain
    if i == CORN:
        gain = 0.0
    else:
        gain = territory_gain(v.near_size[i][cell], v.near_cows[i][cell], v.near_points[i][cell], 1, cows)
        if k.skull and v.near_cows[i][cell] + cows:
            gain -= v.near_size[i][cell] + 1 + GROWTH
    if s.scenario != BASE_GAME:
        gain += group_gain(s, v, k, cell)
    return gain


cdef inline float domino_gain(const State* s, const Ranch* ranch, const Survey* v, const Kind* a, int cell,
                              const Kind* b, int other) noexcept nogil:
    """Both halves; of the same landscape they join the same territories, each of which counts once."""
    cdef int i = a.landscape
    cdef int size, cows, points, new_cows, skulls, t
    cdef uint64_t near
    cdef float gain
    if i != b.landscape or i == CORN:
        return plot_gain(s, ranch, v, a, cell) + plot_gain(s, ranch, v, b, other)
    size = cows = points = 0
    near = v.near[i][cell] | v.near[i][other]
    while near:
        t = lowest(near)
        near &= near - 1
        size += v.size[t]
        cows += v.cows[t]
        points += v.size[t] * v.cows[t]
    new_cows = min((a.cows != 0) + (b.cows != 0), s.supply)
    gain = territory_gain(size, cows, points, 2, new_cows)
    skulls = min(a.skull + b.skull, cows + new_cows)
    gain -= skulls * (size + 2 + GROWTH)
    if s.scenario != BASE_GAME:
        gain += group_gain(s, v, a, cell) + group_gain(s, v, b, other)
    return gain


cdef inline float plot_worth(const Setup* r, const State* s, int seat, const Survey* v, int kind) noexcept nogil:
    """The best single place the ranch has for a plot, and its symbols."""
    cdef const Kind* k = &r.kind[kind]
    cdef const Ranch* ranch = &s.ranch[seat]
    cdef uint64_t cells = (r.bridges[seat] | around(ranch.land[k.landscape])) & ranch.free
    cdef float most = 0
    cdef float gain
    if not cells:
        cells = around(~ranch.free) & ranch.free        # only as the other half of a domino
    while cells:
        gain = plot_gain(s, ranch, v, k, lowest(cells))
        cells &= cells - 1
        if gain > most:
            most = gain
    return most + symbols_gain(s, ranch, v, k)


# ---- The worth of decisions

cdef inline float build_worth(const Setup* r, const State* s, const Survey* v, uint32_t d) noexcept nogil:
    cdef const Kind* a = &r.kind[code_a(d)]
    cdef const Kind* b = &r.kind[code_b(d)]
    cdef const Ranch* ranch = &s.ranch[s.turn]
    cdef int cell = code_bit(d)
    return (
        domino_gain(s, ranch, v, a, cell, b, cell + (5 if code_c(d) else 1))
        + symbols_gain(s, ranch, v, a) + symbols_gain(s, ranch, v, b)
    )


cdef inline float recruit_worth(const Setup* r, const State* s, const Survey* v, uint32_t d) noexcept nogil:
    cdef int token = code_bit(d) >> 1
    if code_bit(d) & 1:
        return v.token[COWBOY]
    if token == CATTLE_THIEF:
        if s.ranch[s.turn].land[CORN] & bit(code_a(d)):
            return 0.0
        return popcount(territory(r, s, s.turn, code_a(d)))
    return v.token[token]


cdef inline float herd_worth(const Setup* r, const State* s, uint32_t d) noexcept nogil:
    """What the cow leaves and what it joins; only the first cow of a plot counts in the end (MR-27)."""
    cdef int start = code_bit(d)
    cdef int direction = code_c(d)
    cdef int end = start + (1 if direction == 0 else 5 if direction == 1 else -1 if direction == 2 else -5)
    cdef float worth = 0
    if s.cows[s.turn * r.cells + start] == 1:
        worth -= popcount(territory(r, s, s.turn, start))
    if s.cows[s.turn * r.cells + end] == 0:
        worth += popcount(territory(r, s, s.turn, end))
    return worth


cdef inline float steal_worth(const Setup* r, const State* s, uint32_t d) noexcept nogil:
    cdef float worth = 0.3 * popcount(territory(r, s, code_c(d), code_bit(d)))
    if not s.ranch[s.turn].cows & bit(s.thief):
        worth += popcount(territory(r, s, s.turn, s.thief))
    return worth


cdef float worth(const Setup* r, const State* s, int phase, const Survey* v, uint32_t d) noexcept nogil:
    cdef int kind = code_phase(d)
    cdef const Ranch* ranch = &s.ranch[s.turn]
    if kind == BUILD:
        return build_worth(r, s, v, d)
    elif kind == PASS:
        return HOLD * to_come(r, s) if phase == BUILD else 0.0
    elif kind == SELECT:
        return plot_worth(r, s, s.turn, v, s.next.plot[code_bit(d)])
    elif kind == CLAIM:
        return plot_worth(r, s, s.turn, v, s.current.plot[code_bit(d)])
    elif kind == RECRUIT:
        return recruit_worth(r, s, v, d)
    elif kind == HERD:
        return herd_worth(r, s, d)
    elif kind == STEAL:
        return steal_worth(r, s, d)
    elif kind == SWAP:
        return plot_worth(r, s, s.turn, v, code_bit(d)) - plot_worth(r, s, s.turn, v, code_a(d)) - 0.5
    elif kind == DISCARD:
        return -plot_worth(r, s, s.turn, v, code_a(d)) - plot_worth(r, s, s.turn, v, code_bit(d))
    elif kind == DROUGHT:
        return s.cows[s.turn * r.cells + code_bit(d)] > 1
    elif kind == BONUS_PLACE:
        return plot_gain(s, ranch, v, &r.kind[MAX_KINDS + 2 * s.tile + code_c(d)], code_bit(d))
    return 0.0                              # BONUS_TILE


cdef uint32_t best(const Setup* r, const State* s, int phase, const Options* options, Rng* rng,
                   float noise) noexcept nogil:
    cdef Survey v
    cdef uint64_t bits
    cdef uint32_t d, chosen
    cdef uint32_t i
    cdef float w
    cdef float most = -1e9
    cdef float scale = noise / 65536.0
    survey(r, s, s.turn, &v)
    chosen = 0
    for i in range(options.n):
        bits = options.bits[i]
        while bits:
            d = decision(options.base[i], lowest(bits))
            bits &= bits - 1
            w = worth(r, s, phase, &v, d) + (rng_next(rng) >> 48) * scale
            if w > most:
                most = w
                chosen = d
    return chosen
