"""What is asked of a store all the time reads no more of it when there is more: every question has its index."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from load.databases import STORES, Database, database
from load.postgres import program
from load.stored import COUNT, filled, works
from server.stores.opening import Stores

FEW, MANY = 600, 6000


async def steps(stores: Stores, work: Callable[[], Any]) -> int:
    """Of SQLite's machine."""
    file: Any = stores.database
    taken = 0

    def step() -> int:
        nonlocal taken
        taken += 1
        return 0

    file.db.set_progress_handler(step, 1)
    await work()
    file.db.set_progress_handler(None, 1)
    return taken


async def rows(stores: Stores, work: Callable[[], Any]) -> int:
    """That PostgreSQL read."""

    async def read() -> int:
        postgres: Any = stores.database
        await postgres.rows("SELECT pg_stat_force_next_flush()")
        sql = "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables"
        return int((await postgres.rows(sql))[0][0])

    before = await read()
    await work()
    return await read() - before


async def costs(store: str, place: Database, tables: int) -> dict[str, int]:
    async with filled(place, tables, database_connections=1) as stores:
        found = {}
        for name, work in (await works(stores.tables, tables)).items():
            await work(0)  # what is asked first may have more to find out
            found[name] = await COST[store](stores, lambda work=work: work(1))
        return found


COST: dict[str, Any] = {"SQLite": steps, "PostgreSQL": rows}


@pytest.mark.parametrize("store", STORES)
def test_more_tables_are_not_more_work(store: str) -> None:
    if store == "PostgreSQL" and program("postgres") is None:
        pytest.skip("SKIPPED: PostgreSQL is not there; apt-get install postgresql")
    found = []
    for tables in (FEW, MANY):
        with database(store) as place:
            found.append(asyncio.run(costs(store, place, tables)))
    few, many = found
    assert many[COUNT] > 5 * few[COUNT]  # this one counts, so that the measure is seen to work
    for name in many.keys() - {COUNT}:
        assert many[name] <= 1.5 * few[name] + 30, (name, few[name], many[name])
