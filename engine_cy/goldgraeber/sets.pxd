"""Sets of fields, and purses: what is done with them at every step."""
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from engine_cy.bits cimport lowest, member, popcount
from engine_cy.goldgraeber.state cimport ROBBER_POINTS, VALUES, WORDS, Fields, Purse


cdef inline bint has(const Fields* a, int i) noexcept nogil:
    return a.word[i >> 6] >> (i & 63) & 1


cdef inline void put(Fields* a, int i) noexcept nogil:
    a.word[i >> 6] |= <uint64_t>1 << (i & 63)


cdef inline void remove(Fields* a, int i) noexcept nogil:
    a.word[i >> 6] &= ~(<uint64_t>1 << (i & 63))


cdef inline void clear(Fields* a) noexcept nogil:
    memset(a, 0, sizeof(Fields))


cdef inline uint32_t size(const Fields* a) noexcept nogil:
    return popcount(a.word[0]) + popcount(a.word[1]) + popcount(a.word[2]) + popcount(a.word[3])


cdef inline uint32_t common(const Fields* a, const Fields* b) noexcept nogil:
    """How many fields both have."""
    return (
        popcount(a.word[0] & b.word[0]) + popcount(a.word[1] & b.word[1])
        + popcount(a.word[2] & b.word[2]) + popcount(a.word[3] & b.word[3])
    )


cdef inline bint meet(const Fields* a, const Fields* b) noexcept nogil:
    return (
        a.word[0] & b.word[0] | a.word[1] & b.word[1] | a.word[2] & b.word[2] | a.word[3] & b.word[3]
    ) != 0


cdef inline void intersect(const Fields* a, const Fields* b, Fields* out) noexcept nogil:
    cdef int i
    for i in range(WORDS):
        out.word[i] = a.word[i] & b.word[i]


cdef inline int nth(const Fields* a, uint32_t k) noexcept nogil:
    """The k-th field (from 0, ascending) of a set with more than k."""
    cdef uint32_t n
    cdef int i
    for i in range(WORDS - 1):
        n = popcount(a.word[i])
        if k < n:
            return 64 * i + member(a.word[i], k)
        k -= n
    return 64 * (WORDS - 1) + member(a.word[WORDS - 1], k)


cdef inline int take_first(Fields* a) noexcept nogil:
    """Remove the first field and return it; -1 if there is none."""
    cdef int i, found
    for i in range(WORDS):
        if a.word[i]:
            found = 64 * i + lowest(a.word[i])
            a.word[i] &= a.word[i] - 1
            return found
    return -1


# ---- Purses: chips of a kind are added and taken as units, see state.pxd

cdef inline bint is_gold(int kind) noexcept nogil:
    return kind < VALUES


cdef inline int strength_of(int kind) noexcept nogil:
    return kind - VALUES + 1


cdef inline uint64_t gold_unit(int kind) noexcept nogil:
    return <uint64_t>1 << 8 * kind | <uint64_t>(kind + 1) << 40


cdef inline uint64_t robber_unit(int kind) noexcept nogil:
    return <uint64_t>1 << 8 * (kind - VALUES) | <uint64_t>1 << 40


cdef inline void add_chip(Purse* a, int kind) noexcept nogil:
    if is_gold(kind):
        a.gold += gold_unit(kind)
    else:
        a.robbers += robber_unit(kind)


cdef inline void take_chip(Purse* a, int kind) noexcept nogil:
    if is_gold(kind):
        a.gold -= gold_unit(kind)
    else:
        a.robbers -= robber_unit(kind)


cdef inline void move_all(Purse* source, Purse* target) noexcept nogil:
    target.gold += source.gold
    target.robbers += source.robbers
    source.gold = 0
    source.robbers = 0


cdef inline int count_of(const Purse* a, int kind) noexcept nogil:
    if is_gold(kind):
        return a.gold >> 8 * kind & 255
    return a.robbers >> 8 * (kind - VALUES) & 255


cdef inline int gold_points(const Purse* a) noexcept nogil:
    return <int>(a.gold >> 40)


cdef inline int robber_count(const Purse* a) noexcept nogil:
    return <int>(a.robbers >> 40)


cdef inline int points_of(const Purse* a) noexcept nogil:
    """GG-19."""
    return gold_points(a) + ROBBER_POINTS * robber_count(a)
