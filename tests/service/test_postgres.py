"""What is PostgreSQL's own: how it is reached, what happens while it is not, and what operators are told."""

import asyncio
import os
import signal
import socket
import subprocess
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import grpc
import psycopg
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from saloon_client.v1 import game_pb2, tables_pb2

from saloon.launching import SALOON
from saloon.ports import free_port
from server.basics.refusals import StoreUnavailable
from server.basics.settings import ConfigError, load
from server.stores import postgresql
from server.stores.opening import stores_of
from server.stores.postgresql_schema import VERSION
from server.stores.tables import Change, Conflict, Summary
from tests.service.at_tables import Stub, act_once, bot, create, join, look, play_to_end, refused, watch
from tests.service.games import details
from tests.service.kept import KeptInPostgres, kept_in_postgres, opened
from tests.service.postgres import PASSWORD, Postgres, cluster, program
from tests.service.running import serving, until
from tests.service.test_operations import certificate
from tests.service.test_tables_store import FIRST, HEADER, LIMITS


@pytest.fixture
def database(postgres: Postgres) -> Iterator[KeptInPostgres]:
    with kept_in_postgres(postgres) as found:
        yield found


def begun(tables: Stub) -> tuple[str, list[str]]:
    """A table of two persons, and the tokens of their seats."""
    table = create(tables, 2).table.table
    return table, [join(tables, table).token for _ in range(2)]


def turn(tables: Stub, table: str, tokens: list[str]) -> int:
    """One decision; how many events there are then."""
    answer = act_once(tables, table, tokens[look(tables, table).table.status.seat], Random(1))
    assert answer is not None
    return answer.events


@contextmanager
def tables_at(folder: Path, **settings: Any) -> Iterator[Stub]:
    """Those of a server."""
    with serving(folder, **settings) as service, grpc.insecure_channel(service.address) as channel:
        yield Stub(channel)


# ---- How it is reached


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Postgres, Path]]:
    """It takes passwords, over TLS alone; and its certificate."""
    folder = tmp_path_factory.mktemp("certificates")
    pair = certificate(folder, "server")
    with cluster(pair, fsync="off") as made:
        yield made, pair[0]


def test_with_a_password_over_tls(secure: tuple[Postgres, Path], tmp_path: Path) -> None:
    made, root = secure
    with made.database() as name:
        url = made.secure_url(name, root)
        with serving(tmp_path, database=url) as service, grpc.insecure_channel(service.address) as channel:
            table, tokens = begun(Stub(channel))
            assert turn(Stub(channel), table, tokens) > 0
            encrypted = (
                "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name ~ 'saloon'"
            )
            assert {*made.sql(encrypted)} == {(True,)}
        assert [row[0] for row in made.sql("SELECT id FROM saloon.tables", name)] == [table]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("with%40signs", "other"), "password authentication failed"),
        (("verify-full", "disable"), "no encryption"),
        (("sslrootcert=", "sslrootcert=/nowhere"), "certificate"),
        (("127.0.0.1:", "127.0.0.1:1"), "port"),
        (("127.0.0.1", "%zz"), "expected a URL that libpq understands"),
        (("sslmode", "nonsense"), "expected a URL that libpq understands"),
        (("/test", "/none"), "does not exist"),
    ],
)
def test_no_password_is_told_when_it_cannot_be_reached(
    secure: tuple[Postgres, Path], tmp_path: Path, change: tuple[str, str], problem: str
) -> None:
    made, root = secure
    with made.database() as name:
        url = made.secure_url(name, root).replace(*change)
        with pytest.raises(ConfigError, match=problem) as error, serving(tmp_path, database=url):
            pass
        run = [*SALOON, "serve", "--port", "0", "--http-port", "0"]
        environment = {**os.environ, "SALOON_DATABASE": url}
        told = subprocess.run(run, env=environment, capture_output=True, check=False, timeout=60, text=True)
        assert told.returncode == 2
        assert problem in told.stderr
        for text in (str(error.value), told.stdout, told.stderr):
            assert not {word for word in (PASSWORD, "s3cret", "signs", "other@") if word in text}


