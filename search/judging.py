"""What decisions give away: of a review, before they are taken, or in a puzzle (docs/review.md).

A decision is judged by what its seat saw then, never by what came later. One search finds the best; another one, on
worlds of its own, looks at that and at what was chosen as often, always both in the same world: who chooses by the same
noise that values finds the best move better than it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance

from engine_cy.decision import Decision
from engine_cy.game import View
from engine_cy.state import Generator
from search.ismcts import clock_ns
from search.player import Limit, Question, SeatEnd, Suggestion, code_of
from search.search_player import SearchPlayer
from search.stats import Z95

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = CLASSES = ("best", "good", "inaccuracy", "mistake", "blunder")
UNJUDGED = "unjudged"  # the seat had seen what the record does not say
WORSE = {BLUNDER: 0.15, MISTAKE: 0.07, INACCURACY: 0.03}  # from so much of a win on, if that is sure

_COMPARED = 0.5  # looks of the second search beside those of the first, where they are counted
_FIRST = 0.6  # of a decision's limit, for the search that finds the best
_BATCHES = 8  # of the second search: their spread says how sure a difference is
_LEAST = 4  # looks of a batch
_STEP = 32  # looks at most in a step of a batch: steps spread by chance alone, batches also as the tree grows
OWN, _SECOND = 1 << 44, 1 << 45  # streams of every event, of second searches

Shares = tuple[float, ...]  # by seat
_Means = tuple[float, float]  # of wins and points


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision, number `event` of the record."""

    event: int
    seat: int
    chosen: Decision
    best: Decision
    lost: float  # part of a win that the seat gave away
    points: float  # points that it gave away
    error: float  # standard error of `lost`
    kind: str  # one of CLASSES, or UNJUDGED: then nothing is said but `wins`, by what everybody saw
    wins: Shares  # what every seat could expect before it
    suggestions: tuple[Suggestion, ...]  # the best, best first
    ends: tuple[tuple[SeatEnd, ...], tuple[SeatEnd, ...]] = ((), ())  # with the best, and with what was chosen

    @classmethod
    def not_at_all(cls, event: int, seat: int, chosen: Decision, wins: Shares) -> "Judged":
        return cls(event, seat, chosen, chosen, 0.0, 0.0, 0.0, UNJUDGED, wins, ())

    def sure_of(self, least: float) -> bool:
        """Whether it gives away so much of a win at least, and not only by what it may be off."""
        return self.lost - Z95 * self.error >= least


@dataclass(frozen=True, slots=True)
class Loss:
    """What a decision gives away beside the best one."""

    lost: float
    points: float
    error: float

    @property
    def sure(self) -> bool:
        """Whether it is more than it may be off."""
        return self.lost > Z95 * self.error


_NOTHING = Loss(0.0, 0.0, 0.0)


