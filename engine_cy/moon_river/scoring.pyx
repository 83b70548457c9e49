"""Scoring, section 8 of the rules. Every figure is as if the game ended now."""
from libc.stdint cimport int32_t, uint64_t

from engine_cy.bits cimport lowest, popcount
from engine_cy.moon_river.cells cimport connected, territory
from engine_cy.moon_river.state cimport (
    BASE_GAME, FARM, FOREST, GOLD_RUSH, LANDSCAPES, LIKES_BANDIT, LIKES_COW, LIKES_RESOURCE, OUTLAWS, SEATS,
    TIMBER_RAFTING, Ranch, Setup, State,
)
from engine_cy.ops cimport Score

cdef enum:
    GROUP_SIZE = 3              # MR-31: plots a group needs
    GROUP_POINTS = 10           # for those, and again for each member beyond them


cdef inline int32_t territory_points(const Setup* r, const State* s, int seat) noexcept nogil:
    """MR-28, with at most one cow counted on a plot (MR-27)."""
    cdef uint64_t cows = s.ranch[seat].cows
    cdef uint64_t land
    cdef int32_t points = 0
    while cows:
        land = territory(r, s, seat, lowest(cows))
        points += popcount(land) * popcount(land & cows)
        cows &= ~land
    return points


cdef int32_t largest_territory(const Ranch* ranch) noexcept nogil:
    cdef uint64_t land, group
    cdef int32_t largest = 0
    cdef int i
    for i in range(LANDSCAPES):
        land = ranch.land[i]
        while popcount(land) > largest:
            group = connected(land, land & (0 - land))
            largest = max(largest, popcount(group))
            land &= ~group
    return largest


cdef inline int32_t group_members(const Setup* r, const State* s, int seat, uint64_t group) noexcept nogil:
    """Members that count beyond the third: plots, in a Gold Rush nuggets (MR-31a)."""
    cdef int32_t members = 0
    if s.scenario != GOLD_RUSH:
        return popcount(group)
    while group:
        members += r.kind[s.plot[seat * r.cells + lowest(group)]].nuggets
        group &= group - 1
    return members


cdef uint64_t scenario_cells(const Setup* r, const State* s, const Ranch* ranch,
                             uint64_t* needs) noexcept nogil:
    """The cells that may be in a group (MR-31), and those of which it needs one."""
    needs[0] = ~<uint64_t>0
    if s.scenario == TIMBER_RAFTING:
        needs[0] = r.river
        return ranch.land[<int>FOREST]
    if s.scenario == GOLD_RUSH:
        return ranch.nuggets
    if s.scenario == OUTLAWS:
        needs[0] = ranch.bandits
        return ranch.partners
    return ranch.land[<int>FARM]


cdef int32_t group_points(const Setup* r, const State* s, int seat, uint64_t group, uint64_t needs) noexcept nogil:
    if popcount(group) < GROUP_SIZE or not group & needs:
        return 0
    return GROUP_POINTS * (1 + group_members(r, s, seat, group) - GROUP_SIZE)


cdef int32_t scenario_points(const Setup* r, const State* s, int seat) noexcept nogil:
    """MR-31."""
    cdef uint64_t needs, group
    cdef uint64_t cells = scenario_cells(r, s, &s.ranch[seat], &needs)
    cdef int32_t points = 0
    while cells:
        group = connected(cells, cells & (0 - cells))
        cells &= ~group
        points += group_points(r, s, seat, group, needs)
    return points


cdef inline void add_up(const Setup* r, const State* s, int seat, Points* out) noexcept nogil:
    """All but the largest territory, which only ties and people ask for."""
    cdef const Ranch* ranch = &s.ranch[seat]
    cdef int32_t n
    cdef int i
    out.territories = territory_points(r, s, seat)
    out.resources = 0
    out.partners = 0
    for i in range(3):
        n = ranch.resources >> 16 * i & 0xFFFF
        out.resources += n
        out.partners += n * ranch.experts[i]
    out.scenario = scenario_points(r, s, seat) if s.scenario != BASE_GAME else 0
    out.total = out.territories + out.resources + out.partners + out.scenario
    out.cows = popcount(ranch.cows)


cdef void seat_points(const Setup* r, const State* s, int seat, Points* out) noexcept nogil:
    add_up(r, s, seat, out)
    out.largest_territory = largest_territory(&s.ranch[seat])


cdef inline bint beats(const State* s, const Points* points, int a, int b) noexcept nogil:
    """MR-32."""
    cdef int32_t la, lb
    if points[a].total != points[b].total:
        return points[a].total > points[b].total
    la = largest_territory(&s.ranch[a])
    lb = largest_territory(&s.ranch[b])
    if la != lb:
        return la > lb
    return points[a].cows > points[b].cows


cdef void score(const Setup* r, const State* s, Score* out) noexcept nogil:
    cdef Points points[SEATS]
    cdef int i, j
    for i in range(r.players):
        add_up(r, s, i, &points[i])
        out.points[i] = points[i].total
        out.place[i] = 1
        out.liking[i] = (
            r.weight[i][LIKES_COW] * points[i].cows + r.weight[i][LIKES_RESOURCE] * points[i].resources
            + r.weight[i][LIKES_BANDIT] * popcount(s.ranch[i].bandits)
        )
    for i in range(r.players):
        for j in range(r.players):
            if i != j and beats(s, points, j, i):
                out.place[i] += 1