def test_a_password_in_settings_is_not_shown() -> None:
    shown = str(load(database="postgresql://saloon:a@b/c@host/name?sslpassword=x&y=z").database)
    assert shown == "postgresql://saloon:...@host/name?sslpassword=...&y=z"
    for name, wrong in (("database", "mysql://saloon:secret@host/name"), ("database_direct", "secret")):
        settings: dict[str, Any] = {name: wrong}
        with pytest.raises(ConfigError, match="expected") as error:
            load(**settings)
        assert "secret" not in str(error.value)


# ---- The schema


def test_processes_that_open_it_at_once_make_the_schema_once(database: KeptInPostgres) -> None:
    async def work() -> None:
        stores = [stores_of(load(database=database.database)) for _ in range(6)]
        await asyncio.gather(*(each.database.open() for each in stores))
        for each in stores:
            await each.database.close()

    asyncio.run(work())
    assert database.sql("SELECT version FROM saloon.version") == [(VERSION,)]


def test_a_schema_of_a_newer_server(database: KeptInPostgres, tmp_path: Path) -> None:
    with serving(tmp_path, database=database.database):
        pass
    database.sql("UPDATE saloon.version SET version = 99")
    with pytest.raises(ConfigError, match="version 99"), serving(tmp_path, database=database.database):
        pass


def test_it_has_to_write_before_it_acknowledges(database: KeptInPostgres, tmp_path: Path) -> None:
    database.sql(f"ALTER DATABASE {database.name} SET synchronous_commit = off")
    with pytest.raises(ConfigError, match="synchronous_commit"), serving(tmp_path, database=database.database):
        pass


# ---- What it costs


