"""What a decision is worth at a glance, in points: for informed playouts, priors and the greedy player.

The weights (state.pxd names them) are data, found by matches of the greedy player against itself: see worth.toml.
"""
from libc.stdint cimport uint32_t, uint64_t

from engine_cy.bits cimport bit, lowest, popcount
from engine_cy.moon_river.batches cimport decision
from engine_cy.moon_river.cells cimport around, connected, neighbour, territory
from engine_cy.moon_river.codes cimport code_a, code_b, code_bit, code_c, code_phase, other_half
from engine_cy.moon_river.pieces cimport kind_of_side
from engine_cy.moon_river.state cimport (
    BASE_GAME, BONUS_PLACE, BRIDGE, BUILD, CATTLE_THIEF, CIRCLES_TO_COME, CLAIM, COBS_MORE, COMPACT, CORN, COWBOY,
    COWS_TO_COME, DISCARD, DROUGHT, EXTRA_COW, FARM, FOREST, GOLD_RUSH, GROUP_1, GROWTH, HEM_IN, HERD, HERDS, HOLD,
    HOLD_EACH, LATER, LONELY, MOON_RIVER_CITY, NOISE, OTHER_HALF, OUTLAWS, PARTNER, PASS, PROSPECT, RECRUIT,
    ROBBERY, SELECT, STEAL, SWAP, THIEF_WORTH, TIMBER_RAFTING, Kind, Options, Ranch, Setup, State,
)
from engine_cy.moon_river.survey cimport Land, Near, Survey, forget, survey
from engine_cy.rng cimport Rng, rng_next


# ---- The worth of plots

cdef inline float territory_gain(const float* w, float size, float cows, float points, float plots,
                                 float new_cows) noexcept nogil:
    """What joining `plots` plots with `new_cows` to territories of this size, cows and points together brings."""
    cdef float before = points + w[HERDS] * size + w[GROWTH] * cows
    return (size + plots + w[GROWTH]) * (cows + new_cows + w[HERDS]) - before - w[GROWTH] * w[HERDS]


cdef inline float symbols_gain(const float* w, const State* s, const Ranch* ranch, const Survey* v,
                               const Kind* k) noexcept nogil:
    """Resources with their experts, a second cow, a circle."""
    cdef float gain = 0
    cdef int i
    for i in range(3):
        gain += (k.resources >> 16 * i & 0xFFFF) * (1 + ranch.experts[i])
    if k.cows > 1 and s.supply > 1:
        gain += w[EXTRA_COW]
    if k.circle:
        gain += v.recruit
    return gain


cdef inline float group_gain(const float* w, const State* s, const Survey* v, const Kind* k, int cell) noexcept nogil:
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
    n = popcount(connected(v.members, beside)) if beside else 0
    return w[GROUP_1 + min(n, 3)]


cdef inline float plot_gain(const float* w, const State* s, const Survey* v, const Kind* k, int cell) noexcept nogil:
    """The gain of one plot on a free cell, all but its symbols'."""
    cdef int i = k.landscape
    cdef int cows = k.cows != 0 and s.supply != 0
    cdef const Near* near
    cdef float gain
    if i == CORN:
        gain = 0.0
    else:
        near = &v.land[i].near[cell]
        gain = territory_gain(w, near.size, near.cows, near.points, 1, cows)
        if k.skull and near.cows + cows:
            gain -= near.size + 1 + w[GROWTH]
    if s.scenario != BASE_GAME:
        gain += group_gain(w, s, v, k, cell)
    return gain


