"""What the quick judgement knows of a ranch: its territories, what lies beside each free cell, what tokens bring."""
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from engine_cy.bits cimport bit, lowest, popcount
from engine_cy.moon_river.cells cimport around, connected
from engine_cy.moon_river.hand cimport kind_at
from engine_cy.moon_river.state cimport (
    BEAVERS_TO_COME, BONUS_PLACE, BUILD, CAMP, CATTLE_THIEF, CELLS, CIRCLE, CLAIM, COBS_TO_COME, COWBOY,
    COWBOY_WORTH, DESPERADO, DESPERADO_WORTH, DISCARD, FARM, FOREST, GOLD_DIGGER, GOLD_RUSH, LANDSCAPES,
    MOON_RIVER_CITY, NUGGETS_TO_COME, OUTLAWS, SELECT, SWAP, THIEF_WORTH, TIMBER_RAFTING, TOKENS, Ranch, Setup,
    State,
)


cdef enum:
    EVERY_LANDSCAPE = (1 << LANDSCAPES) - 1
    NEVER_LAND = 1 << CAMP      # no plot lies there


cdef void forget(Survey* v) noexcept nogil:
    cdef int i
    for i in range(LANDSCAPES):
        v.land[i].land = NEVER_LAND


cdef inline void survey_land(const Ranch* ranch, int landscape, Land* out) noexcept nogil:
    """The territories of one landscape and what lies beside each free cell."""
    cdef uint64_t land = ranch.land[landscape]
    cdef uint64_t group, edge
    cdef Near* near
    cdef int size, cows
    cdef int n = 0
    out.land = land
    out.cows = land & ranch.cows
    out.free = ranch.free
    edge = ranch.free
    memset(out.near, 0, (CELLS if edge >> 25 else 25) * sizeof(Near))
    while land:
        group = connected(land, land & (0 - land))
        land &= ~group
        size = popcount(group)
        cows = popcount(group & ranch.cows)
        out.size[n] = size
        out.cattle[n] = cows
        edge = around(group) & ranch.free
        while edge:
            near = &out.near[lowest(edge)]
            edge &= edge - 1
            near.territories |= bit(n)
            near.size += size
            near.cows += cows
            near.points += size * cows
        n += 1


cdef inline float to_come(const Setup* r, const State* s) noexcept nogil:
    """The share of the plots that is still to be drawn."""
    return <float>s.pile_size / r.plots


cdef inline uint32_t landscapes_asked(const Setup* r, const State* s, int seat, int phase) noexcept nogil:
    """The set of landscapes that decisions of the phase are about."""
    cdef const Ranch* ranch = &s.ranch[seat]
    cdef uint32_t asked = 0
    cdef int i
    if phase == BUILD or phase == DISCARD:
        for i in range(ranch.hand_size):
            asked |= 1 << r.kind[kind_at(ranch.hand, i)].landscape
    elif phase == SELECT or phase == CLAIM:
        for i in range(r.column_size):
            if phase == SELECT and s.next.free & bit(i):
                asked |= 1 << r.kind[s.next.plot[i]].landscape
            elif phase == CLAIM and s.current.free & bit(i):
                asked |= 1 << r.kind[s.current.plot[i]].landscape
    elif phase == SWAP or phase == BONUS_PLACE:
        asked = EVERY_LANDSCAPE
    return asked


cdef void survey(const Setup* r, const State* s, int seat, int phase, Survey* v) noexcept nogil:
    cdef const Ranch* ranch = &s.ranch[seat]
    cdef uint32_t asked = landscapes_asked(r, s, seat, phase)
    cdef const Land* known
    cdef int i
    v.ahead = to_come(r, s)
    while asked:
        i = lowest(asked)
        asked &= asked - 1
        known = &v.land[i]
        if known.land != ranch.land[i] or known.cows != ranch.land[i] & ranch.cows or ranch.free & ~known.free:
            survey_land(ranch, i, &v.land[i])
    if s.scenario == TIMBER_RAFTING:
        v.members = ranch.land[<int>FOREST]
    elif s.scenario == GOLD_RUSH:
        v.members = ranch.nuggets
    elif s.scenario == OUTLAWS:
        v.members = ranch.partners
    elif s.scenario == MOON_RIVER_CITY:
        v.members = ranch.land[<int>FARM]
    survey_tokens(r, s, seat, v)


cdef inline void survey_tokens(const Setup* r, const State* s, int seat, Survey* v) noexcept nogil:
    cdef const float* w = r.weight[seat]
    cdef float ahead = v.ahead
    cdef uint64_t resources = s.ranch[seat].resources
    cdef int i
    v.token[<int>DESPERADO] = w[DESPERADO_WORTH]
    v.token[<int>CATTLE_THIEF] = 3 * w[THIEF_WORTH]
    v.token[<int>GOLD_DIGGER] = (resources & 0xFFFF) + ahead * w[NUGGETS_TO_COME]
    v.token[GOLD_DIGGER + 1] = (resources >> 16 & 0xFFFF) + ahead * w[BEAVERS_TO_COME]
    v.token[GOLD_DIGGER + 2] = (resources >> 32 & 0xFFFF) + ahead * w[COBS_TO_COME]
    v.token[<int>COWBOY] = w[COWBOY_WORTH]
    v.recruit = 0
    if s.shown:
        v.recruit = v.token[<int>COWBOY]
        for i in range(TOKENS):
            if s.saloon[i] and v.token[i] > v.recruit:
                v.recruit = v.token[i]
        v.recruit += w[CIRCLE]