def test_an_act_is_one_round_trip(database: KeptInPostgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    rows = postgresql.Postgres.rows

    async def heard(self: postgresql.Postgres, sql: str, values: Any = None, *, again: bool = False) -> Any:
        said.append(sql)
        return await rows(self, sql, values, again=again)

    with tables_at(tmp_path, database=database.database) as tables:
        table, tokens = begun(tables)
        turn(tables, table, tokens)
        monkeypatch.setattr(postgresql.Postgres, "rows", heard)
        turn(tables, table, tokens)
        monkeypatch.undo()
    assert len([sql for sql in said if "UPDATE saloon.tables" in sql and "made" in sql]) == 1
    assert len([sql for sql in said if "saloon.events WHERE" in sql]) == 2  # the two looks before it


# ---- A pooler


@contextmanager
def pooler(made: Postgres, folder: Path, connections: int = 3) -> Iterator[str]:
    """PgBouncer, which gives every transaction another connection; its URL, for a database named at the end."""
    if program("pgbouncer") is None:
        pytest.skip("SKIPPED: PgBouncer is not there; apt-get install pgbouncer")
    port = free_port()
    (made.folder / "pgbouncer.ini").write_text(
        f"[databases]\n* = host={made.folder} port={made.port} user=saloon\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nauth_type = any\npool_mode = transaction\ndefault_pool_size = {connections}\n"
        "unix_socket_dir =\n",
        encoding="utf-8",
    )
    with (folder / "pgbouncer.log").open("wb") as log:
        process = subprocess.Popen([*made.command("pgbouncer"), str(made.folder / "pgbouncer.ini")], stderr=log)
        try:
            until(lambda: _listens(port))
            yield f"postgresql://saloon@127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(10)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_through_a_pooler_in_transaction_mode(database: KeptInPostgres, tmp_path: Path) -> None:
    """Two servers play a game and hear of each other, though no two transactions share a connection for sure."""
    with pooler(database.postgres, tmp_path) as address:
        settings = {"database": f"{address}/{database.name}", "database_direct": database.database}
        with tables_at(tmp_path, **settings) as one, tables_at(tmp_path, **settings) as two:
            table = create(one, 3, [bot(2)]).table.table
            seen = play_to_end(two, table, {seat: join(two, table, seat=seat).token for seat in range(2)})
            assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER
            assert look(one, table) == look(two, table)


def test_a_pooler_of_which_nothing_was_said(database: KeptInPostgres, tmp_path: Path) -> None:
    """Where two servers share a connection, the log says what to do."""

    async def ask(there: Any) -> None:
        async with opened(there) as (one, two):
            for stores in (one, two) * 20:
                await stores.tables.under_way()

    with pooler(database.postgres, tmp_path, connections=1) as address:
        there = SimpleNamespace(database=f"{address}/{database.name}")
        with pytest.raises(StoreUnavailable, match="say so with --database-direct"):
            asyncio.run(ask(there))
        settings = {"database": there.database}
        with tables_at(tmp_path, **settings) as one, tables_at(tmp_path, **settings) as two:
            with pytest.raises(grpc.RpcError) as error:
                deque(create(stub, 2) for stub in (one, two) * 20)
            assert refused(error)[0] == grpc.StatusCode.UNAVAILABLE


# ---- A backup


def test_a_backup_is_restored_and_games_go_on(postgres: Postgres, tmp_path: Path) -> None:
    """Taken while bots play. In what was restored every table stands as it did, and requests are remembered."""
    with postgres.database() as name, postgres.database() as restored:
        with tables_at(tmp_path, database=postgres.url(name)) as tables:
            table = create(tables, 3, [bot(2)]).table.table
            tokens = {seat: join(tables, table, seat=seat).token for seat in range(2)}
            until(lambda: look(tables, table).table.status.seat in tokens)
            token = tokens[look(tables, table).table.status.seat]
            decision = look(tables, table, token).decisions[0]
            request = tables_pb2.ActRequest(table=table, token=token, decision=decision, request_id="r")
            answer = tables.Act(request)
            bots = create(tables, 2, [bot(seat, iterations=100) for seat in range(2)]).table.table
            until(lambda: look(tables, bots).table.events > 10)
            dump = ["--format=custom", f"--file={postgres.folder}/backup", postgres.url(name)]
            subprocess.run([*postgres.command("pg_dump"), *dump], check=True, timeout=60)
        restore = ["--exit-on-error", f"--dbname={postgres.url(restored)}", f"{postgres.folder}/backup"]
        subprocess.run([*postgres.command("pg_restore"), *restore], check=True, timeout=60)
        with tables_at(tmp_path, database=postgres.url(restored)) as tables:
            assert tables.Act(request) == answer
            assert play_to_end(tables, table, tokens)[-1].table.status.waiting == game_pb2.WAITING_OVER
            assert play_to_end(tables, bots, {})[-1].table.status.waiting == game_pb2.WAITING_OVER


# ---- While it is not there


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Postgres]:
    """One to be killed."""
    with cluster() as made:
        yield made


def unavailable(tables: Stub, table: str, tokens: list[str]) -> None:
    with pytest.raises(grpc.RpcError) as error:
        turn(tables, table, tokens)
    assert refused(error)[0] == grpc.StatusCode.UNAVAILABLE
    assert details(error.value, RetryInfo).retry_delay.ToMilliseconds() > 0
    assert "saloon" not in str(error.value.details())  # what PostgreSQL says is for the operator


