# May know: basics.
"""Hosted tables in PostgreSQL. Every method is one statement, so one round trip and one transaction."""

from collections.abc import Sequence
from typing import Any

from server.stores import shelves
from server.stores.postgresql import Postgres, Row
from server.stores.postgresql_news import ALIVE
from server.stores.postgresql_rows import KEPT, KEPT_LISTED, LIVE, LIVE_LISTED, stored
from server.stores.room import Room
from server.stores.tables import (
    Change,
    Conflict,
    Full,
    Header,
    Limits,
    News,
    Place,
    Stored,
    StoredAnswer,
    Wanted,
)
from server.stores.words import (
    answer_text,
    bot_text,
    clock_text,
    events_text,
    read_answer_text,
    seats_text,
    summary_values,
    timed_out_text,
)

_OUT_OF_TIME_AT_ONCE = 100  # tables
_FORGOTTEN_AT_ONCE = 20  # tables

# What belongs to a table that was made or written, by `made`: its id if it was, else no row. Two who write at the same
# time are in each other's way at the row of the table: the second finds another revision there, and does nothing.
_ADD = """
    new_seats AS (
        INSERT INTO saloon.seats (table_id, seat, player, name, token, bot, account)
        SELECT made.id, new.* FROM made,
            unnest(%(seats)s::int[], %(players)s::text[], %(names)s::text[], %(tokens)s::bytea[], %(bots)s::text[],
                %(accounts)s::text[]) AS new
        ON CONFLICT (table_id, seat) DO UPDATE
        SET player = excluded.player, name = excluded.name, token = excluded.token, bot = excluded.bot,
            account = excluded.account
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
# The same for what few writes have: other people than before, or the end of the game.
_ADD_PEOPLE = """
    , old_people AS (
        DELETE FROM saloon.people WHERE table_id IN (SELECT id FROM made) AND account <> ALL(%(people)s)
    ), new_people AS (
        INSERT INTO saloon.people SELECT new.account, made.created, made.id
        FROM made, unnest(%(people)s::text[]) AS new (account) ON CONFLICT DO NOTHING
    )
"""
_ADD_GAME = """
    , game AS (
        INSERT INTO saloon.games (
            id, game, players, options, components, access, invitation, host, seed, stream, luck, created, clock,
            host_may_know, account, revision, phase, turn_begun, seats, count, events, timed_out, result, ended)
        SELECT id, game, players, options, components, access, invitation, host, seed, stream, luck, created, clock,
            host_may_know, account, revision, phase, turn_begun, %(kept_seats)s, count, %(kept_events)s,
            %(kept_timed_out)s, %(result)s, written
        FROM made
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
            host_may_know, account, players, waiting, phase, due, free, bot_due, revision, written, count, turn_begun,
            turn_ends, bots_at, bots_since)
        SELECT %(id)s, %(game)s, %(options)s, %(components)s, %(access)s, %(invitation)s, %(host)s, %(seed)s,
            %(stream)s, %(luck)s, %(created)s, %(owner)s, %(clock)s, %(host_may_know)s, %(account)s,
            cardinality(%(seats)s::int[]), %(waiting)s, %(phase)s, %(due)s::int,
            %(free)s, %(bot_due)s, 1, saloon.clock(), %(count)s, %(begun)s,
            saloon.served() + %(seconds)s::float8, %(me)s, saloon.clock()
        RETURNING *
    ), {_ADD} {{more}}
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
        RETURNING *
    ), {_ADD} {{more}}
    SELECT revision FROM made
"""  # noqa: S608
_ROOM = """
    SELECT
        (SELECT count(*) FROM saloon.tables WHERE owner = %(owner)s),
        (SELECT count(*) FROM saloon.tables),
        saloon.clock(),
        (SELECT min(written) FROM saloon.tables WHERE owner = %(owner)s),
        (SELECT min(written) FROM saloon.tables WHERE owner = %(owner)s AND waiting IS NULL),
        (SELECT min(written) FROM saloon.tables),
        (SELECT min(written) FROM saloon.tables WHERE waiting IS NULL)
