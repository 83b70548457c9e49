"""Where walks end (GG-6 to GG-8, GG-16a): tables made once for a map, masked with what stands on it."""
from libc.stdint cimport uint8_t, uint32_t

from engine_cy.goldgraeber.sets cimport has, intersect, remove
from engine_cy.goldgraeber.state cimport LENGTHS, MAX_FIELDS, SHORE, WORDS, Fields, Setup, State

cdef enum:
    SIDES = 6

# Where one may step from a field: land and streets to each other and over doors, land to shores and back.
cdef struct Steps:
    uint8_t n[MAX_FIELDS]
    uint8_t to[MAX_FIELDS][SIDES]


# Fill a table of rail_size x fields x LENGTHS sets with the ends of all walks, and what Setup says of ways.
cdef void find_walks(const Setup* r, const Steps* steps, Fields* out) noexcept nogil
cdef void find_ranges(Setup* r, const Steps* steps) noexcept nogil
cdef void find_ways_home(Setup* r) noexcept nogil


cdef inline const Fields* walks(const Setup* r, int locomotive, int start, int length) noexcept nogil:
    """Ends of the walks of a length: all houses and shores included, whoever may enter them."""
    return &r.walk[(<uint32_t>locomotive * r.fields + start) * LENGTHS + length]


cdef inline void find_ends(const Setup* r, const State* s, Fields* out) noexcept nogil:
    """Where the seat at turn may walk, exactly s.steps fields far (GG-6 to GG-8). The raft it leaves is free again
    (GG-8b)."""
    cdef const Fields* ends = walks(r, s.locomotive, s.digger[s.turn], s.steps)
    cdef const Fields* grounds = &r.open_to[s.turn]
    cdef int i
    for i in range(WORDS):
        out.word[i] = ends.word[i] & (grounds.word[i] | s.rafts.word[i])
    for i in range(r.players):
        if r.ground[s.digger[i]] == SHORE and i != s.turn:
            remove(out, s.digger[i])


cdef inline void find_retreats(const Setup* r, const State* s, Fields* out) noexcept nogil:
    """Where the seat s.walker may walk away to (GG-16a)."""
    cdef int i
    intersect(walks(r, s.locomotive, s.digger[s.walker], s.steps), &r.open_to[s.walker], out)
    for i in range(WORDS):
        out.word[i] &= ~s.robbers.word[i]
    for i in range(r.players):
        if not has(&r.city, s.digger[i]):
            remove(out, s.digger[i])
