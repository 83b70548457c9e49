"""`saloon watch`: the tables of a server, or one of them as it is played."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from saloon_client import Client
from saloon_client.v1 import game_pb2, tables_pb2

from saloon.connecting import DEFAULT_ADDRESS, Address, Insecure, TlsCa, Token, connect
from saloon.following import Following, Step
from saloon.screens import screen_of
from saloon.screens.screen import names_apart, score_table, time_is_out
from search.kept import write_whole

_PLAYERS = {tables_pb2.PLAYER_FREE: "free", tables_pb2.PLAYER_PERSON: "person", tables_pb2.PLAYER_BOT: "bot"}


def command(
    table: Annotated[
        str | None, typer.Argument(help="The table; without it, a list of tables.", show_default="")
    ] = None,
    address: Address = DEFAULT_ADDRESS,
    table_token: Annotated[
        str, typer.Option(help="A seat's token, the host's, or the invitation, for a table by invitation.")
    ] = "",
    first: Annotated[int, typer.Option(min=0, help="The first event to show.")] = 0,
    board: Annotated[
        bool, typer.Option("--board/--no-board", help="Show the board after every turn, or at beginning and end alone.")
    ] = True,
    svg: Annotated[
        Path | None, typer.Option(help="Draw the table into this file, anew whenever something happens.")
    ] = None,
    token: Token = None,
    tls_ca: TlsCa = None,
    insecure: Insecure = False,
) -> None:
    """List the public tables, or watch one until its game ends."""
    console = Console(highlight=False)
    with connect(address, token, tls_ca, insecure) as client:
        if table is None:
            console.print(_list(list(client.tables())))
            return
        try:
            _Watching(client, table, table_token, console, board, svg).run(first)
        except KeyboardInterrupt:
            return


def _list(tables: list[tables_pb2.Table]) -> Table | str:
    if not tables:
        return "no tables"
    listed = Table(box=None)
    for name in ("table", "seats", "turns", "events", "waits for"):
        listed.add_column(name)
    for table in tables:
        seats = ", ".join(seat.name or _PLAYERS.get(seat.player, "?") for seat in table.seats)
        listed.add_row(table.table, seats, _turns(table), str(table.events), _waits(table))
    return listed


def _turns(table: tables_pb2.Table) -> str:
    """The time for each of them."""
    return f"{table.clock.time.ToMilliseconds() / 1000:g} s" if table.HasField("clock") else ""


def _waits(table: tables_pb2.Table) -> str:
    if any(seat.player == tables_pb2.PLAYER_FREE for seat in table.seats):
        return "players"
    if table.status.waiting == game_pb2.WAITING_OVER:
        return "nothing: it is over"
    return f"seat {table.status.seat}: {table.status.phase}"


class _Watching:
    """A table as it is played."""

    def __init__(self, client: Client, table: str, token: str, console: Console, board: bool, svg: Path | None) -> None:
        self.svg = svg
        self.client, self.table, self.token, self.console, self.board = client, table, token, console, board
        stand = client.table(table, token)
        me = stand.seat if stand.HasField("seat") else None
        self.options = stand.table.options
        self.following = Following(client, table, token, me)
        self.screen = screen_of(client, console, self.options, me=me)
        self.seats: Sequence[tuple[int, str]] = []

    def run(self, first: int) -> None:
        self.show()
        for line in self.screen.introduction(self.client.table(self.table, self.token).position):
            self.console.print(Text(f"  {line}"))
        for update in self.following.updates(self.options):
            if isinstance(update, tables_pb2.Table):
                self.seated(update)
            elif isinstance(update, tables_pb2.TimedOut):
                if update.events >= first:
                    self.timed_out(update)
            elif update.number >= first:
                self.tell(update)
                self.draw(update.after)
        self.show()

    def seated(self, table: tables_pb2.Table) -> None:
        """Say who plays, if that is news."""
        seats = [(seat.player, seat.name) for seat in table.seats]
        if seats != self.seats:
            self.seats = seats
            self.screen.names = names_apart(table.seats)
            who = ", ".join(
                f"{seat.seat}: {name if seat.name else _PLAYERS.get(seat.player, '?')}"
                for seat, name in zip(table.seats, self.screen.names, strict=True)
            )
            self.console.print(Text(f"seats  {who}", style="bold"))

    def timed_out(self, out: tables_pb2.TimedOut) -> None:
        self.console.print(Text(f"     {time_is_out(self.screen, out)}", "bold"))

    def tell(self, step: Step) -> None:
        """A line of what happened, what came of it, and after a turn the board."""
        event, number = step.event, f"{step.number:>4} "
        if event is None:
            event = game_pb2.Event()
            self.console.print(Text(f"{number}something you may not see", style="dim"))
        known = step.before is not None and step.after is not None
        if event.HasField("chosen"):
            seat = event.chosen.seat
            name = (self.screen.name(seat), self.screen.seat_style(seat))
            words = event.chosen.decision.text
            if step.before is not None:
                words = self.screen.decision(event.chosen.decision, step.before)
            self.console.print(Text.assemble((number, "dim"), name, ": ", words))
        elif event.HasField("chance") and not known:
            self.console.print(Text(f"{number}{self.screen.chance(event.chance)}", style="dim"))
        if step.before is None or step.after is None:
            return
        lines = [line.plain.strip() for line in self.screen.story(event, step.before, step.after)]
        for line in lines:
            start = number if event.HasField("chance") and line == lines[0] else " " * len(number)
            self.console.print(Text(f"{start}{line}", style="dim" if event.HasField("chance") else ""))
        played = self.screen.at_turn(step.before)
        if self.board and played is not None and self.screen.at_turn(step.after) != played:
            scores = self.client.score(step.after).scores
            self.console.print(self.screen.turn_played(step.after, played, scores))

    def draw(self, position: game_pb2.Position | None) -> None:
        if self.svg is not None and position is not None:
            write_whole(self.svg, self.client.render(position).svg.encode())

    def show(self) -> None:
        stand = self.client.table(self.table, self.token)
        self.seated(stand.table)
        if stand.HasField("position"):
            self.draw(stand.position)
            self.console.print(self.screen.table(stand.position, stand.scores))
            over = stand.table.status.waiting == game_pb2.WAITING_OVER
            self.console.print(score_table(self.screen, stand.scores, over))
