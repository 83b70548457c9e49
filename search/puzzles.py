"""Positions of games in which one decision is much better than it looks (docs/review.md).

Every decision of a record is looked at in three steps, of which each leaves few to the next: at a glance, by what was
learned; by a short search, which finds another decision far better than that; and by a long one, which has to find the
same, and to see everything else that is near far behind, on worlds of its own. A seat's view is all that is used.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from engine_cy.errors import PositionError
from engine_cy.game import Chosen, Game, View
from engine_cy.state import Generator
from search.ismcts import clock_ns
from search.judging import OWN, Judge, Judged, judged_beside
from search.player import Limit, Question, code_of
from search.simple_players import GreedyPlayer

LEAST = 0.05  # of a win, that everything else gives away at least, beyond what it may be off
LONG = 20_000  # iterations of the long search
_SHORTER = 60  # times fewer are those of the short one
_SHORTEST = 100
_SELDOM = 10  # decisions for each that comes to the long search
_RIVALS = 3  # beside what a glance takes


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One of them: a decision, number `event` of the record, as its seat sees it."""

    event: int
    view: View
    others: tuple[Judged, ...]  # what a glance takes, then the next best, each beside the best


@dataclass(frozen=True, slots=True)
class Looked:
    """An event that was looked at, and what was found there."""

    event: int
    puzzle: Puzzle | None


def puzzles(game: Game, limit: Limit, seed: int, judge: Judge, least: float = LEAST) -> Iterator[Looked]:
    """Event by event; it ends when the time of the limit is up, or the judge is stopped. `limit`: the iterations of the
    long search, the moment when all has to be done, or both."""
    replayed = Game(game.rules)
    for number, event in enumerate(game.history):
        found = None
        if isinstance(event, Chosen):
            with suppress(PositionError):  # in one seat's own record others have seen what it does not say
                view = replayed.observe(event.seat)
                found = _puzzle(number, view, limit, Generator(seed, OWN + number), judge, least)
        replayed.play(event)
        if judge.stopping or _late(limit):
            return
        yield Looked(number, found)


def _puzzle(event: int, view: View, limit: Limit, own: Generator, judge: Judge, least: float) -> Puzzle | None:
    long = limit.iterations or LONG
    glance = code_of(view, GreedyPlayer().think(Question(view, limit, own.next())).choice)
    short = Limit(_short(long), limit.deadline_ns)
    found = judge.think(Question(view, short, own.next(), count=2))
    best = code_of(view, found.choice)
    if best == glance or len(found.suggestions) < 2:
        return None
    first = judged_beside(judge, event, view, best, [glance], short, own.next())
    if judge.stopping or first[0].lost < least:
        return None
    again = judge.think(Question(view, Limit(long, limit.deadline_ns), own.next(), count=1 + _RIVALS))
    if code_of(view, again.choice) != best:
        return None
    near = [code_of(view, each.decision) for each in again.suggestions]
    rivals = [glance, *(code for code in near if code not in (best, glance))][: 1 + _RIVALS]
    others = judged_beside(judge, event, view, best, rivals, Limit(long, limit.deadline_ns), own.next())
    if judge.stopping or _late(limit) or any(not each.sure_of(least) for each in others):
        return None
    return Puzzle(event, view, tuple(others))


def iterations_of_puzzles(long: int, game: Game) -> int:
    """About what it takes: few decisions are looked at for long."""
    decisions = sum(isinstance(event, Chosen) for event in game.history)
    return 2 * decisions * _short(long) + decisions // _SELDOM * 2 * long


def _short(long: int) -> int:
    return max(_SHORTEST, long // _SHORTER)


def _late(limit: Limit) -> bool:
    return limit.deadline_ns is not None and clock_ns() >= limit.deadline_ns
