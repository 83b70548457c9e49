"""Whole loops without the interpreter, for benchmarks and tuning."""
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from engine_cy.ops cimport MAX_SEATS, NO_LIMIT, GameOps, Score
from engine_cy.rng cimport rng_next
from engine_cy.state cimport Generator, State


def play_games(State first not None, Generator generator not None, uint64_t games, uint32_t informed):
    """Play so many games from the start, the seats in the set `informed` by quick judgement and the others at random;
    returns by seat the games won (a shared win counts by its part) and the points, all together."""
    cdef const GameOps* ops = first.rules.ops
    cdef const void* rules = first.rules.data
    cdef State work = first.copy()
    cdef uint64_t _
    cdef Score score
    cdef double won[MAX_SEATS]
    cdef double points[MAX_SEATS]
    cdef int seat, winners
    cdef int players = first.rules.players
    for seat in range(MAX_SEATS):
        won[seat] = points[seat] = 0
    with nogil:
        for _ in range(games):
            ops.start(rules, work.data, &generator.rng)
            ops.playout(rules, work.data, &generator.rng, informed, NO_LIMIT)
            memset(&score, 0, sizeof(score))
            ops.score(rules, work.data, &score)
            winners = 0
            for seat in range(players):
                winners += score.place[seat] == 1
            for seat in range(players):
                won[seat] += (score.place[seat] == 1) / <double>winners
                points[seat] += score.points[seat]
    return [won[s] for s in range(players)], [points[s] for s in range(players)]


def bench_games(State first not None, Generator generator not None, uint64_t games, uint32_t informed=0):
    """Play `games` games from the start, the seats in the set `informed` by quick judgement and the others at random;
    returns the decisions taken."""
    cdef const GameOps* ops = first.rules.ops
    cdef const void* rules = first.rules.data
    cdef State work = first.copy()
    cdef uint64_t decisions = 0
    cdef uint64_t _
    cdef Score score
    with nogil:
        for _ in range(games):
            ops.start(rules, work.data, &generator.rng)
            decisions += ops.playout(rules, work.data, &generator.rng, informed, NO_LIMIT)
            memset(&score, 0, sizeof(score))
            ops.score(rules, work.data, &score)
    return decisions


def bench_copies(State state not None, uint64_t copies):
    """Copy a state there and back."""
    cdef State other = state.copy()
    cdef uint32_t size = state.rules.ops.state_size
    cdef uint64_t i
    with nogil:
        for i in range(copies):
            if i & 1:
                memcpy(state.data, other.data, size)
            else:
                memcpy(other.data, state.data, size)


def bench_draws(Generator generator not None, uint64_t draws):
    """Draw random numbers; returns their exclusive or."""
    cdef uint64_t _
    cdef uint64_t x = 0
    with nogil:
        for _ in range(draws):
            x ^= rng_next(&generator.rng)
    return x
