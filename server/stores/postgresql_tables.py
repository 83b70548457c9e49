# May know: basics.
"""Hosted tables in PostgreSQL. Every method is one statement, so one round trip and one transaction."""

from collections.abc import Sequence
from typing import Any

from server.stores.postgresql import Postgres, Row
from server.stores.postgresql_news import ALIVE
from server.stores.tables import (
    Access,
    Change,
    Conflict,
    Full,
    Header,
    Limits,
    News,
    SeatRow,
    Status,
    Stored,
    StoredAnswer,
    Summary,
    TimedOut,
)
from server.stores.words import (
    answer_text,
    bot_text,
    clock_text,
    read_answer_text,
    read_bot_text,
    read_clock_text,
    summary_values,
)

_OUT_OF_TIME_AT_ONCE = 100  # tables
_FORGOTTEN_AT_ONCE = 20  # tables

# What belongs to a table that was made or written, by `made`: its id if it was, else no row. Two who write at the same
# time are in each other's way at the row of the table: the second finds another revision there, and does nothing.
_ADD = """
    new_seats AS (
        INSERT INTO saloon.seats
        SELECT made.id, new.* FROM made,
            unnest(%(seats)s::int[], %(players)s::text[], %(names)s::text[], %(tokens)s::bytea[], %(bots)s::text[])
                AS new
        ON CONFLICT (table_id, seat) DO UPDATE
        SET player = excluded.player, name = excluded.name, token = excluded.token, bot = excluded.bot
    ), new_events AS (
        INSERT INTO saloon.events
        SELECT made.id, %(first)s + new.place - 1, new.data
        FROM made, unnest(%(events)s::text[]) WITH ORDINALITY AS new (data, place)
    ), new_request AS (
        INSERT INTO saloon.requests
        SELECT made.id, %(by)s, %(request)s, %(answer)s FROM made WHERE %(by)s::int IS NOT NULL
    ), new_timed_out AS (
        INSERT INTO saloon.timed_out SELECT made.id, new.* FROM made, unnest(%(out_at)s::int[], %(out)s::int[]) AS new
    )
"""
# Time goes, if that was not said lately; where nobody asks it is said by whoever begins to. What is read in the same
# statement is as before, which by `served` is the same.
_TICK = """
    ticked AS (
        UPDATE saloon.served SET seconds = saloon.served(), at = saloon.clock()
        WHERE abs(saloon.clock() - at) >= 5 AND {condition}
    )
"""
_CREATE = f"""
    WITH {_TICK.format(condition="%(seconds)s::float8 IS NOT NULL")}, made AS (
        INSERT INTO saloon.tables (
            id, game, options, components, access, invitation, host, seed, stream, luck, created, owner, clock,
            host_may_know, waiting, phase, due, free, bot_due, revision, written, count, turn_begun, turn_ends,
            bots_at, bots_since)
        SELECT %(id)s, %(game)s, %(options)s, %(components)s, %(access)s, %(invitation)s, %(host)s, %(seed)s,
            %(stream)s, %(luck)s, %(created)s, %(owner)s, %(clock)s, %(host_may_know)s, %(waiting)s, %(phase)s,
            %(due)s::int, %(free)s, %(bot_due)s, 1, saloon.clock(), %(count)s, %(begun)s,
            saloon.served() + %(seconds)s::float8, %(me)s, saloon.clock()
        WHERE (SELECT count(*) FROM saloon.tables WHERE owner = %(owner)s) < %(most_of_owner)s
            AND (SELECT count(*) FROM saloon.tables) < %(most)s
        RETURNING id, revision
    ), {_ADD}
    SELECT revision FROM made
"""  # noqa: S608
_WRITE = f"""
    WITH {_TICK.format(condition="%(seconds)s::float8 IS NOT NULL")}, made AS (
        UPDATE saloon.tables SET
            waiting = %(waiting)s, phase = %(phase)s, due = %(due)s, free = %(free)s, bot_due = %(bot_due)s,
            revision = revision + 1, written = saloon.clock(), count = %(count)s, turn_begun = %(begun)s,
            turn_ends = CASE WHEN %(goes_on)s THEN turn_ends ELSE saloon.served() + %(seconds)s::float8 END,
            bots_at = CASE WHEN %(bot_goes_on)s THEN bots_at ELSE %(me)s END,
            bots_since = CASE WHEN %(bot_goes_on)s THEN bots_since ELSE saloon.clock() END
        WHERE id = %(id)s AND revision = %(revision)s AND NOT EXISTS (
            SELECT FROM saloon.requests WHERE table_id = %(id)s AND seat = %(by)s AND request_id = %(request)s)
        RETURNING id, revision
    ), {_ADD}
    SELECT revision FROM made
"""  # noqa: S608
_ROOM = """
    SELECT
        (SELECT count(*) FROM saloon.tables WHERE owner = %(owner)s) >= %(most_of_owner)s AS of_owner,
        (SELECT count(*) FROM saloon.tables) >= %(most)s AS of_all,
        saloon.clock(),
        (SELECT min(written) FROM saloon.tables WHERE owner = %(owner)s),
        (SELECT min(written) FROM saloon.tables WHERE owner = %(owner)s AND waiting IS NULL),
        (SELECT min(written) FROM saloon.tables),
        (SELECT min(written) FROM saloon.tables WHERE waiting IS NULL)
"""
_STORED = """
    SELECT id, game, options, components, access, invitation, host, seed, stream, luck, created, owner, clock,
        host_may_know, waiting, phase, due, free, bot_due, revision, count, number, turn_begun,
        CASE WHEN turn_ends IS NOT NULL THEN greatest(0, turn_ends - (SELECT saloon.served())) END,
        (SELECT json_agg(json_build_array(seat, player, name, encode(token, 'hex'), bot) ORDER BY seat)
            FROM saloon.seats WHERE table_id = id),
        {events}, {timed_out}
    FROM saloon.tables WHERE {where}
"""
_READ = _STORED.format(
    events="ARRAY(SELECT data FROM saloon.events WHERE table_id = id AND number >= %(first)s ORDER BY number)",
    timed_out="(SELECT json_agg(json_build_array(events, seat) ORDER BY events) FROM saloon.timed_out "
    "WHERE table_id = id)",
    where="id = %(id)s",
)
_LISTED = _STORED.format(
    events="ARRAY[]::text[]",
    timed_out="NULL",
    where="access = %(access)s AND number < %(before)s AND free > {free} ORDER BY number DESC LIMIT %(count)s",
)
_ANSWER = """
    SELECT answer FROM saloon.requests WHERE table_id = %(id)s AND seat = %(seat)s AND request_id = %(request)s
"""
_CLAIM = f"""
    WITH alive AS ({ALIVE}), claimed AS (
        UPDATE saloon.tables SET bots_at = %(me)s, bots_since = saloon.clock() WHERE id IN (
            SELECT id FROM saloon.tables
            WHERE bot_due AND (bots_since <= (SELECT saloon.clock()) - %(idle)s
                OR %(settled)s AND bots_at NOT IN (SELECT name FROM alive))
            ORDER BY bots_since LIMIT %(most)s FOR UPDATE SKIP LOCKED)
        RETURNING id
    )
    SELECT ARRAY(SELECT name FROM alive), ARRAY(SELECT id FROM claimed)
"""  # noqa: S608
_OUT_OF_TIME = f"""
    WITH {_TICK.format(condition="EXISTS (SELECT FROM saloon.tables WHERE turn_ends IS NOT NULL)")}
    SELECT id, revision FROM saloon.tables WHERE turn_ends <= (SELECT saloon.served()) AND NOT bot_due
    ORDER BY turn_ends LIMIT %(most)s
"""  # noqa: S608
_FORGET = """
    WITH now AS MATERIALIZED (SELECT saloon.clock() AS at), old AS (
        SELECT id FROM saloon.tables WHERE written < (SELECT at FROM now) - %(idle)s
        UNION SELECT id FROM saloon.tables WHERE waiting IS NULL AND written < (SELECT at FROM now) - %(before_begin)s
        LIMIT %(most)s
    ), gone AS (
        DELETE FROM saloon.tables WHERE id IN (
            SELECT id FROM saloon.tables WHERE id IN (SELECT id FROM old)
                AND (written < (SELECT at FROM now) - %(idle)s
                    OR waiting IS NULL AND written < (SELECT at FROM now) - %(before_begin)s)
            FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
"""


