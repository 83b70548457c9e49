"""The games. A new one is a line here."""

from pathlib import Path
from typing import Any

from engine_cy.errors import OptionError
from engine_cy.goldgraeber.rules import Goldgraeber
from engine_cy.moon_river.rules import MoonRiver
from engine_cy.rules import GameRules

_ALL: tuple[type[GameRules], ...] = (
    MoonRiver,
    Goldgraeber,
)
GAMES = {game.name: game for game in _ALL}


def game_class(name: str) -> type[GameRules]:
    if name not in GAMES:
        raise OptionError("game", "one of " + ", ".join(GAMES), name)
    return GAMES[name]


def rules_of(name: str, options: Any, components: str | Path | None = None) -> GameRules:
    """The rules of a table, with the component file if one is given; OptionError or ComponentError names what does not
    fit."""
    game = game_class(name)
    return game.from_options(options, game.component_set.load(components) if components else None)
