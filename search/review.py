"""A game looked back on: what every decision cost beside the best, and what of the result was luck (docs/review.md).

A decision is judged by what its seat saw then, never by what came later. One search finds the best; another one, on
worlds of its own, looks at that and at what was chosen as often, always both in the same world: who chooses by the same
noise that values finds the best move better than it is.

An event of chance is judged by what everybody sees: what all seats may expect after it, less the mean of what they
might have expected, whatever came. So luck is nothing on average, however well or badly a value is known.

For every seat result = expected + luck + lost. All that is not luck was lost or won by decisions: those of all seats,
as they hit this one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from statistics import fmean, variance
from typing import Any

from engine_cy.decision import Decision
from engine_cy.game import Chosen, Game, Happened, View
from engine_cy.ops import CHANCE, OVER
from engine_cy.rules import GameRules
from engine_cy.state import Generator, Rules, State
from search.ismcts import clock_ns
from search.luck import result
from search.outlook import outlook
from search.player import Limit, Question, SeatEnd, Suggestion, code_of
from search.search_player import SearchPlayer
from search.stats import Z95

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = CLASSES = ("best", "good", "inaccuracy", "mistake", "blunder")
_WORSE = {BLUNDER: 0.15, MISTAKE: 0.07, INACCURACY: 0.03}  # from so much of a win on, if that is sure
_FORGIVING = 0.22  # of a win: a decision that loses so much is 1/e as accurate as the best one
_TURNS = 5  # turning points at most
_TURN = 0.1  # of a win

_FIRST = 0.6  # of a decision's limit, for the search that finds the best
_COMPARED = 0.5  # looks of the second search beside those of the first, where they are counted
_BATCHES = 8  # of the second search: their spread says how sure a difference is
_LEAST = 4  # looks of a batch
_LOOKS, _AHEAD = 800, 40  # at what chance might have brought, if such games were learned; and decisions further on
_PLAYOUTS = 100  # ... if they were not: to their end
_LOOKS_EACH = 4  # at most, for each iteration of a decision, where those are counted
_AT_ONCE = 50  # without a rest
_GLIMPSE = 200  # decisions and events of chance of a game at random, which show how often chance comes
_SELDOM = 2  # decisions for each event of chance
_SHARE = 0.25  # of the time at most, for chance
_OWN, _SECOND = 1 << 44, 1 << 45  # streams of every event, of second searches

Shares = tuple[float, ...]  # by seat


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
    kind: str  # one of CLASSES
    wins: Shares  # what every seat could expect before it
    suggestions: tuple[Suggestion, ...]  # the best, best first
    ends: tuple[tuple[SeatEnd, ...], tuple[SeatEnd, ...]] = ((), ())  # with the best, and with what was chosen


@dataclass(frozen=True, slots=True)
class Fell:
    """What chance brought, number `event` of the record."""

    event: int
    what: str
    outcome: Any
    luck: Shares  # parts of a win
    points: Shares


@dataclass(frozen=True, slots=True)
class Sum:
    """A seat's game. Shares are parts of a win."""

    seat: int
    decisions: int
    kinds: dict[str, int]
    accuracy: float | None  # 0 to 1; None: nothing was decided
    given: float  # what its own decisions gave away,
    points: float  # ... in points
    expected: float  # before anything happened
    luck: float
    lost: float  # by all seats' decisions; below 0: it lost
    result: float


@dataclass(frozen=True, slots=True)
class Review:
    """All of it."""

    seats: tuple[Sum, ...]
    turning_points: tuple[int, ...]  # events
    over: bool  # whether the game is; if not, results are what seats may expect where it stands


