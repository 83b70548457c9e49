"""`saloon puzzles`: positions of recorded games in which one decision is much better than it looks."""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from engine_cy.errors import InputError
from engine_cy.game import Game
from saloon.coaching import part_of_a_win
from saloon.connecting import RECORD, read_record
from saloon.options import ComponentFile, own_sets
from saloon.review_words import decisions_in_words, why
from saloon.screens import screen_of_rules
from saloon.screens.screen import Screen
from search.judging import Judge, Judged
from search.player import Limit
from search.puzzles import LEAST, LONG, Puzzle, puzzles
from wire.reading import Reader
from wire.writing import Writer


def command(
    records: Annotated[list[Path], typer.Argument(help=f"{RECORD} Or a folder of them.", show_default=False)],
    least: Annotated[str, typer.Option(help="The part of a win that all else has to give away.")] = f"{LEAST:.0%}",
    iterations: Annotated[int, typer.Option(min=1, help="Of the long search that has to agree.")] = LONG,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="The same seed and iterations, the same puzzles.")
    ] = None,
    components: ComponentFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="The puzzles as JSON.")] = False,
) -> None:
    """Find puzzles in recorded games: one decision is best by far, and at a glance another one looks better."""
    sets, wanted = own_sets(components), part_of_a_win(least, "least", 1)
    seed = secrets.randbits(63) if seed is None else seed
    games = {path: Reader(sets).record(read_record(path, sets), str(path)) for path in _files(records)}
    console, found = Console(highlight=False), []
    for path, puzzle in _with_progress(Console(stderr=True), games, Limit(iterations), seed, wanted):
        found.append(_plain(path, puzzle))
        if not as_json:
            _tell(screen_of_rules(console, puzzle.view.rules), path, puzzle)
    if as_json:
        typer.echo(json.dumps({"puzzles": found, "seed": seed}, indent=1))
    elif not found:
        typer.echo("no decision is so much better than it looks")


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        within = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not within:
            raise InputError(str(path), "a folder with game records (*.json)", "none")
        yield from within


def _with_progress(
    console: Console, games: dict[Path, Game], limit: Limit, seed: int, least: float
) -> Iterator[tuple[Path, Puzzle]]:
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("looking for puzzles", total=sum(len(game.history) for game in games.values()))
        for path, game in games.items():
            for looked in puzzles(game, limit, seed, Judge(), least):
                progress.advance(task)
                if looked.puzzle is not None:
                    yield path, looked.puzzle


def _plain(path: Path, puzzle: Puzzle) -> dict[str, Any]:
    return {
        "record": str(path),
        "event": puzzle.event,
        "seat": puzzle.view.viewer,
        "best": str(puzzle.others[0].best),
        "others": [
            {"chosen": str(each.chosen), "lost": each.lost, "error": each.error, "points_lost": each.points}
            for each in puzzle.others
        ],
    }


def _tell(screen: Screen, path: Path, puzzle: Puzzle) -> None:
    seat, writer = puzzle.view.viewer, Writer()
    best, *words = decisions_in_words(
        screen, writer, puzzle.view, puzzle.others[0].best, *(each.chosen for each in puzzle.others)
    )
    screen.console.print(Text(f"{path}, event {puzzle.event}, {screen.name(seat)}: {best}", style="bold"))
    for text, each, what in zip(words, puzzle.others, ["looks best", *["next"] * len(words)], strict=False):
        screen.console.print(Text(f"  {what}: {text} gives away {_given(each)}"))
    if reason := why(puzzle.view.rules, puzzle.others[0]):
        screen.console.print(Text(f"  since: {reason}", style="dim"))
    screen.console.print(
        Text(f"  saloon show {path} --after {puzzle.event} --seat {seat}", style="dim"), soft_wrap=True
    )


def _given(each: Judged) -> str:
    return f"{each.lost:.0%} +- {each.error:.0%}"
