"""Which player: what a text such as ``ismcts:time=100ms`` says of it, and how it is made.

The reference opponents are the published state of the art for this family of games (Gedda et al. 2018) and honest
versions of it: `random`, `greedy`, `mce` (flat Monte Carlo, player-greedy playouts) and `uct` (determinized UCT).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine_cy.errors import OptionError
from search.outside import OUTSIDE, Outside, outside
from search.player import Budget, Player
from search.search_player import EXACT, SearchPlayer, local
from search.settings import Reader, read, seconds, whole, within, word
from search.simple_players import GreedyPlayer, LevelPlayer, RandomPlayer, levels

# What each kind of search is; a spec may change any of these knobs.
_KINDS: Mapping[str, Mapping[str, Any]] = {
    "ismcts": {"exact": EXACT},
    "mce": {
        "flat": True,
        "informed": 1,
        "win": 0.0,
        "average": False,
        "paired": False,
        "reuse": False,
        "learned": False,
    },
    "uct": {
        "fixed": True,
        "prior": 0.0,
        "informed": 0,
        "exploration": 0.7,
        "win": 0.5,
        "average": False,
        "paired": False,
        "reuse": False,
        "learned": False,
        "trees": 10,
    },
}
_SIMPLE: Mapping[str, Callable[[], Player]] = {"random": RandomPlayer, "greedy": GreedyPlayer}
# What the numbers of a search may be: nothing is divided by 0, no share is above 1.
RANGES: Mapping[str, tuple[float, float]] = {
    "exploration": (0.0, 100.0),
    "prior": (0.0, 1.0),
    "temperature": (0.01, 1000.0),
    "certainty": (0.01, 1000.0),
    "whole": (0.0, 1.0),
    "win": (0.0, 1.0),
    "margin": (0.1, 10_000.0),
}
_SETTINGS: Mapping[str, Reader] = {
    "time": seconds,
    "iterations": whole,
    "personality": word,
    "informed": within(0, 2, int),
    **dict.fromkeys(
        ("trees", "reuse", "exact", "memory", "average", "paired", "learned", "ahead", "asked", "glances"), whole
    ),
    **{name: within(*limits) for name, limits in RANGES.items()},
}
_USUAL = Budget(seconds=0.1)


@dataclass(frozen=True)
class Spec:
    """A player by its kind and settings, and what each of its decisions may cost unless somebody says otherwise."""

    kind: str = "ismcts"  # random, greedy, level, a kind of search, or of bots outside
    level: str = ""  # of a level, its name
    personality: str | None = None
    knobs: Mapping[str, Any] = field(default_factory=dict)  # of a search, where they differ from its kind's
    budget: Budget = _USUAL
    outside: Outside | None = None

    def player(self, threads: int = 1) -> Player:
        """A new one. Whoever makes it closes it."""
        if self.outside is not None:
            return self.outside.player()
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
    ``uct:...``, or a bot outside this process (docs/outside-bots.md); OptionError."""
    kind, _, rest = text.partition(":")
    if kind in _SIMPLE:
        if rest:
            raise OptionError(f"bot {kind}", "no settings", rest)
        return Spec(kind)
    if kind == "level":
        if rest not in levels():
            raise OptionError("level", "one of " + ", ".join(levels()), rest)
        return Spec(kind, rest, budget=Budget())  # that of the level, however slow the machine is
    if kind in OUTSIDE:
        bot = outside(kind, text)
        return Spec(kind, budget=bot.budget, outside=bot)
    if kind not in _KINDS:
        raise OptionError("bot", "one of " + ", ".join((*_SIMPLE, "level", *_KINDS, *OUTSIDE)), kind)
    given = read(kind, filter(None, rest.split(",")), _SETTINGS)
    budget = Budget(given.pop("time", None), given.pop("iterations", None))
    return Spec(kind, "", given.pop("personality", None), given, _USUAL if budget == Budget() else budget)
