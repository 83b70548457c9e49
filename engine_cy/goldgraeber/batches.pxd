"""The decisions of a state as one batch: picking, listing, finding one."""
from libc.stdint cimport uint32_t

from engine_cy.goldgraeber.codes cimport code_field
from engine_cy.goldgraeber.sets cimport has, nth, size, take_first
from engine_cy.goldgraeber.state cimport Fields, Options
from engine_cy.rng cimport Rng, rng_below


cdef inline uint32_t at(const Options* options, uint32_t k) noexcept nogil:
    """The k-th decision, from 0."""
    return options.base | nth(&options.fields, k)


cdef inline uint32_t pick(const Options* options, Rng* rng) noexcept nogil:
    """One of the options, uniformly."""
    return at(options, rng_below(rng, size(&options.fields)))


cdef inline bint offers(const Options* options, uint32_t code) noexcept nogil:
    """Whether the code is one of the decisions."""
    return code == options.base + code_field(code) and has(&options.fields, code_field(code))


cdef inline uint32_t write_out(const Options* options, uint32_t* out) noexcept nogil:
    """The codes of all decisions, in order; returns their number."""
    cdef Fields rest = options.fields
    cdef uint32_t n = 0
    cdef int field = take_first(&rest)
    while field >= 0:
        out[n] = options.base | field
        n += 1
        field = take_first(&rest)
    return n
