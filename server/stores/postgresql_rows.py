# May know: nothing else of Saloon.
"""Rows of live tables, and of games that are over, in PostgreSQL: the same columns of both, and what they become."""

from typing import Any

from server.stores.tables import Header, SeatRow, Status, Stored, Summary, TimedOut
from server.stores.words import read_bot_text, read_clock_text, read_seats

Row = tuple[Any, ...]

_HEADER = """
    t.id, t.game, t.options, t.components, t.access, t.invitation, t.host, t.seed, t.stream, t.luck, t.created,
    t.clock, t.host_may_know, t.account"""
_LIVE = f"""{_HEADER}, t.owner, t.waiting, t.phase, t.due, t.free, t.bot_due, t.revision, t.count, t.turn_begun,
    CASE WHEN t.turn_ends IS NOT NULL THEN greatest(0, t.turn_ends - (SELECT saloon.served())) END,
    (SELECT json_agg(json_build_array(seat, player, name, encode(token, 'hex'), bot, account) ORDER BY seat)
        FROM saloon.seats WHERE table_id = t.id)"""  # noqa: S608
_KEPT = f"""{_HEADER}, '', 'over', t.phase, NULL::integer, 0, false, t.revision, t.count, t.turn_begun,
    NULL::double precision, t.seats::json"""
# Of tables and games `t`; those with events from the one called `first`.
LIVE = f"""{_LIVE}, ARRAY(SELECT data FROM saloon.events WHERE table_id = t.id AND number >= %(first)s ORDER BY number),
    (SELECT json_agg(json_build_array(events, seat) ORDER BY events) FROM saloon.timed_out WHERE table_id = t.id),
    NULL, ''"""  # noqa: S608
KEPT = f"{_KEPT}, (string_to_array(t.events, E'\\n'))[%(first)s + 1:], t.timed_out::json, t.ended, t.result"
LIVE_LISTED = f"{_LIVE}, NULL::text[], NULL::json, NULL::double precision, ''"
KEPT_LISTED = f"{_KEPT}, NULL::text[], NULL::json, t.ended, t.result"


def stored(row: Row) -> Stored:
    (
        table, game, options, components, access, invitation, host, seed, stream, luck, created, clock, may_know,
        account, owner, waiting, phase, due, free, bot_due, revision, count, turn_begun, time_left, seats, events,
        timed_out, ended, result,
    ) = row  # fmt: skip
    header = Header(
        table, game, options, components, access, invitation, host, None if seed is None else int(seed), int(stream),
        int(luck), created, owner, None if clock is None else read_clock_text(clock), may_know, account,
    )  # fmt: skip
    found = tuple(_seat(*values) for values in seats or ()) if ended is None else read_seats(seats)
    return Stored(
        header,
        revision,
        Summary(
            None if waiting is None else Status(waiting, phase, due),
            free if ended is None else sum(seat.player == "free" for seat in found),
            bot_due,
        ),
        found,
        count,
        tuple(events or ()),
        turn_begun=turn_begun,
        time_left=time_left,
        timed_out=tuple(TimedOut(*values) for values in timed_out or ()),
        ended=ended,
        result=result,
    )


def _seat(seat: int, player: Any, name: str, token: str | None, bot: str | None, account: str) -> SeatRow:
    return SeatRow(
        seat,
        player,
        name,
        None if token is None else bytes.fromhex(token),
        None if bot is None else read_bot_text(bot),
        account,
    )
