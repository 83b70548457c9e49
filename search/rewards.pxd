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


cdef inline float odds_of(const Estimate* thought, int seat, int other) noexcept nogil:
    """How much likelier the other seat is ahead in the end than behind, by how far their points are apart (a logistic
    curve; a mean error of 1 makes the spread of a normal one 1.25)."""
    cdef float apart = thought.spread[seat] * thought.spread[seat] + thought.spread[other] * thought.spread[other]
    cdef float x = (thought.points[other] - thought.points[seat]) / (<float>0.69 * sqrtf(apart + <float>0.5))
    cdef float odds = exp_of(-min(abs_of(x), <float>40))
    return odds if x < 0 else 1 / odds


cdef inline void expect(const Settings* settings, int players, int own, const Estimate* thought,
                        const float* liking, Result* result) noexcept nogil:
    """The same of one that is thought to end so. Wins are shared as Luce's choice does it: as the odds of each pair of
    seats are. Who is ahead of one seat is ahead of the others, too, as a rule: the product of the odds of pairs would
    make leaders too sure. Only the places below the first are told apart as if pairs were independent."""
    cdef float below[MAX_SEATS]     # [n]: how likely n others are ahead of the own seat
    cdef float liked[MAX_SEATS]
    cdef float odds, ahead, rest
    cdef float wins = 0
    cdef int seat, other, n
    memset(below, 0, sizeof(below))
    memset(result, 0, sizeof(Result))
    below[0] = 1
    for seat in range(players):
        liked[seat] = thought.points[seat] + liking[seat]
        rest = 1
        for other in range(players):
            if other == seat:
                continue
            odds = odds_of(thought, seat, other)
            rest += odds
            if seat == own:
                ahead = odds / (1 + odds)
                for n in range(players - 1, 0, -1):
                    below[n] += ahead * (below[n - 1] - below[n])
                below[0] *= 1 - ahead
        result.wins[seat] = 1 / rest
        wins += result.wins[seat]
    for seat in range(players):
        result.wins[seat] /= wins
        result.reward[seat] = squashed(settings, liked, players, seat) + settings.win * result.wins[seat]
        result.points[seat] = thought.points[seat]
    memcpy(result.part, thought.part, sizeof(result.part))
    result.margin = margin_of(thought.points, players, own)
    result.places[0] = result.wins[own]
    rest = (1 - result.wins[own]) / max(1 - below[0], <float>1e-6)
    for n in range(1, players):
        result.places[n] = below[n] * rest
