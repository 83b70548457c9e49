"""`saloon join`: take a seat at a table that somebody made, and play there."""

from typing import Annotated

import typer
from rich.console import Console
from saloon_client.v1 import tables_pb2

from saloon.coaching import CoachFlag, threshold
from saloon.connecting import Insecure, TlsCa, Token, connect
from saloon.kept_seats import Kept, KeptSeats
from saloon.person import interactive
from saloon.seated import Link, play


def command(
    link: Annotated[str, typer.Argument(help="The invitation that `saloon host` printed.", show_default=False)],
    name: Annotated[str, typer.Option(help="What the others call you.")] = "Guest",
    seat: Annotated[int | None, typer.Option(min=0, help="The seat you want; else any that is free.")] = None,
    coach: CoachFlag = None,
    token: Token = None,
    tls_ca: TlsCa = None,
    insecure: Insecure = False,
) -> None:
    """Join a table, or come back to the seat you have there."""
    where, warned_from = Link.read(link), threshold(coach)
    console = Console(highlight=False)
    interactive(console)
    with connect(where.address, token, tls_ca, insecure) as client, KeptSeats(where.table) as seats:
        kept = seats.come_back(seat)
        if kept is None:
            joined = client.join(where.table, name, seat=seat, token=where.invitation)
            kept = Kept(joined.seat, joined.token)
            seats.keep(kept)
        elif client.table(where.table, kept.token).table.seats[kept.seat].player == tables_pb2.PLAYER_BOT:
            client.join(where.table, name, seat=kept.seat, token=kept.token)
            console.print("A bot had your seat: you have it back.")
        play(client, where, kept, console, warned_from=warned_from)
