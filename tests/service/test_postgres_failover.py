"""A fail-over to a standby that had all that was acknowledged: servers find it, and games go on there."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from saloon_client.v1 import game_pb2, tables_pb2

from server.basics.refusals import StoreUnavailable
from server.basics.settings import ConfigError, load
from server.stores import postgresql
from server.stores.opening import stores_of
from tests.service.at_tables import bot, create, look, play_to_end
from tests.service.pair import Pair, pair
from tests.service.test_postgres import again, begun, soon, tables_at, turn
from tests.service.test_tables_store import FIRST, HEADER, LIMITS


@pytest.fixture
def two() -> Iterator[Pair]:
    with pair(fsync="off") as made:
        yield made


def test_servers_follow_a_fail_over(two: Pair, tmp_path: Path) -> None:
    """Without being told: calls, bots, watchers, and what servers tell each other. And back again."""
    two.primary.sql("CREATE DATABASE saloon")
    url = two.url("saloon")
    with tables_at(tmp_path, database=url) as one, tables_at(tmp_path, database=url) as other:
        table, tokens = begun(one)
        bots = create(one, 2, [bot(0, iterations=100), bot(1, iterations=100)]).table.table
        watching = other.WatchTable(tables_pb2.WatchTableRequest(table=table), timeout=60)
        events = turn(one, table, tokens)
        for _ in range(2):
            two.fail_over()
            assert soon(lambda: look(other, table)).table.events == events  # nothing that was acknowledged is lost
            events = soon(lambda: turn(one, table, tokens))
            for update in watching:  # the new one passes on what servers tell each other
                if update.HasField("event") and update.event.number == events - 1:
                    break
            two.return_as_standby()
        assert play_to_end(other, bots, {})[-1].table.status.waiting == game_pb2.WAITING_OVER
        made = soon(lambda: create(one, 2))  # sequences go on, too
        assert look(other, made.table.table).table.seats


def test_a_former_primary_acknowledges_nothing(two: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was started again as if nothing had happened, and servers come to it before the new one: it waits for a
    standby that follows it no more, so nobody is told that something was done which the new one does not have."""
    monkeypatch.setattr(postgresql, "_ANSWER_SECONDS", 1.0)
    two.primary.sql("CREATE DATABASE saloon")
    settings = load(database=two.url("saloon"))

    async def work() -> None:
        stores = stores_of(settings)
        await stores.database.open()
        two.fail_over()
        await again(lambda: stores.tables.create(HEADER, FIRST, LIMITS))
        two.standby.start()
        two.primary.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^saloon'")
        for number in range(5):  # the first are told that their connection is gone
            with pytest.raises(StoreUnavailable):
                await stores.tables.create(replace(HEADER, table=f"t{number}"), FIRST, LIMITS)
        assert two.standby.sql("SELECT 1 FROM pg_stat_activity WHERE application_name = 'saloon'")
        await stores.database.close()
        with pytest.raises(ConfigError, match="no answer within"):
            await stores_of(settings).database.open()

    asyncio.run(work())
    assert two.primary.sql("SELECT id FROM saloon.tables", "saloon") == [("t",)]
