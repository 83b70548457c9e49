"""`saloon suggest`: what a bot would do where a recorded game stands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from google.protobuf.json_format import MessageToJson
from rich.console import Console
from rich.table import Table
from rich.text import Text
from saloon_client.v1 import bots_pb2

from engine_cy.errors import InputError
from saloon.connecting import DEFAULT_ADDRESS, RECORD, Address, Insecure, TlsCa, Token, connect, read_record, seconds
from saloon.options import ComponentFile, own_sets
from saloon.screens import screen_of
from search.kept import write_whole
from search.player import Suggestion
from wire.reasons import in_words


def command(
    record: Annotated[Path, typer.Argument(help=RECORD, show_default=False)],
    address: Address = DEFAULT_ADDRESS,
    time: Annotated[str, typer.Option(help="What the answer may take.")] = "1s",
    level: Annotated[str, typer.Option(help="1 to 10, or max.")] = "max",
    after: Annotated[int | None, typer.Option(min=0, help="After so many events of the record; else all.")] = None,
    count: Annotated[int, typer.Option(min=1, help="How many suggestions.")] = 5,
    board: Annotated[bool, typer.Option("--board", help="Show the table first.")] = False,
    components: ComponentFile = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the table into this file, too.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole answer as JSON.")] = False,
    token: Token = None,
    tls_ca: TlsCa = None,
    insecure: Insecure = False,
) -> None:
    """Suggest what to do where a game stands."""
    game = read_record(record, own_sets(components))
    if after is not None:
        if after > len(game.events):
            raise InputError("after", f"0 to {len(game.events)}, the events of the record", after)
        del game.events[after:]
    console = Console(highlight=False)
    with connect(address, token, tls_ca, insecure) as client:
        if svg is not None:
            write_whole(svg, client.render(game).svg.encode())
        answer = client.suggest(game, time=seconds(time), level=level, count=count)
        if as_json:
            typer.echo(
                MessageToJson(answer, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
            )
            return
        shown = client.replay(game, seat=answer.seat)
        drawing = screen_of(client, console, game.options)
        if board:
            console.print(drawing.table(shown.position, client.score(game).scores))
    rows = [(drawing.choices([s.decision], shown.position)[0].short, s) for s in answer.suggestions]
    why = in_words(answer.suggestions[0].reasons) if answer.suggestions else ""
    console.print(table(rows, f"seat {answer.seat} decides ({drawing.due(shown.status, shown.position)})"))
    if why:
        console.print(Text(f"the first rather than the second: {why}"))
    console.print(Text(_figures(answer), style="dim"))
    best = answer.suggestions[0].decision.text if answer.suggestions else ""
    if answer.choice.text != best:
        console.print(Text(f"level {level} chooses: {drawing.decision(answer.choice, shown.position)}"))


def table(rows: Sequence[tuple[str, bots_pb2.Suggestion | Suggestion]], title: str) -> Table:
    """Decisions in words and what is believed of them, best first."""
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("decision", ratio=1)
    for name in ("wins", "points", "margin", "looked at"):
        table.add_column(name, justify="right", no_wrap=True)
    for number, (words, s) in enumerate(rows):
        table.add_row(
            Text(words, style="" if number else "bold"),
            f"{s.win:.0%}",
            f"{s.points:.1f}",
            f"{s.margin:+.1f}",
            f"{s.share:.0%}",
        )
    return table


def _figures(answer: bots_pb2.Answer) -> str:
    used = answer.used.seconds + answer.used.nanos / 1e9
    why = bots_pb2.StopReason.Name(answer.stopped).removeprefix("STOP_REASON_").lower()
    return (
        f"{answer.iterations} iterations in {used * 1000:.0f} ms, up to {answer.depth} decisions deep; ended by {why}"
    )