class Reviewer(SearchPlayer):
    """Looks back on the decisions of games."""

    def __init__(self) -> None:
        super().__init__(reuse=False)

    @property
    def made(self) -> int:
        return 0  # what it does beside searching would make it look slow

    def outlook(self, state: State, generator: Generator, ahead: int, limit: Limit) -> tuple[Shares, Shares]:
        """Parts of a win and points that all seats may expect, by what everybody sees."""
        seen = state.spectate()
        looks = _looks(state.rules, limit.iterations)
        parts: list[tuple[Shares, Shares]] = []
        while not parts or (len(parts) * _AT_ONCE < looks and not self.stopping and seen.status != OVER):
            rested = self.rest(limit.deadline_ns)
            if parts and not (rested and _in_time(limit)):
                break
            parts.append(outlook(seen, generator, _AT_ONCE, ahead))
        wins, points = zip(*parts, strict=True)
        return _mean(wins), _mean(points)

    def judge(self, event: int, view: View, chosen: Decision, limit: Limit, seed: int) -> Judged:
        code, begun = code_of(view, chosen), clock_ns()
        deadline = limit.deadline_ns
        answer = self.think(Question(view, _part(limit, _FIRST), seed, count=3))
        best, exact = code_of(view, answer.choice), self.exact
        wins = self.trees.told(best).wins
        if code == best or (exact is not None and exact[code] >= exact[best]):
            loss = _NOTHING
        else:
            number = _batch(limit, answer.iterations, clock_ns() - begun, deadline)
            self.begin(Question(view, limit, Generator(seed, _SECOND).next()))
            loss = self._compare(best, code, number, deadline)
        lost = max(0.0, loss.lost)
        kind = BEST if lost == 0 else _kind(lost, loss.error)
        ends = ((), ()) if kind == BEST else (self.ends(best), self.ends(code))
        return Judged(
            event, view.viewer, chosen, chosen if kind == BEST else answer.choice, lost, max(0.0, loss.points),
            loss.error, kind, wins, answer.suggestions, ends,
        )  # fmt: skip

    def _compare(self, best: int, code: int, number: int, deadline: int | None) -> "_Loss":
        """How much less the decision is worth than the best one, by so many looks at both in a batch."""
        differences: list[tuple[float, float]] = []
        before = self._sums(best), self._sums(code)
        for batch in range(_BATCHES):
            until = deadline if batch > 1 else None
            if any(self.look(each, number, until) < number for each in (best, code)):
                break  # the time is up
            now = self._sums(best), self._sums(code)
            (win, points), (its_win, its_points) = (
                tuple((late - early) / number for late, early in zip(*pair, strict=True))
                for pair in zip(now, before, strict=True)
            )
            differences.append((win - its_win, points - its_points))
            before = now
        if len(differences) < 2:
            return _NOTHING  # it was stopped
        spread = variance(win for win, _ in differences)
        error = sqrt(spread / len(differences) + self.trees.alike * spread * number)
        return _Loss(fmean(win for win, _ in differences), fmean(points for _, points in differences), error)

    def _sums(self, code: int) -> tuple[float, float]:
        """Of the seat's wins and points over all looks at the decision."""
        told, seat = self.trees.told(code), self.question.view.viewer
        return told.looks * told.wins[seat], told.looks * told.points[seat]


@dataclass(frozen=True, slots=True)
class _Loss:
    lost: float
    points: float
    error: float


_NOTHING = _Loss(0.0, 0.0, 0.0)


def _batch(limit: Limit, iterations: int, taken: int, deadline: int | None) -> int:
    """Looks of one batch at one of two decisions."""
    if deadline is None:
        looks = _COMPARED * (limit.iterations or iterations)
    else:
        looks = max(0, deadline - clock_ns()) * iterations / max(1, taken)
        if limit.iterations is not None:
            looks = min(looks, _COMPARED * limit.iterations)
    return max(_LEAST, int(looks / (2 * _BATCHES)))


def _kind(lost: float, error: float) -> str:
    if lost <= Z95 * error:
        return GOOD
    return next((kind for kind, least in _WORSE.items() if lost >= least), GOOD)


def review(game: Game, limit: Limit, seed: int, reviewer: Reviewer) -> Iterator[Judged | Fell | Review]:
    """The events of a game from its start, one after the other, and in the end the whole; less if the reviewer is
    stopped. `limit`: the iterations of each decision, the moment when all has to be done, or both."""
    replayed = Game(game.rules)
    decisions = _decisions(game)
    ahead = _AHEAD if chance_is_seldom(game.rules) else 0
    left, falls = decisions + 1, len(game.history) - decisions  # one more than there are: for all the rest
    parts: list[Judged | Fell] = []
    for number, event in enumerate(game.history):
        own = Generator(seed, _OWN + number)
        if isinstance(event, Happened):
            before = reviewer.outlook(replayed.state, own, ahead, _part(limit, _SHARE / (2 * falls)))
            replayed.reveal(event.what, event.outcome)
            after = reviewer.outlook(replayed.state, own, ahead, _part(limit, _SHARE / (2 * falls)))
            falls -= 1
            luck, points = (_less(*pair) for pair in zip(after, before, strict=True))
            parts.append(Fell(number, event.what, event.outcome, luck, points))
        else:
            view = replayed.observe(event.seat)
            parts.append(reviewer.judge(number, view, event.decision, _part(limit, 1 / left), own.next()))
            replayed.decide(event.decision)
            left -= 1
        if reviewer.stopping:
            return
        yield parts[-1]
    if replayed.over:
        results = tuple(result(replayed.state, seat).share for seat in range(game.rules.players))
    else:
        results = reviewer.outlook(replayed.state, Generator(seed, _OWN + len(parts)), ahead, limit)[0]
    yield _whole(replayed, parts, results)


