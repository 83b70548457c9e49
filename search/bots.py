"""Bots: what decides for a seat. A bot is named by a short text, its spec, such as ``ismcts:time=100ms``.

The reference opponents are the published state of the art for this family of games (Gedda et al. 2018) and honest
versions of it: `random`, `greedy`, `mce` (flat Monte Carlo, player-greedy playouts) and `uct` (determinized UCT).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from engine_cy.errors import OptionError
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
    def decide(self, observation: State, seed: int) -> int:
        """The code of one of the legal decisions. The same observation and seed give the same decision, unless time
        is the budget."""


class RandomBot(Bot):
    """Any legal decision, uniformly."""

    spec = "random"

    def decide(self, observation: State, seed: int) -> int:
        return observation.sample(Generator(seed))


class GreedyBot(Bot):
    """The decision worth most at a glance; equals fall at random."""

    spec = "greedy"

    def decide(self, observation: State, seed: int) -> int:
        worths = observation.appraise()
        most = max(worth for _, worth in worths)
        equals = [code for code, worth in worths if worth >= most]
        return equals[Generator(seed).below(len(equals))]


@dataclass(frozen=True)
class SearchBot(Bot):
    """A search with a budget for each decision."""

    spec: str
    budget: Budget
    settings: dict[str, Any]
    trees: int = 1

    def decide(self, observation: State, seed: int) -> int:
        total: dict[int, tuple[float, float]] = {}
        for tree in range(self.trees):
            search = Search(observation, seed, stream=tree, **self.settings)
            part = self._part()
            search.run(part.iterations, part.deadline_ns())
            for code, outcome in search.outcomes().items():
                visits, reward = total.get(code, (0.0, 0.0))
                total[code] = visits + outcome[0], reward + outcome[0] * outcome[1]
        return max(total, key=lambda code: self._preference(*total[code]))

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


# What each kind of search is; a spec may change any of these knobs.
KINDS: dict[str, dict[str, Any]] = {
    "ismcts": {},
    "mce": {"flat": True, "informed": 1, "win": 0.0},
    "uct": {"fixed": True, "prior": 0.0, "informed": 0, "exploration": 0.7, "win": 0.5},
}
_UCT_TREES = 10
_FLOATS = ("exploration", "prior", "temperature", "win", "margin")
_INTEGERS = ("informed", "memory")
_DEFAULT = Budget(seconds=0.1)


def bot(spec: str) -> Bot:
    """The bot of a spec: ``random``, ``greedy``, ``ismcts:time=100ms``, ``mce:iterations=1000``, ``uct:...``."""
    name, _, rest = spec.partition(":")
    if name in ("random", "greedy"):
        if rest:
            raise OptionError(f"bot {name}", "no settings", rest)
        return RandomBot() if name == "random" else GreedyBot()
    if name not in KINDS:
        raise OptionError("bot", "one of random, greedy, " + ", ".join(KINDS), name)
    settings, budget, trees = dict(KINDS[name]), Budget(), _UCT_TREES if name == "uct" else 1
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        if key == "time":
            budget = replace(budget, seconds=_seconds(value))
        elif key == "iterations":
            budget = replace(budget, iterations=_number(key, value, int))
        elif key == "trees":
            trees = _number(key, value, int)
        elif key in _FLOATS:
            settings[key] = _number(key, value, float)
        elif key in _INTEGERS:
            settings[key] = _number(key, value, int)
        else:
            known = ("time", "iterations", "trees", *_FLOATS, *_INTEGERS)
            raise OptionError(f"bot {name}", "settings among " + ", ".join(known), key)
    return SearchBot(spec, _DEFAULT if budget == Budget() else budget, settings, trees)


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
