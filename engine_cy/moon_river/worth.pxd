"""What a decision is worth at a glance, in points: for informed playouts, priors and the greedy player.

Honest to what its seat can see, and cheap: the territories of a ranch are surveyed once, and every placement is then a
few look-ups (a plot's gain depends on the territories beside its cell, not on the whole ranch).
"""
from libc.stdint cimport uint32_t

from engine_cy.moon_river.state cimport Options, Setup, State
from engine_cy.moon_river.survey cimport Survey
from engine_cy.rng cimport Rng


# The worth of each of these legal decisions, for the seat at turn.
cdef void appraise(const Setup* r, const State* s, const uint32_t* decisions, uint32_t n, float* out) noexcept nogil

# The decision of greatest worth; near ties, within the weight NOISE, fall at random. Surveys the ranch at turn.
cdef uint32_t best(const Setup* r, const State* s, int phase, const Options* options, Rng* rng,
                   Survey* v) noexcept nogil
