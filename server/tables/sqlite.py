"""Hosted tables in one SQLite file, which several processes may share.

All of a process goes through one connection in one thread, so that the event loop never waits for the disk. A write is
one transaction, in the write-ahead log and on disk (synchronous=FULL) before it is acknowledged.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from server.process.settings import ConfigError
from server.tables.store import Change, Conflict, Full, Header, Request, SeatRow, Standing, Stored, StoreUnavailable

T = TypeVar("T")
_VERSION = 1
_BUSY_SECONDS = 10.0
_FORGOTTEN_AT_ONCE = 20  # tables; others write in between
_SCHEMA = """
CREATE TABLE tables (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    options TEXT NOT NULL,
    components TEXT NOT NULL,
    access INTEGER NOT NULL,
    invitation BLOB,
    host BLOB NOT NULL,
    seed TEXT,                   -- integers of SQLite end at 2^63
    stream TEXT NOT NULL,
    luck TEXT NOT NULL,
    created INTEGER NOT NULL,
    revision INTEGER NOT NULL,   -- grows with every write to any table, so that news can be asked for
    written REAL NOT NULL,
    count INTEGER NOT NULL,
    status BLOB NOT NULL,
    free INTEGER NOT NULL,
    over INTEGER NOT NULL,
    bot_due INTEGER NOT NULL
);
CREATE UNIQUE INDEX tables_revision ON tables (revision);
CREATE INDEX tables_access ON tables (access, number);
CREATE INDEX tables_free ON tables (access, number) WHERE free > 0;
CREATE INDEX tables_written ON tables (written);
CREATE INDEX tables_bot_due ON tables (written) WHERE bot_due;
CREATE INDEX tables_under_way ON tables (number) WHERE free = 0 AND NOT over;
CREATE TABLE seats (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    player INTEGER NOT NULL,
    name TEXT NOT NULL,
    token BLOB,
    bot BLOB,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE TABLE events (
    table_id TEXT NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE requests (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    answer BLOB NOT NULL,
    PRIMARY KEY (table_id, seat, request_id)
) WITHOUT ROWID;
"""
_HEADER = "id, game, options, components, access, invitation, host, seed, stream, luck, created"
_STANDING = "status, free, over, bot_due"


class SqliteStore:
    """See `Store`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self.db: sqlite3.Connection | None = None
        self.seen = 0  # the revision up to which news was told
        self.version = -1  # of the file, as others changed it

    async def open(self) -> None:
        try:
            await self._do(self._open)
        except (StoreUnavailable, sqlite3.Error, OSError) as error:
            await self.close()
            raise ConfigError(f"database: {str(self.path)!r} cannot be used: {error}") from error
        except ConfigError:
            await self.close()
            raise

    async def create(self, header: Header, change: Change, most: int) -> int:
        return await self._do(self._create, header, change, most)

    async def write(self, table: str, revision: int, change: Change) -> int:
        return await self._do(self._write, table, revision, change)

    async def read(self, table: str, first: int) -> Stored | None:
        return await self._do(self._read, table, first)

    async def answer(self, table: str, seat: int, request_id: str) -> bytes | None:
        sql = "SELECT answer FROM requests WHERE table_id = ? AND seat = ? AND request_id = ?"
        rows = await self._do(self._rows, sql, table, seat, request_id)
        return rows[0][0] if rows else None

    async def listed(self, access: int, before: int | None, count: int, only_free: bool) -> Sequence[Stored]:
        return await self._do(self._listed, access, before, count, only_free)

    async def bots_due(self, idle_seconds: float) -> Sequence[str]:
        sql = "SELECT id FROM tables WHERE bot_due AND written <= ? ORDER BY written"
        return [row[0] for row in await self._do(self._rows, sql, time.time() - idle_seconds)]

    async def under_way(self) -> int:
        rows = await self._do(self._rows, "SELECT count(*) FROM tables WHERE free = 0 AND NOT over")
        return int(rows[0][0])

    async def forget(self, idle_seconds: float) -> int:
        return await self._do(self._forget, time.time() - idle_seconds)

    async def news(self) -> Sequence[str]:
        return await self._do(self._news)

    async def close(self) -> None:
        if self.db is not None:
            await self._do(self.db.close)
            self.db = None
        self.thread.shutdown()

    # ---- In the thread

    async def _do(self, work: Callable[..., T], *arguments: Any) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self.thread, work, *arguments)
        except sqlite3.OperationalError as error:  # no room, no lock, no file; what was begun has been rolled back
            raise StoreUnavailable(str(error)) from error

    def _rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        assert self.db is not None
        return self.db.execute(sql, values).fetchall()

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        self._use_log()
        for pragma in ("synchronous = FULL", "foreign_keys = ON"):
            self._rows(f"PRAGMA {pragma}")
        with self._transaction("IMMEDIATE"):
            version = self._rows("PRAGMA user_version")[0][0]
            if version > _VERSION:
                raise ConfigError(
                    f"database: {str(self.path)!r} has version {version}, this server knows {_VERSION}; "
                    "it belongs to a newer one"
                )
            if version == 0:
                for statement in _SCHEMA.split(";\n"):
                    self._rows(statement)
                self._rows(f"PRAGMA user_version = {_VERSION}")
        self.seen = self._newest()

    def _use_log(self) -> None:
        """A write-ahead log. Changing to it does not wait for others by itself, as all else does."""
        until = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._rows("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[None]:
        assert self.db is not None
        self.db.execute(f"BEGIN {kind}")
        try:
            yield
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            raise

    def _newest(self) -> int:
        return int(self._rows("SELECT coalesce(max(revision), 0) FROM tables")[0][0])

    def _create(self, header: Header, change: Change, most: int) -> int:
        h, standing = header, change.standing
        with self._transaction("IMMEDIATE"):
            if self._rows("SELECT count(*) FROM tables")[0][0] >= most:
                raise Full
            revision = self._newest() + 1
            self._rows(
                f"INSERT INTO tables ({_HEADER}, {_STANDING}, revision, written, count) "  # noqa: S608
                f"VALUES ({', '.join('?' * 18)})",
                h.table, h.game, h.options, h.components, h.access, h.invitation, h.host,
                None if h.seed is None else str(h.seed), str(h.stream), str(h.luck), h.created,
                *_plain(standing), revision, time.time(), len(change.events),
            )  # fmt: skip
            self._add(header.table, change)
        return revision

    def _write(self, table: str, revision: int, change: Change) -> int:
        with self._transaction("IMMEDIATE"):
            newest = self._newest() + 1
            assert self.db is not None
            updated = self.db.execute(
                "UPDATE tables SET status = ?, free = ?, over = ?, bot_due = ?, revision = ?, written = ?, count = ? "
                "WHERE id = ? AND revision = ?",
                (*_plain(change.standing), newest, time.time(), change.first + len(change.events), table, revision),
            )
            if updated.rowcount != 1:
                raise Conflict
            self._add(table, change)
        return newest

    def _forget(self, before: float) -> int:
        # The table written last stays, since the next revision follows its.
        sql = "SELECT id FROM tables WHERE written < ? AND revision < (SELECT max(revision) FROM tables) LIMIT ?"
        if not self._rows(sql, before, 1):
            return 0  # as nearly always; others need not wait for this to be found out
        with self._transaction("IMMEDIATE"):
            old = self._rows(sql, before, _FORGOTTEN_AT_ONCE)
            for name in ("requests", "events", "seats"):
                for row in old:
                    self._rows(f"DELETE FROM {name} WHERE table_id = ?", *row)  # noqa: S608
            for row in old:
                self._rows("DELETE FROM tables WHERE id = ?", *row)
        return len(old)

    def _add(self, table: str, change: Change) -> None:
        assert self.db is not None
        self.db.executemany(
            "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?)",
            [(table, s.seat, s.player, s.name, s.token, s.bot) for s in change.seats],
        )
        self.db.executemany(
            "INSERT INTO events VALUES (?, ?, ?)",
            [(table, number, data) for number, data in enumerate(change.events, change.first)],
        )
        match change.request:
            case Request(seat, request_id, answer):
                self._rows("INSERT INTO requests VALUES (?, ?, ?, ?)", table, seat, request_id, answer)

    def _read(self, table: str, first: int) -> Stored | None:
        with self._transaction("DEFERRED"):  # all of it as at one moment
            found = self._stored("id = ?", table)
            if not found:
                return None
            sql = "SELECT data FROM events WHERE table_id = ? AND number >= ? ORDER BY number"
            events = tuple(row[0] for row in self._rows(sql, table, first))
        s = found[0]
        return Stored(s.header, s.revision, s.standing, s.seats, s.count, s.number, events)

    def _listed(self, access: int, before: int | None, count: int, only_free: bool) -> list[Stored]:
        where, values = "access = ?", [access]
        if only_free:
            where += " AND free > 0"
        if before is not None:
            where += " AND number < ?"
            values.append(before)
        with self._transaction("DEFERRED"):
            return self._stored(f"{where} ORDER BY number DESC LIMIT ?", *values, count)

    def _stored(self, where: str, *values: Any) -> list[Stored]:
        sql = f"SELECT {_HEADER}, {_STANDING}, revision, count, number FROM tables WHERE {where}"  # noqa: S608
        return [self._from_row(row) for row in self._rows(sql, *values)]

    def _from_row(self, row: tuple[Any, ...]) -> Stored:
        table, game, options, components, access, invitation, host, seed, stream, luck, created = row[:11]
        known = None if seed is None else int(seed)
        header = Header(
            table, game, options, components, access, invitation, host, known, int(stream), int(luck), created
        )
        status, free, over, bot_due = row[11:15]
        sql = "SELECT seat, player, name, token, bot FROM seats WHERE table_id = ? ORDER BY seat"
        seats = tuple(SeatRow(*seat) for seat in self._rows(sql, header.table))
        return Stored(header, row[15], Standing(status, free, bool(over), bool(bot_due)), seats, row[16], row[17])

    def _news(self) -> list[str]:
        version = self._rows("PRAGMA data_version")[0][0]  # changes when another connection has written
        if version == self.version:
            return []
        self.version = version
        found = self._rows("SELECT id, revision FROM tables WHERE revision > ? ORDER BY revision", self.seen)
        self.seen = max([self.seen, *(row[1] for row in found)])
        return [row[0] for row in found]


def _plain(standing: Standing) -> tuple[bytes, int, bool, bool]:
    return standing.status, standing.free, standing.over, standing.bot_due