cdef inline float domino_gain(const float* w, const State* s, const Survey* v, const Kind* a, int cell,
                              const Kind* b, int other) noexcept nogil:
    """Both halves; of the same landscape they join the same territories, each of which counts once."""
    cdef int i = a.landscape
    cdef int size, cows, points, new_cows, skulls, t
    cdef const Land* land
    cdef uint64_t near
    cdef float gain
    if i != b.landscape or i == CORN:
        return plot_gain(w, s, v, a, cell) + plot_gain(w, s, v, b, other)
    size = cows = points = 0
    land = &v.land[i]
    near = land.near[cell].territories | land.near[other].territories
    while near:
        t = lowest(near)
        near &= near - 1
        size += land.size[t]
        cows += land.cattle[t]
        points += land.size[t] * land.cattle[t]
    new_cows = min((a.cows != 0) + (b.cows != 0), s.supply)
    gain = territory_gain(w, size, cows, points, 2, new_cows)
    skulls = min(a.skull + b.skull, cows + new_cows)
    gain -= skulls * (size + 2 + w[GROWTH])
    if s.scenario != BASE_GAME:
        gain += group_gain(w, s, v, a, cell) + group_gain(w, s, v, b, other)
    return gain


cdef inline float prospects(const float* w, const Survey* v, const Kind* k) noexcept nogil:
    """What a plot promises wherever it will lie."""
    return (
        w[PROSPECT + k.landscape] + w[COBS_MORE] * (k.resources >> 32 & 0xFFFF)
        + v.ahead * (w[COWS_TO_COME] * (k.cows != 0) + w[CIRCLES_TO_COME] * k.circle)
    )


cdef inline float plot_worth(const Setup* r, const State* s, int seat, const Survey* v, int kind) noexcept nogil:
    """The best single place the ranch has for a plot, its symbols and prospects."""
    cdef const float* w = r.weight[seat]
    cdef const Kind* k = &r.kind[kind]
    cdef const Ranch* ranch = &s.ranch[seat]
    cdef uint64_t cells = (r.bridges[seat] | around(ranch.land[k.landscape])) & ranch.free
    cdef float most = 0
    cdef float alone = 0
    cdef float gain
    if not cells:
        cells = around(~ranch.free) & ranch.free
        alone = w[OTHER_HALF]
    if k.landscape == CORN and s.scenario == BASE_GAME:
        cells = 0                           # brings nothing anywhere
    while cells:
        gain = plot_gain(w, s, v, k, lowest(cells))
        cells &= cells - 1
        if gain > most:
            most = gain
    return most + alone + symbols_gain(w, s, ranch, v, k) + prospects(w, v, k)


# ---- The worth of decisions

cdef inline float shape_gain(const float* w, const Setup* r, const Ranch* ranch, int seat, uint64_t domino,
                             uint64_t own) noexcept nogil:
    """How the domino leaves the room that is left: cells that no other can cover, edges, bridges, cows without room.
    `own` are the plots of its landscapes."""
    cdef uint64_t free = ranch.free & ~domino
    cdef uint64_t near = around(domino)
    cdef int lonely = popcount(near & free & ~around(free))
    cdef int beside = 6 - popcount(near & free)
    return (
        w[LONELY] * lonely + w[COMPACT] * beside + w[BRIDGE] * popcount(domino & r.bridges[seat])
        + w[HEM_IN] * popcount(near & ranch.cows & ~own)
    )


cdef inline float symbols_of(const Setup* r, const State* s, const Survey* v, int kind) noexcept nogil:
    """What the symbols of a plot bring the seat at turn, wherever it lies."""
    return symbols_gain(r.weight[s.turn], s, &s.ranch[s.turn], v, &r.kind[kind])


cdef inline float build_worth(const Setup* r, const State* s, const Survey* v, uint32_t d, float symbols_a,
                              float symbols_b) noexcept nogil:
    cdef const float* w = r.weight[s.turn]
    cdef const Kind* a = &r.kind[code_a(d)]
    cdef const Kind* b = &r.kind[code_b(d)]
    cdef const Ranch* ranch = &s.ranch[s.turn]
    cdef int cell = code_bit(d)
    cdef int other = other_half(d)
    return (
        domino_gain(w, s, v, a, cell, b, other) + symbols_a + symbols_b
        + shape_gain(w, r, ranch, s.turn, bit(cell) | bit(other), ranch.land[a.landscape] | ranch.land[b.landscape])
    )


