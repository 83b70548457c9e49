"""What all seats may expect of a game, by what everybody sees of it: without a search, the same for every seat."""
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from engine_cy.network cimport Estimate, Net, estimate
from engine_cy.ops cimport CHANCE, MAX_SEATS, NO_LIMIT, OVER, Chance, GameOps, Head, Score
from engine_cy.state cimport Generator, State
from search.ismcts cimport Settings
from search.rewards cimport expect, judge
from search.tree cimport Result


def outlook(State seen not None, Generator generator not None, uint64_t looks, uint32_t ahead):
    """(part of the win, points) of every seat: the mean over so many looks. Each fills in what is hidden, lets chance
    happen that is due, and says how such a game ends: as it was learned, after so many decisions of a playout, or as a
    playout does where nothing was learned."""
    cdef const GameOps* ops = seen.rules.ops
    cdef const void* rules = seen.rules.data
    cdef const Net* net = NULL if seen.rules.network is None else seen.rules.network.net
    cdef int players = seen.rules.players
    cdef uint32_t informed = (<uint32_t>1 << players) - 1
    cdef State work = seen.copy()
    cdef Head* head = <Head*>work.data
    cdef Settings settings
    cdef double wins[MAX_SEATS]
    cdef double points[MAX_SEATS]
    cdef Estimate thought
    cdef Score score
    cdef Chance chance
    cdef Result result
    cdef uint64_t _
    cdef int seat
    if seen.viewer is None or looks < 1:
        raise ValueError("seen, looks: expected what somebody sees of a game, and at least one look")
    if head.status == OVER or (net != NULL and ahead == 0 and head.status != CHANCE):
        looks = 1                       # all are alike
    memset(&settings, 0, sizeof(settings))
    settings.margin = 1                 # of rewards, which nobody asks for
    memset(wins, 0, sizeof(wins))
    memset(points, 0, sizeof(points))
    with nogil:
        for _ in range(looks):
            memcpy(work.data, seen.data, ops.state_size)
            ops.determinize(rules, work.data, &generator.rng)
            while head.status == CHANCE:
                ops.draw(rules, work.data, &generator.rng, &chance)
            ops.playout(rules, work.data, &generator.rng, informed, NO_LIMIT if net == NULL else ahead)
            memset(&score, 0, sizeof(score))
            ops.score(rules, work.data, &score)
            if head.status == OVER:
                judge(&settings, players, 0, &score, &result)
            else:
                estimate(ops, net, rules, work.data, players, &thought)
                expect(&settings, players, 0, &thought, score.liking, &result)
            for seat in range(players):
                wins[seat] += result.wins[seat]
                points[seat] += result.points[seat]
    return tuple([wins[s] / looks for s in range(players)]), tuple([points[s] / looks for s in range(players)])
