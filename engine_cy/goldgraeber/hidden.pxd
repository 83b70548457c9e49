"""What not everybody may know: the chips that lie face down (GG-2, GG-20)."""
from engine_cy.goldgraeber.state cimport Setup, State
from engine_cy.rng cimport Rng


cdef void observe(const Setup* r, const State* s, int seat, State* out) noexcept nogil
cdef void determinize(const Setup* r, State* s, Rng* rng) noexcept nogil
cdef bint determined(const State* s) noexcept nogil
