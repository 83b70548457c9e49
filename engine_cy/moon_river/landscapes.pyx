"""Which landscapes the points of territories come from."""
from libc.stdint cimport uint64_t

from engine_cy.bits cimport popcount
from engine_cy.moon_river.cells cimport around, connected
from engine_cy.moon_river.hand cimport kind_at
from engine_cy.moon_river.state cimport CORN, LANDSCAPES, NONE, Ranch, Setup, State
from engine_cy.ops cimport MAX_FINER


# What a landscape has, and how much of what territories still bring it gets.
cdef struct Land:
    int points
    int pull


cdef inline Land look_at(const Ranch* ranch, uint64_t land, int come) noexcept nogil:
    """What would be joined counts, and `come`, the plots to come. It says nearly as much of where points are going to
    come from as a fit to games of bots does (docs/search.md)."""
    cdef uint64_t group, edge
    cdef Land found
    cdef int plots, cows
    cdef int most_plots = 0
    cdef int most_cows = 0
    cdef int room = 0
    found.points = 0
    while land:
        group = connected(land, land & (0 - land))
        land &= ~group
        edge = around(group) & ranch.free
        plots = popcount(group)
        cows = popcount(group & ranch.cows)
        found.points += plots * cows
        if edge:
            most_plots = max(most_plots, plots)
            most_cows = max(most_cows, cows)
            room = max(room, popcount(edge))
    found.pull = (come + 1) * (2 * most_cows + most_plots + 1) * min(room, 6) + 8 * come
    return found


cdef void divide(const Setup* r, const State* s, const float* points, float (*out)[MAX_FINER]) noexcept nogil:
    cdef Land land[LANDSCAPES]
    cdef int come[LANDSCAPES]       # plots for a seat, those twice that it has or has claimed
    cdef uint64_t tally = 0
    cdef const Ranch* ranch
    cdef int seat, i, now, pull
    cdef float more
    for i in range(s.pile_size):
        tally += r.kind[s.pile[i]].tally
    for seat in range(r.players):
        ranch = &s.ranch[seat]
        for i in range(LANDSCAPES):
            come[i] = ((tally >> 8 * i & 0xFF) + r.players - 1) // r.players
        for i in range(ranch.hand_size):
            come[r.kind[kind_at(ranch.hand, i)].landscape] += 2
        for i in range(r.column_size):
            if s.current.seat[i] == seat and s.current.plot[i] != NONE:
                come[r.kind[s.current.plot[i]].landscape] += 2
            if s.next.seat[i] == seat and s.next.plot[i] != NONE:
                come[r.kind[s.next.plot[i]].landscape] += 2
        now = pull = 0
        for i in range(LANDSCAPES):
            if i != CORN:
                land[i] = look_at(ranch, ranch.land[i], come[i])
                now += land[i].points
                pull += land[i].pull
        more = points[seat] - now
        for i in range(LANDSCAPES):
            if i == CORN:
                continue
            out[seat][i - (i > CORN)] = land[i].points + (
                more * land[i].pull / pull if more > 0 and pull else
                more * land[i].points / now if now else more / SCORING_LANDSCAPES
            )
