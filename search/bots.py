"""Bots: what decides for a seat. A bot is named by a short text, its spec, such as ``ismcts:time=100ms``.

The reference opponents are the published state of the art for this family of games (Gedda et al. 2018) and honest
versions of it: `random`, `greedy`, `mce` (flat Monte Carlo, player-greedy playouts) and `uct` (determinized UCT).
"""

import tomllib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from functools import cache
from math import log
from pathlib import Path
from typing import Any

from engine_cy.errors import OptionError
from engine_cy.game import View
from engine_cy.state import Generator, State
from search.ismcts import Search, clock_ns


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a decision may cost: seconds, iterations, or whichever ends first."""

    seconds: float | None = None
    iterations: int | None = None

    def deadline_ns(self) -> int | None:
        return None if self.seconds is None else clock_ns() + int(self.seconds * 1e9)


class Bot(ABC):
    """Decides from what its seat sees."""

    spec: str

    @abstractmethod
    def decide(self, view: View, seed: int) -> int:
        """The code of one of the legal decisions. The same views and seeds in the same order give the same
        decisions, unless time is the budget."""


class RandomBot(Bot):
    """Any legal decision, uniformly."""

    spec = "random"

    def decide(self, view: View, seed: int) -> int:
        return view.state.sample(Generator(seed))


class GreedyBot(Bot):
    """The decision worth most at a glance; equals fall at random."""

    spec = "greedy"

    def decide(self, view: View, seed: int) -> int:
        worths = view.state.appraise()
        most = max(worth for _, worth in worths)
        equals = [code for code, worth in worths if worth >= most]
        return equals[Generator(seed).below(len(equals))]


def shaped(view: View, personality: str | None) -> State:
    """What the seat sees, judged with its personality."""
    if personality is None:
        return view.state
    return view.state.under(view.rules.shaped(personality, view.viewer))


@dataclass(frozen=True)
class SearchBot(Bot):
    """A search with a budget for each decision. Within a turn it goes on with the tree of the decision before."""

    spec: str
    budget: Budget
    settings: dict[str, Any]
    trees: int = 1
    personality: str | None = None
    reuse: bool = True
    _kept: list[Search] = field(default_factory=list, compare=False)  # that of this turn, if it goes on

    def decide(self, view: View, seed: int) -> int:
        total: dict[int, tuple[float, float]] = {}
        searches = self._searches(shaped(view, self.personality), seed)
        for search in searches:
            part = self._part()
            limit = None if part.iterations is None else search.iterations + part.iterations
            search.run(limit, part.deadline_ns())
            for code, outcome in search.outcomes().items():
                visits, reward = total.get(code, (0.0, 0.0))
                total[code] = visits + outcome[0], reward + outcome[0] * outcome[1]
        chosen = max(total, key=lambda code: self._preference(*total[code]))
        if self.reuse:
            self._kept[:] = [search for search in searches if search.follow(chosen)]
        return chosen

    def _searches(self, observation: State, seed: int) -> list[Search]:
        if self._kept and self._kept[0].observation == observation:
            return self._kept.copy()
        return [Search(observation, seed, stream=tree, **self.settings) for tree in range(self.trees)]

    def _part(self) -> Budget:
        seconds, iterations = self.budget.seconds, self.budget.iterations
        return Budget(
            None if seconds is None else seconds / self.trees,
            None if iterations is None else max(1, iterations // self.trees),
        )

    def _preference(self, visits: float, reward: float) -> tuple[float, float]:
        """Most visits; for flat search, which visits all alike, the best mean."""
        mean = reward / visits if visits else 0.0
        return (mean, visits) if self.settings.get("flat") else (visits, mean)


@dataclass(frozen=True)
class LevelBot(Bot):
    """A bot of limited strength that errs as people do: it takes the second best for the best, the more readily the
    closer they are. An ending that can be worked out is played exactly, whatever the level."""

    spec: str
    iterations: int  # 0: by quick judgement alone
    slip: float  # how unsure: in temperatures of the game without search, thousandths of the reward with it

    def decide(self, view: View, seed: int) -> int:
        search = Search(view.state, seed)
        exact = search.solve(_LEVEL_ENDING)
        if exact is not None:
            return max(exact, key=lambda code: (exact[code], -code))
        generator = Generator(seed, stream=_SLIPS)
        if self.iterations == 0:
            values = dict(view.state.appraise())
            unsure = self.slip * view.state.rules.temperature
            return max(values, key=lambda code: values[code] + unsure * gumbel(generator))
        search.run(self.iterations)
        outcomes = search.outcomes()
        most = max(outcome[0] for outcome in outcomes.values())
        tried = [code for code, outcome in outcomes.items() if outcome[0] * 20 >= most]
        if self.slip <= 0:
            return max(tried, key=lambda code: (outcomes[code][0], outcomes[code][1], -code))
        return max(tried, key=lambda code: outcomes[code][1] + self.slip / 1000 * gumbel(generator))


_LEVEL_ENDING = 2_000  # positions
_SLIPS = 1 << 40


def gumbel(generator: Generator) -> float:
    """Noise that turns a maximum into a choice with probabilities as exp(value / noise) (Gumbel's trick)."""
    return -log(-log((generator.below(1 << 30) + 0.5) / (1 << 30)))


@cache
def levels() -> dict[str, dict[str, float]]:
    """The settings of every level, weakest first; levels.toml is the data."""
    data = tomllib.loads((Path(__file__).parent / "levels.toml").read_text(encoding="utf-8"))
    return {str(name): dict(settings) for name, settings in data.items()}


# What each kind of search is; a spec may change any of these knobs.
KINDS: dict[str, dict[str, Any]] = {
    "ismcts": {},
    "mce": {"flat": True, "informed": 1, "win": 0.0, "average": False, "paired": False},
    "uct": {
        "fixed": True,
        "prior": 0.0,
        "informed": 0,
        "exploration": 0.7,
        "win": 0.5,
        "average": False,
        "paired": False,
    },
}
_UCT_TREES = 10
_FLOATS = ("exploration", "prior", "temperature", "win", "margin")
_INTEGERS = ("informed", "memory", "average", "paired")
_DEFAULT = Budget(seconds=0.1)


def bot(spec: str) -> Bot:
    """The bot of a spec: ``random``, ``greedy``, ``ismcts:time=100ms``, ``mce:iterations=1000``, ``uct:...``."""
    name, _, rest = spec.partition(":")
    if name in ("random", "greedy"):
        if rest:
            raise OptionError(f"bot {name}", "no settings", rest)
        return RandomBot() if name == "random" else GreedyBot()
    if name == "level":
        if rest not in levels():
            raise OptionError("level", "one of " + ", ".join(levels()), rest)
        settings = levels()[rest]
        return LevelBot(spec, int(settings["iterations"]), settings["slip"])
    if name not in KINDS:
        raise OptionError("bot", "one of random, greedy, level, " + ", ".join(KINDS), name)
    budget, trees = Budget(), _UCT_TREES if name == "uct" else 1
    knobs, personality, reuse = dict(KINDS[name]), None, name == "ismcts"
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        if key == "time":
            budget = replace(budget, seconds=_seconds(value))
        elif key == "iterations":
            budget = replace(budget, iterations=_number(key, value, int))
        elif key == "trees":
            trees = _number(key, value, int)
        elif key == "personality":
            personality = value
        elif key == "reuse":
            reuse = bool(_number(key, value, int))
        elif key in _FLOATS:
            knobs[key] = _number(key, value, float)
        elif key in _INTEGERS:
            knobs[key] = _number(key, value, int)
        else:
            known = ("time", "iterations", "trees", "personality", "reuse", *_FLOATS, *_INTEGERS)
            raise OptionError(f"bot {name}", "settings among " + ", ".join(known), key)
    return SearchBot(spec, _DEFAULT if budget == Budget() else budget, knobs, trees, personality, reuse)


def _number(key: str, text: str, kind: type[Any]) -> Any:
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not 0 <= value <= 1e9:
        raise OptionError(key, f"a number from 0 to 1e9 ({kind.__name__})", text)
    return value


def _seconds(text: str) -> float:
    for unit, size in (("ms", 1e-3), ("s", 1.0)):
        if text.endswith(unit):
            return float(_number("time", text.removesuffix(unit), float)) * size
    raise OptionError("time", "a number with its unit, such as 100ms or 2s", text)
