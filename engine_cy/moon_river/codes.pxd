"""The fields of a decision code; state.pxd says what they hold."""
from libc.stdint cimport uint32_t

from engine_cy.moon_river.state cimport COLUMNS


cdef inline uint32_t code(uint32_t phase, uint32_t a, uint32_t b, uint32_t c) noexcept nogil:
    """A decision code with bit 0."""
    return a << 6 | b << 12 | c << 18 | phase << 20


cdef inline int code_bit(uint32_t d) noexcept nogil:
    return d & 63


cdef inline int code_a(uint32_t d) noexcept nogil:
    return d >> 6 & 63


cdef inline int code_b(uint32_t d) noexcept nogil:
    return d >> 12 & 63


cdef inline int code_c(uint32_t d) noexcept nogil:
    return d >> 18 & 3


cdef inline int other_half(uint32_t d) noexcept nogil:
    """BUILD: the higher cell of the domino."""
    return code_bit(d) + (COLUMNS if code_c(d) else 1)


cdef inline int code_phase(uint32_t d) noexcept nogil:
    return d >> 20 & 15