class Judge(SearchPlayer):
    """Judges decisions."""

    def __init__(self) -> None:
        super().__init__(reuse=False)

    @property
    def made(self) -> int:
        return 0  # what it does beside searching would make it look slow

    def judge(self, event: int, view: View, chosen: Decision, limit: Limit, seed: int) -> Judged:
        code, begun = code_of(view, chosen), clock_ns()
        deadline = limit.deadline_ns
        answer = self.think(Question(view, part_of(limit, _FIRST), seed, count=3))
        best, exact = code_of(view, answer.choice), self.exact
        wins = self.trees.told(best).wins
        if code == best or (exact is not None and exact[code] >= exact[best]):
            loss = _NOTHING
        else:
            number = _batch(limit, answer.iterations, clock_ns() - begun, deadline)
            (loss,) = self.compare(view, best, [code], number, limit, seed)
        lost = max(0.0, loss.lost)
        kind = BEST if lost == 0 else _kind(loss)
        ends = ((), ()) if kind == BEST else (self.ends(best), self.ends(code))
        return Judged(
            event, view.viewer, chosen, chosen if kind == BEST else answer.choice, lost, max(0.0, loss.points),
            loss.error, kind, wins, answer.suggestions, ends,
        )  # fmt: skip

    def compare(self, view: View, best: int, others: Sequence[int], number: int, limit: Limit, seed: int) -> list[Loss]:
        """How much less each of the others is worth than the best one, by so many looks at all of them in a batch of a
        new search."""
        self.begin(Question(view, limit, Generator(seed, _SECOND).next()))
        batches: list[list[list[_Means]]] = [[] for _ in others]  # of each of the others, in steps
        for batch in range(_BATCHES):
            until = limit.deadline_ns if batch > 1 else None
            of_best, *of_others = (self._steps(code, number, until) for code in [best, *others])
            if not all([of_best, *of_others]):
                break  # the time is up
            for its_batches, steps in zip(batches, of_others, strict=True):
                its_batches.append([(a - c, b - d) for (a, b), (c, d) in zip(of_best, steps, strict=True)])
        return [self._loss(each, number) for each in batches]

    def _steps(self, code: int, number: int, until: int | None) -> list[_Means]:
        """Of so many looks at a decision, step by step; nothing if there were fewer."""
        steps = -(-number // _STEP)
        size, before, means = number // steps, self._sums(code), []
        for _ in range(steps):
            if self.look(code, size, until) < size:
                return []
            now = self._sums(code)
            means.append(((now[0] - before[0]) / size, (now[1] - before[1]) / size))
            before = now
        return means

    def _loss(self, batches: Sequence[Sequence[_Means]], number: int) -> Loss:
        """Of differences."""
        if len(batches) < 2:
            return _NOTHING  # it was stopped
        wins = [fmean(win for win, _ in batch) for batch in batches]
        points = [fmean(points for _, points in batch) for batch in batches]
        of_one_look = variance(win for batch in batches for win, _ in batch) * number / len(batches[0])
        error = sqrt(variance(wins) / len(wins) + self.trees.alike * of_one_look)
        return Loss(fmean(wins), fmean(points), error)

    def _sums(self, code: int) -> tuple[float, float]:
        """Of the seat's wins and points over all looks at the decision."""
        told, seat = self.trees.told(code), self.question.view.viewer
        return told.looks * told.wins[seat], told.looks * told.points[seat]


def judged_in_a_row(
    view: View, decisions: Sequence[Decision], limit: Limit, seed: int, judge: Judge
) -> Iterator[Judged]:
    """Decisions of one seat that are about to be taken, one after the other, each by what the seat sees then; fewer if
    the judge is stopped. `limit`: the iterations of each, the moment when all has to be done, or both."""
    for number, decision in enumerate(decisions):
        own = Generator(seed, OWN + number).next()
        judged = judge.judge(number, view, decision, part_of(limit, 1 / (len(decisions) - number)), own)
        if judge.stopping:
            return
        yield judged
        view = View(view.rules, view.state.after(code_of(view, decision)))


def judged_beside(
    judge: Judge, event: int, view: View, best: int, others: Sequence[int], limit: Limit, seed: int
) -> list[Judged]:
    """What some decisions give away beside one that was found to be the best, all in the same worlds."""
    number = _batch(limit, limit.iterations or 1, 0, None)
    losses = judge.compare(view, best, others, number, limit, seed)
    wins = judge.trees.told(best).wins
    decode, phase = view.rules.decode, view.state.phase
    return [
        Judged(
            event, view.viewer, decode(phase, code), decode(phase, best), max(0.0, loss.lost), max(0.0, loss.points),
            loss.error, _kind(loss), wins, (), (judge.ends(best), judge.ends(code)),
        )
        for code, loss in zip(others, losses, strict=True)
    ]  # fmt: skip


def iterations_of_judging(each: int, decisions: int) -> int:
    """About what it takes with so many for each decision."""
    return int((1 + _COMPARED) * each * decisions)


def part_of(limit: Limit, part: float) -> Limit:
    """So much of the time that is left."""
    now = clock_ns()
    until = None if limit.deadline_ns is None else now + int(max(0, limit.deadline_ns - now) * part)
    return Limit(limit.iterations, until)


def _batch(limit: Limit, iterations: int, taken: int, deadline: int | None) -> int:
    """Looks of one batch at one of two decisions."""
    if deadline is None:
        looks = _COMPARED * (limit.iterations or iterations)
    else:
        looks = max(0, deadline - clock_ns()) * iterations / max(1, taken)
        if limit.iterations is not None:
            looks = min(looks, _COMPARED * limit.iterations)
    return max(_LEAST, int(looks / (2 * _BATCHES)))


def _kind(loss: Loss) -> str:
    if not loss.sure:
        return GOOD
    return next((kind for kind, least in WORSE.items() if loss.lost >= least), GOOD)
