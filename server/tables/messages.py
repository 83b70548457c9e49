# May know: saloon_client, wire.
"""Tables and answers as messages of the contract, made from what is stored."""

import json
from collections.abc import Sequence

from google.protobuf.timestamp_pb2 import Timestamp
from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from server.tables.store import Access, Header, SeatKind, SeatRow, Status, Stored, StoredAnswer, Waiting
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


def table_message(table: Table) -> pb.Table:
    options = options_message(table.rules)
    return _table_message(table.header, options, table.seats, table.status, len(table.history))


def stored_table_message(stored: Stored) -> pb.Table:
    """A table that was read without its events; its rules are not even compiled. Broken if this server does not know
    them."""
    header = stored.header
    try:
        options = plain_options_message(header.game, json.loads(header.options))
    except (AttributeError, KeyError) as error:
        raise Broken(f"table {header.table} is played by rules this server does not know: {error}") from error
    return _table_message(header, options, stored.seats, stored.summary.status, stored.count)


def _table_message(
    header: Header, options: game_pb2.Options, seats: Sequence[SeatRow], status: Status | None, events: int
) -> pb.Table:
    created = Timestamp()
    created.FromNanoseconds(header.created)
    return pb.Table(
        table=header.table,
        options=options,
        access=_ACCESS[header.access],
        seats=[pb.Seat(seat=s.seat, player=_PLAYER[s.player], name=s.name) for s in seats],
        status=_status_message(status),
        events=events,
        created=created,
    )


def act_message(answer: StoredAnswer) -> pb.ActResponse:
    return pb.ActResponse(events=answer.events, status=_status_message(answer.status))


def _status_message(status: Status | None) -> game_pb2.Status | None:
    if status is None:
        return None
    return game_pb2.Status(waiting=_WAITING[status.waiting], phase=status.phase, seat=status.seat)
