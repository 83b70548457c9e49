# May know: basics, stores, saloon_client, engine_cy, wire.
"""What requests make of a table: a new one, with a person or a bot on a seat, after a decision. Nothing is written."""

import json
import secrets
import time
from dataclasses import replace

from saloon_client.v1 import tables_pb2 as pb

from engine_cy.errors import InputError
from engine_cy.rules import GameRules
from server.basics.caller import CALLER
from server.basics.refusals import AlreadyTaken, Denied, NotNow
from server.stores.tables import Clock, Header, SeatRow
from server.tables.access import account_of, digest, new_token, role, visitor
from server.tables.fields import (
    read_access,
    read_name,
    read_number,
    read_request_id,
    read_seat_token,
    read_table_bot,
)
from server.tables.table import Table
from wire.naming import NONE, naming
from wire.reading import read_decision, read_seat


def new_table(
    rules: GameRules,
    access: int,
    seed: int | None,
    stream: int = 0,
    clock: Clock | None = None,
    *,
    host_may_know: bool = False,
    account: str = "",
) -> tuple[Table, str, str]:
    """A table with free seats only, the host's token, and the invitation."""
    chosen, host = read_access(access), new_token()
    invitation = new_token() if chosen == "invitation" else ""
    header = Header(
        table=secrets.token_hex(8),  # people type it; a dash in front would look like an option
        game=rules.name,
        options=json.dumps(rules.options()),
        components=rules.component_hash,
        access=chosen,
        invitation=digest(invitation) if invitation else None,
        host=digest(host),
        seed=seed,
        stream=stream,
        luck=secrets.randbits(63),
        created=time.time_ns(),
        owner=CALLER.get(),
        clock=clock,
        host_may_know=host_may_know,
        account=account,
    )
    return Table(header, rules, tuple(SeatRow(seat, "free") for seat in range(rules.players))), host, invitation


def joined(table: Table, request: pb.JoinTableRequest, token: str) -> Table:
    """With the person on a free seat, whose token this will be, or back on their own."""
    name, account = read_name(request.name, "name"), account_of(request.account)
    found = visitor(table, request.token)
    if role(table, read_seat_token(token, table)).seat is not None:  # the answer to this request got lost
        return table
    wanted = read_seat(request.seat, table.rules, "seat") if request.HasField("seat") else found.seat
    if wanted is not None and wanted == found.seat:
        if table.over:  # there is nothing to play any more, but to look at
            return table
        row = table.seats[wanted]
        return table.seated(replace(row, player="person", name=name, bot=None, account=account or row.account))
    if table.over:
        raise NotNow("the game is over")
    free = [row.seat for row in table.seats if row.player == "free" and wanted in (None, row.seat)]
    if not free:
        taken = "no seat is free" if wanted is None else f"seat {wanted} is taken"
        raise AlreadyTaken(taken)
    return table.seated(SeatRow(free[0], "person", name, digest(token), account=account))


def bot_seated(table: Table, request: pb.SeatBotRequest) -> Table:
    """With the bot on the seat, if the token may put it there."""
    found = role(table, request.token)
    if not found.host and found.seat is None:
        raise Denied("the token is neither a seat's nor the host's")
    if not request.HasField("bot"):
        raise InputError("bot", "a bot and its seat", NONE)
    row = read_table_bot(request.bot, table.rules, "bot")
    if table.over:
        raise NotNow("the game is over")
    now = table.seats[row.seat]
    row = replace(row, account=now.account)
    if found.seat == row.seat:
        return table.seated(replace(row, token=now.token))
    if not found.host:
        raise Denied(f"the token is not that of seat {row.seat}")
    if now.token is None:
        return table.seated(row)
    if not request.away:
        raise AlreadyTaken(f"seat {row.seat} belongs to a person; say that they are away")
    return table.seated(replace(row, token=now.token, name=row.name if request.bot.name else now.name))


def decided(table: Table, request: pb.ActRequest) -> Table:
    """After the decision; NotNow if it is not the time for it."""
    seat = role(table, request.token).seat
    if seat is None:
        raise Denied("the token is not that of a seat")
    read_request_id(request.request_id)
    after = read_number(request.after, "after") if request.HasField("after") else len(table.history)
    problem = _not_the_time(table, seat, after)
    if problem:
        raise NotNow(problem)
    option = read_decision(table.rules, request.decision, "decision")
    with naming("decision"):
        return table.decided(option)


def _not_the_time(table: Table, seat: int, after: int) -> str:
    """Why the seat may not decide now; empty if it may."""
    due = table.due
    if table.over:
        return "the game is over"
    if table.running is None:
        return f"the game has not begun: {table.free} of {len(table.seats)} seats are free"
    if due is None or due.seat != seat:
        return f"seat {seat} has nothing to decide" + ("" if due is None else f": it is the turn of seat {due.seat}")
    if due.player != "person":
        return f"a bot plays seat {seat}; join the table with this token to take it back"
    if table.turn_timed_out:
        return f"the time of seat {seat} for this turn has run out; a bot decides it"
    if after != len(table.history):
        return f"{len(table.history)} events have happened, not {after}"
    return ""
