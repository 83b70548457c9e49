"""Chance events: which are due, how they come out, what they bring."""
from libc.stdint cimport uint64_t

from engine_cy.moon_river.state cimport Setup, State
from engine_cy.ops cimport Chance
from engine_cy.rng cimport Rng


# The outcome of the event of this phase, from the hidden orders and the generator. Changes nothing.
cdef void draw_outcome(const Setup* r, const State* s, int phase, Rng* rng, Chance* out) noexcept nogil

# Bring the hidden orders in line with an outcome told from outside; False, nothing changed, if it cannot come.
cdef bint arrange(const Setup* r, State* s, const Chance* told) noexcept nogil

# Let the event come out so (the hidden orders agree); returns the phase to go on with.
cdef int come(const Setup* r, State* s, const Chance* outcome) noexcept nogil


cdef inline bint in_setup(const Setup* r, const State* s) noexcept nogil:
    return s.claims < r.rancheros
