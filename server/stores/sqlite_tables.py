# May know: basics.
"""Hosted tables in a SQLite file."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from server.stores import shelves, sqlite_rows
from server.stores.room import Room
from server.stores.sqlite import SqliteFile
from server.stores.tables import (
    Change,
    Conflict,
    Full,
    Header,
    Limits,
    News,
    Place,
    Request,
    Stored,
    StoredAnswer,
    TimedOut,
    TurnTime,
    Wanted,
)
from server.stores.words import answer_text, bot_text, read_answer_text, summary_values

_NEWS_SECONDS = 0.05
_OUT_OF_TIME_AT_ONCE = 100  # tables
_FORGOTTEN_AT_ONCE = 20  # tables; others write in between
_TICK_SECONDS = 5.0  # so often it is written that time goes
_STOPPED_SECONDS = 15.0  # without that nobody served


class SqliteTables:
    """See `Store`."""

    def __init__(self, file: SqliteFile, steady: Callable[[], float] = time.monotonic) -> None:
        """The steady clock is one that nobody can set, the same for all processes of the machine."""
        self.file = file
        self.steady = steady
        self._room = Room()
        self._retired = False
        self._seen: int | None = None  # the revision up to which news was told
        self._version = -1  # of the file, as others changed it

    async def create(self, header: Header, change: Change, limits: Limits) -> int:
        return await self.file.do(self._create, header, change, limits)

    async def write(self, table: str, revision: int, change: Change) -> int:
        return await self.file.do(self._write, table, revision, change)

    async def read(self, table: str, first: int) -> Stored | None:
        return await self.file.do(self._read, table, first)

    async def answer(self, table: str, seat: int, request_id: str) -> StoredAnswer | None:
        return await self.file.do(self._answer, table, seat, request_id)

    async def listed(self, wanted: Wanted, after: Place | None, count: int) -> Sequence[Stored]:
        return await self.file.do(self._listed, wanted, after, count)

    async def claim_bots(self, idle_seconds: float, most: int) -> Sequence[str]:
        return await self.file.do(self._claim_bots, idle_seconds, most)

    def retire(self) -> None:
        self._retired = True

    async def hand_over_bots(self) -> None:
        sql = "UPDATE tables SET bots_at = '' WHERE bot_due AND bots_at = ?"
        await self.file.do(self._rows, sql, self.file.processes.me)

    async def out_of_time(self) -> Sequence[tuple[str, int]]:
        return await self.file.do(self._out_of_time)

    async def under_way(self) -> int:
        rows = await self.file.do(self._rows, "SELECT count(*) FROM tables WHERE waiting <> 'over'")
        return int(rows[0][0])

    async def clock(self) -> float:
        return time.time()

    async def delete(self, table: str) -> None:
        await self.file.do(self._delete, table)

    async def forget(self, limits: Limits) -> int:
        now = await self.clock()
        return await self.file.do(self._forget, limits, now)

    async def news(self) -> Sequence[News] | None:
        await asyncio.sleep(_NEWS_SECONDS)
        return await self.file.do(self._news)

    # ---- In the thread

    @property
    def _me(self) -> str:
        """Who lets bots play where this process writes; nobody once it is retired."""
        return "" if self._retired else self.file.processes.me

    def _rows(self, sql: str, *values: Any, **named: Any) -> list[tuple[Any, ...]]:
        return self.file.rows(sql, *values, **named)

    def _create(self, header: Header, change: Change, limits: Limits) -> int:
        if not self._room.known(header.owner, limits):
            self._find_room(header.owner, limits)  # others need not wait for this
        with self.file.transaction("IMMEDIATE"):
            revision, now = self.file.next_revision(), time.time()
            self._rows(
                f"INSERT INTO tables ({sqlite_rows.NEW}) VALUES ({', '.join('?' * 28)})",  # noqa: S608
                *sqlite_rows.header_values(header), header.owner, len(change.seats),
                *summary_values(change.summary), revision, now, len(change.events),
                change.turn.begun, self._turn_ends(change.turn), self._me, now,
            )  # fmt: skip
            self._add(header.table, change, revision)
        self._room.made(header.owner)
        return revision

    def _find_room(self, owner: str, limits: Limits) -> None:
        """Full if there is none."""
        own: int = self._rows("SELECT count(*) FROM tables WHERE owner = ?", owner)[0][0]
        if own >= limits.of_owner:
            raise Full(True, self._until_room(limits, "tables_owner", "owner = ?", owner))
        tables: int = self._rows("SELECT count(*) FROM tables")[0][0]
        if tables >= limits.tables:
            raise Full(False, self._until_room(limits, "tables"))
        self._room.counted(owner, own, tables)

    def _until_room(self, limits: Limits, index: str, where: str = "true", *values: Any) -> float:
        """Seconds until one of these tables is deleted, as far as can be said now."""
        # SQLite would go through all tables by their time until it comes to one of this owner.
        sql = f"SELECT min(written) FROM tables INDEXED BY {{}} WHERE {where}"  # noqa: S608
        written: float = self._rows(sql.format(f"{index}_written"), *values)[0][0]
        sql += " AND waiting IS NULL"
        not_begun: float | None = self._rows(sql.format(f"{index}_not_begun"), *values)[0][0]
        soonest = written + limits.idle_seconds
        if not_begun is not None:
            soonest = min(soonest, not_begun + limits.before_begin)
        return max(1.0, soonest - time.time())

    def _write(self, table: str, revision: int, change: Change) -> int:
        with self.file.transaction("IMMEDIATE"):
            newest = self.file.next_revision()
            updated = self.file.db.execute(
                "UPDATE tables SET waiting = ?, phase = ?, due = ?, free = ?, bot_due = ?, "
                "revision = ?, written = ?, count = ?, turn_begun = ?, "
                "turn_ends = CASE WHEN ? THEN turn_ends ELSE ? END, "
                "bots_at = CASE WHEN ? THEN bots_at ELSE ? END, bots_since = CASE WHEN ? THEN bots_since ELSE ? END "
                "WHERE id = ? AND revision = ?",
                (
                    *summary_values(change.summary),
                    newest, time.time(), change.first + len(change.events),
                    change.turn.begun, change.turn.goes_on, self._turn_ends(change.turn),
                    change.bot_goes_on, self._me, change.bot_goes_on, time.time(), table, revision,
                ),
            )  # fmt: skip
            if updated.rowcount != 1 or self._carried_out(table, change.request):
                raise Conflict
            self._add(table, change, newest)
        return newest

    # Times of turns are kept in seconds served: a number that grows while processes serve, and tell so every few
    # seconds. So nobody loses time while the server is stopped, or by a clock that is set.

    def _served(self) -> float:
        seconds, at = self._rows("SELECT seconds, at FROM served")[0]
        since = self.steady() - at
        return float(seconds + (since if 0 <= since <= _STOPPED_SECONDS else 0.0))

    def _tick(self) -> float:
        """Tell that time goes, in a transaction; so many seconds were served."""
        served = self._served()
        self._rows("UPDATE served SET seconds = ?, at = ?", served, self.steady())
        return served

    def _turn_ends(self, turn: TurnTime) -> float | None:
        return None if turn.seconds is None else self._tick() + turn.seconds

    def _out_of_time(self) -> list[tuple[Any, ...]]:
        if not self._rows("SELECT 1 FROM tables WHERE turn_ends IS NOT NULL LIMIT 1"):
            return []  # as where nobody agreed on any; then nothing is written
        if abs(self.steady() - self._rows("SELECT at FROM served")[0][0]) >= _TICK_SECONDS:
            with self.file.transaction("IMMEDIATE"):
                self._tick()
        sql = "SELECT id, revision FROM tables WHERE turn_ends <= ? AND NOT bot_due ORDER BY turn_ends LIMIT ?"
        return self._rows(sql, self._served(), _OUT_OF_TIME_AT_ONCE)

    def _carried_out(self, table: str, request: Request | None) -> bool:
        return request is not None and self._answer(table, request.seat, request.request_id) is not None

    def _answer(self, table: str, seat: int, request_id: str) -> StoredAnswer | None:
        sql = "SELECT answer FROM requests WHERE table_id = ? AND seat = ? AND request_id = ?"
        rows = self._rows(sql, table, seat, request_id)
        return read_answer_text(rows[0][0]) if rows else None

    def _forget(self, limits: Limits, now: float) -> int:
        old, games = self._old(limits, now)
        if not old and not games:
            return 0  # as nearly always; others need not wait for this to be found out
        with self.file.transaction("IMMEDIATE"):
            old, games = self._old(limits, now)
            for table in old:
                self._remove(table)
            for table in games:
                self._rows("DELETE FROM games WHERE id = ?", table)
            for table in {*old, *games}:
                self._forget_people(table)
        return len(old)

    def _old(self, limits: Limits, now: float) -> tuple[list[str], list[str]]:
        """Live tables, and games that are over, whose time is up; some of them."""
        tables = self._rows(
            "SELECT id FROM tables WHERE written < :idle "
            "UNION SELECT id FROM tables WHERE waiting IS NULL AND written < :before_begin "
            "UNION SELECT id FROM tables WHERE waiting = 'over' AND written < :after_end "
            "AND EXISTS (SELECT * FROM games WHERE games.id = tables.id) LIMIT :most",
            idle=now - limits.idle_seconds,
            before_begin=now - limits.before_begin,
            after_end=now - limits.after_end,
            most=_FORGOTTEN_AT_ONCE,
        )
        games = self._rows(
            "SELECT id FROM games WHERE ended < :ended "
            "UNION SELECT id FROM games WHERE number <= (SELECT max(number) FROM games) - :records LIMIT :most",
            ended=now - limits.record_seconds,
            records=limits.records,
            most=_FORGOTTEN_AT_ONCE,
        )
        return [row[0] for row in tables], [row[0] for row in games]

    def _delete(self, table: str) -> None:
        with self.file.transaction("IMMEDIATE"):
            self._remove(table)
            self._rows("DELETE FROM games WHERE id = ?", table)
            self._forget_people(table)

    def _remove(self, table: str) -> None:
        """The live table."""
        for name in ("timed_out", "requests", "events", "seats"):
            self._rows(f"DELETE FROM {name} WHERE table_id = ?", table)  # noqa: S608
        self._rows("DELETE FROM tables WHERE id = ?", table)

    def _forget_people(self, table: str) -> None:
        """Unless there is something left of what they played."""
        left = "SELECT id FROM tables WHERE id = :table UNION ALL SELECT id FROM games WHERE id = :table"
        self._rows(f"DELETE FROM people WHERE table_id = :table AND NOT EXISTS ({left})", table=table)  # noqa: S608

    def _add(self, table: str, change: Change, revision: int) -> None:
        self.file.db.executemany(
            "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(table, s.seat, s.player, s.name, s.token, s.bot and bot_text(s.bot), s.account) for s in change.seats],
        )
        if change.people is not None:
            self._rows("DELETE FROM people WHERE table_id = ?", table)
            self.file.db.executemany(
                "INSERT INTO people SELECT ?, created, id FROM tables WHERE id = ?",
                [(account, table) for account in change.people],
            )
        if change.finished is not None:
            sqlite_rows.keep(self.file.db, change.finished, revision, time.time())
        self.file.db.executemany(
            "INSERT INTO events VALUES (?, ?, ?)",
            [(table, number, data) for number, data in enumerate(change.events, change.first)],
        )
        self.file.db.executemany(
            "INSERT INTO timed_out VALUES (?, ?, ?)", [(table, out.events, out.seat) for out in change.timed_out]
        )
        match change.request:
            case Request(seat, request_id, answer):
                self._rows("INSERT INTO requests VALUES (?, ?, ?, ?)", table, seat, request_id, answer_text(answer))

    def _read(self, table: str, first: int) -> Stored | None:
        with self.file.transaction("DEFERRED"):  # all of it as at one moment
            found = self._live("FROM tables t WHERE t.id = ?", table)
            if not found:
                over = sqlite_rows.kept(self.file.db, "t.id = ?", (table,))
                return replace(over[0], events=over[0].events[first:]) if over else None
            sql = "SELECT data FROM events WHERE table_id = ? AND number >= ? ORDER BY number"
            events = tuple(row[0] for row in self._rows(sql, table, first))
            if found[0].header.clock is None:
                return replace(found[0], events=events)
            sql = "SELECT events, seat FROM timed_out WHERE table_id = ? ORDER BY events"
            timed_out = tuple(TimedOut(*row) for row in self._rows(sql, table))
        return replace(found[0], events=events, timed_out=timed_out)

    def _listed(self, wanted: Wanted, after: Place | None, count: int) -> Sequence[Stored]:
        values = shelves.values(wanted, after, count)
        found: list[Stored] = []
        with self.file.transaction("DEFERRED"):
            for shelf in shelves.shelves(wanted, after, ":{}".format):
                rest = f"{shelf.where} ORDER BY {shelf.order} LIMIT :count"
                if shelf.over:
                    found += sqlite_rows.kept(self.file.db, rest, values, shelf.source, events=False)
                else:
                    found += self._live(f"FROM {shelf.source} WHERE {rest}", **values)
        return shelves.newest(found, count)

    def _live(self, rest: str, *values: Any, **named: Any) -> list[Stored]:
        columns = ", ".join(f"t.{name}" for name in sqlite_rows.LIVE.split(", "))
        rows = self._rows(f"SELECT {columns} {rest}", *values, **named)
        return [sqlite_rows.live(self.file.db, row, self._served) for row in rows]

    def _claim_bots(self, idle_seconds: float, most: int) -> list[str]:
        found = self._rows("SELECT DISTINCT bots_at FROM tables WHERE bot_due")
        gone = [name for (name,) in found if not self.file.processes.alive(name)]
        where = f"bot_due AND (bots_at IN ({', '.join('?' * len(gone))}) OR bots_since <= ?)"
        values = (*gone, time.time() - idle_seconds)
        if not self._rows(f"SELECT 1 FROM tables WHERE {where} LIMIT 1", *values):  # noqa: S608
            return []  # as nearly always; others need not wait for this to be found out
        with self.file.transaction("IMMEDIATE"):
            sql = f"SELECT id FROM tables WHERE {where} ORDER BY bots_since LIMIT ?"  # noqa: S608
            claimed: list[str] = [row[0] for row in self._rows(sql, *values, most)]
            self.file.db.executemany(
                "UPDATE tables SET bots_at = ?, bots_since = ? WHERE id = ?",
                [(self._me, time.time(), table) for table in claimed],
            )
        return claimed

    def _news(self) -> list[News] | None:
        version = self._rows("PRAGMA data_version")[0][0]  # changes when another connection has written
        if version == self._version:
            return []
        self._version = version
        if self._seen is None:
            self._seen = self.file.newest_revision()
            return None
        found = self._rows("SELECT id, revision FROM tables WHERE revision > ? ORDER BY revision", self._seen)
        self._seen = max([self._seen, *(row[1] for row in found)])
        return [News(*row) for row in found]
