"""Scoring, section 8 of the rules. Every figure is as if the game ended now."""
from libc.stdint cimport int32_t, uint64_t

from engine_cy.moon_river.state cimport Ranch, Setup, State
from engine_cy.ops cimport Score

# The points of one seat by rule, and what breaks ties.
cdef struct Points:
    int32_t territories         # MR-28
    int32_t resources           # MR-29
    int32_t partners            # MR-30
    int32_t scenario            # MR-31
    int32_t total
    int32_t largest_territory   # MR-32: the first tie-break
    int32_t cows                # after MR-27: the second


cdef void seat_points(const Setup* r, const State* s, int seat, Points* out) noexcept nogil
cdef void score(const Setup* r, const State* s, Score* out) noexcept nogil
cdef uint64_t scenario_cells(const Setup* r, const State* s, const Ranch* ranch, uint64_t* needs) noexcept nogil
cdef int32_t group_points(const Setup* r, const State* s, int seat, uint64_t group, uint64_t needs) noexcept nogil
