# May know: basics.
"""PostgreSQL, which servers on many machines may share.

Every statement is a transaction of its own, committed and on disk before it is acknowledged, and leaves nothing behind
at its connection: so a pooler in transaction mode may stand in between. Without one, statements that come again and
again are prepared. What needs a connection for itself is in `postgresql_news.py`.
"""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool

from server.basics.database import PostgresUrl
from server.basics.metrics import Metrics
from server.basics.refusals import StoreUnavailable
from server.basics.settings import ConfigError
from server.stores.postgresql_news import Listening
from server.stores.postgresql_patience import patience
from server.stores.postgresql_schema import bring_up_to_date, expect_newest

log = structlog.get_logger()

Row = tuple[Any, ...]
_ANSWER_SECONDS = 10.0  # that an answer may take
_LOST_SECONDS = 15.0  # after which a connection is ended that says nothing, not even that a statement was taken back
_CHECK_SECONDS = 5.0  # that one may take to say that it is there
_CONNECTION_SECONDS = 3.0  # that one waits for a connection
_OPEN_SECONDS = 10.0
_MOST_WAIT = 1000  # for a connection
_PREPARED_AFTER = 5  # times that a connection was asked a statement
# Unless the URL says otherwise: nobody waits long for a machine that is gone.
_DEFAULTS = {
    "application_name": "saloon",
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
# What may be over when it is tried again: the server is gone, full, shut down, or not the primary any more.
_UNAVAILABLE = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction)
# What was prepared at one connection was asked for at another.
_OTHER_CONNECTION = (psycopg.errors.DuplicatePreparedStatement, psycopg.errors.InvalidSqlStatementName)


class _Pool(AsyncConnectionPool[psycopg.AsyncConnection[Row]]):
    """Its own check would wait for ever for a connection that says nothing."""

    @staticmethod
    async def check_connection(conn: psycopg.AsyncConnection[Row]) -> None:
        with patience(conn, _CHECK_SECONDS):
            await AsyncConnectionPool.check_connection(conn)


class Postgres:
    """The database, and this process's way to it."""

    def __init__(
        self,
        url: PostgresUrl,
        direct: PostgresUrl | None = None,
        connections: int = 10,
        metrics: Metrics | None = None,
    ) -> None:
        """`direct` is where PostgreSQL itself is, if `url` is a pooler's."""
        # It says what it thinks in words for programmers, and in no order; what counts is told by us.
        logging.getLogger("psycopg").setLevel(logging.CRITICAL)
        self.url = url
        self._parameters = _parameters(url, "database")
        self._pool = _Pool(
            kwargs={
                **self._parameters,
                "autocommit": True,
                "prepare_threshold": _PREPARED_AFTER if direct is None else None,
            },
            min_size=1,
            max_size=connections,
            max_waiting=_MOST_WAIT,
            timeout=_CONNECTION_SECONDS,
            reconnect_timeout=5.0,
            open=False,
        )
        self.listening = Listening(_parameters(direct, "database_direct") if direct else self._parameters, self.rows)
        self.metrics = metrics or Metrics()
        self.metrics.store_waiting.set_function(lambda: self._pool.get_stats().get("requests_waiting", 0))
        self._beside: set[asyncio.Task[Any]] = set()

    async def open(self, *, as_it_is: bool = False) -> None:
        """ConfigError if that fails; as it is: also if it is of another version. Then no news are heard."""
        try:
            async with asyncio.timeout(_OPEN_SECONDS):
                connection = await psycopg.AsyncConnection[Row].connect(
                    **self._parameters, autocommit=True, prepare_threshold=None
                )
            async with connection:
                await (expect_newest(connection) if as_it_is else bring_up_to_date(connection))
            await self._pool.open()
            if not as_it_is:
                await self.listening.open()
        except (psycopg.Error, StoreUnavailable, TimeoutError) as error:
            await self.close()
            raise ConfigError(f"database: {self.url} cannot be used: {_reason(error)}") from None
        except ConfigError:
            await self.close()
            raise

    async def close(self) -> None:
        """Nothing is written afterwards."""
        await self.listening.close()
        await asyncio.gather(*self._beside, return_exceptions=True)
        await self._pool.close()

    async def rows(self, sql: str, values: Mapping[str, Any] | None = None, *, again: bool = False) -> list[Row]:
        """One statement, in one round trip. `again`: it may be done twice if a connection was lost over it."""
        try:
            return await self._in_time(self._rows(sql, values))
        except StoreUnavailable:
            self.metrics.store_failed.inc()
            if not again:
                raise
        return await self._in_time(self._rows(sql, values))

    async def _rows(self, sql: str, values: Mapping[str, Any] | None) -> list[Row]:
        try:
            async with self._pool.connection() as connection:
                with patience(connection, _LOST_SECONDS):
                    cursor = await connection.execute(sql, values)
                return await cursor.fetchall() if cursor.description else []
        except _UNAVAILABLE as error:
            self._look_at_connections()
            raise StoreUnavailable(_reason(error)) from None
        except _OTHER_CONNECTION as error:
            raise StoreUnavailable(f"{_reason(error)}: is a pooler in between? say so with --database-direct") from None

    async def _in_time(self, work: Any) -> list[Row]:
        """A task of its own: to take a statement back takes a while where nobody answers, for which nobody waits."""
        task = self._run(work)
        try:
            with self.metrics.store.time():
                done, _ = await asyncio.wait({task}, timeout=_ANSWER_SECONDS)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if not done:
            task.cancel()
            self._look_at_connections()
            raise StoreUnavailable(f"no answer within {_ANSWER_SECONDS:g} s")
        rows: list[Row] = task.result()
        return rows

    def _look_at_connections(self) -> None:
        """Where one is broken, others may be: they are looked at before they are used."""
        if not any(task.get_name() == "connections" for task in self._beside):
            self._run(self._pool.check(), "connections")

    def _run(self, work: Any, name: str | None = None) -> asyncio.Task[Any]:
        task = asyncio.create_task(work, name=name)
        self._beside.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._beside.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited for it was told


def _parameters(url: PostgresUrl, name: str) -> dict[str, Any]:
    """As libpq knows them; ConfigError says nothing of what came, which may be a password."""
    try:
        return {**_DEFAULTS, **conninfo_to_dict(url.secret)}
    except psycopg.Error:
        raise ConfigError(f"{name}: expected a URL that libpq understands; special characters as %40") from None


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
