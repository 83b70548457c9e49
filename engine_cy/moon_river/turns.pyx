"""How a game starts and goes on: the course of turns and rounds, with all that needs nobody to decide.

A phase is entered without asking whether it applies. `go_on` then looks how many options it has: none, and `skip`
moves on; one, and the engine takes it; more, and the game waits there for its seat.
"""
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from engine_cy.bits cimport lowest, member, popcount
from engine_cy.moon_river.batches cimport only, pick
from engine_cy.moon_river.builds cimport find_builds
from engine_cy.moon_river.cells cimport clear_column, unplaced
from engine_cy.moon_river.chance cimport come, draw_outcome, in_setup
from engine_cy.moon_river.codes cimport code_bit
from engine_cy.moon_river.effects cimport carry_out, skip
from engine_cy.moon_river.hand cimport hand_add, hand_clear
from engine_cy.moon_river.hidden cimport determinize
from engine_cy.moon_river.options cimport find_options
from engine_cy.moon_river.pieces cimport stand
from engine_cy.moon_river.state cimport (
    ALL_CELLS, BASE_GAME, BUILD, CLAIM, COLUMN, GAME_OVER, MAX_PLOTS, MAX_TOKENS, NEXT_TURN, NONE, SALOON, SCENARIO,
    SCENARIO_DRAWN, SEATS, SELECT, Options, Setup, State,
)
from engine_cy.moon_river.survey cimport Survey, forget
from engine_cy.moon_river.worth cimport best
from engine_cy.ops cimport CHANCE, DECISION, NO_LIMIT, NO_SEAT, OVER, Chance
from engine_cy.rng cimport Rng, rng_below


cdef void start(const Setup* r, State* s, Rng* rng) noexcept nogil:
    """MR-1, up to the first chance event."""
    cdef int i
    memset(s, 0, sizeof(State))
    s.head.viewer = NO_SEAT
    s.scenario = BASE_GAME if r.scenario == SCENARIO_DRAWN else r.scenario
    s.supply = r.cows
    s.tiles = (1 << r.tiles) - 1
    s.thief = NONE
    s.tile = NONE
    clear_column(&s.current)
    clear_column(&s.next)
    memset(s.plot, NONE, ALL_CELLS)
    memset(s.partner, NONE, ALL_CELLS)
    for i in range(r.players):
        s.ranch[i].free = r.grid
        hand_clear(&s.ranch[i])
    s.pile_size = r.plots
    s.stack_size = r.tokens
    memcpy(s.pile, r.all_plots, MAX_PLOTS)
    memcpy(s.stack, r.all_tokens, MAX_TOKENS)
    if rng != NULL:
        determinize(r, s, rng)
    settle(r, s, SCENARIO)


# ---- The course of rounds

cdef void end_game(const Setup* r, State* s) noexcept nogil:
    """MR-27: one cow stays on each plot. What is left of the last column leaves the game."""
    cdef int seat, i
    cdef uint64_t cows
    clear_column(&s.current)
    for seat in range(r.players):
        cows = s.ranch[seat].cows
        while cows:
            i = seat * r.cells + lowest(cows)
            s.supply += s.cows[i] - 1
            s.cows[i] = 1
            cows &= cows - 1


cdef inline int end_round(const Setup* r, State* s) noexcept nogil:
    """MR-23: the next column becomes the current one. Returns the phase to go on with."""
    if s.last_round:
        end_game(r, s)
        return GAME_OVER
    s.current = s.next
    clear_column(&s.next)
    return COLUMN


cdef inline int next_turn(const Setup* r, State* s) noexcept nogil:
    """MR-8: the next ranchero of the column collects its plot; after the last one the round ends."""
    cdef int position
    if not s.current.standing:
        return end_round(r, s)
    position = lowest(s.current.standing)
    s.turn = s.current.seat[position]
    hand_add(&s.ranch[s.turn], s.current.plot[position])
    s.current.seat[position] = NONE
    s.current.plot[position] = NONE
    s.current.standing &= s.current.standing - 1
    return BUILD


