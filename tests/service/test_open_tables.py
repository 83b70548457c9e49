"""The one way to change a hosted table: what it asks of the store, and what it does when another process was faster."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine_cy import MoonRiver
from server.basics.metrics import Metrics
from server.basics.refusals import Overloaded, Refused
from server.basics.settings import load
from server.stores.sqlite import SqliteFile
from server.stores.sqlite_tables import SqliteTables
from server.stores.tables import SeatRow, StoredBot, Wanted
from server.tables.access import digest
from server.tables.changes import new_table
from server.tables.open_tables import OpenTables, RequestName
from server.tables.table import Table
from server.tables.wall_clock import WallClock
from wire.reading import Reader

TOKEN = digest("Ann's")


class Watched(SqliteFile):
    """A file that tells what is asked of it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked: list[str] = []

    async def do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        self.asked.append(work.__name__.removeprefix("_"))
        return await super().do(work, *arguments)


class Process:
    """The tables of one process, and which of them bots were told of."""

    def __init__(self, path: Path, max_tables: int = 1000) -> None:
        settings = load(database=path / "tables.sqlite", max_tables=max_tables)
        self.store = Watched(path / "tables.sqlite")
        self.told: list[str] = []
        self.tables = OpenTables(Reader(), settings, SqliteTables(self.store), Metrics(), self.told.append)

    async def close(self) -> None:
        await self.tables.close()
        await self.store.close()


@asynccontextmanager
async def two_processes(path: Path) -> AsyncIterator[tuple[Process, Process, Table]]:
    """Two processes and a table that both know, where Ann and Bob play."""
    both = Process(path), Process(path)
    for process in both:
        await process.store.open()
    table = new_table(MoonRiver(2), 0, 3)[0].seated(SeatRow(0, "person", "Ann", TOKEN))
    table = await both[0].tables.create(table.seated(SeatRow(1, "person", "Bob", digest("Bob's"))))
    async with both[0].tables.using(table.id), both[1].tables.using(table.id):
        for process in both:
            process.store.asked.clear()
        try:
            yield (*both, table)
        finally:
            for process in both:
                await process.close()


def test_who_has_all_its_tables_does_not_keep_the_store_busy(tmp_path: Path) -> None:
    """It is refused without another look, until one of its tables is gone."""

    async def work() -> None:
        process = Process(tmp_path, max_tables=4)  # one for each client
        await process.store.open()
        table = new_table(MoonRiver(2), 0, 3)[0]
        await process.tables.create(table)
        with pytest.raises(Overloaded) as first:
            await process.tables.create(new_table(MoonRiver(2), 0, 3)[0])
        process.store.asked.clear()
        with pytest.raises(Overloaded) as again:
            await process.tables.create(new_table(MoonRiver(2), 0, 3)[0])
        assert str(again.value) == str(first.value)
        assert 0 < (first.value.retry_seconds or 0) - (again.value.retry_seconds or 0) < 10
        assert not process.store.asked
        await process.tables.delete(table.id, lambda _: None)
        await process.tables.create(new_table(MoonRiver(2), 0, 3)[0])
        await process.close()

    asyncio.run(work())


def run(path: Path, work: Callable[[Process, Process, Table], Awaitable[None]]) -> None:
    async def begin() -> None:
        async with two_processes(path) as found:
            await work(*found)

    asyncio.run(begin())


def decide(table: Table) -> Table:
    """Any decision of the seat that has to."""
    assert table.game is not None
    return table.decided(table.game.decisions()[0].to_list())


def rename(name: str) -> Callable[[Table], Table]:
    return lambda table: table.seated(replace(table.seats[0], name=name))


def test_a_change_is_one_look_at_the_store(tmp_path: Path) -> None:
    async def work(one: Process, two: Process, table: Table) -> None:
        changed = await one.tables.change(table.id, decide, RequestName(TOKEN, "r"))
        assert one.store.asked == ["write"]
        assert changed.answer.events == len(changed.table.history) > len(table.history)

    run(tmp_path, work)


