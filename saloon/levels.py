"""`saloon levels`: the levels for people, and how strong each was measured to be."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from search.levels import measured
from search.simple_players import levels


def command(as_json: Annotated[bool, typer.Option("--json", help="Print the data as JSON.")] = False) -> None:
    """List the levels with their settings, their share of wins against the level below and their rating."""
    report = {
        "settings": {name: {"iterations": level.iterations, "slip": level.slip} for name, level in levels().items()},
        "measured": measured(),
    }
    if as_json:
        typer.echo(json.dumps(report, indent=1))
        return
    for game, by_players in report["measured"].items():
        for players, rows in by_players.items():
            table = Table("level", "iterations", "slip", "beats the one below", "95 %", "rating")
            table.title = f"{game}, {players} players (parity {1 / int(players):.0%})"
            for name, level in levels().items():
                row = rows.get(name, {})
                low, high = row.get("ci95", (None, None))
                table.add_row(
                    name,
                    f"{level.iterations}",
                    f"{level.slip:g}",
                    f"{row['beats_below']:.0%} of {row['games']}" if "beats_below" in row else "",
                    f"{low:.0%} to {high:.0%}" if low is not None else "",
                    f"{row.get('rating', 0):+.0f}",
                )
            Console().print(table)
