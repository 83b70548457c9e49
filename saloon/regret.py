"""`saloon regret`: how many points bots lose a decision, by decisions whose moves have been valued."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table as Grid

from engine_cy.errors import InputError, OptionError
from engine_cy.registry import game_class
from saloon.options import Table, starts_games
from search.regret import measured
from search.ruler import load, usual_path
from search.specs import spec


@starts_games(players=4)
def command(
    bot: Annotated[list[str], typer.Option(help="A bot, such as level:5; several are compared with the first.")],
    table: Table,
    ruler: Annotated[Path | None, typer.Option(help="A file that make ruler wrote, if not the usual one.")] = None,
    decisions: Annotated[int | None, typer.Option(min=1, help="Only the first so many; they are a ruler, too.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**20, help="Of the bots.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure what bots lose a decision, in points of their lead, where moves were valued beforehand."""
    for text in bot:
        spec(text)
    rules = game_class(table.game).from_options(table.options)
    path = ruler or usual_path(rules)
    if not path.exists():
        raise InputError("ruler", "a table that make ruler has made one for", str(path))
    frozen = load(path)
    if frozen.header.rules != rules:
        raise OptionError("ruler", f"one of this table, {rules.name} {rules.options()}", frozen.header.options)
    figures = measured(frozen, bot, decisions, seed)
    if as_json:
        typer.echo(json.dumps(figures, indent=1))
        return
    console = Console(highlight=False)
    console.print(_all(figures))
    for each in figures["bots"]:
        console.print(_parts(each))


def _all(figures: dict[str, Any]) -> Grid:
    grid = Grid("bot", "lost a decision", "a game", "own points", "wins", "best chosen", "less than the first")
    grid.title = (
        f"{figures['game']}, {figures['bots'][0]['decisions']} decisions: points of the lead over the best other"
    )
    for each in figures["bots"]:
        lost, less = each["lost_a_decision"], each.get("loses_less_than_first")
        grid.add_row(
            each["bot"],
            _with_error(lost["lead"]),
            f"{each['lost_a_game']['lead']:.1f}",
            f"{lost['points']['mean']:.2f}",
            f"{lost['win']['mean']:.2%}",
            f"{each['best_chosen']['mean']:.0%}",
            _with_error(less) if less else "",
        )
    return grid


def _parts(figures: dict[str, Any]) -> Grid:
    grid = Grid("of", "decisions", "lost a decision")
    grid.title = figures["bot"]
    rows = {**figures["by_kind"], **{f"third {name} of the game": row for name, row in figures["by_third"].items()}}
    for name, row in rows.items():
        grid.add_row(name, f"{row['decisions']}", _with_error(row))
    return grid


def _with_error(row: dict[str, Any]) -> str:
    interval = row["ci95"]
    return f"{row['mean']:.3f}" + (f" +- {(interval[1] - interval[0]) / 2:.3f}" if interval else "")
