"""What nobody may know: the orders of the draw pile and of the partner stack (MR-7).

Everything else is public, so an observation is the state with both orders sorted, and a determinization is a shuffle.
"""
from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset

from engine_cy.moon_river.board cimport clear_column
from engine_cy.moon_river.hand cimport hand_clear
from engine_cy.moon_river.state cimport (
    ALL_CELLS, BASE_GAME, MAX_KINDS, MAX_PLOTS, MAX_TOKENS, NONE, SCENARIO, SCENARIO_DRAWN, Setup, State,
)
from engine_cy.moon_river.turns cimport settle
from engine_cy.ops cimport NO_SEAT
from engine_cy.rng cimport Rng, rng_shuffle


cdef void start(const Setup* r, State* s, Rng* rng) noexcept nogil:
    """MR-1, up to the first chance event."""
    cdef int i
    memset(s, 0, sizeof(State))
    s.head.viewer = NO_SEAT
    s.head.phase = SCENARIO
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
        determinize(s, rng)
    settle(r, s)


cdef inline void sort_small(uint8_t* items, int n) noexcept nogil:
    """Ascending, by counting: values are below MAX_KINDS."""
    cdef uint8_t count[MAX_KINDS]
    cdef int i, _
    cdef int k = 0
    memset(count, 0, MAX_KINDS)
    for i in range(n):
        count[items[i]] += 1
    for i in range(MAX_KINDS):
        for _ in range(count[i]):
            items[k] = i
            k += 1


cdef void observe(const State* s, int seat, State* out) noexcept nogil:
    out[0] = s[0]
    out.head.viewer = seat
    sort_small(out.pile, out.pile_size)
    sort_small(out.stack, out.stack_size)


cdef void determinize(State* s, Rng* rng) noexcept nogil:
    s.head.viewer = NO_SEAT
    rng_shuffle(rng, s.pile, s.pile_size)
    rng_shuffle(rng, s.stack, s.stack_size)
