"""The games of the registry as the property tests see them: a kind for each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from engine_cy import Game, GameRules, View
from tests.property import goldgraeber, moon_river

Position = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """What the properties need to know of a game."""

    variants: Mapping[str, GameRules]
    words: Sequence[str]  # that its data is made of
    check: Callable[[Game | View, Position], None]  # what is true at any time
    pieces: Callable[[Position], Counter[Any]]  # nothing is ever added to them
    public: Callable[[Position], Position]  # without what not everybody may know
    rearranged: Callable[[Game], st.SearchStrategy[Position]]  # its position after pieces were moved about
    same: Callable[[Position, Position], bool]  # a position that was given, and what was read of it


KINDS = {
    "moon_river": Kind(
        dict(moon_river.variants()),
        moon_river.WORDS,
        moon_river.check,
        moon_river.pieces,
        moon_river.public,
        moon_river.rearranged,
        moon_river.same,
    ),
    "goldgraeber": Kind(
        dict(goldgraeber.variants()),
        goldgraeber.WORDS,
        goldgraeber.check,
        goldgraeber.pieces,
        goldgraeber.public,
        goldgraeber.rearranged,
        goldgraeber.same,
    ),
}


def kind_of(game: Game | View) -> Kind:
    return KINDS[game.rules.name]
