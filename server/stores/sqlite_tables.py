# May know: basics.
"""Hosted tables in a SQLite file."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from server.stores.sqlite import SqliteFile
from server.stores.tables import (
    Access,
    Change,
    Conflict,
    Full,
    Header,
    Limits,
    News,
    Request,
    SeatRow,
    Status,
    Stored,
    StoredAnswer,
    Summary,
    TimedOut,
    TurnTime,
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

_NEWS_SECONDS = 0.05
_OUT_OF_TIME_AT_ONCE = 100  # tables
_FORGOTTEN_AT_ONCE = 20  # tables; others write in between
_TICK_SECONDS = 5.0  # so often it is written that time goes
_STOPPED_SECONDS = 15.0  # without that nobody served
_HEADER = (
    "id, game, options, components, access, invitation, host, seed, stream, luck, created, owner, clock, host_may_know"
)
_SUMMARY = "waiting, phase, due, free, bot_due"


class SqliteTables:
    """See `Store`."""

    def __init__(self, file: SqliteFile, steady: Callable[[], float] = time.monotonic) -> None:
        """The steady clock is one that nobody can set, the same for all processes of the machine."""
        self.file = file
        self.steady = steady
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

    async def listed(self, access: Access, before: int | None, count: int, only_free: bool) -> Sequence[Stored]:
        return await self.file.do(self._listed, access, before, count, only_free)

    async def claim_bots(self, idle_seconds: float, most: int) -> Sequence[str]:
        return await self.file.do(self._claim_bots, idle_seconds, most)

    def retire(self) -> None:
        self._retired = True

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
        return await self.file.do(self._forget, now - limits.idle_seconds, now - limits.before_begin)

    async def news(self) -> Sequence[News] | None:
        await asyncio.sleep(_NEWS_SECONDS)
        return await self.file.do(self._news)

    # ---- In the thread

    @property
    def _me(self) -> str:
        """Who lets bots play where this process writes; nobody once it is retired."""
        return "" if self._retired else self.file.processes.me

    def _rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.file.rows(sql, *values)

    def _newest(self) -> int:
        return int(self._rows("SELECT revision FROM newest")[0][0])

    def _next_revision(self) -> int:
        revision = self._newest() + 1
        self._rows("UPDATE newest SET revision = ?", revision)
        return revision

    def _create(self, header: Header, change: Change, limits: Limits) -> int:
        h = header
        self._find_room(h.owner, limits)  # others need not wait for this to be refused
        with self.file.transaction("IMMEDIATE"):
            self._find_room(h.owner, limits)
            revision = self._next_revision()
            self._rows(
                f"INSERT INTO tables ({_HEADER}, {_SUMMARY}, revision, written, count, turn_begun, turn_ends, "  # noqa: S608
                f"bots_at, bots_since) VALUES ({', '.join('?' * 26)})",
                h.table, h.game, h.options, h.components, h.access, h.invitation, h.host,
                None if h.seed is None else str(h.seed), str(h.stream), str(h.luck), h.created, h.owner,
                h.clock and clock_text(h.clock), h.host_may_know,
                *summary_values(change.summary), revision, time.time(), len(change.events),
                change.turn.begun, self._turn_ends(change.turn), self._me, time.time(),
            )  # fmt: skip
            self._add(header.table, change)
        return revision

    def _find_room(self, owner: str, limits: Limits) -> None:
        """Full if there is none."""
        if self._rows("SELECT count(*) FROM tables WHERE owner = ?", owner)[0][0] >= limits.of_owner:
            raise Full(True, self._until_room(limits, "tables_owner", "owner = ?", owner))
        if self._rows("SELECT count(*) FROM tables")[0][0] >= limits.tables:
            raise Full(False, self._until_room(limits, "tables"))

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
            newest = self._next_revision()
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
            self._add(table, change)
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

    def _forget(self, before: float, not_begun_before: float) -> int:
        sql = (
            "SELECT id FROM tables WHERE written < ? UNION SELECT id FROM tables WHERE waiting IS NULL AND written < ? "
            "LIMIT ?"
        )
        if not self._rows(sql, before, not_begun_before, 1):
            return 0  # as nearly always; others need not wait for this to be found out
        with self.file.transaction("IMMEDIATE"):
            old = [row[0] for row in self._rows(sql, before, not_begun_before, _FORGOTTEN_AT_ONCE)]
            for table in old:
                self._remove(table)
        return len(old)

    def _delete(self, table: str) -> None:
        with self.file.transaction("IMMEDIATE"):
            self._remove(table)

    def _remove(self, table: str) -> None:
        for name in ("timed_out", "requests", "events", "seats"):
            self._rows(f"DELETE FROM {name} WHERE table_id = ?", table)  # noqa: S608
        self._rows("DELETE FROM tables WHERE id = ?", table)

    def _add(self, table: str, change: Change) -> None:
        self.file.db.executemany(
            "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?)",
            [(table, s.seat, s.player, s.name, s.token, s.bot and bot_text(s.bot)) for s in change.seats],
        )
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
            found = self._stored("id = ?", table)
            if not found:
                return None
            sql = "SELECT data FROM events WHERE table_id = ? AND number >= ? ORDER BY number"
            events = tuple(row[0] for row in self._rows(sql, table, first))
            if found[0].header.clock is None:
                return replace(found[0], events=events)
            sql = "SELECT events, seat FROM timed_out WHERE table_id = ? ORDER BY events"
            timed_out = tuple(TimedOut(*row) for row in self._rows(sql, table))
        return replace(found[0], events=events, timed_out=timed_out)

    def _listed(self, access: Access, before: int | None, count: int, only_free: bool) -> list[Stored]:
        where = "access = ?"
        values: list[Any] = [access]
        if only_free:
            where += " AND free > 0"
        if before is not None:
            where += " AND number < ?"
            values.append(before)
        with self.file.transaction("DEFERRED"):
            return self._stored(f"{where} ORDER BY number DESC LIMIT ?", *values, count)

    def _stored(self, where: str, *values: Any) -> list[Stored]:
        columns = f"{_HEADER}, {_SUMMARY}, revision, count, number, turn_begun, turn_ends"
        return [self._from_row(row) for row in self._rows(f"SELECT {columns} FROM tables WHERE {where}", *values)]  # noqa: S608

    def _from_row(self, row: tuple[Any, ...]) -> Stored:
        (
            table,
            game,
            options,
            components,
            access,
            invitation,
            host,
            seed,
            stream,
            luck,
            created,
            owner,
            clock,
            known_seed,
        ) = row[:14]
        header = Header(
            table, game, options, components, access, invitation, host,
            None if seed is None else int(seed), int(stream), int(luck), created, owner,
            None if clock is None else read_clock_text(clock), bool(known_seed),
        )  # fmt: skip
        waiting, phase, due, free, bot_due, revision, count, number, turn_begun, turn_ends = row[14:]
        summary = Summary(None if waiting is None else Status(waiting, phase, due), free, bool(bot_due))
        sql = "SELECT seat, player, name, token, bot FROM seats WHERE table_id = ? ORDER BY seat"
        seats = tuple(
            SeatRow(seat, player, name, token, None if bot is None else read_bot_text(bot))
            for seat, player, name, token, bot in self._rows(sql, table)
        )
        time_left = None if turn_ends is None else max(0.0, turn_ends - self._served())
        return Stored(header, revision, summary, seats, count, number, turn_begun=turn_begun, time_left=time_left)

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
            self._seen = self._newest()
            return None
        found = self._rows("SELECT id, revision FROM tables WHERE revision > ? ORDER BY revision", self._seen)
        self._seen = max([self._seen, *(row[1] for row in found)])
        return [News(*row) for row in found]
