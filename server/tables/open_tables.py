"""The hosted tables of one process: those in use are in memory, all are in the store, and the store is right.

Every call looks at the store first, which costs one look at an index, so that it sees what other processes did. Those
who wait for news are told at once of what happens in this process, and within moments of what happens in others.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

import structlog
from grpc import StatusCode

from server.calls.refusals import Refused, exhausted
from server.process.metrics import Metrics
from server.process.settings import Settings
from server.tables.store import Full, Request, Store
from server.tables.table import Table, read_again
from server.tables.wall_clock import WallClock
from wire.reading import Reader

T = TypeVar("T")
log = structlog.get_logger()

_IDLE = 1000  # tables kept in memory though nobody uses them
_NEWS_SECONDS = 0.05
_COUNT_SECONDS = 5.0
_FULL_SECONDS = 60.0


class Place:
    """Where a table is in memory: its newest state known, who uses it, and who waits for news of it."""

    def __init__(self, table_id: str) -> None:
        self.id = table_id
        self.lock = asyncio.Lock()  # held while the table is read anew or written
        self.users = 0
        self.news = asyncio.Event()  # another one after each piece of news
        self.known: Table | None = None

    @property
    def table(self) -> Table:
        assert self.known is not None
        return self.known

    def put(self, table: Table) -> None:
        """The table has changed."""
        self.known = table
        self.tell()

    def tell(self) -> None:
        """Wake all who wait."""
        self.news.set()
        self.news = asyncio.Event()


class Hosting:
    """All tables."""

    def __init__(self, reader: Reader, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.reader = reader
        self.settings = settings
        self.store = store
        self.metrics = metrics
        self.places: dict[str, Place] = {}  # those not used for longest come first
        self.used = 0  # tables in use, as often as they are
        self.draining = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._watches: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """ConfigError if the store cannot be opened."""
        await self.store.open()
        self._watches = [asyncio.create_task(self._hear()), asyncio.create_task(self._tidy())]

    def drain(self) -> None:
        """Let all who wait for news go."""
        self.draining = True
        for place in self.places.values():
            place.tell()

    async def close(self) -> None:
        """Nothing is written afterwards; what was begun is written before."""
        self.drain()
        for task in self._watches:
            task.cancel()
        await asyncio.gather(*self._watches, *self._tasks, return_exceptions=True)
        await self.store.close()

    # ---- Tables in memory

    @asynccontextmanager
    async def using(self, table_id: str) -> AsyncIterator[Place]:
        """A table, as it is stored now; it stays in memory until the block ends. NOT_FOUND if there is none."""
        place = self.places.pop(table_id, None) or Place(table_id)
        self.places[table_id] = place
        place.users += 1
        self.used += 1
        try:
            async with place.lock:
                await self.renew(place)
            yield place
        finally:
            place.users -= 1
            self.used -= 1
            if place.users == 0:
                self._forget(place)

    def _forget(self, unused: Place) -> None:
        if unused.known is None:
            del self.places[unused.id]
        elif len(self.places) > _IDLE:
            for place in list(self.places.values())[: len(self.places) - _IDLE]:
                if place.users == 0:
                    del self.places[place.id]

    async def renew(self, place: Place) -> None:
        """Read what others have written; whoever calls holds the lock. NOT_FOUND if there is no such table."""
        known = place.known
        stored = await self.store.read(place.id, 0 if known is None else len(known.history))
        if stored is None:
            raise Refused(StatusCode.NOT_FOUND, "there is no such table")
        if known is None or stored.revision != known.revision:
            place.put(read_again(stored, known, self.reader))

    # ---- Changes

    async def create(self, table: Table) -> Place:
        """A new table."""
        change = table.change_from(None)
        try:
            revision = await self.store.create(table.header, change, self.settings.max_tables)
        except Full:
            text = f"there are as many tables as this server keeps: {self.settings.max_tables}"
            raise exhausted(text, _FULL_SECONDS) from None
        self.metrics.events.inc(len(change.events))
        place = self.places[table.header.table] = Place(table.header.table)
        place.put(replace(table, revision=revision))
        return place

    async def commit(self, place: Place, table: Table, request: Request | None = None) -> None:
        """Write what has become of the table; whoever calls holds the lock. Conflict if another process was faster."""
        change = table.change_from(place.table, request)
        revision = await self.store.write(place.id, place.table.revision, change)
        self.metrics.events.inc(len(change.events))
        place.put(replace(table, revision=revision))

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it to its end even if whoever asked for it goes away: memory never is behind what was written."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    # ---- News

    async def _hear(self) -> None:
        while True:
            await asyncio.sleep(_NEWS_SECONDS)
            if self.used:
                try:
                    for table_id in await self.store.news():
                        await self._hear_of(table_id)
                except Exception as error:
                    log.error("no news of tables", exc_info=error)
                    await asyncio.sleep(1)

    async def _hear_of(self, table_id: str) -> None:
        place = self.places.get(table_id)
        if place is None or place.users == 0 or place.known is None:
            return
        async with place.lock:
            try:
                await self.renew(place)
            except Exception as error:
                log.error("table not read", table=table_id, exc_info=error)

    async def _tidy(self) -> None:
        clock = WallClock()  # what was written when is known by that clock alone
        while True:
            try:
                self.metrics.tables.set(await self.store.under_way())
                if clock.believed():
                    forgotten = await self.store.forget(self.settings.table_days * 86_400)
                    if forgotten:
                        log.info("old tables deleted", tables=forgotten)
            except Exception as error:
                log.error("tables not counted or tidied", exc_info=error)
            await asyncio.sleep(_COUNT_SECONDS)
