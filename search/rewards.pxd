"""What the end of a game is worth to every seat: one that was played, or one that is only thought of."""
from libc.math cimport sqrtf
from libc.string cimport memcpy, memset

from engine_cy.network cimport Estimate, lead_of
from engine_cy.ops cimport MAX_SEATS, Score
from search.ismcts cimport Settings
from search.maths cimport exp_of
from search.tree cimport Result


cdef inline float abs_of(float x) noexcept nogil:
    return x if x >= 0 else -x


cdef inline float margin_of(const float* points, int players, int seat) noexcept nogil:
    """Points ahead of the best other seat."""
    cdef int other
    cdef float best = -1e30
    for other in range(players):
        if other != seat and points[other] > best:
            best = points[other]
    return points[seat] - best


cdef inline float squashed(const Settings* settings, const float* liked, int players, int seat) noexcept nogil:
    """The part of a seat's reward that is about points, 0 to 1 before its weight."""
    cdef float margin
    if settings.average:
        margin = lead_of(liked, players, seat) / settings.margin
    else:
        margin = margin_of(liked, players, seat) / settings.margin
    return (1 - settings.win) * <float>0.5 * (1 + margin / (1 + abs_of(margin)))


cdef inline void judge(const Settings* settings, int players, int own, const Score* score,
                       Result* result) noexcept nogil:
    """Of a game that is over: every seat's reward is a blend of its part of the win and its squashed margin. `own` is
    the searching seat, of which people ask more."""
    cdef int seat
    cdef int winners = 0
    cdef float points[MAX_SEATS]
    cdef float liked[MAX_SEATS]     # personalities shape what is wanted, never who wins
    memset(result, 0, sizeof(Result))
    memset(points, 0, sizeof(points))
    for seat in range(players):
        winners += score.place[seat] == 1
        points[seat] = score.points[seat]
        liked[seat] = score.points[seat] + score.liking[seat]
    for seat in range(players):
        result.reward[seat] = squashed(settings, liked, players, seat)
        if score.place[seat] == 1:
            result.reward[seat] += settings.win / winners
            result.wins[seat] = <float>1 / winners
        result.points[seat] = points[seat]
    result.margin = margin_of(points, players, own)
    result.places[score.place[own] - 1] = 1


cdef inline float ahead_of(const Estimate* thought, int seat, int other) noexcept nogil:
    """How likely the other seat is ahead in the end, by how far their points are apart (a logistic curve; a mean error
    of 1 makes the spread of a normal one 1.25)."""
    cdef float apart = thought.spread[seat] * thought.spread[seat] + thought.spread[other] * thought.spread[other]
    cdef float x = (thought.points[other] - thought.points[seat]) / (<float>0.69 * sqrtf(apart + <float>0.5))
    cdef float e = exp_of(-abs_of(x))
    return e / (1 + e) if x < 0 else 1 / (1 + e)


cdef inline void expect(const Settings* settings, int players, int own, const Estimate* thought,
                        const float* liking, Result* result) noexcept nogil:
    """The same of one that is thought to end so: places are as likely as points are apart, each pair of seats for
    itself; so that somebody wins, wins are made to add up."""
    cdef float places[MAX_SEATS][MAX_SEATS]     # [seat][n]: how likely n others are ahead of it
    cdef float liked[MAX_SEATS]
    cdef float ahead, rest
    cdef float wins = 0
    cdef int seat, other, n
    memset(places, 0, sizeof(places))
    memset(result, 0, sizeof(Result))
    for seat in range(players):
        liked[seat] = thought.points[seat] + liking[seat]
        places[seat][0] = 1
        for other in range(players):
            if other == seat:
                continue
            ahead = ahead_of(thought, seat, other)
            for n in range(players - 1, 0, -1):
                places[seat][n] += ahead * (places[seat][n - 1] - places[seat][n])
            places[seat][0] *= 1 - ahead
        wins += places[seat][0]
    for seat in range(players):
        result.reward[seat] = squashed(settings, liked, players, seat) + settings.win * places[seat][0] / wins
        result.wins[seat] = places[seat][0] / wins
        result.points[seat] = thought.points[seat]
    memcpy(result.part, thought.part, sizeof(result.part))
    result.margin = margin_of(thought.points, players, own)
    result.places[0] = result.wins[own]
    rest = (1 - result.wins[own]) / max(1 - places[own][0], <float>1e-6)
    for n in range(1, players):
        result.places[n] = places[own][n] * rest
