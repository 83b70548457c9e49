"""What nobody may know: the orders of the draw pile and of the partner stack (MR-7).

Everything else is public, so an observation is the state with both orders sorted, and a determinization is a shuffle.
"""
from libc.stdint cimport uint8_t
from libc.string cimport memset

from engine_cy.moon_river.state cimport MAX_KINDS, Setup, State
from engine_cy.ops cimport CHANCE, NO_SEAT
from engine_cy.rng cimport Rng, rng_shuffle


cdef inline void sort_small(uint8_t* items, int n) noexcept nogil:
    """Ascending, by counting: values are below MAX_KINDS."""
    cdef uint8_t count[MAX_KINDS]
    cdef int i, _
    cdef int k = 0
    memset(count, 0, MAX_KINDS)
    for i in range(n):
        count[items[i]] += 1
    for i in range(MAX_KINDS):
        for _ in range(count[i]):
            items[k] = i
            k += 1


cdef void observe(const Setup* r, const State* s, int seat, State* out) noexcept nogil:
    out[0] = s[0]
    out.head.viewer = seat
    sort_small(out.pile, out.pile_size)
    sort_small(out.stack, out.stack_size)


cdef void determinize(const Setup* r, State* s, Rng* rng) noexcept nogil:
    s.head.viewer = NO_SEAT
    rng_shuffle(rng, s.pile, s.pile_size)
    rng_shuffle(rng, s.stack, s.stack_size)


cdef bint determined(const State* s) noexcept nogil:
    """In the last round no plot is drawn and the saloon is not refilled (MR-24)."""
    return s.last_round and s.head.status != CHANCE