def chance_is_seldom(rules: GameRules) -> bool:
    """Whether much is decided between two events of chance. Then what chance brought shows when seats have made use of
    it; where it comes all the time, that would only be blurred by more of it."""
    generator = Generator(0)
    state, decisions, events = rules.compiled.start(generator), 0, 0
    while state.status != OVER and decisions + events < _GLIMPSE:
        if state.status == CHANCE:
            state.draw(generator)
            events += 1
        else:
            state.apply(state.sample(generator))
            decisions += 1
    return decisions >= _SELDOM * events


def iterations_in_all(each: int, game: Game) -> int:
    """About what a review takes with so many for each decision, what chance takes included."""
    decisions = _decisions(game)
    looks = 2 * _looks(game.rules.compiled, each) * (len(game.history) - decisions)
    return int((1 + _COMPARED) * each * decisions) + looks


def _looks(rules: Rules, each: int | None) -> int:
    """At what chance might have brought, with so many iterations for each decision."""
    looks = _PLAYOUTS if rules.network is None else _LOOKS
    return looks if each is None else min(looks, _LOOKS_EACH * each)


def _decisions(game: Game) -> int:
    return sum(isinstance(event, Chosen) for event in game.history)


def _part(limit: Limit, part: float) -> Limit:
    """So much of the time that is left."""
    now = clock_ns()
    until = None if limit.deadline_ns is None else now + int(max(0, limit.deadline_ns - now) * part)
    return Limit(limit.iterations, until)


def _in_time(limit: Limit) -> bool:
    return limit.deadline_ns is None or clock_ns() < limit.deadline_ns


def _less(after: Shares, before: Shares) -> Shares:
    return tuple(now - then for now, then in zip(after, before, strict=True))


def _mean(rows: Sequence[Shares]) -> Shares:
    return tuple(fmean(column) for column in zip(*rows, strict=True))


def _whole(game: Game, parts: Sequence[Judged | Fell], results: Shares) -> Review:
    first = next((part for part in parts if isinstance(part, Judged)), None)
    started = results if first is None else first.wins
    seats = []
    for seat in range(game.rules.players):
        own = [part for part in parts if isinstance(part, Judged) and part.seat == seat]
        falls = [part for part in parts if isinstance(part, Fell)]
        luck = sum(part.luck[seat] for part in falls)
        # What chance brought before anybody decided is in what the first search expects.
        known = sum(part.luck[seat] for part in falls if first is None or part.event < first.event)
        expected = started[seat] - known
        seats.append(
            Sum(
                seat=seat,
                decisions=len(own),
                kinds={kind: sum(part.kind == kind for part in own) for kind in CLASSES},
                accuracy=fmean(exp(-part.lost / _FORGIVING) for part in own) if own else None,
                given=sum(part.lost for part in own),
                points=sum(part.points for part in own),
                expected=expected,
                luck=luck,
                lost=results[seat] - expected - luck,
                result=results[seat],
            )
        )
    return Review(tuple(seats), _turning_points(parts), game.over)


def _turning_points(parts: Sequence[Judged | Fell]) -> tuple[int, ...]:
    """Where most was lost or fell to somebody."""
    moved = {
        part.event: part.lost if isinstance(part, Judged) and part.kind in _WORSE
        else max(map(abs, part.luck)) if isinstance(part, Fell) else 0.0
        for part in parts
    }  # fmt: skip
    most = sorted((event for event in moved if moved[event] >= _TURN), key=lambda event: (-moved[event], event))
    return tuple(sorted(most[:_TURNS]))
