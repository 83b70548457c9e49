"""Chance events: how they come out, what they bring."""
from engine_cy.goldgraeber.effects cimport (
    known_when_looking, known_when_turned_up, look_at, roll_die, roll_in_fight, turn_up,
)
from engine_cy.goldgraeber.options cimport find_unseen
from engine_cy.goldgraeber.sets cimport has, take_first
from engine_cy.goldgraeber.state cimport (
    CHIP, DIE, FIRST, NEXT_TURN, NONE, PIPS, PROSPECT, ROLL, WORDS, Fields, Setup, State,
)
from engine_cy.ops cimport CHANCE, EVERYBODY, Chance
from engine_cy.rng cimport Rng, rng_below


cdef inline bint find_to_see(const Setup* r, const State* s, Fields* out) noexcept nogil:
    """The chips that the seat at turn is about to look at for the first time, and that are not known."""
    cdef const Fields* known = known_when_looking(s)
    cdef Fields seen
    cdef int i
    for i in range(WORDS):
        seen.word[i] = known.word[i] | s.looked[s.turn].word[i]
    return find_unseen(r, s, &seen, out)


cdef bint chip_due(const Setup* r, State* s, int* phase, int* field) noexcept nogil:
    cdef Fields unseen
    if s.looking:
        if find_to_see(r, s, &unseen):
            field[0] = take_first(&unseen)
            return True
        s.looking = False
        phase[0] = NEXT_TURN
        return False
    field[0] = s.digger[s.turn]
    if not has(known_when_turned_up(s), field[0]):
        return True
    phase[0] = turn_up(r, s)
    return False


cdef inline int next_chip(const Setup* r, const State* s) noexcept nogil:
    """The field of the chip that is to be seen."""
    cdef Fields unseen
    if s.looking and find_to_see(r, s, &unseen):
        return take_first(&unseen)
    return s.digger[s.turn]


cdef void draw_outcome(const Setup* r, const State* s, int phase, Rng* rng, Chance* out) noexcept nogil:
    out.what = phase
    out.seen_by = EVERYBODY
    out.n = 1
    if phase == FIRST:
        out.item[0] = rng_below(rng, r.players)
    elif phase == CHIP:
        out.n = 2
        out.item[0] = next_chip(r, s)
        out.item[1] = s.chip[r.hole[out.item[0]]]
        if s.looking:
            out.seen_by = 1 << s.turn
    else:
        out.item[0] = 1 + rng_below(rng, PIPS)


cdef bint bring_up(const Setup* r, State* s, int field, int kind) noexcept nogil:
    """Make this the chip on the field: any that nobody has seen may lie there."""
    cdef int hole = r.hole[field]
    cdef int other
    for other in range(r.holes):
        if s.chip[other] == kind and has(&s.down, r.field[other]) and not has(&s.known, r.field[other]):
            s.chip[other] = s.chip[hole]
            s.chip[hole] = kind
            return True
    return False


cdef bint arrange(const Setup* r, State* s, const Chance* told) noexcept nogil:
    if s.head.status != CHANCE or told.what != s.head.phase:
        return False
    if told.what == CHIP:
        if told.n != 2 or told.item[0] != next_chip(r, s):
            return False
        if told.item[1] == NONE:
            return s.looking
        return bring_up(r, s, told.item[0], told.item[1])
    if told.what == FIRST:
        return told.n == 1 and told.item[0] < r.players
    return told.n == 1 and 1 <= told.item[0] <= PIPS


cdef int come(const Setup* r, State* s, const Chance* outcome) noexcept nogil:
    if outcome.what == DIE:
        return roll_die(r, s, outcome.item[0])
    elif outcome.what == ROLL:
        return roll_in_fight(r, s, outcome.item[0])
    elif outcome.what == FIRST:
        s.turn = outcome.item[0]
        return PROSPECT
    elif s.looking:
        look_at(s, outcome.item[0], outcome.item[1] != NONE)
        return CHIP
    return turn_up(r, s)
