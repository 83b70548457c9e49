"""Scoring, section 6 of the rules: what is banked, as if the game ended now."""
from libc.stdint cimport int32_t

from engine_cy.goldgraeber.sets cimport gold_points, points_of, robber_count
from engine_cy.goldgraeber.state cimport LIKES_GOLD, LIKES_ROBBER, LIKES_RUIN, Setup, State
from engine_cy.ops cimport Score


cdef inline void score_all(const Setup* r, const State* s, Score* out) noexcept nogil:
    """GG-19, GG-19a."""
    cdef const float* w
    cdef int32_t total = 0
    cdef int i, j
    for i in range(r.players):
        out.points[i] = points_of(&s.home[i])
        out.place[i] = 1
        total += out.points[i]
    for i in range(r.players):
        w = r.weight[i]
        out.liking[i] = (
            w[LIKES_GOLD] * gold_points(&s.home[i]) + w[LIKES_ROBBER] * robber_count(&s.home[i])
            - w[LIKES_RUIN] * (total - out.points[i]) / (r.players - 1)
        )
        for j in range(r.players):
            out.place[i] += out.points[j] > out.points[i]
