"""Random numbers: xoshiro256++, one generator per game or search, always passed explicitly.

Blackman and Vigna's xoshiro256++, seeded through splitmix64 as they advise. The same seed and stream give the
same numbers on every machine and in every build.
"""
from libc.stdint cimport uint32_t, uint64_t


cdef struct Rng:
    uint64_t s[4]


cdef inline uint64_t _splitmix(uint64_t* x) noexcept nogil:
    x[0] += <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t z = x[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline void rng_seed(Rng* rng, uint64_t seed, uint64_t stream) noexcept nogil:
    """Start the generator; streams of one seed are independent (game 0, game 1, ... of a run)."""
    cdef uint64_t x = seed
    cdef int i
    x = _splitmix(&x) ^ stream
    for i in range(4):
        rng.s[i] = _splitmix(&x)


cdef inline uint64_t _rotl(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


cdef inline uint64_t rng_next(Rng* rng) noexcept nogil:
    """64 random bits."""
    cdef uint64_t result = _rotl(rng.s[0] + rng.s[3], 23) + rng.s[0]
    cdef uint64_t t = rng.s[1] << 17
    rng.s[2] ^= rng.s[0]
    rng.s[3] ^= rng.s[1]
    rng.s[1] ^= rng.s[2]
    rng.s[0] ^= rng.s[3]
    rng.s[2] ^= t
    rng.s[3] = _rotl(rng.s[3], 45)
    return result


cdef inline uint32_t rng_below(Rng* rng, uint32_t n) noexcept nogil:
    """Exactly uniform in [0, n), n >= 1 (Lemire's multiplication with rejection of the few biased draws)."""
    cdef uint64_t m = (rng_next(rng) >> 32) * n
    cdef uint32_t low = <uint32_t>m
    cdef uint32_t threshold
    if low < n:
        threshold = (<uint32_t>0 - n) % n
        while low < threshold:
            m = (rng_next(rng) >> 32) * n
            low = <uint32_t>m
    return <uint32_t>(m >> 32)


cdef inline void rng_shuffle(Rng* rng, unsigned char* items, uint32_t n) noexcept nogil:
    """Fisher and Yates: every order equally likely. n <= 256, so 16 bits of each number do for one place (as above)."""
    cdef uint64_t word = 0
    cdef uint32_t i, m
    cdef int left = 0
    cdef unsigned char t
    i = n
    while i > 1:
        if left == 0:
            word = rng_next(rng)
            left = 4
        m = <uint32_t>(word & 0xFFFF) * i
        word >>= 16
        left -= 1
        if (m & 0xFFFF) < i and (m & 0xFFFF) < 0x10000 % i:
            continue
        i -= 1
        t = items[i]
        items[i] = items[m >> 16]
        items[m >> 16] = t
