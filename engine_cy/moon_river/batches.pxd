"""The decisions of a state as batches: adding, counting, picking, finding one."""
from libc.stdint cimport uint32_t, uint64_t

from engine_cy.bits cimport lowest, member, popcount
from engine_cy.moon_river.state cimport Options
from engine_cy.rng cimport Rng, rng_below

cdef enum:
    NEVER = 0x7FFFFFFF          # more than any count


cdef inline void clear(Options* options) noexcept nogil:
    options.n = 0
    options.total = 0


cdef inline void add(Options* options, uint64_t bits, uint32_t base) noexcept nogil:
    """One more batch; an empty one is overwritten by the next (here stores cost less than branches)."""
    cdef uint32_t n = options.n
    options.bits[n] = bits
    options.base[n] = base
    options.before[n] = options.total
    options.total += popcount(bits)
    options.n = n + (bits != 0)


cdef inline uint32_t decision(uint32_t base, uint32_t j) noexcept nogil:
    """The code of bit j of a batch with this base."""
    cdef uint32_t halves = base >> 24
    return (base & 0xFFFFFF) + (j & ~(halves << 5)) + ((j >> 5 & halves) << 18)


cdef inline bint offers(const Options* options, uint32_t code) noexcept nogil:
    """Whether the code is one of the decisions: of each batch it could only be one bit."""
    cdef uint32_t base, j, i
    for i in range(options.n):
        base = options.base[i]
        j = (code & 63) | (code >> 18 & base >> 24) << 5
        if decision(base, j) == code and options.bits[i] >> j & 1:
            return True
    return False


cdef inline uint32_t write_out(const Options* options, uint32_t* out) noexcept nogil:
    """The codes of all decisions, in order; returns their number."""
    cdef uint64_t bits
    cdef uint32_t i
    cdef uint32_t n = 0
    for i in range(options.n):
        bits = options.bits[i]
        while bits:
            out[n] = decision(options.base[i], lowest(bits))
            n += 1
            bits &= bits - 1
    return n


cdef inline uint32_t only(const Options* options) noexcept nogil:
    """The decision, if there is but one."""
    return decision(options.base[0], lowest(options.bits[0]))


cdef inline uint32_t pick(Options* options, Rng* rng) noexcept nogil:
    """One of the options, uniformly."""
    cdef uint32_t k = rng_below(rng, options.total)
    cdef uint32_t batch = 0
    cdef uint32_t step = 3
    cdef uint32_t i
    for i in range(3):
        options.before[options.n + i] = NEVER
    while step == 3:                        # most often once: without a branch on how many there are
        step = (k >= options.before[batch + 1]) + (k >= options.before[batch + 2]) + (k >= options.before[batch + 3])
        batch += step
    return decision(options.base[batch], member(options.bits[batch], k - options.before[batch]))
