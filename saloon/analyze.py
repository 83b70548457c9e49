"""`saloon analyze`: think about one decision of a recorded game on this machine, or on many, without a server."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from engine_cy.errors import InputError
from engine_cy.game import View
from saloon.connecting import RECORD, read_record, seconds
from saloon.options import ComponentFile, Ray, own_sets
from saloon.screens import screen_of_rules
from saloon.suggest import table
from search.cluster import joined
from search.player import Answer, Budget, Question
from search.search_player import SearchPlayer, local
from search.spread import spread
from wire.reading import Reader, Situation
from wire.writing import Writer, position_message, status_message

_FIGURES = ("stopped", "iterations", "nodes", "depth", "options", "seconds", "seed")


def command(
    record: Annotated[Path, typer.Argument(help=RECORD, show_default=False)],
    after: Annotated[int | None, typer.Option(min=0, help="After so many events of the record; else all.")] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Of all searches together.")] = None,
    time: Annotated[str | None, typer.Option(help="What each search may take; 1s if nothing is said.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed and iterations, the same answer.")] = 1,
    searches: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="At a time, merged. 1 if not given; with --ray one for each core."),
    ] = None,
    ray: Ray = None,
    components: ComponentFile = None,
    count: Annotated[int, typer.Option(min=1, help="How many suggestions.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="The whole answer as JSON.")] = False,
) -> None:
    """Say what to do where a game stands, with as many searches as there are cores, here or over Ray."""
    view = _view(record, after, components)
    if time is None and iterations is None:
        time = "1s"
    budget = Budget(None if time is None else seconds(time), iterations)
    if ray is None:
        number = searches or 1
        answer = SearchPlayer(local(number)).think(Question(view, budget.limit(), seed, count))
    else:
        with joined(ray) as cluster:
            number = searches or min(cluster.cores, 256)
            answer = SearchPlayer(spread(cluster, number)).think(Question(view, budget.limit(), seed, count))
    if as_json:
        typer.echo(json.dumps(_plain(view, answer, number), indent=1))
        return
    console = Console(highlight=False)
    drawing, writer = screen_of_rules(console, view.rules), Writer()
    position = position_message(view.rules, view.state)
    decisions = [writer.decision(view.rules, s.decision) for s in answer.suggestions]
    rows = [(drawing.choices([d], position)[0].short, s) for d, s in zip(decisions, answer.suggestions, strict=True)]
    console.print(
        table(rows, f"seat {view.viewer} decides ({drawing.due(status_message(view.rules, view.state), position)})")
    )
    console.print(
        Text(
            f"{answer.iterations} iterations of {number} searches in {answer.seconds * 1000:.0f} ms, "
            f"up to {answer.depth} decisions deep; ended by {answer.stopped}",
            style="dim",
        )
    )


def _view(path: Path, after: int | None, components: Path | None) -> View:
    sets = own_sets(components)
    record = read_record(path, sets)
    if after is not None and after > len(record.events):
        raise InputError("after", f"0 to {len(record.events)}, the events of the record", after)
    return Situation(Reader(sets).record(record, str(path), after), True).view_to_decide()


def _plain(view: View, answer: Answer, searches: int) -> dict[str, Any]:
    suggestions = [{**asdict(s), "decision": s.decision.to_list(), "text": str(s.decision)} for s in answer.suggestions]
    figures = {name: getattr(answer, name) for name in _FIGURES}
    return {"seat": view.viewer, "phase": view.phase, "searches": searches, **figures, "suggestions": suggestions}
