"""The puzzles of the page: games are played, puzzles are looked for in them, until there are enough: `make puzzles`.

They are kept in clients/page/src/puzzles.json, in the form of the contract, the games by turns: one for each day.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Annotated

import typer
from google.protobuf import json_format
from saloon_client.v1 import bots_pb2 as pb

from benchmarks.commands import run
from engine_cy.registry import game_class
from search.arena import decision_seed, play
from search.judging import Judge
from search.kept import check_can_write, write_whole
from search.player import Limit
from search.puzzles import LEAST, puzzles
from search.specs import spec
from wire.puzzles import puzzle_message
from wire.writing import Writer

_FILE = Path(__file__).parent.parent / "clients" / "page" / "src" / "puzzles.json"
# By game: numbers of players, and how many puzzles at most, as a part of all, are in one phase of the game. In
# Goldgräber all that matters is where to walk.
_TABLES = {"moon_river": ((2, 3, 4), 0.4), "goldgraeber": ((3, 4), 1.0)}
_OPTIONS = 4  # fewer are no puzzle
_SHOWN = 2  # others, beside what a glance takes


def command(
    each: Annotated[int, typer.Option(min=1, help="Puzzles of each game.")] = 32,
    iterations: Annotated[int, typer.Option(min=1, help="Of the long search that has to agree.")] = 12_000,
    least: Annotated[float, typer.Option(help="The part of a win that all else gives away.")] = LEAST,
    bot: Annotated[str, typer.Option(help="Who plays the games.")] = "level:8",
    seed: Annotated[int, typer.Option(min=0, max=2**20)] = 1,
    out: Annotated[Path, typer.Option(help="The file.")] = _FILE,
) -> None:
    """Make puzzles anew; at most one of a game, so that they are of many kinds."""
    check_can_write(out)
    found: list[object] = []
    made_of = [_some(name, each, iterations, least, bot, seed) for name in _TABLES]
    # After every round the file is whole, with as many puzzles of each game.
    for number, made in zip(range(each), zip(*made_of, strict=True), strict=False):
        found += made
        write_whole(out, (json.dumps(found, separators=(",", ":"), sort_keys=True) + "\n").encode())
        typer.echo(f"{number + 1} puzzles of each game are in {out}")


def _some(name: str, wanted: int, iterations: int, least: float, bot: str, seed: int) -> Iterator[object]:
    kinds: Counter[str] = Counter()
    numbers, of_a_kind = _TABLES[name]
    for number in count():
        players = numbers[number % len(numbers)]
        for phase, puzzle in _of_game(name, players, iterations, least, bot, seed, number):
            if kinds[phase] >= max(1, of_a_kind * wanted):
                continue
            kinds[phase] += 1
            typer.echo(f"{name}: {phase}, {puzzle.best.text}", err=True)
            yield json_format.MessageToDict(puzzle)
            break


def _of_game(
    name: str, players: int, iterations: int, least: float, bot: str, seed: int, number: int
) -> Iterator[tuple[str, pb.Puzzle]]:
    rules = game_class(name).from_options({"players": players})
    game = play(rules, [spec(bot)] * players, seed, number, number)
    own = decision_seed(seed, number, len(game.history))
    for looked in puzzles(game, Limit(iterations), own, Judge(), least):
        if looked.puzzle is not None and len(looked.puzzle.view.state.codes()) >= _OPTIONS:
            message = puzzle_message(Writer(), looked.puzzle)
            del message.others[1 + _SHOWN :]
            yield looked.puzzle.view.phase, message


if __name__ == "__main__":
    run(command, "puzzles")
