"""How a game starts and goes on: the course of turns and fights, with all that needs nobody to decide.

A phase is entered without asking whether it applies. `go_on` then looks how many options it has: none, and the game
goes on without; one, and the engine takes it; more, and the game waits there for its seat.
"""
from libc.stdint cimport uint32_t
from libc.string cimport memcpy, memset

from engine_cy.goldgraeber.batches cimport at
from engine_cy.goldgraeber.chance cimport chip_due, come, draw_outcome
from engine_cy.goldgraeber.effects cimport carry_out, look_at, note_rest, roll_die, roll_in_fight, turn_up
from engine_cy.goldgraeber.options cimport find_options
from engine_cy.goldgraeber.sets cimport size
from engine_cy.goldgraeber.state cimport (
    CHIP, DIE, FIRST, GAME_OVER, MAX_HOLES, NEXT_TURN, NONE, PIPS, PROSPECT, RETREAT, ROLL, Options, Setup, State,
)
from engine_cy.goldgraeber.worth cimport best
from engine_cy.ops cimport CHANCE, DECISION, NO_LIMIT, NO_SEAT, OVER, Chance
from engine_cy.rng cimport Rng, rng_below, rng_shuffle


cdef void start(const Setup* r, State* s, Rng* rng) noexcept nogil:
    """GG-2, up to the first chance event."""
    cdef int i
    memset(s, 0, sizeof(State))
    s.head.viewer = NO_SEAT
    s.defender = NONE
    s.walker = NONE
    for i in range(r.players):
        s.digger[i] = r.house[i]
    s.down_size = r.holes
    s.down = r.holes_set
    s.rafts = r.piers
    s.buried = r.all_together
    memset(s.chip, NONE, MAX_HOLES)
    memcpy(s.chip, r.all_chips, r.holes)
    if rng != NULL:
        rng_shuffle(rng, s.chip, r.holes)
    settle(r, s, FIRST)


cdef inline int next_turn(const Setup* r, State* s) noexcept nogil:
    """GG-17."""
    s.steps = 0
    s.walker = NONE
    s.turn = s.turn + 1 if s.turn + 1 < r.players else 0
    return PROSPECT


cdef inline uint32_t wait(const Setup* r, State* s, int status, int phase, int seat, uint32_t taken) noexcept nogil:
    s.head.status = status
    s.head.phase = phase
    s.head.seat = seat
    s.head.turn_number = s.turn             # the next turn is always another seat's
    return taken


cdef inline uint32_t go_on(const Setup* r, State* s, int phase, Rng* rng, uint32_t informed,
                           uint32_t limit) noexcept nogil:
    """From a phase to where the game next waits for a seat or for chance; with a generator, to the end, or to the
    next decision after so many.

    Then the seats in the set `informed` decide by worth, the others at random. Returns the number of these decisions.
    """
    cdef Options options
    cdef Chance outcome
    cdef uint32_t taken = 0
    cdef uint32_t n
    cdef int field, seat
    while True:
        if phase == NEXT_TURN:
            phase = next_turn(r, s)
            if not r.prospecting:
                phase = DIE
            continue
        elif phase == DIE:
            if rng == NULL:
                return wait(r, s, CHANCE, phase, NO_SEAT, taken)
            phase = roll_die(r, s, 1 + rng_below(rng, PIPS))
            continue
        elif phase == ROLL:
            if rng == NULL:
                return wait(r, s, CHANCE, phase, NO_SEAT, taken)
            phase = roll_in_fight(r, s, 1 + rng_below(rng, PIPS))
            continue
        elif phase == CHIP:
            if chip_due(r, s, &phase, &field):
                if rng == NULL:
                    return wait(r, s, CHANCE, phase, NO_SEAT, taken)
                if s.looking:
                    look_at(s, field, True)
                else:
                    phase = turn_up(r, s)
            continue
        elif phase == FIRST:
            if rng == NULL:
                return wait(r, s, CHANCE, phase, NO_SEAT, taken)
            draw_outcome(r, s, phase, rng, &outcome)
            phase = come(r, s, &outcome)
            continue
        elif phase == GAME_OVER:
            s.steps = 0
            return wait(r, s, OVER, phase, NO_SEAT, taken)
        find_options(r, s, phase, &options)
        n = size(&options.fields)
        if n == 0:
            if phase == PROSPECT:
                note_rest(s, False)
                phase = DIE
            else:
                phase = NEXT_TURN           # GG-9, GG-16a: the digger stays
        elif n == 1:
            phase = carry_out(r, s, phase, at(&options, 0))
        else:
            seat = s.walker if phase == RETREAT else s.turn
            if rng == NULL or taken >= limit:
                return wait(r, s, DECISION, phase, seat, taken)
            taken += 1
            if informed >> seat & 1:
                phase = carry_out(r, s, phase, best(r, s, phase, &options, rng))
            else:
                phase = carry_out(r, s, phase, at(&options, rng_below(rng, n)))


cdef void settle(const Setup* r, State* s, int phase) noexcept nogil:
    go_on(r, s, phase, NULL, 0, NO_LIMIT)


cdef uint32_t play_out(const Setup* r, State* s, Rng* rng, uint32_t informed, uint32_t limit) noexcept nogil:
    """Whatever the state waits for is offered again by go_on, now to the generator."""
    if informed:
        return go_on(r, s, s.head.phase, rng, informed, limit)
    return go_on(r, s, s.head.phase, rng, 0, NO_LIMIT)    # compiled on its own: random playouts pay for no question
