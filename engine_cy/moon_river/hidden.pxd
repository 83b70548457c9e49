"""What nobody may know: the orders of the draw pile and of the partner stack (MR-7)."""
from engine_cy.moon_river.state cimport Setup, State
from engine_cy.rng cimport Rng


cdef void observe(const Setup* r, const State* s, int seat, State* out) noexcept nogil
cdef void determinize(const Setup* r, State* s, Rng* rng) noexcept nogil
cdef bint determined(const State* s) noexcept nogil
