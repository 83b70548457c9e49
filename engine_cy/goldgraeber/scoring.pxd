"""Scoring, section 6 of the rules: what is banked, as if the game ended now."""
from libc.stdint cimport int32_t

from engine_cy.goldgraeber.sets cimport gold_points, robber_count
from engine_cy.goldgraeber.state cimport LIKES_GOLD, LIKES_ROBBER, LIKES_RUIN, ROBBER_POINTS, SEATS, Setup, State
from engine_cy.ops cimport Score

# The points of one seat by what it has banked (GG-19).
cdef struct Points:
    int32_t gold
    int32_t robbers
    int32_t total


cdef inline void seat_points(const Setup* r, const State* s, int seat, Points* out) noexcept nogil:
    out.gold = gold_points(&s.home[seat])
    out.robbers = ROBBER_POINTS * robber_count(&s.home[seat])
    out.total = out.gold + out.robbers


cdef inline void score(const Setup* r, const State* s, Score* out) noexcept nogil:
    """GG-19, GG-19a."""
    cdef Points points[SEATS]
    cdef const float* w
    cdef int32_t total = 0
    cdef int i, j
    for i in range(r.players):
        seat_points(r, s, i, &points[i])
        out.points[i] = points[i].total
        out.place[i] = 1
        total += out.points[i]
    for i in range(r.players):
        w = r.weight[i]
        out.liking[i] = (
            w[LIKES_GOLD] * points[i].gold + w[LIKES_ROBBER] * robber_count(&s.home[i])
            - w[LIKES_RUIN] * (total - out.points[i]) / (r.players - 1)
        )
        for j in range(r.players):
            out.place[i] += out.points[j] > out.points[i]
