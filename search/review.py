"""A game looked back on: what every decision cost beside the best, and what of the result was luck (docs/review.md).

An event of chance is judged by what everybody sees: what all seats may expect after it, less the mean of what they
might have expected, whatever came. So luck is nothing on average, however well or badly a value is known.

For every seat result = expected + luck + lost. All that is not luck was lost or won by decisions: those of all seats,
as they hit this one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from statistics import fmean
from typing import Any

from engine_cy.errors import PositionError
from engine_cy.game import Chosen, Game, Happened, View
from engine_cy.ops import CHANCE, OVER
from engine_cy.rules import GameRules
from engine_cy.state import Generator, Rules, State
from search.ismcts import clock_ns
from search.judging import CLASSES, OWN, UNJUDGED, WORSE, Judge, Judged, Shares, iterations_of_judging, part_of
from search.luck import result
from search.outlook import outlook
from search.player import Limit, Question, code_of

_FORGIVING = 0.22  # of a win: a decision that loses so much is 1/e as accurate as the best one
_TURNS = 5  # turning points at most
_TURN = 0.1  # of a win

_LOOKS, _AHEAD = 800, 40  # at what chance might have brought, if such games were learned; and decisions further on
_PLAYOUTS = 100  # ... if they were not: to their end
_LOOKS_EACH = 4  # at most, for each iteration of a decision, where those are counted
_AT_ONCE = 50  # without a rest
_GLIMPSE = 200  # decisions and events of chance of a game at random, which show how often chance comes
_SELDOM = 2  # decisions for each event of chance
_SHARE = 0.25  # of the time at most, for chance
_DRAWS = 8  # ways to go on, where a record ends before an event of chance


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
    decisions: int  # that were judged
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


class Reviewer(Judge):
    """Looks back on the decisions of games."""

    def wins(self, view: View, limit: Limit, seed: int) -> Shares:
        """Parts of a win that all seats may expect where a seat decides."""
        answer = self.think(Question(view, limit, seed))
        return tuple(self.trees.told(code_of(view, answer.choice)).wins)

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


def review(game: Game, limit: Limit, seed: int, reviewer: Reviewer) -> Iterator[Judged | Fell | Review]:
    """The events of a game from its start, one after the other, and in the end the whole; less if the reviewer is
    stopped. `limit`: the iterations of each decision, the moment when all has to be done, or both."""
    parts: list[Judged | Fell] = []
    for part in reviewed(game, range(len(game.history)), limit, seed, reviewer):
        parts.append(part)
        yield part
    if not reviewer.stopping:
        yield summed_up(game, parts, limit, seed, reviewer)


def reviewed(game: Game, events: range, limit: Limit, seed: int, reviewer: Reviewer) -> Iterator[Judged | Fell]:
    """Some of the events, which are judged alike whoever judges the others; the limit is for these alone."""
    replayed = Game(game.rules)
    ahead = ahead_of(game.rules)
    decisions = decisions_of(game, events)
    left, falls = decisions + 1, len(events) - decisions  # one more than there are: for all the rest
    for number, event in enumerate(game.history[: events.stop]):
        if number not in events:
            replayed.play(event)
            continue
        own = Generator(seed, OWN + number)
        if isinstance(event, Happened):
            before = reviewer.outlook(replayed.state, own, ahead, part_of(limit, _SHARE / (2 * falls)))
            replayed.play(event)
            after = reviewer.outlook(replayed.state, own, ahead, part_of(limit, _SHARE / (2 * falls)))
            falls -= 1
            luck, points = (_less(*pair) for pair in zip(after, before, strict=True))
            part: Judged | Fell = Fell(number, event.what, event.outcome, luck, points)
        else:
            part = _judged(reviewer, replayed, number, event, part_of(limit, 1 / left), own, ahead)
            replayed.play(event)
            left -= 1
        if reviewer.stopping:
            return
        yield part


def _judged(
    reviewer: Reviewer, game: Game, number: int, event: Chosen, limit: Limit, own: Generator, ahead: int
) -> Judged:
    """By what the seat saw, if that is known: the record may be another seat's own."""
    try:
        view = game.observe(event.seat)
    except PositionError:
        wins, _ = reviewer.outlook(game.state, own, ahead, limit)
        return Judged.not_at_all(number, event.seat, event.decision, wins)
    return reviewer.judge(number, view, event.decision, limit, own.next())


def summed_up(game: Game, parts: Sequence[Judged | Fell], limit: Limit, seed: int, reviewer: Reviewer) -> Review:
    """The whole, from all of its events."""
    if game.over:
        results = _shares(game.state)
    else:
        results = _as_it_stands(reviewer, game, limit, Generator(seed, OWN + len(parts)))
    return _whole(game, parts, results)


def _as_it_stands(reviewer: Reviewer, game: Game, limit: Limit, own: Generator) -> Shares:
    """What all seats may expect where a record ends, as the search says it that judges decisions: by what the seat sees
    that decides next; by what everybody sees, if chance comes before that."""
    if game.seat is not None:
        try:
            return reviewer.wins(game.observe(game.seat), limit, own.next())
        except PositionError:  # of another seat's record
            return reviewer.outlook(game.state, own, ahead_of(game.rules), limit)[0]
    ways = []
    for left in range(_DRAWS, 0, -1):
        state = game.state.spectate().determinize(own)
        while state.status == CHANCE:
            state.draw(own)
        if state.status == OVER:
            ways.append(_shares(state))
        else:
            view = View(game.rules, state.observe(state.seat or 0))
            ways.append(reviewer.wins(view, part_of(limit, 1 / left), own.next()))
    return _mean(ways)


def ahead_of(rules: GameRules) -> int:
    """Decisions that the seats play on before a value is taken."""
    return _AHEAD if chance_is_seldom(rules) else 0


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
    decisions = decisions_of(game, range(len(game.history)))
    looks = 2 * _looks(game.rules.compiled, each) * (len(game.history) - decisions)
    return iterations_of_judging(each, decisions) + looks


def _looks(rules: Rules, each: int | None) -> int:
    """At what chance might have brought, with so many iterations for each decision."""
    looks = _PLAYOUTS if rules.network is None else _LOOKS
    return looks if each is None else min(looks, _LOOKS_EACH * each)


def decisions_of(game: Game, events: range) -> int:
    return sum(isinstance(event, Chosen) for event in game.history[events.start : events.stop])


def _in_time(limit: Limit) -> bool:
    return limit.deadline_ns is None or clock_ns() < limit.deadline_ns


def _less(after: Shares, before: Shares) -> Shares:
    return tuple(now - then for now, then in zip(after, before, strict=True))


def _shares(over: State) -> Shares:
    return tuple(result(over, seat).share for seat in range(over.rules.players))


def _mean(rows: Sequence[Shares]) -> Shares:
    return tuple(fmean(column) for column in zip(*rows, strict=True))


def _whole(game: Game, parts: Sequence[Judged | Fell], results: Shares) -> Review:
    first = next((part for part in parts if isinstance(part, Judged)), None)
    started = results if first is None else first.wins
    seats = []
    for seat in range(game.rules.players):
        own = [part for part in parts if isinstance(part, Judged) and part.seat == seat and part.kind != UNJUDGED]
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
        part.event: part.lost if isinstance(part, Judged) and part.kind in WORSE
        else max(map(abs, part.luck)) if isinstance(part, Fell) else 0.0
        for part in parts
    }  # fmt: skip
    most = sorted((event for event in moved if moved[event] >= _TURN), key=lambda event: (-moved[event], event))
    return tuple(sorted(most[:_TURNS]))
