"""Moon River described: its options for a form, its components as plain data, what is still hidden."""

from collections import Counter
from math import comb
from typing import TYPE_CHECKING, Any

from engine_cy.moon_river.components import SPECIALISTS, Components
from engine_cy.rules import About, OptionField
from engine_cy.state import State

if TYPE_CHECKING:
    from engine_cy.moon_river.rules import MoonRiver

TITLE = "Moon River"
DESCRIPTION = (
    "Join plots into dominoes, build them into a ranch beside the river, let cows graze on large territories and "
    "recruit partners. 2 to 4 players; with Legends of the West everybody has a board and all share a scenario."
)


def about(players: OptionField, components: Components, scenarios: tuple[str, ...]) -> About:
    return About(
        title=TITLE,
        description=DESCRIPTION,
        options=(
            players,
            OptionField("legends", "Legends of the West", "Boards of one's own and a shared scenario.", "boolean"),
            OptionField(
                "scenario", "Scenario", "What all score for; drawn at the start if none is chosen.", "choice",
                choices=scenarios, needs="legends",
            ),
            OptionField(
                "boards", "Boards", "Every seat's board, none twice; the first ones if none are chosen.",
                "choice_per_seat", choices=components.legends_boards, needs="legends",
            ),
        ),
        components=_plain(components),
    )  # fmt: skip


def _plain(components: Components) -> dict[str, Any]:
    keys = ("count", "number", "landscape", "nuggets", "beavers", "cobs", "cows", "skull", "circle")
    return {
        "name": components.name,
        "plots": [{key: getattr(plot, key) for key in keys} for plot in components.plots],
        "bonus_tiles": [list(tile.sides) for tile in components.bonus_tiles],
        "boards": [
            {"name": board.name, "storage": board.storage, "bridges": [list(cell) for cell in board.bridges]}
            for board in components.boards.values()
        ],
        "river": [list(cell) for cell in components.river],
        "partners": [{"partner": name, "count": components.partners[name]} for name in SPECIALISTS],
        "cows": components.cows,
        "column_size": components.column_size,
        "saloon_size": components.saloon_size,
    }


def beliefs(rules: "MoonRiver", state: State) -> dict[str, Any]:
    """What may come of pile and stack: every order is equally likely (MR-7)."""
    p = rules.position(state)
    size = rules.components.column_size
    fill = max(0, rules.components.saloon_size - len(p["saloon"]))
    plots, tokens = Counter(p["pile"]), Counter(p["stack"])
    return {
        "plots": [
            {"plot": plot, "left": n, "next_column": at_least_one(n, len(p["pile"]), size)}
            for plot, n in sorted(plots.items())
        ],
        "partners": [
            {"partner": name, "left": tokens[name], "next_saloon": at_least_one(tokens[name], len(p["stack"]), fill)}
            for name in SPECIALISTS
            if tokens[name]
        ],
    }


def at_least_one(wanted: int, of: int, drawn: int) -> float:
    """How likely one of the wanted is among so many drawn."""
    return 1 - comb(of - wanted, min(drawn, of)) / comb(of, min(drawn, of))