cdef inline bint chance_due(const Setup* r, State* s, int* phase) noexcept nogil:
    """Whether the event of this chance phase takes place; if not, the phase becomes the one to go on with."""
    if phase[0] == SCENARIO:
        if r.scenario == SCENARIO_DRAWN:
            return True
        phase[0] = SALOON
    elif phase[0] == SALOON:
        if s.stack_size and s.shown < r.saloon_size:
            return True
        phase[0] = COLUMN if in_setup(r, s) else NEXT_TURN
    elif phase[0] == COLUMN:
        if s.pile_size:
            return True
        s.last_round = True                 # MR-24
        phase[0] = SALOON
    elif not in_setup(r, s):                # RANCHERO
        phase[0] = COLUMN                   # MR-5
    else:
        if s.claims == 0 or (r.players > 2 and s.claims < r.players - 1):
            return True
        if r.players > 2:                   # the one ranchero left is known
            s.turn = lowest(unplaced(r, s))
        phase[0] = CLAIM
    return False


cdef inline uint32_t wait(const Setup* r, State* s, int status, int phase, int seat, uint32_t taken) noexcept nogil:
    s.head.status = status
    s.head.phase = phase
    s.head.seat = seat
    s.head.turn_number = 8 * (s.pile_size // r.column_size + (not s.last_round)) + popcount(s.current.standing)
    return taken


cdef inline uint32_t go_on(const Setup* r, State* s, int phase, Rng* rng, uint32_t informed,
                           uint32_t limit, Survey* surveys) noexcept nogil:
    """From a phase to where the game next waits for a seat or for chance; with a generator, to the end, or to the
    next decision after so many.

    Then the seats in the set `informed` decide by worth, each with a survey of its own, the others at random. Returns
    the number of these decisions.
    """
    cdef Options options
    cdef Chance outcome
    cdef uint32_t taken = 0
    cdef uint32_t n
    while True:
        if phase == BUILD:
            if s.ranch[s.turn].hand_size < 2 and not s.last_round:
                phase = SELECT              # as find_builds would say, and most often the case
                continue
            find_builds(r, s, &options)
        elif phase == SELECT:               # one batch, known at a glance
            n = popcount(s.next.free)
            if n > 1 and (rng == NULL or taken >= limit):
                return wait(r, s, DECISION, phase, s.turn, taken)
            if n > 1 and informed >> s.turn & 1:
                find_options(r, s, phase, &options)
                stand(&s.next, code_bit(best(r, s, phase, &options, rng, &surveys[s.turn])), s.turn)
            elif n:
                stand(&s.next, member(s.next.free, rng_below(rng, n) if rng != NULL else 0), s.turn)
            taken += n > 1
            phase = NEXT_TURN
            continue
        elif phase == NEXT_TURN:
            phase = next_turn(r, s)
            continue
        elif phase < CLAIM:
            if chance_due(r, s, &phase):
                if rng == NULL:
                    return wait(r, s, CHANCE, phase, NO_SEAT, taken)
                draw_outcome(r, s, phase, rng, &outcome)
                phase = come(r, s, &outcome)
            continue
        elif phase == GAME_OVER:
            return wait(r, s, OVER, phase, NO_SEAT, taken)
        else:
            find_options(r, s, phase, &options)
        if options.total == 0:
            phase = skip(s, phase)
        elif options.total == 1:
            phase = carry_out(r, s, phase, only(&options))
        elif rng == NULL or taken >= limit:
            return wait(r, s, DECISION, phase, s.turn, taken)
        elif informed >> s.turn & 1:
            phase = carry_out(r, s, phase, best(r, s, phase, &options, rng, &surveys[s.turn]))
            taken += 1
        else:
            phase = carry_out(r, s, phase, pick(&options, rng))
            taken += 1


cdef void settle(const Setup* r, State* s, int phase) noexcept nogil:
    go_on(r, s, phase, NULL, 0, NO_LIMIT, NULL)


cdef uint32_t play_out(const Setup* r, State* s, Rng* rng, uint32_t informed, uint32_t limit) noexcept nogil:
    """Whatever the state waits for is offered again by go_on, now to the generator."""
    cdef Survey surveys[SEATS]
    cdef int seat
    if informed:
        for seat in range(r.players):
            forget(&surveys[seat])
        return go_on(r, s, s.head.phase, rng, informed, limit, surveys)
    return go_on(r, s, s.head.phase, rng, 0, NO_LIMIT, NULL)  # compiled on its own: random playouts pay for no question
