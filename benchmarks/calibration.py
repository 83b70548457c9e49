"""Are the figures of answers true? Play games, ask in the middle, compare with how they end: `make calibrate`.

The figures are in benchmarks/calibration, with a picture; docs/strength.md says what they mean.
"""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from itertools import repeat
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from benchmarks.commands import run
from engine_cy.game import Game, View
from engine_cy.registry import game_class
from engine_cy.state import Generator
from saloon.options import Table, starts_games
from search.arena import decision_seed, play, replayed
from search.calibration import Said, picture, report
from search.kept import code_version, write_whole
from search.player import Question, Suggestion, code_of
from search.ruler import name_of
from search.specs import Spec, spec

_FOLDER = Path(__file__).parent / "calibration"
_CHOICE_STREAM, _ASKED_SEED = 1 << 43, 1 << 24


@starts_games(players=4)
def command(
    table: Table,
    bot: Annotated[str, typer.Option(help="Whose figures, by its spec.")] = "ismcts:time=100ms",
    others: Annotated[str, typer.Option(help="The bot that plays the games, quickly.")] = "ismcts:iterations=100",
    games: Annotated[int, typer.Option(min=5)] = 500,
    decisions: Annotated[int, typer.Option(min=1, help="Asked about in each game.")] = 4,
    seeds: Annotated[int, typer.Option(min=0, help="Asked again with, for the first of them; 0: not at all.")] = 4,
    seed: Annotated[int, typer.Option(min=0, max=2**20)] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    out: Annotated[Path | None, typer.Option(help="The file; in benchmarks/calibration, if not given.")] = None,
) -> None:
    """Compare what a bot says with what comes of it."""
    rules = game_class(table.game).from_options(table.options)
    path = out or _FOLDER / f"{name_of(rules)}.json"
    job = {"game": table.game, "options": table.options, "bot": bot, "others": others,
           "decisions": decisions, "seeds": seeds, "seed": seed}  # fmt: skip
    rows = [said for found in _played(job, games, jobs) for said in found]
    figures = report(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps({"made": {**job, "code": code_version()}, **figures}, indent=1) + "\n").encode())
    write_whole(path.with_suffix(".svg"), picture(rows, f"{path.stem}: {bot}").encode())
    typer.echo(json.dumps(figures, indent=1))


def _played(job: dict[str, Any], games: int, jobs: int) -> Iterator[list[Said]]:
    if jobs == 1:
        yield from (of_game(job, number) for number in range(games))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(of_game, repeat(job), range(games))


def of_game(job: dict[str, Any], number: int) -> list[Said]:
    """What the bot says in the middle of one game, and how that ended."""
    rules = game_class(job["game"]).from_options(job["options"])
    asked = spec(job["bot"])
    played = play(rules, [spec(job["others"])] * rules.players, job["seed"], number, number)
    points, places = played.state.score()
    winners = places.count(1)
    found = []
    for order, (index, part, view) in enumerate(_chosen(played, job["decisions"], job["seed"], number)):
        seat = view.viewer
        own = _ask(asked, view, decision_seed(job["seed"], number, index))
        found.append(
            Said(
                game=number,
                third=part,
                win=own.win,
                points=own.points,
                won=1 / winners if places[seat] == 1 else 0.0,
                scored=points[seat],
                off=_off(asked, view, own, job["seeds"]) if order == 0 and job["seeds"] else None,
            )
        )
    return found


def _chosen(played: Game, wanted: int, seed: int, number: int) -> Iterator[tuple[int, int, View]]:
    """Some of the decisions that had a choice, each with its number and its third of the game."""
    views = [again.observe(event.seat) for again, event in replayed(played)]
    open_ones = [index for index, view in enumerate(views) if len(view.state.codes()) > 1]
    luck = Generator(seed, _CHOICE_STREAM + number)
    for _ in range(min(wanted, len(open_ones))):
        index = open_ones.pop(luck.below(len(open_ones)))
        yield index, 1 + 3 * index // len(views), views[index]


def _ask(bot: Spec, view: View, seed: int, evaluate: Sequence[int] = ()) -> Suggestion:
    """What is said of the decision asked about, else of the one that is taken."""
    with closing(bot.player()) as player:
        answer = player.think(Question(view, bot.budget.limit(), seed, count=1, evaluate=evaluate))
    return (answer.evaluated or answer.suggestions)[0]


def _off(bot: Spec, view: View, own: Suggestion, seeds: int) -> float | None:
    """How far the reward is off the mean of what other seeds say, in the standard errors that all of them name."""
    code = code_of(view, own.decision)
    others = [_ask(bot, view, _ASKED_SEED + number, [code]) for number in range(seeds)]
    error = sqrt(own.error**2 + sum(other.error**2 for other in others) / seeds**2)
    return (own.reward - fmean(other.reward for other in others)) / error if error else None


if __name__ == "__main__":
    run(command, "calibration")