"""
_READ = f"SELECT {LIVE} FROM saloon.tables t WHERE t.id = %(id)s"  # noqa: S608
_READ_KEPT = f"SELECT {KEPT} FROM saloon.games t WHERE t.id = %(id)s"  # noqa: S608
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
# A game that is over is deleted among live tables only once it is kept apart. People are forgotten with the last that
# there was of their table.
# The oldest first: else the planner, which cannot know how few there are, goes through all.
_FORGET = """
    WITH now AS MATERIALIZED (SELECT saloon.clock() AS at), old AS (
        (SELECT id FROM saloon.tables WHERE written < (SELECT at FROM now) - %(idle)s
            ORDER BY written LIMIT %(most)s)
        UNION (SELECT id FROM saloon.tables WHERE waiting IS NULL AND written < (SELECT at FROM now) - %(before_begin)s
            ORDER BY written LIMIT %(most)s)
        UNION (SELECT id FROM saloon.tables t WHERE waiting = 'over' AND written < (SELECT at FROM now) - %(after_end)s
            AND EXISTS (SELECT FROM saloon.games WHERE games.id = t.id)
            ORDER BY written LIMIT %(most)s)
        LIMIT %(most)s
    ), gone AS (
        DELETE FROM saloon.tables WHERE id IN (
            SELECT id FROM saloon.tables WHERE id IN (SELECT id FROM old)
                AND (written < (SELECT at FROM now) - %(idle)s
                    OR waiting IS NULL AND written < (SELECT at FROM now) - %(before_begin)s
                    OR waiting = 'over' AND written < (SELECT at FROM now) - %(after_end)s)
            FOR UPDATE SKIP LOCKED)
        RETURNING id
    ), old_games AS (
        (SELECT id FROM saloon.games WHERE ended < (SELECT at FROM now) - %(record_seconds)s
            ORDER BY ended LIMIT %(most)s)
        UNION (SELECT id FROM saloon.games WHERE number <= (SELECT max(number) FROM saloon.games) - %(records)s
            ORDER BY number LIMIT %(most)s)
        LIMIT %(most)s
    ), gone_games AS (
        DELETE FROM saloon.games WHERE id IN (
            SELECT id FROM saloon.games WHERE id IN (SELECT id FROM old_games) FOR UPDATE SKIP LOCKED)
        RETURNING id
    ), nobody AS (
        DELETE FROM saloon.people p WHERE table_id IN (SELECT id FROM gone UNION SELECT id FROM gone_games)
            AND NOT EXISTS (SELECT FROM saloon.tables WHERE id = p.table_id AND id NOT IN (SELECT id FROM gone))
            AND NOT EXISTS (SELECT FROM saloon.games WHERE id = p.table_id AND id NOT IN (SELECT id FROM gone_games))
    )
    SELECT count(*) FROM gone
"""
_DELETE = "DELETE FROM saloon.tables WHERE id = %(id)s"
# Another statement, which sees what was written while the first one waited.
_DELETE_REST = """
    WITH game AS (DELETE FROM saloon.games WHERE id = %(id)s) DELETE FROM saloon.people WHERE table_id = %(id)s
