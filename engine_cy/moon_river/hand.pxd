"""Hands: up to eight kinds of plots, ascending, a byte each in one word; an unused byte is EMPTY.

Eight bytes at a time: `_below` subtracts the kind from every byte at once. All bytes are below 128, so bit 7, set
before and cleared where a byte is smaller, says which are.
"""
from libc.stdint cimport uint64_t

from engine_cy.bits cimport bit, popcount
from engine_cy.moon_river.state cimport Ranch

cdef enum:
    EMPTY = 0x7F


cdef inline uint64_t every_byte(uint64_t value) noexcept nogil:
    return value * <uint64_t>0x0101010101010101


cdef inline int kind_at(uint64_t hand, int i) noexcept nogil:
    return hand >> 8 * i & 0xFF


cdef inline int _below(uint64_t hand, int kind) noexcept nogil:
    """How many plots of the hand come before this kind."""
    return 8 - popcount(((hand | every_byte(0x80)) - every_byte(kind)) & every_byte(0x80))


cdef inline void hand_add(Ranch* ranch, int kind) noexcept nogil:
    """There is room for it: a hand is never full."""
    cdef int shift = 8 * _below(ranch.hand, kind)
    cdef uint64_t before = ranch.hand & (bit(shift) - 1)
    ranch.hand = (ranch.hand ^ before) << 8 | <uint64_t>kind << shift | before
    ranch.hand_size += 1


cdef inline void hand_remove(Ranch* ranch, int kind) noexcept nogil:
    """The kind is in the hand."""
    cdef int shift = 8 * _below(ranch.hand, kind)
    cdef uint64_t before = ranch.hand & (bit(shift) - 1)
    ranch.hand = (ranch.hand >> 8 & ~(bit(shift) - 1)) | before | <uint64_t>EMPTY << 56
    ranch.hand_size -= 1


cdef inline void hand_clear(Ranch* ranch) noexcept nogil:
    ranch.hand = every_byte(EMPTY)
    ranch.hand_size = 0


cdef inline uint64_t hand_kinds(const Ranch* ranch) noexcept nogil:
    """The hand as a set of kinds."""
    cdef uint64_t kinds = 0
    cdef int i
    for i in range(ranch.hand_size):
        kinds |= bit(kind_at(ranch.hand, i))
    return kinds
