"""The game interface filled in, alike for every game: `compiled.pyx` of each game's folder includes it."""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from engine_cy.network cimport Network
from engine_cy.ops cimport Chance, GameOps, Score
from engine_cy.rng cimport Rng
from engine_cy.state cimport Rules

from . cimport chance, hidden, scoring, turns
from .batches cimport offers, pick, write_out
from .effects cimport carry_out
from .options cimport find_options
from .state cimport MAX_DECISIONS, Options, Setup, State as GameState
from .worth cimport appraise


cdef void start_game(const void* rules, void* state, Rng* rng) noexcept nogil:
    turns.start(<const Setup*>rules, <GameState*>state, rng)


cdef inline void options_of(const void* rules, const void* state, Options* out) noexcept nogil:
    find_options(<const Setup*>rules, <const GameState*>state, (<const GameState*>state).head.phase, out)


cdef uint32_t list_decisions(const void* rules, const void* state, uint32_t* out) noexcept nogil:
    cdef Options options
    options_of(rules, state, &options)
    return write_out(&options, out)


cdef uint32_t sample_decision(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef Options options
    options_of(rules, state, &options)
    return pick(&options, rng)


cdef bint is_legal(const void* rules, const void* state, uint32_t decision) noexcept nogil:
    cdef Options options
    options_of(rules, state, &options)
    return offers(&options, decision)


cdef void apply_decision(const void* rules, void* state, uint32_t decision) noexcept nogil:
    cdef const Setup* r = <const Setup*>rules
    cdef GameState* s = <GameState*>state
    turns.settle(r, s, carry_out(r, s, s.head.phase, decision))


cdef void draw_chance(const void* rules, void* state, Rng* rng, Chance* out) noexcept nogil:
    cdef const Setup* r = <const Setup*>rules
    cdef GameState* s = <GameState*>state
    chance.draw_outcome(r, s, s.head.phase, rng, out)
    turns.settle(r, s, chance.come(r, s, out))


cdef bint reveal_chance(const void* rules, void* state, const Chance* told) noexcept nogil:
    cdef const Setup* r = <const Setup*>rules
    cdef GameState* s = <GameState*>state
    if not chance.arrange(r, s, told):
        return False
    turns.settle(r, s, chance.come(r, s, told))
    return True


cdef void observe_state(const void* rules, const void* state, int seat, void* out) noexcept nogil:
    hidden.observe(<const Setup*>rules, <const GameState*>state, seat, <GameState*>out)


cdef void determinize_state(const void* rules, void* observation, Rng* rng) noexcept nogil:
    hidden.determinize(<const Setup*>rules, <GameState*>observation, rng)


cdef uint32_t play_out_game(const void* rules, void* state, Rng* rng, uint32_t informed,
                            uint32_t limit) noexcept nogil:
    return turns.play_out(<const Setup*>rules, <GameState*>state, rng, informed, limit)


cdef void appraise_decisions(const void* rules, const void* state, const uint32_t* decisions, uint32_t n,
                             float* out) noexcept nogil:
    appraise(<const Setup*>rules, <const GameState*>state, decisions, n, out)


cdef bint is_determined(const void* rules, const void* state) noexcept nogil:
    return hidden.determined(<const GameState*>state)


cdef void score_game(const void* rules, const void* state, Score* out) noexcept nogil:
    scoring.score(<const Setup*>rules, <const GameState*>state, out)


cdef GameOps filled_in(const char* name, float temperature, float exploration):
    return GameOps(
        name=name,
        state_size=sizeof(GameState),
        max_decisions=MAX_DECISIONS,
        temperature=temperature,
        exploration=exploration,
        start=start_game,
        list=list_decisions,
        sample=sample_decision,
        is_legal=is_legal,
        apply=apply_decision,
        draw=draw_chance,
        reveal=reveal_chance,
        observe=observe_state,
        determinize=determinize_state,
        playout=play_out_game,
        appraise=appraise_decisions,
        determined=is_determined,
        score=score_game,
    )


# ---- For the Python objects

cdef list points_by_seat(const void* rules, const void* state):
    """The points of every seat by rule: a table of names for each."""
    cdef const Setup* r = <const Setup*>rules
    cdef scoring.Points points
    out = []
    for seat in range(r.players):
        scoring.seat_points(r, <const GameState*>state, seat, &points)
        out.append(points)
    return out


cdef void settle_game(const void* rules, void* state, int phase) noexcept nogil:
    turns.settle(<const Setup*>rules, <GameState*>state, phase)


cdef void begin(Rules rules, Setup* r, const GameOps* ops, int players, table, weights, Network network=None):
    """What the rules of every game begin with; weights of the quick judgement by seat; what was learned of it."""
    if network is not None and network.net.inputs != ops.features:
        raise ValueError(f"network: expected one of {ops.features} counts, got {network.net.inputs}")
    rules.network = network
    memset(r, 0, sizeof(Setup))
    rules.ops = ops
    rules.data = r
    rules.by_rule = points_by_seat
    rules.settle = settle_game
    rules.table = repr(table)
    rules.players = r.players = players
    for seat, row in enumerate(weights):
        for number, weight in enumerate(row):
            r.weight[seat][number] = weight


cdef int write_down(uint8_t* out, list numbers):
    """Small numbers one after the other; returns how many."""
    for i, number in enumerate(numbers):
        out[i] = number
    return len(numbers)