def soon(what: Callable[[], Any], seconds: float = 20) -> Any:
    """As whoever is told to try again does."""
    until = time.monotonic() + seconds
    while True:
        try:
            return what()
        except grpc.RpcError:
            assert time.monotonic() < until
            time.sleep(0.1)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_database_that_is_gone_and_comes_back(own: Postgres, tmp_path: Path, how: int) -> None:
    """Whoever asks meanwhile may ask again; what was acknowledged is there, bots go on, and watchers hear of it."""
    with own.database() as name, tables_at(tmp_path, database=own.url(name)) as tables:
        table, tokens = begun(tables)
        bots = create(tables, 2, [bot(0, iterations=100), bot(1, iterations=100)]).table.table
        watching = tables.WatchTable(tables_pb2.WatchTableRequest(table=table))
        before = turn(tables, table, tokens)
        own.stop(how)
        unavailable(tables, table, tokens)
        own.start()
        assert soon(lambda: look(tables, table)).table.events == before
        after = soon(lambda: turn(tables, table, tokens))
        assert after > before
        for update in watching:
            if update.HasField("event") and update.event.number == after - 1:
                break
        watching.cancel()
        assert play_to_end(tables, bots, {})[-1].table.status.waiting == game_pb2.WAITING_OVER


def test_a_database_that_stands_still(own: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls are answered UNAVAILABLE after a while, and nothing is done twice when it goes on."""
    monkeypatch.setattr(postgresql, "_ANSWER_SECONDS", 1.0)
    with own.database() as name, tables_at(tmp_path, database=own.url(name)) as tables:
        table, tokens = begun(tables)
        before = turn(tables, table, tokens)
        pids = [int(row[0]) for row in own.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'saloon'")]
        for pid in (own.pid, *pids):
            os.kill(pid, signal.SIGSTOP)
        begun_at = time.monotonic()
        unavailable(tables, table, tokens)
        assert time.monotonic() - begun_at < 6
        for pid in (own.pid, *pids):
            os.kill(pid, signal.SIGCONT)
        after = soon(lambda: turn(tables, table, tokens))
        assert after > before
        numbers = [update.event.number for update in soon(lambda: events_so_far(tables, table, after))]
        assert numbers == list(range(after))


def events_so_far(tables: Stub, table: str, count: int) -> list[Any]:
    found = []
    for update in watch(tables, table):
        if update.HasField("event"):
            found.append(update)
        if len(found) == count:
            break
    return found


def test_a_write_whose_outcome_nobody_knows_is_looked_at(database: KeptInPostgres) -> None:
    """The connection broke after the write was done: whoever writes again upon the old table is told so."""

    async def work() -> None:
        async with opened(database, 1) as (stores,):
            revision = await stores.tables.create(HEADER, FIRST, LIMITS)
            database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'saloon'")
            with pytest.raises(StoreUnavailable):
                await stores.tables.write("t", revision, Change(Summary()))
            await again(lambda: stores.tables.write("t", revision, Change(Summary())))
            with pytest.raises(Conflict):
                await stores.tables.write("t", revision, Change(Summary()))

    asyncio.run(work())


async def again(what: Callable[[], Awaitable[Any]]) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                await what()
                return
            except StoreUnavailable:
                await asyncio.sleep(0.05)


def test_news_are_heard_again_after_their_connection_broke(database: KeptInPostgres) -> None:
    async def work() -> None:
        async with opened(database, 2) as (one, two):
            await one.tables.create(HEADER, FIRST, LIMITS)
            await one.tables.news()
            database.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'saloon news'"
            )
            async with asyncio.timeout(10):
                while await one.tables.news() is not None:  # some may have been missed
                    pass
                while not database.sql("SELECT 1 FROM pg_stat_activity WHERE query ~ '^LISTEN'"):
                    await asyncio.sleep(0.05)
                revision = await two.tables.create(replace(HEADER, table="u"), FIRST, LIMITS)
                heard: list[Any] = []
                while not any(news.revision == revision and news.table == "u" for news in heard):
                    heard += await one.tables.news() or ()

    asyncio.run(work())


def test_what_is_gone_is_a_psycopg_error() -> None:
    """Of the kinds that are UNAVAILABLE: among them what a full disk, a shutdown and a standby say."""
    for code in ("53100", "53300", "57P01", "57P03", "08006", "25006"):
        assert issubclass(psycopg.errors.lookup(code), postgresql._UNAVAILABLE), code