class PostgresTables:
    """See `Store`."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._listening = postgres.listening
        self._retired = False
        self._alive: frozenset[str] = frozenset()  # processes

    async def create(self, header: Header, change: Change, limits: Limits) -> int:
        h = header
        room = {"owner": h.owner, "most_of_owner": limits.of_owner, "most": limits.tables}
        values = {
            "id": h.table, "game": h.game, "options": h.options, "components": h.components, "access": h.access,
            "invitation": h.invitation, "host": h.host, "seed": None if h.seed is None else str(h.seed),
            "stream": str(h.stream), "luck": str(h.luck), "created": h.created,
            "clock": h.clock and clock_text(h.clock), "host_may_know": h.host_may_know, **self._values(change), **room,
        }  # fmt: skip
        while True:
            rows = await self._postgres.rows(_CREATE, values)
            if rows:
                return self._written(h.table, rows)
            await self._find_room(room, limits)

    async def _find_room(self, room: dict[str, Any], limits: Limits) -> None:
        """Full, and until when, if there still is none."""
        ((of_owner, of_all, now, own, own_not_begun, oldest, not_begun),) = await self._postgres.rows(_ROOM, room)
        if not of_owner and not of_all:
            return
        written, begun = (own, own_not_begun) if of_owner else (oldest, not_begun)
        soonest = written + limits.idle_seconds
        if begun is not None:
            soonest = min(soonest, begun + limits.before_begin)
        raise Full(of_owner, max(1.0, soonest - now))

    async def write(self, table: str, revision: int, change: Change) -> int:
        values = {
            "id": table, "revision": revision, "goes_on": change.turn.goes_on, "bot_goes_on": change.bot_goes_on,
            **self._values(change),
        }  # fmt: skip
        rows = await self._postgres.rows(_WRITE, values)
        if not rows:
            raise Conflict
        return self._written(table, rows)

    def _written(self, table: str, rows: list[Row]) -> int:
        revision: int = rows[0][0]
        self._listening.tell(table, revision)
        return revision

    def _values(self, change: Change) -> dict[str, Any]:
        seats, request = change.seats, change.request
        about = zip(("waiting", "phase", "due", "free", "bot_due"), summary_values(change.summary), strict=True)
        return {
            **dict(about),
            "me": "" if self._retired else self._listening.me,
            "count": change.first + len(change.events), "first": change.first, "events": list(change.events),
            "begun": change.turn.begun, "seconds": change.turn.seconds,
            "seats": [s.seat for s in seats], "players": [s.player for s in seats], "names": [s.name for s in seats],
            "tokens": [s.token for s in seats], "bots": [s.bot and bot_text(s.bot) for s in seats],
            "by": request and request.seat, "request": request and request.request_id,
            "answer": request and answer_text(request.answer),
            "out_at": [out.events for out in change.timed_out], "out": [out.seat for out in change.timed_out],
        }  # fmt: skip

    async def read(self, table: str, first: int) -> Stored | None:
        rows = await self._postgres.rows(_READ, {"id": table, "first": first}, again=True)
        return _stored(rows[0]) if rows else None

    async def answer(self, table: str, seat: int, request_id: str) -> StoredAnswer | None:
        rows = await self._postgres.rows(_ANSWER, {"id": table, "seat": seat, "request": request_id}, again=True)
        return read_answer_text(rows[0][0]) if rows else None

    async def listed(self, access: Access, before: int | None, count: int, only_free: bool) -> Sequence[Stored]:
        values = {"access": access, "before": 2**63 - 1 if before is None else before, "count": count}
        sql = _LISTED.format(free=0 if only_free else -1)
        return [_stored(row) for row in await self._postgres.rows(sql, values, again=True)]

    async def claim_bots(self, idle_seconds: float, most: int) -> Sequence[str]:
        values = {"me": self._listening.me, "idle": idle_seconds, "settled": self._listening.settled, "most": most}
        ((alive, claimed),) = await self._postgres.rows(_CLAIM, values)
        if self._alive - frozenset(alive):
            self._listening.missed()  # whoever is gone may have written and not have told
        self._alive = frozenset(alive)
        found: list[str] = claimed
        return found

    def retire(self) -> None:
        self._retired = True

    async def out_of_time(self) -> Sequence[tuple[str, int]]:
        rows = await self._postgres.rows(_OUT_OF_TIME, {"most": _OUT_OF_TIME_AT_ONCE}, again=True)
        return [(table, revision) for table, revision in rows]

    async def under_way(self) -> int:
        rows = await self._postgres.rows("SELECT count(*) FROM saloon.tables WHERE waiting <> 'over'", again=True)
        return int(rows[0][0])

    async def clock(self) -> float:
        return float((await self._postgres.rows("SELECT saloon.clock()", again=True))[0][0])

    async def delete(self, table: str) -> None:
        await self._postgres.rows("DELETE FROM saloon.tables WHERE id = %(id)s", {"id": table}, again=True)

    async def forget(self, limits: Limits) -> int:
        values = {"idle": limits.idle_seconds, "before_begin": limits.before_begin, "most": _FORGOTTEN_AT_ONCE}
        return int((await self._postgres.rows(_FORGET, values))[0][0])

    async def news(self) -> Sequence[News] | None:
        return await self._listening.hear()


def _stored(row: Row) -> Stored:
    (
        table, game, options, components, access, invitation, host, seed, stream, luck, created, owner, clock, may_know,
        waiting, phase, due, free, bot_due, revision, count, number, turn_begun, time_left, seats, events, timed_out,
    ) = row  # fmt: skip
    header = Header(
        table, game, options, components, access, invitation, host,
        None if seed is None else int(seed), int(stream), int(luck), created, owner,
        None if clock is None else read_clock_text(clock), may_know,
    )  # fmt: skip
    return Stored(
        header,
        revision,
        Summary(None if waiting is None else Status(waiting, phase, due), free, bot_due),
        tuple(_seat(*values) for values in seats or ()),
        count,
        number,
        tuple(events),
        turn_begun=turn_begun,
        time_left=time_left,
        timed_out=tuple(TimedOut(*values) for values in timed_out or ()),
    )


def _seat(seat: int, player: Any, name: str, token: str | None, bot: str | None) -> SeatRow:
    return SeatRow(
        seat, player, name, None if token is None else bytes.fromhex(token), None if bot is None else read_bot_text(bot)
    )