"""


class PostgresTables:
    """See `Store`."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._listening = postgres.listening
        self._room = Room()
        self._retired = False
        self._alive: frozenset[str] = frozenset()  # processes

    async def create(self, header: Header, change: Change, limits: Limits) -> int:
        h = header
        if not self._room.known(h.owner, limits):
            await self._find_room(h.owner, limits)
        values = {
            "id": h.table, "game": h.game, "options": h.options, "components": h.components, "access": h.access,
            "invitation": h.invitation, "host": h.host, "seed": None if h.seed is None else str(h.seed),
            "stream": str(h.stream), "luck": str(h.luck), "created": h.created,
            "clock": h.clock and clock_text(h.clock), "host_may_know": h.host_may_know, "account": h.account,
            "owner": h.owner, **self._values(change),
        }  # fmt: skip
        rows = await self._postgres.rows(_CREATE.format(more=_more(change)), values)
        self._room.made(h.owner)
        return self._written(h.table, rows)

    async def _find_room(self, owner: str, limits: Limits) -> None:
        """Full, and until when, if there is none."""
        rows = await self._postgres.rows(_ROOM, {"owner": owner})
        ((count, tables, now, own, own_not_begun, oldest, not_begun),) = rows
        of_owner = count >= limits.of_owner
        if not of_owner and tables < limits.tables:
            self._room.counted(owner, count, tables)
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
        rows = await self._postgres.rows(_WRITE.format(more=_more(change)), values)
        if not rows:
            raise Conflict
        return self._written(table, rows)

    def _written(self, table: str, rows: list[Row]) -> int:
        revision: int = rows[0][0]
        self._listening.tell(table, revision)
        return revision

    def _values(self, change: Change) -> dict[str, Any]:
        seats, request, game = change.seats, change.request, change.finished
        about = zip(("waiting", "phase", "due", "free", "bot_due"), summary_values(change.summary), strict=True)
        return {
            **dict(about),
            "me": "" if self._retired else self._listening.me,
            "count": change.first + len(change.events), "first": change.first, "events": list(change.events),
            "begun": change.turn.begun, "seconds": change.turn.seconds,
            "seats": [s.seat for s in seats], "players": [s.player for s in seats], "names": [s.name for s in seats],
            "tokens": [s.token for s in seats], "bots": [s.bot and bot_text(s.bot) for s in seats],
            "accounts": [s.account for s in seats], "people": list(change.people or ()),
            "kept_seats": game and seats_text(game.seats), "kept_events": game and events_text(game.events),
            "kept_timed_out": game and timed_out_text(game.timed_out), "result": game and game.result,
            "by": request and request.seat, "request": request and request.request_id,
            "answer": request and answer_text(request.answer),
            "out_at": [out.events for out in change.timed_out], "out": [out.seat for out in change.timed_out],
        }  # fmt: skip

    async def read(self, table: str, first: int) -> Stored | None:
        values = {"id": table, "first": first}
        rows = await self._postgres.rows(_READ, values, again=True)
        rows = rows or await self._postgres.rows(_READ_KEPT, values, again=True)
        return stored(rows[0]) if rows else None

    async def answer(self, table: str, seat: int, request_id: str) -> StoredAnswer | None:
        rows = await self._postgres.rows(_ANSWER, {"id": table, "seat": seat, "request": request_id}, again=True)
        return read_answer_text(rows[0][0]) if rows else None

    async def listed(self, wanted: Wanted, after: Place | None, count: int) -> Sequence[Stored]:
        parts = []
        for shelf in shelves.shelves(wanted, after, "%({})s".format, "saloon."):
            columns = KEPT_LISTED if shelf.over else LIVE_LISTED
            rest = f"FROM {shelf.source} WHERE {shelf.where} ORDER BY {shelf.order} LIMIT %(count)s"
            parts.append(f"(SELECT {columns} {rest})")
        values = shelves.values(wanted, after, count)
        rows = await self._postgres.rows(" UNION ALL ".join(parts), values, again=True) if parts else []
        return shelves.newest([stored(row) for row in rows], count)

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

    async def hand_over_bots(self) -> None:
        sql = "UPDATE saloon.tables SET bots_at = '' WHERE bot_due AND bots_at = %(me)s"
        await self._postgres.rows(sql, {"me": self._listening.me}, again=True)

    async def out_of_time(self) -> Sequence[tuple[str, int]]:
        rows = await self._postgres.rows(_OUT_OF_TIME, {"most": _OUT_OF_TIME_AT_ONCE}, again=True)
        return [(table, revision) for table, revision in rows]

    async def under_way(self) -> int:
        rows = await self._postgres.rows("SELECT count(*) FROM saloon.tables WHERE waiting <> 'over'", again=True)
        return int(rows[0][0])

    async def clock(self) -> float:
        return float((await self._postgres.rows("SELECT saloon.clock()", again=True))[0][0])

    async def delete(self, table: str) -> None:
        for sql in (_DELETE, _DELETE_REST):
            await self._postgres.rows(sql, {"id": table}, again=True)

    async def forget(self, limits: Limits) -> int:
        values = {
            "idle": limits.idle_seconds, "before_begin": limits.before_begin, "after_end": limits.after_end,
            "records": limits.records, "record_seconds": limits.record_seconds, "most": _FORGOTTEN_AT_ONCE,
        }  # fmt: skip
        return int((await self._postgres.rows(_FORGET, values))[0][0])

    async def news(self) -> Sequence[News] | None:
        return await self._listening.hear()


def _more(change: Change) -> str:
    """What few writes have."""
    return (_ADD_PEOPLE if change.people is not None else "") + (_ADD_GAME if change.finished is not None else "")
