"""Chance events: which are due, how they come out, what they bring."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from engine_cy.bits cimport bit, lowest
from engine_cy.moon_river.cells cimport unplaced
from engine_cy.moon_river.state cimport (
    CLAIM, COLUMN, MAX_COLUMN, NEXT_TURN, RANCHERO, SALOON, SCENARIO, SCENARIO_DRAWN, Column, Setup, State,
)
from engine_cy.ops cimport CHANCE, EVERYBODY, Chance
from engine_cy.rng cimport Rng, rng_below


cdef inline void exchange(uint32_t* a, uint32_t* b) noexcept nogil:
    cdef uint32_t low = min(a[0], b[0])
    b[0] = max(a[0], b[0])
    a[0] = low


cdef inline void draw_column(const Setup* r, const State* s, Chance* out) noexcept nogil:
    """MR-2: ascending by number; equal numbers stay in the order drawn."""
    cdef uint32_t key[MAX_COLUMN]           # number, place in the order drawn, kind
    cdef int i, j
    cdef uint8_t kind
    out.n = r.column_size
    for i in range(out.n):
        kind = s.pile[s.pile_size - 1 - i]
        key[i] = <uint32_t>r.kind[kind].number << 16 | i << 8 | kind
    if out.n == 4:                          # a sorting network: no branch to guess
        exchange(&key[0], &key[1])
        exchange(&key[2], &key[3])
        exchange(&key[0], &key[2])
        exchange(&key[1], &key[3])
        exchange(&key[1], &key[2])
    else:
        for i in range(1, out.n):
            for j in range(i, 0, -1):
                exchange(&key[j - 1], &key[j])
    for i in range(out.n):
        out.item[i] = key[i] & 0xFF


cdef void draw_outcome(const Setup* r, const State* s, int phase, Rng* rng, Chance* out) noexcept nogil:
    cdef uint64_t seats
    cdef int i
    cdef uint32_t _
    out.what = phase
    out.seen_by = EVERYBODY
    out.n = 1
    if phase == COLUMN:
        draw_column(r, s, out)
    elif phase == SALOON:
        out.n = min(r.saloon_size - s.shown, s.stack_size)
        for i in range(out.n):
            out.item[i] = s.stack[s.stack_size - 1 - i]
    elif phase == SCENARIO:
        out.item[0] = 1 + rng_below(rng, SCENARIO_DRAWN - 1)
    else:                                   # RANCHERO: MR-3, MR-4
        seats = unplaced(r, s)
        for _ in range(rng_below(rng, r.players - s.claims)):
            seats &= seats - 1
        out.item[0] = lowest(seats)


cdef bint bring_up(uint8_t* order, int n, const uint8_t* items, int count) noexcept nogil:
    """Make `items` the next ones of a hidden order; False, nothing but the order changed, if one is not there."""
    cdef int i, j
    for i in range(count):
        j = n - 1 - i
        while j >= 0 and order[j] != items[i]:
            j -= 1
        if j < 0:
            return False
        order[j] = order[n - 1 - i]
        order[n - 1 - i] = items[i]
    return True


cdef bint arrange(const Setup* r, State* s, const Chance* told) noexcept nogil:
    cdef int i
    cdef State trial
    if s.head.status != CHANCE or told.what != s.head.phase:
        return False
    if told.what == SCENARIO:
        return told.n == 1 and 1 <= told.item[0] < SCENARIO_DRAWN
    if told.what == RANCHERO:
        return told.n == 1 and told.item[0] < r.players and unplaced(r, s) & bit(told.item[0]) != 0
    trial = s[0]
    if told.what == SALOON:
        if told.n != min(r.saloon_size - s.shown, s.stack_size):
            return False
        if not bring_up(trial.stack, s.stack_size, told.item, told.n):
            return False
    else:
        if told.n != r.column_size or not bring_up(trial.pile, s.pile_size, told.item, told.n):
            return False
        for i in range(1, told.n):
            if r.kind[told.item[i - 1]].number > r.kind[told.item[i]].number:
                return False
    s[0] = trial
    return True


cdef inline int lay_column(const Setup* r, State* s, const Chance* outcome) noexcept nogil:
    """MR-2, MR-5, MR-23. The first column is the current one, every other the next."""
    cdef Column* column = &s.current if in_setup(r, s) else &s.next
    cdef int i
    s.pile_size -= outcome.n
    for i in range(outcome.n):
        s.pile[s.pile_size + i] = 0
        column.plot[i] = outcome.item[i]
    column.free = bit(outcome.n) - 1
    return RANCHERO if in_setup(r, s) else SALOON


cdef int come(const Setup* r, State* s, const Chance* outcome) noexcept nogil:
    cdef int i
    if outcome.what == COLUMN:
        return lay_column(r, s, outcome)
    elif outcome.what == SALOON:
        for i in range(outcome.n):
            s.saloon[outcome.item[i]] += 1
            s.stack_size -= 1
            s.stack[s.stack_size] = 0
        s.shown += outcome.n
        return COLUMN if in_setup(r, s) else NEXT_TURN
    elif outcome.what == SCENARIO:
        s.scenario = outcome.item[0]
        return SALOON
    else:                                   # RANCHERO
        s.turn = outcome.item[0]
        return CLAIM
