"""The games. A new one is a line here."""

from pathlib import Path
from typing import Any

from engine_cy.errors import OptionError
from engine_cy.goldgraeber.components import GoldenMap
from engine_cy.goldgraeber.rules import Goldgraeber
from engine_cy.moon_river.components import Components
from engine_cy.moon_river.rules import MoonRiver
from engine_cy.rules import GameRules

GAMES: dict[str, type[GameRules]] = {"moon_river": MoonRiver, "goldgraeber": Goldgraeber}
COMPONENTS: dict[str, type[Components] | type[GoldenMap]] = {"moon_river": Components, "goldgraeber": GoldenMap}


def game_class(name: str) -> type[GameRules]:
    if name not in GAMES:
        raise OptionError("game", "one of " + ", ".join(GAMES), name)
    return GAMES[name]


def rules_of(name: str, options: Any, components: str | Path | None = None) -> GameRules:
    """The rules of a table, with the component file if one is given; OptionError or ComponentError names what does not
    fit."""
    return game_class(name).from_options(options, COMPONENTS[name].load(components) if components else None)
