# May know: stores, saloon_client, wire.
"""Tables and answers as messages of the contract, made from what is stored."""

import json
from collections.abc import Sequence

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from saloon_client.v1 import bots_pb2, game_pb2
from saloon_client.v1 import tables_pb2 as pb

from server.stores.tables import (
    Access,
    Clock,
    Header,
    SeatKind,
    SeatRow,
    Status,
    Stored,
    StoredAnswer,
    TimedOut,
    TimeOut,
    Waiting,
)
from server.tables.fields import bot_name
from server.tables.table import Broken, Table
from wire.writing import options_message, plain_options_message

_ACCESS: dict[Access, pb.Access.ValueType] = {
    "public": pb.ACCESS_PUBLIC,
    "invitation": pb.ACCESS_INVITATION,
}
_PLAYER: dict[SeatKind, pb.Player.ValueType] = {
    "free": pb.PLAYER_FREE,
    "person": pb.PLAYER_PERSON,
    "bot": pb.PLAYER_BOT,
}
_WAITING: dict[Waiting, game_pb2.Waiting.ValueType] = {
    "decision": game_pb2.WAITING_DECISION,
    "chance": game_pb2.WAITING_CHANCE,
    "over": game_pb2.WAITING_OVER,
}


_TIME_OUT: dict[TimeOut, pb.TimeOut.ValueType] = {
    "turn": pb.TIME_OUT_TURN,
    "seat": pb.TIME_OUT_SEAT,
}


def table_message(table: Table, now: float | None = None) -> pb.Table:
    """Without a time (of the steady clock) it is not said how much of it is left."""
    options = options_message(table.rules)
    message = _table_message(table.header, options, table.seats, table.status, len(table.history))
    message.timed_out = table.turn_timed_out and table.due is not None and table.due.player == "person"
    return message if now is None else timed(message, table, now)


def timed(message: pb.Table, table: Table, now: float) -> pb.Table:
    """The same message, with what is left of the turn's time."""
    left = table.time_left(now)
    if left is not None:
        message.time_left.CopyFrom(_duration(left))
    return message


def stored_table_message(stored: Stored, account: str = "") -> pb.Table:
    """A table that was read without its events, for the person with this account, if any; its rules are not even
    compiled. Broken if this server does not know them."""
    header = stored.header
    try:
        options = plain_options_message(header.game, json.loads(header.options), header.components)
    except (AttributeError, KeyError) as error:
        raise Broken(f"table {header.table} is played by rules this server does not know: {error}") from error
    message = _table_message(header, options, stored.seats, stored.summary.status, stored.count)
    if stored.time_left is not None and not stored.summary.bot_due:
        message.time_left.CopyFrom(_duration(stored.time_left))
    status = stored.summary.status
    due = None if status is None or status.seat is None else stored.seats[status.seat]
    message.timed_out = stored.summary.bot_due and due is not None and due.player == "person"
    message.yours.extend(seat.seat for seat in stored.seats if account and seat.account == account)
    return message


def _table_message(
    header: Header, options: game_pb2.Options, seats: Sequence[SeatRow], status: Status | None, events: int
) -> pb.Table:
    created = Timestamp()
    created.FromNanoseconds(header.created)
    return pb.Table(
        table=header.table,
        options=options,
        access=_ACCESS[header.access],
        seats=[_seat_message(seat) for seat in seats],
        status=_status_message(status),
        events=events,
        created=created,
        clock=None if header.clock is None else _clock_message(header.clock),
        host_may_know=header.host_may_know,
    )


def _seat_message(row: SeatRow) -> pb.Seat:
    away = row.player == "bot" and row.token is not None
    return pb.Seat(seat=row.seat, player=_PLAYER[row.player], name=row.name, away=away)


def _clock_message(clock: Clock) -> pb.TurnClock:
    bot = clock.bot
    settings = bots_pb2.BotSettings(level=bot.level, personality=bot.personality)
    if bot.search:
        settings.search.CopyFrom(bots_pb2.SearchSettings(**bot.search))
    message = pb.TurnClock(time=_duration(clock.seconds), then=_TIME_OUT[clock.then], bot=settings)
    if bot.time is not None:
        message.budget.time.CopyFrom(_duration(bot.time))
    if bot.iterations is not None:
        message.budget.iterations = bot.iterations
    return message


def timed_out_message(clock: Clock, out: TimedOut) -> pb.TimedOut:
    return pb.TimedOut(seat=out.seat, events=out.events, then=_TIME_OUT[clock.then], bot=bot_name(clock.bot))


def _duration(seconds: float) -> Duration:
    message = Duration()
    message.FromNanoseconds(round(seconds * 1e9))
    return message


def act_message(answer: StoredAnswer) -> pb.ActResponse:
    return pb.ActResponse(events=answer.events, status=_status_message(answer.status))


def _status_message(status: Status | None) -> game_pb2.Status | None:
    if status is None:
        return None
    return game_pb2.Status(waiting=_WAITING[status.waiting], phase=status.phase, seat=status.seat)
