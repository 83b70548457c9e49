# May know: basics.
"""Hosted tables in PostgreSQL. Every method is one statement, so one round trip and one transaction."""

from collections.abc import Sequence
from typing import Any

from server.stores import postgresql_statements as statements
from server.stores import shelves
from server.stores.postgresql import Postgres, Row
from server.stores.postgresql_rows import KEPT_LISTED, LIVE_LISTED, stored
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
        rows = await self._postgres.rows(statements.CREATE.format(more=_more(change)), values)
        self._room.made(h.owner)
        return self._written(h.table, rows)

    async def _find_room(self, owner: str, limits: Limits) -> None:
        """Full, and until when, if there is none."""
        rows = await self._postgres.rows(statements.ROOM, {"owner": owner})
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
        rows = await self._postgres.rows(statements.WRITE.format(more=_more(change)), values)
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
        rows = await self._postgres.rows(statements.READ, values, again=True)
        rows = rows or await self._postgres.rows(statements.READ_KEPT, values, again=True)
        return stored(rows[0]) if rows else None

    async def answer(self, table: str, seat: int, request_id: str) -> StoredAnswer | None:
        rows = await self._postgres.rows(
            statements.ANSWER, {"id": table, "seat": seat, "request": request_id}, again=True
        )
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
        ((alive, claimed),) = await self._postgres.rows(statements.CLAIM, values)
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
        rows = await self._postgres.rows(statements.OUT_OF_TIME, {"most": _OUT_OF_TIME_AT_ONCE}, again=True)
        return [(table, revision) for table, revision in rows]

    async def under_way(self) -> int:
        rows = await self._postgres.rows("SELECT count(*) FROM saloon.tables WHERE waiting <> 'over'", again=True)
        return int(rows[0][0])

    async def clock(self) -> float:
        return float((await self._postgres.rows("SELECT saloon.clock()", again=True))[0][0])

    async def delete(self, table: str) -> None:
        for sql in (statements.DELETE, statements.DELETE_REST):
            await self._postgres.rows(sql, {"id": table}, again=True)

    async def forget(self, limits: Limits) -> int:
        values = {
            "idle": limits.idle_seconds, "before_begin": limits.before_begin, "after_end": limits.after_end,
            "records": limits.records, "record_seconds": limits.record_seconds, "most": _FORGOTTEN_AT_ONCE,
        }  # fmt: skip
        return int((await self._postgres.rows(statements.FORGET, values))[0][0])

    async def news(self) -> Sequence[News] | None:
        return await self._listening.hear()


def _more(change: Change) -> str:
    """What few writes have."""
    people = statements.ADD_PEOPLE if change.people is not None else ""
    game = statements.ADD_GAME if change.finished is not None else ""
    return people + game
