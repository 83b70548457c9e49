"""The games. A new one is a line here."""

from engine_cy.errors import OptionError
from engine_cy.moon_river.components import Components
from engine_cy.moon_river.rules import MoonRiver
from engine_cy.rules import GameRules

GAMES: dict[str, type[GameRules]] = {"moon_river": MoonRiver}
COMPONENTS = {"moon_river": Components.load}


def game_class(name: str) -> type[GameRules]:
    if name not in GAMES:
        raise OptionError("game", "one of " + ", ".join(GAMES), name)
    return GAMES[name]
