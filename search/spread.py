"""One decision thought about on many machines: root parallelism as with threads, and the same answer."""

import json
from typing import Any

from engine_cy.errors import OptionError
from engine_cy.game import View
from engine_cy.registry import rules_of
from search.bots import Budget
from search.cluster import Workers
from search.ismcts import Search, clock_ns
from search.think import Found, Thinker


class SpreadThinker(Thinker):
    """Thinks once: its searches are run by workers, which learn what the seat may know and nothing else.
    Their trees are not kept, so there is none to go on with (`follow`, `adopt`)."""

    def __init__(self, view: View, seed: int, workers: Workers, *, searches: int) -> None:
        rules = view.rules
        standard = type(rules).from_options(rules.options())
        if rules.component_hash != standard.component_hash:
            raise OptionError("components", f"{standard.component_name}, which workers have", rules.component_name)
        super().__init__(view, seed, threads=searches)
        self._workers = workers
        self._elsewhere: list[Found] = []

    def run_all(self, limit: int | None, deadline: int | None) -> list[str]:
        job = {
            "game": self.view.rules.name,
            "options": self.view.rules.options(),
            "position": self.view.position(),
            "viewer": self.view.viewer,
            "seed": self.seed,
            "iterations": limit,
            # Clocks of machines have nothing in common.
            "seconds": None if deadline is None else max(0.0, (deadline - clock_ns()) / 1e9),
        }
        texts = (json.dumps({**job, "stream": stream}) for stream in range(len(self.searches)))
        results = [json.loads(result) for result in self._workers.map(_search_text, texts)]
        self._elsewhere = [_found(result) for result in results]
        return [result["stopped"] for result in results]

    def found(self) -> list[Found]:
        return self._elsewhere or super().found()  # an ending that is solved needs no workers


def _search_text(text: str) -> str:
    """A worker's part: one search, on a stream of its own. Only the first one's lines are ever shown."""
    job = json.loads(text)
    rules = rules_of(job["game"], job["options"])
    deadline = Budget(seconds=job["seconds"]).deadline_ns()
    search = Search(View.at(rules, job["position"], job["viewer"]).state, job["seed"], stream=job["stream"])
    stopped = search.run(job["iterations"], deadline)
    outcomes = search.outcomes()
    return json.dumps(
        {
            "stopped": stopped,
            "nodes": search.nodes,
            "depth": search.depth,
            "outcomes": list(outcomes.items()),
            "lines": [(code, search.line(code)) for code in outcomes] if job["stream"] == 0 else [],
        }
    )


def _found(result: dict[str, Any]) -> Found:
    lines = {code: [(seat, step) for seat, step in line] for code, line in result["lines"]}
    return Found(
        outcomes={code: (*figures, tuple(places)) for code, (*figures, places) in result["outcomes"]},
        nodes=result["nodes"],
        depth=result["depth"],
        line=lines.__getitem__,
    )
