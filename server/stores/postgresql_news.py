# May know: basics.
"""What servers that share PostgreSQL tell each other, and which of them are alive.

Each has one connection of its own, which goes directly to PostgreSQL, for NOTIFY; as long as it is there, so is a lock
that says that the process is alive. What is told is told after it was written, in one go with what else there is: told
within the transaction, PostgreSQL would write one transaction after the other (docs/decisions.md).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any

import psycopg
import structlog

from server.basics.refusals import StoreUnavailable
from server.stores.postgresql_patience import patience
from server.stores.tables import News

log = structlog.get_logger()

CHANNEL = "saloon"
_MOST_BYTES = 7500  # PostgreSQL takes 8000
_MOST_HEARD = 10_000  # tables
_QUIET_SECONDS = 10.0  # after which the connection is asked whether it is there: who listens sends nothing
_ANSWER_SECONDS = 5.0
_AGAIN_SECONDS = 0.2  # between two attempts to connect, at first
_MOST_AGAIN_SECONDS = 2.0
_RETURN_SECONDS = 3.0  # for which others that lost their connections, too, may come back before they count as gone
_LIVES = 0x5A100  # the first number of the locks that say who is alive; the second is the process's
# The machine of a process that is gone may not say so; then PostgreSQL finds out in this time.
_SETTINGS = "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
ALIVE = f"""
    SELECT objid::text AS name FROM pg_locks WHERE locktype = 'advisory' AND classid = {_LIVES} AND objsubid = 2
    AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""  # noqa: S608

Rows = Callable[[str, Mapping[str, Any]], Awaitable[list[tuple[Any, ...]]]]


class Listening:
    """The connection of its own."""

    def __init__(self, parameters: Mapping[str, Any], rows: Rows) -> None:
        self._parameters = {**parameters, "application_name": "saloon news"}
        self._rows = rows
        self._heard: dict[str, News] | None = {}  # None: who knows
        self._hears = asyncio.Event()
        self._to_tell: dict[str, int] = {}
        self._something = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._settled = inf  # when
        self.me = ""

    async def open(self) -> None:
        """psycopg.Error or StoreUnavailable if that fails."""
        ((number,),) = await self._rows("SELECT nextval('saloon.processes')", {})
        self.me = str(number)
        connection = await self._connect()
        self._settled = 0.0
        self._tasks = [asyncio.create_task(self._listen(connection)), asyncio.create_task(self._tell())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    @property
    def settled(self) -> bool:
        """Whether it can be said who is alive: not when all were just cut off and are about to come back."""
        return monotonic() > self._settled

    def tell(self, table: str, revision: int) -> None:
        """That the table was written."""
        self._to_tell[table] = revision
        self._something.set()

    def missed(self) -> None:
        """Somebody may have written and not have told."""
        self._heard = None
        self._hears.set()

    async def hear(self) -> Sequence[News] | None:
        """As `Store.news`."""
        await self._hears.wait()
        self._hears.clear()
        heard, self._heard = self._heard, {}
        return None if heard is None else list(heard.values())

    # ---- Tasks

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        connection = await psycopg.AsyncConnection.connect(**self._parameters, autocommit=True, prepare_threshold=None)
        try:
            with patience(connection, _ANSWER_SECONDS):
                # Over TCP alone; of a Unix socket nobody is gone without a word.
                await connection.execute(_SETTINGS)
                await connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", [_LIVES, int(self.me)])
                await connection.execute(f"LISTEN {CHANNEL}")
        except BaseException:
            await connection.close()
            raise
        return connection

    async def _listen(self, connection: psycopg.AsyncConnection[Any]) -> None:
        while True:
            try:
                async with connection:
                    while True:
                        async for notify in connection.notifies(timeout=_QUIET_SECONDS):
                            self._hear(_read(notify.payload))
                        with patience(connection, _ANSWER_SECONDS):
                            await connection.execute("")
            except psycopg.Error as error:
                log.error("no news of tables", reason=" ".join(str(error).split()))
            self._settled = inf
            connection = await self._again()
            self._settled = monotonic() + _RETURN_SECONDS
            self.missed()
            log.info("news of tables again")

    def _hear(self, news: Sequence[News]) -> None:
        if self._heard is not None:
            self._heard.update((one.table, one) for one in news)
            if len(self._heard) > _MOST_HEARD:  # nobody has asked for long
                self._heard = None
        self._hears.set()

    async def _again(self) -> psycopg.AsyncConnection[Any]:
        seconds = _AGAIN_SECONDS
        while True:
            with suppress(psycopg.Error):
                return await self._connect()
            await asyncio.sleep(seconds)
            seconds = min(_MOST_AGAIN_SECONDS, 2 * seconds)

    async def _tell(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            while self._to_tell:
                news = _first(self._to_tell)
                values = {"channel": CHANNEL, "words": " ".join(news.values())}
                try:
                    await self._rows("SELECT pg_notify(%(channel)s, %(words)s)", values)
                except StoreUnavailable:
                    await asyncio.sleep(_AGAIN_SECONDS)
                    continue
                self._to_tell = {
                    table: at for table, at in self._to_tell.items() if news_word(table, at) != news.get(table)
                }


def _first(to_tell: Mapping[str, int]) -> dict[str, str]:
    """As much of it as fits."""
    found: dict[str, str] = {}
    size = 0
    for table, revision in to_tell.items():
        word = news_word(table, revision)
        size += len(word) + 1
        if size > _MOST_BYTES:
            break
        found[table] = word
    return found


def news_word(table: str, revision: int) -> str:
    return f"{table} {revision}"


def _read(payload: str) -> list[News]:
    words = payload.split()
    return [News(table, int(revision)) for table, revision in zip(words[::2], words[1::2], strict=True)]
