"""The hottest decision: where a domino can be built (MR-9..13)."""
from libc.stdint cimport uint32_t, uint64_t

from engine_cy.moon_river.batches cimport add, clear
from engine_cy.moon_river.cells cimport around, not_last_column
from engine_cy.moon_river.codes cimport code
from engine_cy.moon_river.hand cimport kind_at
from engine_cy.moon_river.state cimport BUILD, HALVES, MAX_COLUMN, MAX_HAND, PASS, Options, Ranch, Setup, State


cdef inline uint64_t reach(const Setup* r, const State* s, int landscape) noexcept nogil:
    """Where a plot of the landscape joins the ranch, if the cell is free (MR-12, MR-13a)."""
    return r.bridges[s.turn] | around(s.ranch[s.turn].land[landscape])


cdef inline uint64_t across(uint64_t free) noexcept nogil:
    """Cells that are free with the one to their right: the lower cells of the places for a domino lying across."""
    return free & free >> 1 & not_last_column()


cdef inline uint64_t down(uint64_t free) noexcept nogil:
    """The same for a domino lying along a column."""
    return free & free >> 5


cdef inline bint is_last_turn(const State* s) noexcept nogil:
    """MR-22, MR-22a: the last round, and no further ranchero of the seat waits in it."""
    cdef int i
    if not s.last_round:
        return False
    for i in range(MAX_COLUMN):
        if s.current.seat[i] == s.turn:
            return False
    return True


cdef inline bint must_build(const Setup* r, const State* s) noexcept nogil:
    return s.ranch[s.turn].hand_size > r.capacity[s.turn] or is_last_turn(s)


cdef inline void find_pairs(const Setup* r, const State* s, Options* out, bint small) noexcept nogil:
    """Every pair of kinds in hand, either way round, across and down.

    A ranch of 25 cells (`small`) needs half a word, so one batch in halves holds both across and down.
    """
    cdef const Ranch* ranch = &s.ranch[s.turn]
    cdef uint64_t places_across = across(ranch.free)
    cdef uint64_t places_down = down(ranch.free)
    cdef uint64_t low_across[MAX_HAND]      # by kind in hand: lower cells of places where that kind, on the lower
    cdef uint64_t high_across[MAX_HAND]     # or on the higher half, joins the ranch; of small ranches both across
    cdef uint64_t low_down[MAX_HAND]        # and down
    cdef uint64_t high_down[MAX_HAND]
    cdef int kind[MAX_HAND]                 # distinct kinds in hand
    cdef uint32_t halves = HALVES if small else 0
    cdef int n = 0
    cdef int i, j, next_kind
    cdef uint64_t joins
    for i in range(ranch.hand_size):
        next_kind = kind_at(ranch.hand, i)
        if n and next_kind == kind[n - 1]:
            if i > 1 and kind_at(ranch.hand, i - 2) == next_kind:
                continue                    # a third of the kind makes no other pair
            add(out, low_across[n - 1] | high_across[n - 1], code(BUILD, next_kind, next_kind, 0) | halves)
            if not small:
                add(out, low_down[n - 1] | high_down[n - 1], code(BUILD, next_kind, next_kind, 1))
            continue
        kind[n] = next_kind
        joins = reach(r, s, r.kind[next_kind].landscape)
        low_across[n] = joins & places_across
        high_across[n] = joins >> 1 & places_across
        low_down[n] = joins & places_down
        high_down[n] = joins >> 5 & places_down
        if small:
            low_across[n] |= low_down[n] << 32
            high_across[n] |= high_down[n] << 32
        for j in range(n):
            add(out, low_across[n] | high_across[j], code(BUILD, next_kind, kind[j], 0) | halves)
            add(out, low_across[j] | high_across[n], code(BUILD, kind[j], next_kind, 0) | halves)
            if not small:
                add(out, low_down[n] | high_down[j], code(BUILD, next_kind, kind[j], 1))
                add(out, low_down[j] | high_down[n], code(BUILD, kind[j], next_kind, 1))
        n += 1


cdef inline void find_builds(const Setup* r, const State* s, Options* out) noexcept nogil:
    """MR-9..13, and to stop where building is not mandatory."""
    clear(out)
    if not must_build(r, s):
        add(out, 1, code(PASS, 0, 0, 0))
    if s.ranch[s.turn].hand_size < 2:
        return
    if r.cells <= 32:
        find_pairs(r, s, out, True)
    else:
        find_pairs(r, s, out, False)