cdef inline float recruit_worth(const Setup* r, const State* s, const Survey* v, uint32_t d) noexcept nogil:
    cdef const float* w = r.weight[s.turn]
    cdef int token = code_bit(d) >> 1
    cdef uint64_t land = territory(r, s, s.turn, code_a(d))
    cdef float safety = 0
    if not land & s.ranch[s.turn].partners:
        safety = w[PARTNER] * popcount(land & s.ranch[s.turn].cows)
    if code_bit(d) & 1:
        return safety + v.token[<int>COWBOY]
    if token == CATTLE_THIEF:
        return safety + (0 if s.ranch[s.turn].land[<int>CORN] & bit(code_a(d)) else w[THIEF_WORTH] * popcount(land))
    return safety + v.token[token]


cdef inline float herd_worth(const Setup* r, const State* s, uint32_t d) noexcept nogil:
    """What the cow leaves and what it joins; only the first cow of a plot counts in the end (MR-27)."""
    cdef int start = code_bit(d)
    cdef int end = neighbour(start, code_c(d))
    cdef float worth = 0
    if s.cows[s.turn * r.cells + start] == 1:
        worth -= popcount(territory(r, s, s.turn, start))
    if s.cows[s.turn * r.cells + end] == 0:
        worth += popcount(territory(r, s, s.turn, end))
    return worth


cdef inline float steal_worth(const Setup* r, const State* s, uint32_t d) noexcept nogil:
    cdef float worth = r.weight[s.turn][ROBBERY] * popcount(territory(r, s, code_c(d), code_bit(d)))
    if not s.ranch[s.turn].cows & bit(s.thief):
        worth += popcount(territory(r, s, s.turn, s.thief))
    return worth


cdef float worth(const Setup* r, const State* s, int phase, const Survey* v, uint32_t d) noexcept nogil:
    """Of a decision legal in the phase, for the seat at turn."""
    cdef const float* w = r.weight[s.turn]
    cdef int kind = code_phase(d)
    if kind == BUILD:
        return build_worth(r, s, v, d, symbols_of(r, s, v, code_a(d)), symbols_of(r, s, v, code_b(d)))
    elif kind == PASS:
        return (w[HOLD] + w[HOLD_EACH] * s.ranch[s.turn].hand_size) * v.ahead if phase == BUILD else 0.0
    elif kind == SELECT:
        return plot_worth(r, s, s.turn, v, s.next.plot[code_bit(d)]) + w[LATER] * code_bit(d)
    elif kind == CLAIM:
        return plot_worth(r, s, s.turn, v, s.current.plot[code_bit(d)]) + w[LATER] * code_bit(d)
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
        return plot_gain(w, s, v, &r.kind[kind_of_side(s.tile, code_c(d))], code_bit(d))
    return 0.0                              # BONUS_TILE


cdef void appraise(const Setup* r, const State* s, const uint32_t* decisions, uint32_t n, float* out) noexcept nogil:
    cdef Survey v
    cdef uint32_t i
    forget(&v)
    survey(r, s, s.turn, s.head.phase, &v)
    for i in range(n):
        out[i] = worth(r, s, s.head.phase, &v, decisions[i])


cdef uint32_t best(const Setup* r, const State* s, int phase, const Options* options, Rng* rng,
                   Survey* v) noexcept nogil:
    cdef uint64_t bits
    cdef uint32_t d, base, chosen
    cdef uint32_t i
    cdef float w
    cdef float symbols_a = 0
    cdef float symbols_b = 0
    cdef float most = -1e9
    cdef float scale = r.weight[s.turn][NOISE] / 65536
    cdef bint building
    survey(r, s, s.turn, phase, v)
    chosen = 0
    for i in range(options.n):
        base = options.base[i]
        bits = options.bits[i]
        building = code_phase(base) == BUILD
        if building:                        # the same two plots in the whole batch
            symbols_a = symbols_of(r, s, v, code_a(base))
            symbols_b = symbols_of(r, s, v, code_b(base))
        while bits:
            d = decision(base, lowest(bits))
            bits &= bits - 1
            w = build_worth(r, s, v, d, symbols_a, symbols_b) if building else worth(r, s, phase, v, d)
            w += (rng_next(rng) >> 48) * scale
            if w > most:
                most = w
                chosen = d
    return chosen
