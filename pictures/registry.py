"""The games that can be drawn. A new one is a line here."""

from engine_cy.checks import Checker
from engine_cy.errors import OptionError
from engine_cy.rules import GameRules
from engine_cy.state import State
from pictures.goldgraeber.page import GoldgraeberPage
from pictures.moon_river.page import MoonRiverPage
from pictures.page import Page
from pictures.themes import LIGHT, THEMES

PAGES: dict[str, type[Page]] = {"moon_river": MoonRiverPage, "goldgraeber": GoldgraeberPage}

check = Checker(OptionError)


def picture(rules: GameRules, state: State, seat: int | None = None, theme: str = LIGHT.name) -> str:
    """An SVG document of the table, or of what lies in front of one seat; OptionError if there is no such seat or
    theme."""
    page = PAGES[rules.name](rules, state, THEMES[check.choice(theme, "theme", THEMES)])
    return page.table() if seat is None else page.seat(check.integer(seat, "seat", 0, rules.players - 1))
