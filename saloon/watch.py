"""`saloon watch`: the tables of a server, or one of them as it is played."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from saloon_client import Client
from saloon_client.v1 import game_pb2, tables_pb2

from saloon.connecting import DEFAULT_ADDRESS, Address, Insecure, TlsCa, Token, connect
from saloon.screens import screen_of
from saloon.screens.screen import score_table

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
            _Watching(client, table, table_token, console).run(first)
        except KeyboardInterrupt:
            return


def _list(tables: list[tables_pb2.Table]) -> Table | str:
    if not tables:
        return "no tables"
    listed = Table(box=None)
    for name in ("table", "seats", "events", "waits for"):
        listed.add_column(name)
    for table in tables:
        seats = ", ".join(seat.name or _PLAYERS.get(seat.player, "?") for seat in table.seats)
        listed.add_row(table.table, seats, str(table.events), _waits(table))
    return listed


def _waits(table: tables_pb2.Table) -> str:
    if any(seat.player == tables_pb2.PLAYER_FREE for seat in table.seats):
        return "players"
    if table.status.waiting == game_pb2.WAITING_OVER:
        return "nothing: it is over"
    return f"seat {table.status.seat}: {table.status.phase}"


class _Watching:
    """A table as it is played."""

    def __init__(self, client: Client, table: str, token: str, console: Console) -> None:
        self.client, self.table, self.token, self.console = client, table, token, console
        stand = client.table(table, token)
        me = stand.seat if stand.HasField("seat") else None
        self.screen = screen_of(client, console, stand.table.options, me=me)
        self.seats: Sequence[tuple[int, str]] = []

    def run(self, first: int) -> None:
        self.show()
        for update in self.client.watch(self.table, self.token, first=first):
            if update.HasField("event"):
                self.tell(update.event)
            else:
                self.seated(update.table)
        self.show()

    def seated(self, table: tables_pb2.Table) -> None:
        """Say who plays, if that is news."""
        seats = [(seat.player, seat.name) for seat in table.seats]
        if seats != self.seats:
            self.seats = seats
            self.screen.names = [seat.name or f"seat {seat.seat}" for seat in table.seats]
            who = ", ".join(f"{seat.seat}: {seat.name or _PLAYERS.get(seat.player, '?')}" for seat in table.seats)
            self.console.print(Text(f"seats  {who}", style="bold"))

    def tell(self, numbered: tables_pb2.NumberedEvent) -> None:
        event, number = numbered.event, f"{numbered.number:>4} "
        match event.WhichOneof("event"):
            case "chosen":
                name = (self.screen.name(event.chosen.seat), self.screen.seat_style(event.chosen.seat))
                self.console.print(Text.assemble((number, "dim"), name, ": ", event.chosen.decision.text))
            case "chance":
                self.console.print(Text(f"{number}{self.screen.chance(event.chance)}", style="dim"))
            case _:
                self.console.print(Text(f"{number}something you may not see", style="dim"))

    def show(self) -> None:
        stand = self.client.table(self.table, self.token)
        self.seated(stand.table)
        if stand.HasField("position"):
            self.console.print(self.screen.table(stand.position, stand.scores))
            over = stand.table.status.waiting == game_pb2.WAITING_OVER
            self.console.print(score_table(self.screen, stand.scores, over))