def test_who_is_slower_looks_again(tmp_path: Path) -> None:
    async def work(one: Process, two: Process, table: Table) -> None:
        await one.tables.change(table.id, rename("Anna"))
        changed = await two.tables.change(table.id, decide)
        assert two.store.asked == ["write", "read", "write"]
        assert changed.table.seats[0].name == "Anna"
        assert len(changed.table.history) > len(table.history)

    run(tmp_path, work)


def test_nothing_is_refused_upon_an_old_table(tmp_path: Path) -> None:
    """Whether a change is refused, or changes nothing, is said of the table as it is stored."""

    async def work(one: Process, two: Process, table: Table) -> None:
        await one.tables.change(table.id, rename("Anna"))

        def only_if_anna(table: Table) -> Table:
            if table.seats[0].name != "Anna":
                raise Refused("not yet")
            return rename("Anne")(table)

        assert (await two.tables.change(table.id, only_if_anna)).table.seats[0].name == "Anne"
        assert (await one.tables.change(table.id, lambda table: table)).table.seats[0].name == "Anne"
        with pytest.raises(Refused, match="not yet"):
            await one.tables.change(table.id, only_if_anna)

    run(tmp_path, work)


def test_a_request_is_carried_out_once(tmp_path: Path) -> None:
    """Though it would be legal again, and wherever it is sent."""

    async def work(one: Process, two: Process, table: Table) -> None:
        name = RequestName(TOKEN, "r")
        first = await one.tables.change(table.id, decide, name)
        for process in (one, two, one):
            again = await process.tables.change(table.id, decide, name)
            assert again.answer == first.answer
            assert len(again.table.history) == len(first.table.history)
        other = await two.tables.change(table.id, decide, RequestName(TOKEN, "s"))
        assert other.answer != first.answer

    run(tmp_path, work)


def test_it_is_done_to_its_end_if_who_asked_goes_away(tmp_path: Path) -> None:
    async def work(one: Process, two: Process, table: Table) -> None:
        call = asyncio.create_task(one.tables.change(table.id, decide))
        while not one.store.asked:
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        async with one.tables.using(table.id) as here, two.tables.using(table.id) as there:
            assert here.table.revision == there.table.revision > table.revision

    run(tmp_path, work)


def test_bots_are_told_by_whoever_wrote(tmp_path: Path) -> None:
    async def work(one: Process, two: Process, table: Table) -> None:
        assert one.told == []
        due = table.due
        assert due is not None
        row = replace(due, player="bot", bot=StoredBot("max", 1))
        await two.tables.change(table.id, lambda table: table.seated(row))
        await two.tables.change(table.id, lambda table: table)
        assert (one.told, two.told) == ([], [table.id])

    run(tmp_path, work)


class Believed(WallClock):
    """A clock that was right for long."""

    def believed(self, wall: float) -> bool:
        return True


@pytest.mark.parametrize("clock", [WallClock(), Believed()])
def test_old_tables_are_deleted_once_the_clock_can_be_believed(tmp_path: Path, clock: WallClock) -> None:
    async def work() -> None:
        settings = load(database=tmp_path / "tables.sqlite", table_days=1e-9, lobby_hours=1e-9)
        file, metrics = SqliteFile(tmp_path / "tables.sqlite"), Metrics()
        await file.open()
        store = SqliteTables(file)
        tables = OpenTables(Reader(), settings, store, metrics, lambda _: None, clock=clock, tidy_seconds=0.02)
        tables.start()
        await tables.create(new_table(MoonRiver(2), 0, 3)[0])
        await asyncio.sleep(0.3)
        assert len(await store.listed(Wanted("public"), None, 9)) == (0 if isinstance(clock, Believed) else 1)
        await tables.close()
        await file.close()

    asyncio.run(work())
