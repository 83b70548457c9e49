"""`saloon host`: a table for several people at their terminals."""

import contextlib
from typing import Annotated

import typer
from rich.console import Console
from saloon_client import table_bot, turn_clock

from engine_cy.errors import InputError
from engine_cy.registry import rules_of
from saloon.browser import page_of
from saloon.coaching import CoachFlag, threshold
from saloon.connecting import DEFAULT_ADDRESS, Address, Insecure, TlsCa, Token, connect, seconds
from saloon.kept_seats import Kept, KeptSeats
from saloon.options import ComponentFile, Table, component_flags, starts_games
from saloon.own_server import server_while_played
from saloon.person import interactive
from saloon.seated import Link, play
from search.simple_players import levels
from wire.writing import options_message


@starts_games(players=2)
def command(
    table: Table,
    components: ComponentFile = None,
    address: Address = DEFAULT_ADDRESS,
    name: Annotated[str, typer.Option(help="What the others call you.")] = "Host",
    seat: Annotated[int, typer.Option(min=0, help="Your seat.")] = 0,
    people: Annotated[int, typer.Option(min=2, help="So many people play, with you; bots take the other seats.")] = 2,
    level: Annotated[str, typer.Option(help="The bots' level, 1 to 10 or max.")] = "5",
    time: Annotated[str, typer.Option(help="What a bot's decision may take.")] = "500ms",
    turn_time: Annotated[
        str | None,
        typer.Option(help="For each turn of a person, 5s to 1440min; then a bot decides it.", show_default="no limit"),
    ] = None,
    coach: CoachFlag = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed, the same luck; else a new one.")] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Start a server on this machine; the table ends with it, when you go.")
    ] = False,
    page: Annotated[
        str | None, typer.Option(help="Where the server has its page, to invite to that, too.", show_default=False)
    ] = None,
    token: Token = None,
    tls_ca: TlsCa = None,
    insecure: Insecure = False,
) -> None:
    """Make a table, print the invitation for the others, and play there. The table is kept by the server; `saloon join`
    with the same invitation comes back to your seat."""
    console = Console(highlight=False)
    rules = rules_of(table.game, table.options, components)
    own = component_flags(components)
    if seat >= rules.players:
        raise InputError("seat", f"0 to {rules.players - 1}", seat)
    if people > rules.players:
        raise InputError("people", f"2 to {rules.players}, the players of this table", people)
    if level not in levels():
        raise InputError("level", f"one of {', '.join(levels())}", level)
    others = [other for other in range(rules.players) if other != seat]
    clock = turn_clock(seconds(turn_time, "turn_time"), level=level) if turn_time else None
    warned_from = threshold(coach)
    if page is not None:
        page = page_of(address, page)
    bots = [table_bot(other, level=level, time=seconds(time)) for other in others[people - 1 :]]
    interactive(console)
    with (
        server_while_played(console, "host", *own) if serve else contextlib.nullcontext(address) as where,
        connect(where, token, tls_ca, insecure) as client,
        contextlib.ExitStack() as played,
    ):
        made = client.create_table(options_message(rules), bots=bots, by_invitation=True, seed=seed, clock=clock)
        link = Link(where, made.table.table, made.invitation)
        joined = client.join(link.table, name, seat=seat, token=made.invitation)
        kept = Kept(joined.seat, joined.token)
        seats = played.enter_context(KeptSeats(link.table))
        if not serve:
            seats.keep(kept)
        console.print(f"Invite the others with: saloon join {link}", soft_wrap=True)
        if page is not None:
            console.print(f"In a browser: {page}/#/join/{link.table}/{link.invitation}", soft_wrap=True)
        play(client, link, kept, console, not serve, warned_from)
