"""64-bit sets: the three operations that all of them need."""
from libc.stdint cimport uint64_t


cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__BMI2__)
    #include <immintrin.h>
    #endif
    static inline int saloon_popcount(uint64_t b) { return __builtin_popcountll(b); }
    static inline int saloon_lowest(uint64_t b) { return __builtin_ctzll(b); }
    /* The k-th member (from 0, ascending) of a set with more than k members. */
    static inline int saloon_member(uint64_t b, int k) {
    #if defined(__BMI2__)
        return __builtin_ctzll(_pdep_u64((uint64_t)1 << k, b));
    #else
        while (k--) b &= b - 1;
        return __builtin_ctzll(b);
    #endif
    }
    """
    int popcount "saloon_popcount"(uint64_t b) noexcept nogil
    int lowest "saloon_lowest"(uint64_t b) noexcept nogil
    int member "saloon_member"(uint64_t b, int k) noexcept nogil


cdef inline uint64_t bit(int i) noexcept nogil:
    return <uint64_t>1 << i
