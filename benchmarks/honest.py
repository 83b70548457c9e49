"""Do reviews tell the truth? Levels play each other, every game is reviewed, and all of it is added up: `make honest`.

The figures are in benchmarks/honest, the pictures in docs; docs/review.md says what they mean. Every game that is
reviewed is kept at once, so that the work can be stopped and gone on with.
"""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.commands import run
from benchmarks.honest_figures import LADDER, Row, SeatRow, pictures, report
from engine_cy.errors import InputError
from engine_cy.registry import game_class
from engine_cy.rules import GameRules
from engine_cy.state import Generator
from search.arena import decision_seed, play
from search.judging import Judged
from search.kept import code_version, write_whole
from search.player import Limit
from search.review import Fell, Review, Reviewer, review
from search.ruler import name_of
from search.specs import spec

_HERE = Path(__file__).parent
_FIGURES, _ROWS, _PICTURES = _HERE / "honest" / "figures.json", _HERE.parent / "build" / "honest", _HERE.parent / "docs"
_TABLES = [("moon_river", players) for players in (2, 3, 4)] + [("goldgraeber", players) for players in (3, 4, 5, 6)]
_SAID = 4  # moments of a game of which is kept how likely every seat was said to win
_MIX_STREAM, _AT_ONCE = 1 << 43, 10

Job = dict[str, Any]


def command(
    games: Annotated[int, typer.Option(min=1, help="Of each table, those included that were reviewed before.")] = 400,
    iterations: Annotated[int, typer.Option(min=1, help="Of a review, for each decision.")] = 200,
    seed: Annotated[int, typer.Option(min=0, max=2**20)] = 1,
    game: Annotated[str | None, typer.Option(help="This game alone.", show_default="all")] = None,
    players: Annotated[int | None, typer.Option(help="So many alone.", show_default="all")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    rows: Annotated[Path, typer.Option(help="The folder in which what was reviewed is kept.")] = _ROWS,
    out: Annotated[Path, typer.Option(help="The file for the figures.")] = _FIGURES,
    drawn: Annotated[Path, typer.Option("--pictures", help="The folder for the pictures.")] = _PICTURES,
) -> None:
    """Review many games between levels, and say what adds up."""
    tables = [each for each in _TABLES if game in (None, each[0]) and players in (None, each[1])]
    if not tables:
        raise InputError(
            "game, players", ", ".join(f"{name} with {number}" for name, number in _TABLES), (game, players)
        )
    made = [{"game": name, "players": number, "iterations": iterations, "seed": seed} for name, number in tables]
    known = {_name(job): _Kept(rows, job) for job in made}
    with ProcessPoolExecutor(jobs) as pool:
        for first in range(
            0, games, _AT_ONCE
        ):  # all tables grow alike, so that what was stopped says something of each
            for job in made:
                kept = known[_name(job)]
                wanted = [number for number in range(first, min(first + _AT_ONCE, games)) if number not in kept.rows]
                for row in map(reviewed, repeat(job), wanted) if jobs == 1 else pool.map(reviewed, repeat(job), wanted):
                    kept.add(row)
    found = {name: list(kept.rows.values()) for name, kept in known.items()}
    how = {"iterations": iterations, "seed": seed, "code": code_version()}
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, (json.dumps({"made": how, "tables": report(found)}, indent=1) + "\n").encode())
    for name, picture in pictures(found).items():
        write_whole(drawn / f"{name}.svg", picture.encode())
    typer.echo(f"{sum(map(len, found.values()))} games: the figures are in {out}, the pictures in {drawn}")


class _Kept:
    """What was reviewed of one table: a line of its file for each game, below one that says how."""

    def __init__(self, folder: Path, job: Job) -> None:
        self._path = folder / f"{_name(job)}.jsonl"
        self.rows: dict[int, Row] = {}
        folder.mkdir(parents=True, exist_ok=True)
        if not self._path.exists():
            self._path.write_text(json.dumps(job) + "\n", encoding="utf-8")
        head, *lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
        if json.loads(head) != job:
            raise InputError(str(self._path), f"reviews made with {json.dumps(job)}", head.strip())
        whole = [line for line in lines if line.endswith("\n")]  # the last one may be cut off
        for line in whole:
            row = Row.of(json.loads(line))
            self.rows[row.number] = row
        write_whole(self._path, "".join([head, *whole]).encode())

    def add(self, row: Row) -> None:
        self.rows[row.number] = row
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row.plain(), separators=(",", ":")) + "\n")


def _name(job: Job) -> str:
    return name_of(_rules(job))


def _rules(job: Job) -> GameRules:
    return game_class(job["game"]).from_options({"players": job["players"]})


def levels_of(job: Job, number: int) -> list[str]:
    """Who plays a game: in every second one equals, else any levels."""
    mix, players = Generator(job["seed"], _MIX_STREAM + number), job["players"]
    if number % 2:
        return [LADDER[number // 2 % len(LADDER)]] * players
    return [LADDER[mix.below(len(LADDER))] for _ in range(players)]


def reviewed(job: Job, number: int) -> Row:
    """One game, played and looked back on."""
    levels, seed = levels_of(job, number), job["seed"]
    game = play(_rules(job), [spec(f"level:{level}") for level in levels], seed, number, number)
    *parts, whole = review(game, Limit(job["iterations"]), decision_seed(seed, number, len(game.history)), Reviewer())
    assert isinstance(whole, Review)
    seats = [
        SeatRow(
            level, seat.accuracy, seat.decisions, seat.given, seat.expected, seat.luck, seat.lost, seat.result,
        )
        for level, seat in zip(levels, whole.seats, strict=True)
    ]  # fmt: skip
    return Row(number, seats, list(_said([part for part in parts if not isinstance(part, Review)])))


def _said(parts: Sequence[Judged | Fell]) -> Iterator[tuple[float, ...]]:
    """How likely every seat was said to win, at moments that are as far apart as can be."""
    courses = [part.wins for part in parts if isinstance(part, Judged)]
    for moment in range(_SAID):
        yield courses[(2 * moment + 1) * len(courses) // (2 * _SAID)]


if __name__ == "__main__":
    run(command, "honest")
