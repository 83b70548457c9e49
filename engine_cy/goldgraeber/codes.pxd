"""The fields of a decision code; state.pxd says what they hold."""
from libc.stdint cimport uint32_t


cdef inline uint32_t code(uint32_t phase, uint32_t field) noexcept nogil:
    return phase << 8 | field


cdef inline int code_field(uint32_t d) noexcept nogil:
    return d & 255
