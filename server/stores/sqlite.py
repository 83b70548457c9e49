# May know: basics.
"""One SQLite file, which several processes of a machine may share.

All of a process goes through one connection in one thread, so that the event loop never waits for the disk. A write is
one transaction, in the write-ahead log and on disk (synchronous=FULL) before it is acknowledged.
"""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import structlog

from server.basics.metrics import Metrics
from server.basics.refusals import StoreUnavailable
from server.basics.settings import ConfigError
from server.stores.sqlite_processes import Processes
from server.stores.sqlite_schema import VERSION, bring_up_to_date, version_of

T = TypeVar("T")
log = structlog.get_logger()

_BUSY_SECONDS = 10.0
_MIGRATION_SECONDS = 3600.0  # another process may bring a large file up to date


class SqliteFile:
    """The file, and this process's way to it."""

    def __init__(self, path: Path, metrics: Metrics | None = None) -> None:
        self.path = path
        self.metrics = metrics or Metrics()
        self.processes = Processes(path)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._db: sqlite3.Connection | None = None

    @property
    def db(self) -> sqlite3.Connection:
        assert self._db is not None, "not open"
        return self._db

    async def open(self, *, as_it_is: bool = False) -> None:
        """ConfigError if that fails; as it is: also if it is not there, or of another version."""
        try:
            await self.do(self._open_as_it_is if as_it_is else self._open)
        except (StoreUnavailable, sqlite3.Error, OSError) as error:
            await self.close()
            raise ConfigError(f"database: {str(self.path)!r} cannot be used: {error}") from error
        except ConfigError:
            await self.close()
            raise

    async def close(self) -> None:
        """Nothing is written afterwards."""
        if self._db is not None:
            await self.do(self._db.close)
            self._db = None
        self.processes.end()
        self._thread.shutdown()

    async def do(self, work: Callable[..., T], *arguments: Any) -> T:
        """In the thread, where everything else here has to be called."""
        with self.metrics.store_waiting.track_inprogress(), self.metrics.store.time():
            try:
                return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)
            except sqlite3.OperationalError as error:  # no room, no lock, no file; what was begun has been rolled back
                self.metrics.store_failed.inc()
                raise StoreUnavailable(str(error)) from error

    # ---- In the thread

    def rows(self, sql: str, *values: Any, **named: Any) -> list[tuple[Any, ...]]:
        return self.db.execute(sql, named or values).fetchall()

    @contextmanager
    def transaction(self, kind: str) -> Iterator[None]:
        self.db.execute(f"BEGIN {kind}")
        try:
            yield
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            raise

    def newest_revision(self) -> int:
        """Of all tables."""
        return int(self.rows("SELECT revision FROM newest")[0][0])

    def next_revision(self) -> int:
        """For what is written in this transaction."""
        revision = self.newest_revision() + 1
        self.rows("UPDATE newest SET revision = ?", revision)
        return revision

    def _open(self) -> None:
        # It holds the seeds of running games: nobody else on the machine may read it, nor what SQLite puts beside.
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self.path.exists():
            self.path.touch(mode=0o600)
        elif self.path.is_file() and self.path.stat().st_uid == os.getuid():
            self.path.chmod(0o600)
        self._db = self._connect()
        self._use_log()
        self.rows("PRAGMA synchronous = FULL")
        self.rows("PRAGMA secure_delete = FAST")  # of names that were replaced nothing is left in their page
        self._bring_up_to_date(self._db)
        self.rows("PRAGMA foreign_keys = ON")
        self.processes.begin()

    def _open_as_it_is(self) -> None:
        if not self.path.is_file():
            raise ConfigError(
                f"database: expected a file that servers use, or a PostgreSQL URL, got {str(self.path)!r}"
            )
        self._db = self._connect()
        version = version_of(self._db)
        if version != VERSION:
            raise ConfigError(
                f"database: {str(self.path)!r} has version {version}, expected {VERSION}; a server of this version "
                "brings it up to date"
            )
        self.rows("PRAGMA synchronous = FULL")
        self.rows("PRAGMA foreign_keys = ON")

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)

    def _bring_up_to_date(self, db: sqlite3.Connection) -> None:
        """One process does it; others wait for it. ConfigError if a newer server wrote the file."""
        version = version_of(db)
        if 0 < version < VERSION:
            log.info("database is brought up to date", version=version, to=VERSION)
            self._wait_for_others(_MIGRATION_SECONDS)
        if version < VERSION:
            self.rows("PRAGMA foreign_keys = OFF")
            with self.transaction("IMMEDIATE"):
                bring_up_to_date(db)
            self._wait_for_others(_BUSY_SECONDS)
        if version_of(db) > VERSION:
            raise ConfigError(
                f"database: {str(self.path)!r} has version {version_of(db)}, this server knows {VERSION}; "
                "it belongs to a newer one"
            )

    def _wait_for_others(self, seconds: float) -> None:
        self.rows(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def _use_log(self) -> None:
        """A write-ahead log. Changing to it does not wait for others by itself, as all else does."""
        until = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self.rows("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.01)
