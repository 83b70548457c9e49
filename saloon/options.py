"""Options of games on the command line, the same for every command that starts games."""

from pathlib import Path
from typing import Annotated, Any

import typer

from engine_cy.registry import GAMES
from search.cluster import ADDRESSES

GameName = Annotated[str, typer.Option("--game", help=f"One of {', '.join(GAMES)}.")]
Players = Annotated[int, typer.Option("--players", help="Number of seats.")]
Legends = Annotated[bool, typer.Option("--legends", help="Moon River: Legends of the West.")]
Scenario = Annotated[str | None, typer.Option("--scenario", help="Moon River: its scenario; drawn if not given.")]
Boards = Annotated[str | None, typer.Option("--boards", help="Moon River: a board for each seat, with commas.")]
Prospecting = Annotated[bool, typer.Option("--prospecting", help="Goldgräber: the variant with prospecting.")]
Colours = Annotated[str | None, typer.Option("--colours", help="Goldgräber: a house for each seat, with commas.")]
ComponentFile = Annotated[
    Path | None, typer.Option("--components", "--map", help="A component file (for Goldgräber a map) of your own.")
]

Ray = Annotated[str | None, typer.Option("--ray", metavar="ADDRESS", help=f"Work over a Ray cluster: {ADDRESSES}.")]


def options(
    players: int,
    legends: bool = False,
    scenario: str | None = None,
    boards: str | None = None,
    prospecting: bool = False,
    colours: str | None = None,
) -> dict[str, Any]:
    """The options as records hold them; only those that were given, so that those of another game are refused."""
    given: dict[str, Any] = {"players": players}
    if legends:
        given["legends"] = True
    if scenario is not None:
        given["scenario"] = scenario
    if boards is not None:
        given["boards"] = boards.split(",")
    if prospecting:
        given["prospecting"] = True
    if colours is not None:
        given["colours"] = [int(c) if c.isdecimal() else c for c in colours.split(",")]
    return given
