# May know: basics, stores, wire.
"""The hosted tables of one process: those in use are in memory, all are in the store, and the store is right.

Whoever looks at a table looks at the store first, which costs one look at an index, so that it sees what other
processes did. Those who wait for news are told at once of what happens in this process, and within moments of what
happens in others. Nothing is written but by `OpenTables.change` and `create`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, TypeVar

import structlog

from server.basics import limits
from server.basics.metrics import Metrics
from server.basics.places import Places
from server.basics.refusals import NotFound, Overloaded
from server.basics.settings import Settings
from server.stores.tables import Change, Conflict, Full, Limits, Request, Store, StoredAnswer
from server.tables.table import Table, read_again
from server.tables.wall_clock import WallClock
from wire.reading import Reader

T = TypeVar("T")
log = structlog.get_logger()

_LONG = 100  # events
_IDLE = 1000  # tables kept in memory though nobody uses them
_TIDY_SECONDS = 5.0
_LOOK_SECONDS = 30.0


class OpenTable:
    """A table in memory: its newest state known, who uses it, and who waits for news of it."""

    def __init__(self, table_id: str) -> None:
        self.id = table_id
        self.lock = asyncio.Lock()  # held while the table is read anew or written
        self.users = 0
        self.news = asyncio.Event()  # another one after each piece of news
        self.known: Table | None = None
        self.watchers = Places(limits.WATCHES, limits.ALL_WATCHES)
        self.messages: dict[object, Any] = {}  # what watchers are told of its newest state, made once for all of them

    @property
    def table(self) -> Table:
        """NotFound if it has been deleted."""
        if self.known is None:
            raise no_such_table()
        return self.known

    def put(self, table: Table) -> None:
        """The table has changed."""
        self.known = table
        self.messages.clear()
        self.tell()

    async def wait(self, news: asyncio.Event) -> bool:
        """Wait for this piece of news; False if there was none for long."""
        try:
            await asyncio.wait_for(news.wait(), _LOOK_SECONDS)
        except TimeoutError:
            return False
        return True

    def tell(self) -> None:
        """Wake all who wait."""
        self.news.set()
        self.news = asyncio.Event()


@dataclass(frozen=True, slots=True)
class RequestName:
    """What a request is called so that it can be sent again: the seat's token, as it is kept, and a name of the
    client's own."""

    token: bytes
    request_id: str

    def carried_out(self, table: Table) -> Request | None:
        """To be remembered with the table that came of it."""
        seat = table.seat_with(self.token)
        return None if seat is None else Request(seat, self.request_id, table.answer)


@dataclass(frozen=True, slots=True)
class Changed:
    """What came of a change."""

    table: Table
    answer: StoredAnswer  # to a request with a name the one it was given first


