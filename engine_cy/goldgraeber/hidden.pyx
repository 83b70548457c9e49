"""What not everybody may know: the chips that lie face down (GG-2, GG-20).

A seat knows the chips it has looked at. An observation keeps those and holds the others in ascending order; that they
lie there all together is known to everybody, and so is who has looked where.
"""
from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset

from engine_cy.goldgraeber.sets cimport has
from engine_cy.goldgraeber.state cimport KINDS, MAX_HOLES, WORDS, Setup, State
from engine_cy.ops cimport NO_SEAT, OVER
from engine_cy.rng cimport Rng, rng_shuffle


cdef inline int unknown_to(const Setup* r, const State* s, int seat, uint8_t* holes) noexcept nogil:
    """The holes, in order, whose face-down chip the seat has not looked at; returns their number."""
    cdef int hole
    cdef int n = 0
    for hole in range(r.holes):
        holes[n] = hole
        n += has(&s.down, r.field[hole]) and not has(&s.looked[seat], r.field[hole])
    return n


cdef void observe(const Setup* r, const State* s, int seat, State* out) noexcept nogil:
    cdef uint8_t holes[MAX_HOLES + 1]
    cdef uint8_t count[KINDS]
    cdef int i, kind, n, other
    memcpy(out, s, sizeof(State))
    out.head.viewer = seat
    for other in range(r.players):
        for i in range(WORDS):
            out.known.word[i] |= s.looked[other].word[i]
    n = unknown_to(r, s, seat, holes)
    memset(count, 0, sizeof(count))
    for i in range(n):
        count[s.chip[holes[i]]] += 1
    kind = 0
    for i in range(n):
        while not count[kind]:
            kind += 1
        count[kind] -= 1
        out.chip[holes[i]] = kind


cdef void determinize(const Setup* r, State* s, Rng* rng) noexcept nogil:
    cdef uint8_t holes[MAX_HOLES + 1]
    cdef uint8_t chips[MAX_HOLES]
    cdef int i
    cdef int n = unknown_to(r, s, s.head.viewer, holes)
    for i in range(n):
        chips[i] = s.chip[holes[i]]
    rng_shuffle(rng, chips, n)
    for i in range(n):
        s.chip[holes[i]] = chips[i]
    s.head.viewer = NO_SEAT


cdef bint determined(const State* s) noexcept nogil:
    """The die is rolled to the end."""
    return s.head.status == OVER
