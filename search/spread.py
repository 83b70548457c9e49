"""Trees that grow on other machines: root parallelism as with threads, and the same answer."""

import json
from collections.abc import Sequence
from typing import Any

from engine_cy.errors import OptionError
from engine_cy.game import View
from engine_cy.registry import rules_of
from engine_cy.state import State
from search.cluster import Workers
from search.ismcts import Outcome, Search, Told, clock_ns
from search.player import Budget
from search.search_player import Grow
from search.trees import Known, Trees, merged, together


def spread(workers: Workers, number: int) -> Grow:
    """So many searches by workers, which learn what the seat may know and nothing else."""

    def grow(view: View, observation: State, seed: int) -> SpreadTrees:
        rules = view.rules
        if not rules.printed:
            raise OptionError("components", f"{rules.standard().name}, which workers have", rules.component_name)
        return SpreadTrees(view, observation, seed, workers, number)

    return grow


class SpreadTrees(Trees):
    """Searched once. The trees are not kept, so there is none to go on with; what needs no workers, such as an ending
    that can be solved, is done here."""

    def __init__(self, view: View, observation: State, seed: int, workers: Workers, number: int) -> None:
        super().__init__(observation, seed, number)
        self._view, self._seed, self._workers = view, seed, workers
        self._elsewhere: list[dict[str, Any]] = []
        self._solved = False

    def solve(self, positions: int, deadline_ns: int | None) -> dict[int, float] | None:
        exact = super().solve(positions, deadline_ns)
        self._solved = exact is not None
        return exact

    def run(self, iterations: int | None, deadline_ns: int | None) -> str:
        if self._solved:
            return super().run(iterations, deadline_ns)
        number = len(self.searches)
        job = {
            "game": self._view.rules.name,
            "options": self._view.rules.options(),
            "position": self._view.position(),
            "viewer": self._view.viewer,
            "seed": self._seed,
            "iterations": None if iterations is None else -(-iterations // number),
            # Clocks of machines have nothing in common.
            "seconds": None if deadline_ns is None else max(0.0, (deadline_ns - clock_ns()) / 1e9),
        }
        texts = (json.dumps({**job, "stream": stream}) for stream in range(number))
        self._elsewhere = [json.loads(result) for result in self._workers.map(_search_text, texts)]
        return min(str(result["stopped"]) for result in self._elsewhere)

    def known(self) -> Known:
        if not self._elsewhere:
            return super().known()
        return Known(
            outcomes=merged([_outcomes(result) for result in self._elsewhere]),
            nodes=sum(result["nodes"] for result in self._elsewhere),
            depth=max(result["depth"] for result in self._elsewhere),
            alike=self.alike,
        )

    def told(self, code: int) -> Told:
        if not self._elsewhere:
            return super().told(code)
        return together([_told(row) for each in self._elsewhere for of, row in each["told"] if of == code])

    def line(self, code: int) -> Sequence[tuple[int, int]]:
        if not self._elsewhere:
            return super().line(code)
        return next([(seat, step) for seat, step in line] for of, line in self._elsewhere[0]["lines"] if of == code)


def _search_text(text: str) -> str:
    """A worker's part: one search, on a stream of its own. Only the first one's lines are ever shown."""
    job = json.loads(text)
    rules = rules_of(job["game"], job["options"])
    deadline = Budget(seconds=job["seconds"]).limit().deadline_ns
    search = Search(View.at(rules, job["position"], job["viewer"]).state, job["seed"], stream=job["stream"])
    stopped = search.run(job["iterations"], deadline)
    outcomes = search.outcomes()
    return json.dumps(
        {
            "stopped": stopped,
            "nodes": search.nodes,
            "depth": search.depth,
            "outcomes": list(outcomes.items()),
            "told": [(code, search.told(code)) for code in outcomes],
            "lines": [(code, search.line(code)) for code in outcomes] if job["stream"] == 0 else [],
        }
    )


def _outcomes(result: dict[str, Any]) -> dict[int, Outcome]:
    return {code: Outcome._make((*row[:6], tuple(row[6]))) for code, row in result["outcomes"]}


def _told(row: list[Any]) -> Told:
    looks, wins, points, *made_of = row
    return Told(looks, tuple(wins), tuple(points), *(tuple(map(tuple, by_seat)) for by_seat in made_of))