class OpenTables:
    """All tables."""

    def __init__(
        self,
        reader: Reader,
        settings: Settings,
        store: Store,
        metrics: Metrics,
        bot_due: Callable[[str], None],
        *,
        clock: WallClock | None = None,
        steady: Callable[[], float] = monotonic,
        tidy_seconds: float = _TIDY_SECONDS,
        beside: Callable[..., Awaitable[Any]] = asyncio.to_thread,
    ) -> None:
        """`bot_due` is told of every table where a bot has to decide by a write of this process; `beside` does what
        takes long beside the event loop."""
        self.beside = beside
        self.steady = steady  # as the store's: by it times of turns are told
        self.clock = clock or WallClock()  # what was written when is known by that clock alone
        self.tidy_seconds = tidy_seconds
        self.reader = reader
        self.limits = Limits(
            tables=settings.max_tables,
            of_owner=settings.share_of(settings.max_tables),
            idle_seconds=settings.table_days * 86_400,
            before_begin=settings.lobby_hours * 3600,
            after_end=settings.over_hours * 3600,
            records=settings.max_records,
            record_seconds=settings.record_days * 86_400,
        )
        self.store = store
        self.metrics = metrics
        self.bot_due = bot_due
        self.in_memory: dict[str, OpenTable] = {}  # those not used for longest come first
        self.full: dict[str, tuple[float, float]] = {}  # until when an owner is refused, and when there will be room
        self.used = 0  # tables in use, as often as they are
        self._in_use = asyncio.Event()  # whether there are any
        self.draining = False
        self._changes: set[asyncio.Task[Any]] = set()
        self._watches: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """The store has to be open."""
        self._watches = [asyncio.create_task(self._hear()), asyncio.create_task(self._tidy())]

    def drain(self) -> None:
        """Let all who wait for news go, and bots play elsewhere."""
        self.draining = True
        self.store.retire()
        for open_table in self.in_memory.values():
            open_table.tell()

    async def settled(self) -> None:
        """What was begun to be written is."""
        await asyncio.gather(*self._changes, return_exceptions=True)

    async def close(self) -> None:
        """Nothing is written afterwards."""
        for task in self._watches:
            task.cancel()
        await asyncio.gather(*self._watches, return_exceptions=True)
        await self.settled()

    # ---- Tables in memory

    @asynccontextmanager
    async def using(self, table_id: str) -> AsyncIterator[OpenTable]:
        """A table, as it is stored now; it stays in memory until the block ends. NotFound if there is none."""
        async with self._keeping(table_id) as open_table:
            async with open_table.lock:
                await self._read(open_table)
            yield open_table

    @asynccontextmanager
    async def _keeping(self, table_id: str) -> AsyncIterator[OpenTable]:
        """The same, as far as it is known."""
        open_table = self.in_memory.pop(table_id, None) or OpenTable(table_id)
        self.in_memory[table_id] = open_table
        open_table.users += 1
        self.used += 1
        self._in_use.set()
        try:
            yield open_table
        finally:
            open_table.users -= 1
            self.used -= 1
            if self.used == 0:
                self._in_use.clear()
            if open_table.users == 0:
                self._forget(open_table)

    def _forget(self, unused: OpenTable) -> None:
        if unused.known is None:
            del self.in_memory[unused.id]
        elif len(self.in_memory) > _IDLE:
            for open_table in list(self.in_memory.values())[: len(self.in_memory) - _IDLE]:
                if open_table.users == 0:
                    del self.in_memory[open_table.id]

    async def look(self, open_table: OpenTable) -> None:
        """Whether it is still there; one that was deleted elsewhere makes no news. NotFound."""
        async with open_table.lock:
            await self._read(open_table)

    async def _read(self, open_table: OpenTable) -> None:
        """Read what others have written; whoever calls holds the lock. NotFound if there is no such table."""
        known = open_table.known
        stored = await self.store.read(open_table.id, 0 if known is None else len(known.history))
        if stored is None:
            open_table.known = None
            open_table.tell()
            raise no_such_table()
        if known is None or stored.revision != known.revision:
            if known is None or len(stored.events) > _LONG:  # rules to compile, or much to play
                table = await self.beside(read_again, stored, known, self.reader, self.steady())
            else:
                table = read_again(stored, known, self.reader, self.steady())
            open_table.put(table)

    # ---- Changes

    async def change(self, table_id: str, what: Callable[[Table], Table], name: RequestName | None = None) -> Changed:
        """Make of a table what `what` makes of it, which is asked again if another process was faster; if it changes
        nothing, nothing is written. A request with a name is carried out once.

        Done to its end even if whoever asked for it goes away: memory never is behind what was written."""
        return await self._to_its_end(self._change(table_id, what, name))

    async def create(self, table: Table) -> Table:
        """A new table, in the same way; Overloaded if there are too many."""
        return await self._to_its_end(self._create(table))

    async def delete(self, table_id: str, allowed: Callable[[Table], None]) -> None:
        """A table is gone, if whoever asks may have it so; those who wait for its news are told."""
        await self._to_its_end(self._delete(table_id, allowed))

    async def _delete(self, table_id: str, allowed: Callable[[Table], None]) -> None:
        async with self.using(table_id) as open_table, open_table.lock:
            allowed(open_table.table)
            owner = open_table.table.header.owner
            await self.store.delete(table_id)
            self.full.pop(owner, None)
            open_table.known = None
            open_table.tell()

    async def _change(self, table_id: str, what: Callable[[Table], Table], name: RequestName | None) -> Changed:
        async with self._keeping(table_id) as open_table, open_table.lock:
            if open_table.known is not None:
                # Nearly always this is the newest there is, and if not, nothing is written: reading first is saved.
                with suppress(Conflict):
                    return await self._write(open_table, _tried(what, open_table.table), name)
            while True:
                await self._read(open_table)
                answer = await self._answered(open_table.table, name)
                if answer is not None:
                    return Changed(open_table.table, answer)
                with suppress(Conflict):
                    return await self._write(open_table, what(open_table.table), name)

    async def _write(self, open_table: OpenTable, table: Table, name: RequestName | None) -> Changed:
        """Write what has become of the table; Conflict if another process was faster."""
        if table is not open_table.table:
            change = table.change_from(open_table.table, None if name is None else name.carried_out(table))
            try:
                revision = await self.store.write(table.id, table.revision, change)
            except Conflict:
                self.metrics.conflicts.inc()
                raise
            self._written(open_table, table, revision, change)
        return Changed(open_table.table, table.answer)

    async def _answered(self, table: Table, name: RequestName | None) -> StoredAnswer | None:
        """What the request was answered, if it was carried out before."""
        seat = None if name is None else table.seat_with(name.token)
        return None if name is None or seat is None else await self.store.answer(table.id, seat, name.request_id)

    async def _create(self, table: Table) -> Table:
        change, owner = table.change_from(None), table.header.owner
        until, room = self.full.get(owner, (0.0, 0.0))
        if monotonic() < until:
            raise self._too_many(room - monotonic())
        try:
            revision = await self.store.create(table.header, change, self.limits)
        except Full as full:
            if full.of_owner:
                now = monotonic()
                seconds = min(full.retry_seconds, limits.FULL_SECONDS)
                self.full[owner] = now + seconds, now + full.retry_seconds
                raise self._too_many(full.retry_seconds) from None
            text = f"there are as many tables as this server keeps: {self.limits.tables}"
            raise Overloaded(text, full.retry_seconds) from None
        open_table = self.in_memory[table.id] = OpenTable(table.id)
        self._written(open_table, table, revision, change)
        return open_table.table

    def _too_many(self, retry_seconds: float) -> Overloaded:
        text = f"there are as many tables of yours as this server keeps of one client: {self.limits.of_owner}"
        return Overloaded(text, retry_seconds)

    def _written(self, open_table: OpenTable, table: Table, revision: int, change: Change) -> None:
        self.metrics.events.inc(len(change.events))
        self.metrics.timed_out.inc(len(change.timed_out))
        ends = None if change.turn.seconds is None else self.steady() + change.turn.seconds
        table = replace(table, revision=revision, turn_ends=table.turn_ends if change.turn.goes_on else ends)
        open_table.put(table)
        if table.bot_due is not None and not change.bot_goes_on:
            self.bot_due(table.id)

    async def _to_its_end(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.get_running_loop().create_task(work)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    # ---- News

    async def _hear(self) -> None:
        while True:
            await self._in_use.wait()
            try:
                news = await self.store.news()
                known = {one.table: one.revision for one in news or ()}
                for table_id in list(self.in_memory) if news is None else known:
                    await self._hear_of(table_id, known.get(table_id))
            except Exception as error:
                log.error("no news of tables", exc_info=error)
                await asyncio.sleep(1)

    async def _hear_of(self, table_id: str, revision: int | None) -> None:
        """The table has this revision now, or any."""
        open_table = self.in_memory.get(table_id)
        if open_table is None or open_table.users == 0:
            return
        async with open_table.lock:
            known = open_table.known
            if known is None or (revision is not None and known.revision >= revision):
                return
            try:
                await self._read(open_table)
            except NotFound:
                return  # it was deleted; who waits was told
            except Exception as error:
                log.error("table not read", table=table_id, exc_info=error)

    async def _tidy(self) -> None:
        while True:
            try:
                self.metrics.tables.set(await self.store.under_way())
                if self.clock.believed(await self.store.clock()):
                    forgotten = await self.store.forget(self.limits)
                    self.full = {owner: times for owner, times in self.full.items() if times[0] > monotonic()}
                    if forgotten:
                        self.full.clear()
                        log.info("old tables deleted", tables=forgotten)
            except Exception as error:
                log.error("tables not counted or tidied", exc_info=error)
            await asyncio.sleep(self.tidy_seconds)


def no_such_table() -> NotFound:
    return NotFound("there is no such table")


def _tried(what: Callable[[Table], Table], table: Table) -> Table:
    """What it makes of a table that may not be the newest; Conflict if nothing, for whatever reason."""
    try:
        made = what(table)
    except Exception:
        raise Conflict from None
    if made is table:
        raise Conflict
    return made
