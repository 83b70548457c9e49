"""Which player: what a text such as ``ismcts:time=100ms`` says of it, and how it is made.

The reference opponents are the published state of the art for this family of games (Gedda et al. 2018) and honest
versions of it: `random`, `greedy`, `mce` (flat Monte Carlo, player-greedy playouts) and `uct` (determinized UCT).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine_cy.errors import OptionError
from search.player import Budget, Player
from search.search_player import EXACT, SearchPlayer, local
from search.simple_players import GreedyPlayer, LevelPlayer, RandomPlayer, levels

# What each kind of search is; a spec may change any of these knobs.
_KINDS: Mapping[str, Mapping[str, Any]] = {
    "ismcts": {"exact": EXACT},
    "mce": {"flat": True, "informed": 1, "win": 0.0, "average": False, "paired": False, "reuse": False},
    "uct": {
        "fixed": True,
        "prior": 0.0,
        "informed": 0,
        "exploration": 0.7,
        "win": 0.5,
        "average": False,
        "paired": False,
        "reuse": False,
        "trees": 10,
    },
}
_SIMPLE: Mapping[str, Callable[[], Player]] = {"random": RandomPlayer, "greedy": GreedyPlayer}
_FLOATS = ("exploration", "prior", "temperature", "win", "margin")
_INTEGERS = ("trees", "reuse", "exact", "informed", "memory", "average", "paired")
_USUAL = Budget(seconds=0.1)


@dataclass(frozen=True)
class Spec:
    """A player by its kind and settings, and what each of its decisions may cost unless somebody says otherwise."""

    kind: str = "ismcts"  # random, greedy, level, or a kind of search
    level: str = ""  # of a level, its name
    personality: str | None = None
    knobs: Mapping[str, Any] = field(default_factory=dict)  # of a search, where they differ from its kind's
    budget: Budget = _USUAL

    def player(self, threads: int = 1) -> Player:
        if self.kind in _SIMPLE:
            return _SIMPLE[self.kind]()
        if self.kind == "level":
            return LevelPlayer(levels()[self.level])
        return searching(self.personality, self.knobs, self.kind, threads)


def searching(
    personality: str | None, changed: Mapping[str, Any], kind: str = "ismcts", threads: int = 1
) -> SearchPlayer:
    """A player of this kind of search, with some of its knobs changed."""
    knobs = {**_KINDS[kind], **changed}
    exact, reuse, trees = knobs.pop("exact", 0), knobs.pop("reuse", True), knobs.pop("trees", 1)
    return SearchPlayer(
        local(max(threads, trees), in_turn=trees > 1, **knobs),
        personality=personality,
        exact=exact,
        reuse=bool(reuse),
        flat=bool(knobs.get("flat")),
    )


def spec(text: str) -> Spec:
    """What a text names: ``random``, ``greedy``, ``level:3``, ``ismcts:time=100ms``, ``mce:iterations=1000``,
    ``uct:...``; OptionError."""
    kind, _, rest = text.partition(":")
    if kind in _SIMPLE:
        if rest:
            raise OptionError(f"bot {kind}", "no settings", rest)
        return Spec(kind)
    if kind == "level":
        if rest not in levels():
            raise OptionError("level", "one of " + ", ".join(levels()), rest)
        return Spec(kind, rest)
    if kind not in _KINDS:
        raise OptionError("bot", "one of " + ", ".join((*_SIMPLE, "level", *_KINDS)), kind)
    budget, knobs, personality = Budget(), dict[str, Any](), None
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        if key == "time":
            budget = replace(budget, seconds=_seconds(value))
        elif key == "iterations":
            budget = replace(budget, iterations=_number(key, value, int))
        elif key == "personality":
            personality = value
        elif key in _FLOATS:
            knobs[key] = _number(key, value, float)
        elif key in _INTEGERS:
            knobs[key] = _number(key, value, int)
        else:
            known = ("time", "iterations", "personality", *_INTEGERS, *_FLOATS)
            raise OptionError(f"bot {kind}", "settings among " + ", ".join(known), key)
    return Spec(kind, "", personality, knobs, _USUAL if budget == Budget() else budget)


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
