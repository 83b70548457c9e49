"""Searches of one decision, each with a tree and a stream of its own, whose figures are merged as one."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any

from engine_cy.state import State
from search.ismcts import Outcome, Search, Told, clock_ns

_USUAL = 4.0  # looks for which counts how much all decisions vary, where a decision has few of its own
_LEAST_ERROR = 1e-4  # 0 is exact


@dataclass(frozen=True, slots=True)
class Known:
    """What all searches together know of the decision."""

    outcomes: Mapping[int, Outcome]  # by code, in the order of the options
    nodes: int
    depth: int
    alike: float  # what all looks at a decision have in common, as a part of their variance

    def errors(self) -> dict[int, float]:
        """The standard error of every decision's reward: how far other searches of this kind would be off."""
        visits = self.visits
        usual = sum(each.visits * _variance(each) for each in self.outcomes.values()) / visits if visits else 0.0

        def error(outcome: Outcome) -> float:
            if not outcome.visits:
                return 1.0
            variance = (outcome.visits * _variance(outcome) + _USUAL * usual) / (outcome.visits + _USUAL)
            return max(_LEAST_ERROR, sqrt(variance * (1 / outcome.visits + self.alike)))

        return {code: error(outcome) for code, outcome in self.outcomes.items()}

    @property
    def visits(self) -> int:
        return sum(outcome.visits for outcome in self.outcomes.values())


def _variance(outcome: Outcome) -> float:
    """Of the reward of one look."""
    return max(0.0, outcome.square - outcome.reward * outcome.reward)


class Trees:
    """Searches of this machine: all at once, each in a thread, or one after the other (`in_turn`). Other threads may
    call `stop`."""

    def __init__(self, observation: State, seed: int, number: int = 1, in_turn: bool = False, **knobs: Any) -> None:
        self.searches = [Search(observation, seed, stream=stream, **knobs) for stream in range(number)]
        self.in_turn = in_turn

    @property
    def observation(self) -> State:
        """What the roots stand for."""
        return self.searches[0].observation

    @property
    def iterations(self) -> int:
        """For the decision at the roots, those of earlier ones that led here too."""
        return sum(search.iterations for search in self.searches)

    @property
    def made(self) -> int:
        """In all."""
        return sum(search.made for search in self.searches)

    def run(self, iterations: int | None, deadline_ns: int | None) -> str:
        """Search until there are so many iterations, or until then; says why it ended."""
        number = len(self.searches)
        each = None if iterations is None else -(-iterations // number)
        if self.in_turn:
            return min(self._run_in_turn(each, deadline_ns))
        if number == 1:
            return self.searches[0].run(each, deadline_ns)
        with ThreadPoolExecutor(number) as pool:
            ends: list[str] = list(pool.map(lambda search: search.run(each, deadline_ns), self.searches))
        return min(ends)  # cancelled before iterations before time

    def _run_in_turn(self, each: int | None, deadline_ns: int | None) -> list[str]:
        ends, left = [], len(self.searches)
        for search in self.searches:
            now = clock_ns()
            ends.append(search.run(each, None if deadline_ns is None else now + (deadline_ns - now) // left))
            left -= 1
        return ends

    def solve(self, positions: int, deadline_ns: int | None) -> dict[int, float] | None:
        """The exact reward of every decision, if the rest of the game can be worked out so."""
        return self.searches[0].solve(positions, deadline_ns)

    def probe(self, code: int, iterations: int, deadline_ns: int | None) -> int:
        """Look at this decision so often, however bad it is; not after the deadline or `stop`. Returns how often."""
        return self.searches[0].probe(code, iterations, deadline_ns)

    def known(self) -> Known:
        searches = self.searches
        return Known(
            outcomes=merged([search.outcomes() for search in searches]),
            nodes=sum(search.nodes for search in searches),
            depth=max(search.depth for search in searches),
            alike=self.alike,
        )

    def told(self, code: int) -> Told:
        """What came of a decision for every seat, since the roots are there."""
        return together([search.told(code) for search in self.searches])

    @property
    def alike(self) -> float:
        """Of the searches together; each has a tree of its own."""
        return self.searches[0].alike / len(self.searches)

    def line(self, code: int) -> Sequence[tuple[int, int]]:
        """The most visited continuation, as (seat, code)."""
        return self.searches[0].line(code)

    def follow(self, code: int) -> bool:
        """Take a decision of the seat; False, and nothing changed, if its turn ends with it."""
        known = [search.follow(code) for search in self.searches]  # all of them, whatever the first says
        return all(known)

    def adopt(self, observation: State, codes: Sequence[tuple[int, int]]) -> bool:
        """Go on from where these decisions have led; True if something is known of it."""
        known = [search.adopt(observation, codes) for search in self.searches]
        return all(known)

    def stop(self) -> None:
        for search in self.searches:
            search.stop()


def merged(parts: Sequence[Mapping[int, Outcome]]) -> Mapping[int, Outcome]:
    """Root parallel searches as one: visits add up, means are weighted by them, in the order of the streams."""
    if len(parts) == 1:
        return parts[0]
    return {code: _one([part[code] for part in parts]) for code in parts[0]}


def _one(rows: Sequence[Outcome]) -> Outcome:
    visits = sum(row.visits for row in rows)
    weights = [row.visits / visits if visits else 0.0 for row in rows]
    reward, square, win, points, margin, *places = (
        sum(weight * value for weight, value in zip(weights, column, strict=True))
        for column in zip(*((*row[1:6], *row.places) for row in rows), strict=True)
    )
    return Outcome(visits, reward, square, win, points, margin, tuple(places))


def together(parts: Sequence[Told]) -> Told:
    """As one."""
    if len(parts) == 1:
        return parts[0]
    looks = sum(part.looks for part in parts)

    def mean(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
        weighted = zip(parts, rows, strict=True)
        sums = zip(*((part.looks * value for value in row) for part, row in weighted), strict=True)
        return tuple(sum(each) / (looks or 1) for each in sums)

    return Told(
        looks,
        mean([part.wins for part in parts]),
        mean([part.points for part in parts]),
        tuple(mean(rows) for rows in zip(*(part.parts for part in parts), strict=True)),
        tuple(mean(rows) for rows in zip(*(part.finer for part in parts), strict=True)),
    )
