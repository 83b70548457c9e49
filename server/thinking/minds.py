"""Bots of requests: settings that were read, and how such a bot decides once or for a whole turn.

Everything here runs in search threads; what can be wrong with a request is found before.
"""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from saloon_client.v1 import bots_pb2 as pb

from engine_cy.decision import Decision
from engine_cy.game import View
from search.bots import Budget, bot, levels
from search.think import Answer, Thinker
from search.turns import turn_of
from server.calls.refusals import invalid

_RANGES = {
    "exploration": (0.0, 100.0),
    "prior": (0.0, 1.0),
    "temperature": (0.01, 1000.0),
    "win": (0.0, 1.0),
    "margin": (0.1, 10_000.0),
}
_GLANCE = 300  # iterations for the figures of a level's answer; its choice is made without them
BEST = "max"


@dataclass(frozen=True)
class BotPlan:
    """How a bot thinks."""

    settings: pb.BotSettings  # with the seed in it, as replays need it
    knobs: dict[str, Any]

    @property
    def level(self) -> str:
        return self.settings.level

    @property
    def weaker(self) -> bool:
        return self.level != BEST

    def thinker(self, view: View) -> Thinker:
        return Thinker(view, self.settings.seed, **self.knobs)


def read_bot(message: pb.BotSettings, personalities: Sequence[str], field: str = "bot") -> BotPlan:
    """The bot of a request; a seed of its own if none is given."""
    settings = pb.BotSettings()
    settings.CopyFrom(message)
    settings.level = settings.level or BEST
    if settings.level not in levels():
        raise invalid(f"{field}.level", f"expected one of {', '.join(levels())}, got {settings.level[:64]!r}")
    if not settings.HasField("seed"):
        settings.seed = secrets.randbits(63)
    knobs: dict[str, Any] = {}
    for name, (low, high) in _RANGES.items():
        if settings.search.HasField(name):  # type: ignore[arg-type]
            value = getattr(settings.search, name)
            if not low <= value <= high:
                raise invalid(f"{field}.search.{name}", f"expected {low:g} to {high:g}, got {value}")
            knobs[name] = value
    if settings.personality:
        if settings.personality not in personalities:
            known = ", ".join(personalities)
            raise invalid(f"{field}.personality", f"expected one of {known}, got {settings.personality[:64]!r}")
        knobs["personality"] = settings.personality
    if settings.level != BEST and knobs:
        raise invalid(f"{field}.level", f"expected {BEST} with a personality or search settings, got {settings.level}")
    return BotPlan(settings, knobs)


@dataclass(frozen=True)
class Thought:
    """One decision of a bot, and what it knew."""

    view: View
    answer: Answer
    choice: Decision


class Mind:
    """A bot that thinks about one call; `stop` makes it answer at once, from any thread."""

    def __init__(self, plan: BotPlan, view: View, thinker: Thinker | None = None) -> None:
        self.plan = plan
        self.view = view
        self.thinker = thinker or plan.thinker(view)  # a given one has thought ahead
        self.stopped = False
        self._made_before = self.thinker.made

    @property
    def made(self) -> int:
        """Iterations for this call."""
        return self.thinker.made - self._made_before

    def stop(self) -> None:
        self.stopped = True
        self.thinker.stop()

    def decide(self, budget: Budget, deadline_ns: int, count: int, evaluate: Sequence[int] = ()) -> Thought:
        """One decision."""
        if self.plan.weaker:
            return self._decide_as_level(self.view, budget, deadline_ns, count, evaluate)
        self.thinker.probe_codes(evaluate, budget, deadline_ns)
        self.thinker.run(budget, deadline_ns)
        answer = self.thinker.answer(count, evaluate)
        return Thought(self.view, answer, answer.best)

    def _decide_as_level(
        self, view: View, budget: Budget, deadline_ns: int, count: int, evaluate: Sequence[int]
    ) -> Thought:
        """The choice of a level, with the figures of a short look around."""
        code = bot(f"level:{self.plan.level}").decide(view, self.plan.settings.seed)
        glance = Budget(iterations=min(_GLANCE, budget.iterations or _GLANCE))
        self.thinker.probe_codes(evaluate, glance, deadline_ns)
        self.thinker.run(glance, deadline_ns)
        choice = view.rules.decode(view.state.phase, code)
        return Thought(view, self.thinker.answer(count, evaluate), choice)

    def step(self, budget: Budget, until_ns: int, count: int, evaluate: Sequence[int]) -> Thought:
        """Think on until then, and say what is known."""
        self.thinker.run(budget, until_ns)
        answer = self.thinker.answer(count, evaluate)
        return Thought(self.view, answer, answer.best)

    def turn(self, budget: Budget, deadline_ns: int, count: int) -> tuple[list[Thought], list[tuple[Decision, ...]]]:
        """The whole turn, and the best ones that begin otherwise."""
        if self.plan.weaker:
            return list(self._turn_as_level(budget, deadline_ns, count)), []
        planned = turn_of(self.thinker, budget, deadline_ns, count)
        views = _views(self.view, planned.decisions)
        thoughts = [Thought(view, answer, answer.best) for view, answer in zip(views, planned.answers, strict=True)]
        return thoughts, list(planned.alternatives)

    def _turn_as_level(self, budget: Budget, deadline_ns: int, count: int) -> Iterator[Thought]:
        view = self.view
        while True:
            thought = self._decide_as_level(view, budget, deadline_ns, count, ())
            yield thought
            code = self.thinker.code(thought.choice)
            if self.stopped or not self.thinker.follow(code):
                return
            view = View(view.rules, self.thinker.state)


def _views(view: View, decisions: Sequence[Decision]) -> Iterator[View]:
    """What the seat sees at each decision of its turn."""
    for decision in decisions:
        yield view
        code = view.rules.encode(view.state.phase, decision.to_list())
        view = View(view.rules, view.state.after(code))
