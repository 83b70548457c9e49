"""Reviews by workers on many machines: the same, to the last bit where iterations are counted, since every event has
random numbers of its own."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from engine_cy.game import Chosen, Event, Game, Happened
from engine_cy.records import Record
from engine_cy.registry import game_class
from search.cluster import Workers
from search.ismcts import clock_ns
from search.judging import Judged
from search.player import Budget, Limit, SeatEnd, Suggestion
from search.review import Fell, Review, Reviewer, decisions_of, reviewed, summed_up

_FIGURES = ("visits", "share", "reward", "error", "win", "points", "margin", "places", "line")  # of a suggestion
_AT_ONCE = 4  # decisions of a job: seconds of work, so that all cores end together, and little is lost with a worker


def review_by(workers: Workers, game: Game, limit: Limit, seed: int) -> Iterator[Judged | Fell | Review]:
    """As `review` has it, in its order, as workers are done with it. Time that they take to start is taken from the
    jobs that come later."""
    parts: list[Judged | Fell] = []
    jobs, replayed = _Jobs(workers, game, limit, seed), Game(game.rules)
    for text in workers.map(_review_text, jobs):
        jobs.done += 1
        for row in json.loads(text):
            parts.append(_read(replayed, game.history[row["event"]], row))
            yield parts[-1]
    yield summed_up(game, parts, limit, seed, Reviewer())


def _ranges(game: Game) -> Iterator[range]:
    """Events in a row, with so many decisions among them."""
    first, decisions = 0, 0
    for number, event in enumerate(game.history):
        decisions += isinstance(event, Chosen)
        if decisions == _AT_ONCE:
            yield range(first, number + 1)
            first, decisions = number + 1, 0
    if first < len(game.history):
        yield range(first, len(game.history))


class _Jobs:
    """The jobs as texts, made when somebody is there to do them: then it shows what time is left for each."""

    def __init__(self, workers: Workers, game: Game, limit: Limit, seed: int) -> None:
        self.workers, self.game, self.limit = workers, game, limit
        self.ranges = list(_ranges(game))
        self.done = 0  # jobs whose results have come
        components = None if game.rules.printed else game.rules.components.tables  # other machines need not have them
        self.same = {
            "record": Record.of(game).to_json(), "components": components, "seed": seed, "iterations": limit.iterations,
        }  # fmt: skip

    def __iter__(self) -> Iterator[str]:
        for events in self.ranges:
            yield json.dumps(
                {**self.same, "first": events.start, "last": events.stop, "seconds": self._seconds(events)}
            )

    def _seconds(self, events: range) -> float | None:
        """Its part of what all cores together have left. Clocks of machines have nothing in common."""
        deadline = self.limit.deadline_ns
        if deadline is None:
            return None
        left = max(0, deadline - clock_ns()) / 1e9
        open_ones = sum(1 + decisions_of(self.game, each) for each in self.ranges[self.done :])
        cores = min(self.workers.cores, len(self.ranges) - self.done)
        return left * cores * (1 + decisions_of(self.game, events)) / open_ones


def _review_text(text: str) -> str:
    """A worker's part: the events of a job."""
    job = json.loads(text)
    record, own = Record.from_json(job["record"]), job["components"]
    game = record.replay(None if own is None else game_class(record.game).component_set.from_dict(own))
    limit = Budget(job["seconds"], job["iterations"]).limit()
    parts = reviewed(game, range(job["first"], job["last"]), limit, job["seed"], Reviewer())
    return json.dumps([_written(part) for part in parts])


def _written(part: Judged | Fell) -> dict[str, Any]:
    """All but what the record says; decisions by their codes."""
    if isinstance(part, Fell):
        return {"event": part.event, "luck": part.luck, "points": part.points}
    return {
        "event": part.event,
        "best": part.best.code,
        "lost": part.lost,
        "points": part.points,
        "error": part.error,
        "kind": part.kind,
        "wins": part.wins,
        "suggestions": [
            {**{name: getattr(each, name) for name in _FIGURES}, "code": each.decision.code, "seats": _ends(each.seats)}
            for each in part.suggestions
        ],
        "ends": [_ends(each) for each in part.ends],
    }


def _ends(ends: Sequence[SeatEnd]) -> list[dict[str, Any]]:
    return [asdict(each) for each in ends]


def _read(replayed: Game, event: Event, row: dict[str, Any]) -> Judged | Fell:
    """What a worker said of the event that the game is at, which happens here then."""
    rules, phase = replayed.rules, replayed.state.phase
    replayed.play(event)
    if isinstance(event, Happened):
        return Fell(row["event"], event.what, event.outcome, tuple(row["luck"]), tuple(row["points"]))
    suggestions = tuple(
        Suggestion(
            **{name: _frozen(each[name]) for name in _FIGURES},
            decision=rules.decode(phase, each["code"]),
            seats=_read_ends(each["seats"]),
        )
        for each in row["suggestions"]
    )
    best, chosen = (_read_ends(each) for each in row["ends"])
    return Judged(
        row["event"], event.seat, event.decision, rules.decode(phase, row["best"]), row["lost"], row["points"],
        row["error"], row["kind"], tuple(row["wins"]), suggestions, (best, chosen),
    )  # fmt: skip


def _read_ends(rows: Sequence[dict[str, Any]]) -> tuple[SeatEnd, ...]:
    return tuple(SeatEnd(**each) for each in rows)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
