# May know: nothing else of Saloon.
"""Rows of live tables, and of games that are over, in a SQLite file: columns to values and back."""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from server.stores.tables import Finished, Header, SeatRow, Status, Stored, Summary
from server.stores.words import (
    clock_text,
    events_text,
    read_bot_text,
    read_clock_text,
    read_events_text,
    read_seats,
    read_timed_out_text,
    seats_text,
    timed_out_text,
)

Row = tuple[Any, ...]

_HEADER = (
    "id, game, options, components, access, invitation, host, seed, stream, luck, created, clock, host_may_know, "
    "account"
)
LIVE = f"{_HEADER}, owner, waiting, phase, due, free, bot_due, revision, count, turn_begun, turn_ends"
_KEPT = f"{_HEADER}, phase, turn_begun, revision, count, seats, timed_out, result, ended"
NEW = (
    f"{_HEADER}, owner, players, waiting, phase, due, free, bot_due, revision, written, count, turn_begun, turn_ends, "
    "bots_at, bots_since"
)


def header_values(h: Header) -> tuple[Any, ...]:
    """As the columns that both kinds of rows begin with."""
    return (
        h.table, h.game, h.options, h.components, h.access, h.invitation, h.host,
        None if h.seed is None else str(h.seed), str(h.stream), str(h.luck), h.created,
        h.clock and clock_text(h.clock), h.host_may_know, h.account,
    )  # fmt: skip


def _header(row: Row, owner: str = "") -> Header:
    (
        table, game, options, components, access, invitation, host, seed, stream, luck, created, clock, may_know,
        account,
    ) = row  # fmt: skip
    return Header(
        table, game, options, components, access, invitation, host, None if seed is None else int(seed), int(stream),
        int(luck), created, owner, None if clock is None else read_clock_text(clock), bool(may_know), account,
    )  # fmt: skip


def live(db: sqlite3.Connection, row: Row, served: Callable[[], float]) -> Stored:
    """Of a row of `LIVE`, with its seats."""
    owner, waiting, phase, due, free, bot_due, revision, count, turn_begun, turn_ends = row[14:]
    sql = "SELECT seat, player, name, token, bot, account FROM seats WHERE table_id = ? ORDER BY seat"
    seats = tuple(
        SeatRow(seat, player, name, token, None if bot is None else read_bot_text(bot), account)
        for seat, player, name, token, bot, account in db.execute(sql, (row[0],))
    )
    summary = Summary(None if waiting is None else Status(waiting, phase, due), free, bool(bot_due))
    time_left = None if turn_ends is None else max(0.0, turn_ends - served())
    return Stored(_header(row[:14], owner), revision, summary, seats, count, turn_begun=turn_begun, time_left=time_left)


# ---- Games that are over


def keep(db: sqlite3.Connection, game: Finished, revision: int, ended: float) -> None:
    """In the transaction with which the game ends."""
    db.execute(
        f"INSERT INTO games ({_KEPT}, events, players) VALUES ({', '.join('?' * 24)})",  # noqa: S608
        (
            *header_values(game.header), game.phase, game.turn_begun, revision, len(game.events),
            seats_text(game.seats), timed_out_text(game.timed_out), game.result, ended,
            events_text(game.events), len(game.seats),
        ),
    )  # fmt: skip


def kept(
    db: sqlite3.Connection,
    where: str,
    values: Mapping[str, Any] | Sequence[Any],
    source: str = "games t",
    events: bool = True,
) -> list[Stored]:
    """Games that are over, with their events or, for lists, without."""
    columns = ", ".join(f"t.{name}" for name in [*_KEPT.split(", "), *(["events"] if events else [])])
    rows = db.execute(f"SELECT {columns} FROM {source} WHERE {where}", values).fetchall()  # noqa: S608
    return [_from_kept(row) for row in rows]


def _from_kept(row: Row) -> Stored:
    phase, turn_begun, revision, count, seats_words, timed_out, result, ended, *events = row[14:]
    seats = read_seats(json.loads(seats_words))
    return Stored(
        _header(row[:14]),
        revision,
        Summary(Status("over", phase), sum(seat.player == "free" for seat in seats)),
        seats,
        count,
        read_events_text(events[0]) if events else (),
        turn_begun=turn_begun,
        timed_out=read_timed_out_text(timed_out),
        ended=ended,
        result=result,
    )
