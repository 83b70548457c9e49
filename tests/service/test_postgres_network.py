"""PostgreSQL behind something that cuts connections, forgets them, holds them up, or makes them slow."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from saloon_client.v1 import tables_pb2

from server.basics.settings import ConfigError
from server.stores import postgresql, postgresql_news, postgresql_schema
from server.stores.postgresql_news import Listening
from tests.service.at_tables import Stub, bot, create, look, play_to_end
from tests.service.between import Between, between
from tests.service.postgres import Postgres
from tests.service.test_postgres import begun, soon, tables_at, turn, unavailable


@pytest.fixture
def way(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Between, str]]:
    """The proxy, and the URL of a database behind it. Servers lose patience ten times as soon as usual."""
    for module, name in ((postgresql, "_ANSWER_SECONDS"), (postgresql, "_LOST_SECONDS"), (postgresql, "_CHECK_SECONDS"),
                         (postgresql_news, "_QUIET_SECONDS"), (postgresql_news, "_ANSWER_SECONDS"),
                         (postgresql_schema, "_ANSWER_SECONDS")):  # fmt: skip
        monkeypatch.setattr(module, name, getattr(module, name) / 10)
    with postgres.database() as name, between(postgres.socket) as made:
        yield made, f"postgresql://saloon@{made.address}/{name}"


def goes_on(one: Stub, other: Stub, table: str, tokens: list[str], events: int) -> None:
    """Nothing is lost, both serve, and what happens at one is heard of at the other."""
    assert soon(lambda: look(one, table)).table.events == events
    watching = other.WatchTable(tables_pb2.WatchTableRequest(table=table, first_event=events), timeout=30)
    assert next(watching).table.events == events
    events = soon(lambda: turn(one, table, tokens))
    assert any(update.HasField("event") and update.event.number == events - 1 for update in watching)
    bots = soon(lambda: create(one, 2, [bot(0), bot(1)])).table.table
    play_to_end(other, bots, {})


def test_connections_that_are_cut(way: tuple[Between, str], tmp_path: Path) -> None:
    proxy, url = way
    with tables_at(tmp_path, database=url) as one, tables_at(tmp_path, database=url) as other:
        table, tokens = begun(one)
        for _ in range(3):
            events = turn(one, table, tokens)
            proxy.cut()
            goes_on(one, other, table, tokens, events)
        assert proxy.cuts > 5


def test_connections_that_are_forgotten(way: tuple[Between, str], tmp_path: Path) -> None:
    """No end of a connection is heard of, and what is sent gets nowhere: calls end in time, and servers make new ones,
    also for news, of which there is never an answer."""
    proxy, url = way
    with tables_at(tmp_path, database=url) as one, tables_at(tmp_path, database=url) as other:
        table, tokens = begun(one)
        events = turn(one, table, tokens)
        proxy.forget()
        begun_at = time.monotonic()
        assert soon(lambda: look(one, table)).table.events == events
        assert 0.5 < time.monotonic() - begun_at < 5
        goes_on(one, other, table, tokens, events)
        assert time.monotonic() - begun_at < 20  # who watches looks by themselves after 30 s


@pytest.mark.parametrize("moment", ["at once", "before it listens"])
def test_a_server_that_starts_meanwhile(
    way: tuple[Between, str], monkeypatch: pytest.MonkeyPatch, moment: str, tmp_path: Path
) -> None:
    """While nothing passes any more: it says that it could not; whoever runs it starts it again."""
    proxy, url = way
    with tables_at(tmp_path, database=url):
        pass
    owner, name = (postgresql, "bring_up_to_date") if moment == "at once" else (Listening, "_connect")
    work = getattr(owner, name)

    async def forgotten(*arguments: Any) -> Any:
        nothing.enter_context(proxy.silent())
        return await work(*arguments)

    monkeypatch.setattr(owner, name, forgotten)
    begun_at = time.monotonic()
    with ExitStack() as nothing:
        with pytest.raises(ConfigError, match="cannot be used"), tables_at(tmp_path, database=url):
            pass
        assert time.monotonic() - begun_at < 10


def test_a_way_that_is_silent_for_a_while(way: tuple[Between, str], tmp_path: Path) -> None:
    """What was sent arrives late: nothing of it is done twice, or after the caller was told and did something else."""
    proxy, url = way
    with tables_at(tmp_path, database=url) as one, tables_at(tmp_path, database=url) as other:
        table, tokens = begun(one)
        events = turn(one, table, tokens)
        with proxy.silent():
            unavailable(one, table, tokens)
            time.sleep(3)
        goes_on(one, other, table, tokens, events)


def test_a_slow_way(way: tuple[Between, str], tmp_path: Path) -> None:
    """Everything works, later: nothing has more round trips than it needs."""
    proxy, url = way
    with tables_at(tmp_path, database=url) as tables:
        table, tokens = begun(tables)
        with proxy.slow(0.1):
            begun_at = time.monotonic()
            for _ in range(3):
                turn(tables, table, tokens)
            taken = time.monotonic() - begun_at
        # Two looks and an Act each, of 0.2 seconds.
        assert 1.8 <= taken < 4
