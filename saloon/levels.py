"""`saloon levels`: the levels for people, and how strong each was measured to be."""

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from search.levels import Measured, measured
from search.simple_players import levels


def command(as_json: Annotated[bool, typer.Option("--json", help="Print the data as JSON.")] = False) -> None:
    """List the levels with their settings, their share of wins against the level below and their rating."""
    tables = measured()
    if as_json:
        report = {"settings": {name: level.efforts for name, level in levels().items()}, "measured": tables}
        typer.echo(json.dumps(report, indent=1, default=asdict))
        return
    for at in tables:
        Console().print(_table(at))


def _table(at: Measured) -> Table:
    table = Table("level", "iterations", "slip", "beats the one below", "95 %", "rating")
    table.title = f"{at.title} (parity {1 / at.options['players']:.0%})"
    for name, level in levels().items():
        row, effort = at.levels[name], level.efforts[at.game]
        low, high = row.get("ci95", (None, None))
        table.add_row(
            name,
            f"{effort.iterations}",
            f"{effort.slip:g}",
            f"{row['beats_below']:.0%} of {row['games']}" if "beats_below" in row else "",
            f"{low:.0%} to {high:.0%}" if low is not None else "",
            f"{row['rating']:+.0f}",
        )
    return table
