"""What a learned judgement sees of one seat: features.pxd is the manual."""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from engine_cy.bits cimport bit, lowest, popcount
from engine_cy.moon_river.cells cimport around, connected
from engine_cy.moon_river.hand cimport kind_at
from engine_cy.moon_river.scoring cimport group_points, scenario_cells
from engine_cy.moon_river.state cimport (
    BASE_GAME, BUILD, CLAIM, COLUMNS, CORN, FARM, FOREST, GOLD_DIGGER, GOLD_RUSH, LANDSCAPES, NONE, OUTLAWS,
    TIMBER_RAFTING, Column, Kind, Ranch, Setup, State,
)
from engine_cy.ops cimport DECISION

cdef enum:
    BLACK = 0x5555555555555555  # every second cell of a chequered board: rows have five


# What everybody knows of the plots to come, and what the seat's own ranch makes of each landscape.
cdef struct Outlook:
    int to_come[LANDSCAPES]     # such plots for a seat, 0-4
    int cows[LANDSCAPES]        # the most cows of a territory with room, -1 without one
    int plots[LANDSCAPES]       # the most plots of one


cdef inline int least(int n, int most) noexcept nogil:
    return n if n < most else most


cdef inline void look_ahead(const Setup* r, const State* s, const Ranch* ranch, Outlook* out,
                            uint8_t* x) noexcept nogil:
    """How often each kind is left is known, its order is not."""
    cdef uint64_t tally = 0
    cdef uint64_t resources = 0
    cdef int players = r.players
    cdef int i, n, left
    for i in range(s.pile_size):
        tally += r.kind[s.pile[i]].tally
        resources += r.kind[s.pile[i]].resources
    for i in range(LANDSCAPES):
        out.to_come[i] = least(((tally >> 8 * i & 0xFF) + players - 1) // players, 4)
    x[<int>COWS_TO_COME] = (tally >> 48 & 0xFF) // players
    x[<int>CIRCLES_TO_COME] = (tally >> 56 & 0xFF) // players
    for i in range(3):
        n = ranch.resources >> 16 * i & 0xFFFF
        left = resources >> 16 * i & 0xFFFF
        x[FINDS + 24 * i + 3 * least(n, 7) + least(ranch.experts[i], 2)] = 1
        x[FINDS_TO_COME + i] = least(ranch.experts[i] * left // players, 40)
        if s.saloon[GOLD_DIGGER + i]:
            x[FINDS_OFFERED + i] = least(n, 20)
    n = s.supply // players
    x[COWS_LEFT + (0 if s.supply == 0 else 1 if n < 2 else 2 if n < 4 else 3)] = 1


cdef inline int survey_lands(const Setup* r, const State* s, const Ranch* ranch, Outlook* look,
                             uint8_t* x) noexcept nogil:
    """Territories and the room beside them; returns their points."""
    cdef uint64_t land, group, edge, once, twice, unsafe, near
    cdef uint8_t beside[64]         # by free cell: territories, the most cows and plots of one
    cdef uint8_t most_cows[64]
    cdef uint8_t most_plots[64]
    cdef int i, plots, cows, room, come, cell
    cdef int points = 0
    cdef int joins = 0
    unsafe = 0
    memset(beside, 0, sizeof(beside))
    memset(most_cows, 0, sizeof(most_cows))
    memset(most_plots, 0, sizeof(most_plots))
    for i in range(LANDSCAPES):
        land = ranch.land[i]
        come = look.to_come[i]
        look.cows[i] = -1
        look.plots[i] = 0
        if i == CORN:
            edge = around(land) & ranch.free
            x[<int>CORN_PLOTS] = popcount(land)
            x[<int>CORN_ROOM] = popcount(edge)
            if edge:
                look.cows[i] = 0
            continue
        once = twice = 0
        while land:
            group = connected(land, land & (0 - land))
            land &= ~group
            edge = around(group) & ranch.free
            plots = popcount(group)
            cows = popcount(group & ranch.cows)
            room = popcount(edge)
            points += plots * cows
            if not group & ranch.partners:
                unsafe |= group & ranch.cows
            x[LAND + 20 * (least(plots, 7) - 1) + 4 * least(cows, 4) + least(room, 3)] += 1
            x[SHAPE + 8 * (least(plots, 10) - 1) + least(cows, 7)] += 1
            near = edge | around(edge) & ranch.free
            x[REACH + 5 * least(cows, 4) + least((popcount(near) + 1) // 2, 4)] += 1
            near = edge
            while near:
                cell = lowest(near)
                near &= near - 1
                beside[cell] += 1
                most_cows[cell] = max(most_cows[cell], cows)
                most_plots[cell] = max(most_plots[cell], plots)
            if room:
                x[GROWTH + 25 * least(cows, 6) + 5 * (least(room, 5) - 1) + come] += 1
                x[HOPE + 20 * (least(plots, 4) - 1) + 5 * least(cows, 3) + come] += 1
                look.cows[i] = max(look.cows[i], cows)
                look.plots[i] = max(look.plots[i], plots)
                twice |= once & edge
                once |= edge
        joins += popcount(twice)
        x[(OPEN if once else SHUT) + come] += 1
    x[<int>JOINS] = joins
    near = ranch.free
    while near:
        cell = lowest(near)
        near &= near - 1
        x[PLACES + 6 * least(beside[cell], 3) + least(most_cows[cell], 5)] += 1
        x[COW_PLACES + least(most_plots[cell], 7)] += 1
    x[OPEN_COWS + least(popcount(unsafe), 5)] = 1
    return points


cdef inline void survey_room(const Setup* r, const State* s, const Ranch* ranch, int seat, uint8_t* x) noexcept nogil:
    cdef uint64_t free = ranch.free
    cdef uint64_t part
    cdef int odd = 0
    cdef int parts = 0
    cdef int n = popcount(free)
    x[FREE + least(n // 2 if r.players == 2 else n, 24)] = 1
    x[LONELY + least(popcount(free & ~around(free)), 4)] = 1
    x[BRIDGES + least(popcount(free & r.bridges[seat]), 3)] = 1
    while free:
        part = connected(free, free & (0 - free))
        free &= ~part
        parts += 1
        n = 2 * popcount(part & BLACK) - popcount(part)
        odd += n if n >= 0 else -n
    x[PARTS + least(parts, 4)] = 1
    x[ODD + least(odd, 5)] = 1


cdef inline int survey_groups(const Setup* r, const State* s, int seat, uint8_t* x) noexcept nogil:
    """Groups of the scenario; returns their points."""
    cdef const Ranch* ranch = &s.ranch[seat]
    cdef uint64_t needs, group
    cdef uint64_t cells = scenario_cells(r, s, ranch, &needs)
    cdef int points = 0
    cdef int room
    while cells:
        group = connected(cells, cells & (0 - cells))
        cells &= ~group
        points += group_points(r, s, seat, group, needs)
        room = least(popcount(around(group) & ranch.free), 2)
        x[GROUPS + 36 * (s.scenario - 1) + 6 * (least(popcount(group), 6) - 1) + 2 * room + (group & needs != 0)] += 1
    return points


cdef inline bint in_scenario(const State* s, const Kind* k) noexcept nogil:
    if s.scenario == BASE_GAME:
        return False
    if s.scenario == TIMBER_RAFTING:
        return k.landscape == FOREST
    if s.scenario == GOLD_RUSH:
        return k.nuggets != 0
    if s.scenario == OUTLAWS:
        return k.circle
    return k.landscape == FARM


cdef inline void add_plot(const State* s, const Ranch* ranch, const Outlook* look, const Kind* k,
                          uint8_t* x) noexcept nogil:
    """One plot into the block that starts at `x`."""
    cdef int i = k.landscape
    cdef int cows = look.cows[i]
    cdef int value = 0
    cdef int j
    x[FITS + 6 * (k.cows != 0) + 1 + least(cows, 4)] += 1
    if k.cows:
        x[JOINED + least(look.plots[i], 5)] += 1
    for j in range(3):
        value += (k.resources >> 16 * j & 0xFFFF) * (1 + ranch.experts[j])
    x[<int>VALUE] += least(value, 15)
    x[<int>SKULL] += k.skull
    x[<int>SKULL_HURTS] += k.skull & (cows > 0)
    x[<int>HAS_CIRCLE] += k.circle
    x[<int>SECOND_COW] += k.cows > 1
    x[<int>IS_CORN] += i == CORN
    x[<int>IN_GROUP] += in_scenario(s, k)
    x[SUCH_TO_COME + look.to_come[i]] += 1


cdef inline int add_claimed(const Setup* r, const State* s, const Column* column, int seat, const Outlook* look,
                            uint8_t* x) noexcept nogil:
    """The plots the seat's rancheros stand on; returns how many."""
    cdef int i
    cdef int n = 0
    for i in range(r.column_size):
        if column.seat[i] == seat and column.plot[i] != NONE:
            add_plot(s, &s.ranch[seat], look, &r.kind[column.plot[i]], x)
            n += 1
    return n


cdef inline void survey_plots(const Setup* r, const State* s, int seat, const Outlook* look, uint8_t* x) noexcept nogil:
    """Plots in hand, claimed and offered; the turns to come."""
    cdef const Ranch* ranch = &s.ranch[seat]
    cdef bint at_turn = s.head.status == DECISION and s.turn == seat and s.head.phase != CLAIM
    cdef int i, current, claimed, choosing, before, to_come
    for i in range(ranch.hand_size):
        add_plot(s, ranch, look, &r.kind[kind_at(ranch.hand, i)], x + IN_HAND)
    current = add_claimed(r, s, &s.current, seat, look, x + IN_CURRENT)
    claimed = add_claimed(r, s, &s.next, seat, look, x + IN_NEXT)
    choosing = current + at_turn if s.next.free and not s.last_round else 0
    to_come = current + claimed + choosing + s.pile_size // r.column_size * (2 if r.players == 2 else 1)
    x[TO_COME + least((to_come + 1) // 2 if r.players == 2 else to_come, 24)] = 1
    x[CHOOSING + least(choosing, 2)] = 1
    x[HAND_SIZE + least(ranch.hand_size, 5)] = 1
    x[SPACE + least(max(0, r.capacity[seat] - ranch.hand_size), 4)] = 1
    if choosing:
        for i in range(r.column_size):
            if s.next.free & bit(i):
                add_plot(s, ranch, look, &r.kind[s.next.plot[i]], x + OFFERED)
        before = s.head.status == DECISION and not at_turn and s.head.phase != CLAIM
        if not at_turn:
            for i in range(r.column_size):
                if s.current.seat[i] == seat:
                    break
                before += s.current.seat[i] != NONE
        x[BEFORE + least(before, 3)] = 1
    if at_turn:
        x[WAITING + s.head.phase - BUILD] = 1
        x[<int>CIRCLES_DUE] = popcount(s.circles)
        x[<int>STEPS_DUE] = s.steps


cdef inline int survey_experts(const Ranch* ranch) noexcept nogil:
    cdef int points = 0
    cdef int i
    for i in range(3):
        points += (ranch.resources >> 16 * i & 0xFFFF) * ranch.experts[i]
    return points


cdef inline int second_cows(const Setup* r, const State* s, int seat) noexcept nogil:
    cdef uint64_t cows = s.ranch[seat].cows
    cdef int n = 0
    while cows:
        n += s.cows[seat * r.cells + lowest(cows)] - 1
        cows &= cows - 1
    return n


cdef void describe(const Setup* r, const State* s, int seat, uint8_t* x, int32_t* now) noexcept nogil:
    cdef const Ranch* ranch = &s.ranch[seat]
    cdef Outlook look
    cdef uint64_t resources = ranch.resources
    cdef int last = 0
    x[PLAYERS + r.players - 2] = 1
    look_ahead(r, s, ranch, &look, x)
    now[<int>TERRITORIES] = survey_lands(r, s, ranch, &look, x)
    now[<int>RESOURCES] = (resources & 0xFFFF) + (resources >> 16 & 0xFFFF) + (resources >> 32 & 0xFFFF)
    now[<int>EXPERTS] = survey_experts(ranch)
    now[<int>SCENARIO_GROUPS] = survey_groups(r, s, seat, x) if s.scenario != BASE_GAME else 0
    survey_room(r, s, ranch, seat, x)
    survey_plots(r, s, seat, &look, x)
    x[<int>SECOND_COWS] = least(second_cows(r, s, seat), 20)
    x[PARTNERS + least(popcount(ranch.partners), 4)] = 1
    if r.players == 2:
        x[<int>BONUS] = s.tiles != 0 and not ranch.bonus_taken
        while last < 9 and r.grid & ~ranch.free & ~(bit(COLUMNS * (last + 1)) - 1):
            last += 1
        x[BONUS + 1 + last] = 1
