"""`saloon review`: a recorded game looked back on, on this machine, without a server."""

import json
import secrets
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from engine_cy.errors import InputError
from engine_cy.game import Chosen, Game
from saloon.connecting import RECORD, read_record, seconds
from saloon.options import ComponentFile, Ray, own_sets
from saloon.review_page import review_page
from saloon.review_words import (
    MARKS,
    NOT_JUDGED,
    SEAT_COLUMNS,
    decisions_in_words,
    replayed,
    seat_figures,
    view_before,
    whose,
    why,
    worth_a_word,
)
from saloon.screens import screen_of_rules
from saloon.screens.screen import Screen
from search.cluster import joined
from search.judging import BEST, UNJUDGED, Judged
from search.kept import check_can_write, write_whole
from search.player import Budget
from search.review import Fell, Review, Reviewer, review
from search.review_spread import review_by
from wire.reading import Reader
from wire.writing import Writer

_HEIGHTS = "▁▂▃▄▅▆▇█"
USUAL_TIME = "15s"
_STYLES = {"inaccuracy": "yellow", "mistake": "dark_orange", "blunder": "red"}
_NO_GAME = "a game in which somebody has decided something"


def command(
    record: Annotated[Path, typer.Argument(help=RECORD, show_default=False)],
    time: Annotated[str | None, typer.Option(help=f"What all of it may take; {USUAL_TIME} if nothing is said.")] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Of each decision.")] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="The same seed and iterations, the same review.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show every decision, not only what was lost.")] = False,
    ray: Ray = None,
    components: ComponentFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole review as JSON.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write it into this file, for a browser.")] = None,
) -> None:
    """Look back on a game: what decisions gave away, and what of the result was luck; here or over Ray."""
    sets = own_sets(components)
    game = Reader(sets).record(read_record(record, sets), str(record))
    if not any(isinstance(event, Chosen) for event in game.history):
        raise InputError(str(record), _NO_GAME, f"{len(game.history)} events of chance")
    if time is None and iterations is None:
        time = USUAL_TIME
    budget = Budget(None if time is None else seconds(time), iterations)
    if html is not None:
        check_can_write(html)
    seed = secrets.randbits(63) if seed is None else seed
    console = Console(highlight=False)
    found, whole = _reviewed(game, budget, seed, ray)
    if as_json:
        typer.echo(json.dumps(plain(found, whole, seed), indent=1))
    else:
        console.print(_Told(screen_of_rules(console, game.rules), game, found, whole).shown(everything))
    if html is not None:
        write_whole(html, review_page(game, found, whole, seed).encode())
        if not as_json:
            typer.echo(f"\nthe review is in {html}")


def look_back(screen: Screen, game: Game, budget: Budget) -> None:
    """Review a game and show what was found."""
    screen.console.print(_Told(screen, game, *_reviewed(game, budget, secrets.randbits(63))).shown(everything=False))


def _reviewed(game: Game, budget: Budget, seed: int, ray: str | None = None) -> tuple[list[Judged | Fell], Review]:
    with joined(ray) if ray else nullcontext() as cluster:
        limit = budget.limit()
        found = review_by(cluster, game, limit, seed) if cluster else review(game, limit, seed, Reviewer())
        *parts, whole = _with_progress(Console(stderr=True), game, found)
    assert isinstance(whole, Review)
    return [part for part in parts if not isinstance(part, Review)], whole


def _with_progress(
    console: Console, game: Game, parts: Iterator[Judged | Fell | Review]
) -> Iterator[Judged | Fell | Review]:
    """All parts; how far it is, for people who wait."""
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("looking back", total=len(game.history))
        for part in parts:
            progress.advance(task)
            yield part


