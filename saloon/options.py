"""Options of games on the command line, the same for every command that starts games."""

from pathlib import Path
from typing import Annotated, Any

import typer

from engine_cy import GameRules
from engine_cy.registry import COMPONENTS, GAMES, game_class

GameName = Annotated[str, typer.Option("--game", help=f"One of {', '.join(GAMES)}.")]
Players = Annotated[int, typer.Option("--players", help="Number of seats.")]
Legends = Annotated[bool, typer.Option("--legends", help="Moon River: Legends of the West.")]
Scenario = Annotated[str | None, typer.Option("--scenario", help="Moon River: its scenario; drawn if not given.")]
Boards = Annotated[str | None, typer.Option("--boards", help="Moon River: a board for each seat, with commas.")]
ComponentFile = Annotated[Path | None, typer.Option("--components", help="A component file of your own.")]


def options(players: int, legends: bool, scenario: str | None, boards: str | None) -> dict[str, Any]:
    """The options as records hold them; only those that were given."""
    given: dict[str, Any] = {"players": players}
    if legends:
        given["legends"] = True
    if scenario is not None:
        given["scenario"] = scenario
    if boards is not None:
        given["boards"] = boards.split(",")
    return given


def rules_of(name: str, given: dict[str, Any], components: Path | None) -> GameRules:
    """The rules of a table; OptionError or ComponentError names what does not fit."""
    cls = game_class(name)
    return cls.from_options(given, COMPONENTS[name](components) if components else None)
