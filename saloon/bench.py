"""`saloon bench`: how fast this machine plays."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from saloon.speed import engine_speed, search_speed

app = typer.Typer(no_args_is_help=True, help="Measure this machine.")


@app.callback()
def main() -> None:
    """Measure this machine."""


@app.command()
def engine(
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    games: Annotated[int, typer.Option(min=1, help="Random games for each variant.")] = 200_000,
) -> None:
    """Random games and decisions per second on one core, with a calibration to compare machines by."""
    report = engine_speed(games)
    if as_json:
        typer.echo(json.dumps(report, indent=1))
        return
    table = Table("game", "variant", "games/s", "ns/decision", "copies/s", title="One core, uniformly random games")
    for game, variants in report.items():
        for name, f in variants.items() if game != "calibration" else ():
            figures = f"{f['games_per_s']:,}", f"{f['ns_per_decision']}", f"{f['copies_per_s']:,}"
            table.add_row(game, name, *figures)
    Console().print(table)
    typer.echo(f"calibration: {report['calibration']['draws_per_s']:,} random numbers/s")


@app.command()
def search(
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    seconds: Annotated[float, typer.Option(min=0.01, help="For each figure.")] = 1.0,
) -> None:
    """Search iterations and playouts per second from the opening, on one thread."""
    report = search_speed(seconds)
    if as_json:
        typer.echo(json.dumps(report, indent=1))
        return
    table = Table("game", "variant", "figure", "per second", title="One thread, from the opening")
    for game, variants in report.items():
        for name, figures in variants.items():
            for figure, value in figures.items():
                table.add_row(game, name, figure.removesuffix("_per_s"), f"{value:,}")
    Console().print(table)