def plain(parts: list[Judged | Fell], whole: Review, seed: int) -> dict[str, Any]:
    """The whole review as plain data."""
    return {
        "decisions": [
            {
                "event": part.event,
                "seat": part.seat,
                "chosen": str(part.chosen),
                "best": None if part.kind == UNJUDGED else str(part.best),
                "lost": part.lost,
                "error": part.error,
                "class": part.kind,
                "points_lost": part.points,
                "wins": part.wins,
            }
            for part in parts
            if isinstance(part, Judged)
        ],
        "chance": [
            {"event": part.event, "what": part.what, "luck": part.luck, "points": part.points}
            for part in parts
            if isinstance(part, Fell)
        ],
        "seats": [
            {
                "seat": seat.seat,
                "accuracy": seat.accuracy,
                "expected": seat.expected,
                "luck": seat.luck,
                "lost": seat.lost,
                "result": seat.result,
                "decisions": seat.decisions,
                "classes": seat.kinds,
                "given_away": seat.given,
                "points_given_away": seat.points,
            }
            for seat in whole.seats
        ],
        "turning_points": whole.turning_points,
        "over": whole.over,
        "seed": seed,
    }


class _Told:
    """A review for people."""

    def __init__(self, screen: Screen, game: Game, parts: list[Judged | Fell], whole: Review) -> None:
        self.screen, self.game, self.parts, self.whole = screen, game, parts, whole
        self.writer = Writer()

    def shown(self, everything: bool) -> RenderableType:
        parts = [self._seats(), Text(), *self._courses(), Text(), self._decisions(everything)]
        passed = sum(isinstance(part, Judged) and part.kind == UNJUDGED for part in self.parts)
        if passed and not everything:
            parts.append(
                Text(f"\n{passed} decisions of others are not judged: they had seen what is not in this record")
            )
        return Group(*parts)

    def _seats(self) -> Table:
        table = Table(box=None, title="seats", title_justify="left")
        table.add_column("seat")
        for name in SEAT_COLUMNS:
            table.add_column(name, justify="right")
        for seat in self.whole.seats:
            table.add_row(
                Text(self.screen.name(seat.seat), style=self.screen.seat_style(seat.seat)),
                *seat_figures(seat, self.whole.over),
            )
        return table

    def _courses(self) -> list[Text]:
        """How likely each seat was to win, from left to right."""
        courses = [part.wins for part in self.parts if isinstance(part, Judged)]
        width = max(10, min(len(courses), self.screen.console.width - 14))
        at = [courses[index * len(courses) // width] for index in range(width)]
        heights = _HEIGHTS if self.screen.fine else "0123456789"
        lines = [Text("how likely each was to win", style="italic")]
        for seat in range(self.game.rules.players):
            line = Text(f"{self.screen.name(seat):12.12} ", style=self.screen.seat_style(seat))
            line.append("".join(heights[min(len(heights) - 1, int(wins[seat] * len(heights)))] for wins in at))
            lines.append(line)
        return lines

    def _decisions(self, everything: bool) -> RenderableType:
        """What was lost, and where luck turned the game."""
        table = Table(box=None, title="what was given away, and where luck turned it", title_justify="left")
        table.add_column("event", justify="right")
        table.add_column("seat")
        table.add_column("")
        table.add_column("what happened", ratio=1)
        table.add_column("lost", justify="right", no_wrap=True)
        for part, event, before in replayed(self.game, self.parts):
            if isinstance(part, Judged):
                if everything or worth_a_word(part, self.whole):
                    table.add_row(*self._decision(part, before))
            elif worth_a_word(part, self.whole):
                seat = whose(part)
                words = self.screen.chance(self.writer.event(self.game.rules, event).chance)
                table.add_row(str(part.event), self._name(seat), "", Text(words), f"{part.luck[seat]:+.0%} luck")
        return table if table.row_count else Text("nothing was given away that is worth a word")

    def _decision(self, part: Judged, before: Game) -> tuple[RenderableType, ...]:
        words = decisions_in_words(self.screen, self.writer, view_before(part, before), part.chosen, part.best)
        said, style = MARKS.get(part.kind, ""), _STYLES.get(part.kind, "")
        told = Text(words[0])
        if part.kind == UNJUDGED:
            told.append(f"\n{NOT_JUDGED}", style="dim")
        elif part.kind != BEST:
            told.append(f"\nbetter: {words[1]}", style="dim")
            reason = why(before.rules, part)
            told.append(f" ({reason})" if reason else "", style="dim")
        return (
            str(part.event), self._name(part.seat), Text(said, style=style), told,
            f"{part.lost:.0%} +- {part.error:.0%}" if part.lost else "",
        )  # fmt: skip

    def _name(self, seat: int) -> Text:
        return Text(self.screen.name(seat), style=self.screen.seat_style(seat))
