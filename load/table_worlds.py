"""Servers on a database of either kind, what they and it cost, and how it is filled with tables that rest."""

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from load.postgres import Postgres, cluster
from load.table_copies import Sql, copy
from load.table_players import Clients, Table
from saloon.launching import Server, free_port, serve

STORES = ("SQLite", "PostgreSQL")
EVENTS = 30  # of a table that rests
_FLAGS = ("--client-share", "1", "--max-tables", "10000000")


class World:
    """One database and its servers."""

    def __init__(self, servers: Sequence[Server], file: Path, postgres: Postgres | None, database: str) -> None:
        self.servers, self._file, self._postgres, self._database = servers, file, postgres, database

    @property
    def addresses(self) -> list[str]:
        return [server.address for server in self.servers]

    def cpu(self) -> tuple[float, float]:
        """Seconds that servers and database took so far."""
        servers = sum(_seconds(server.process.pid) for server in self.servers)
        return servers, _seconds(self._postgres.pid) if self._postgres else 0.0

    def size(self) -> int:
        """Bytes on disk."""
        if self._postgres:
            return int(self._postgres.sql(f"SELECT pg_database_size('{self._database}')")[0][0])
        return sum(path.stat().st_size for path in self._file.parent.glob(self._file.name + "*"))

    def fill(self, count: int) -> None:
        """So many more tables, each a copy of one in the middle of its game, at which nobody plays on."""
        table = asyncio.run(self._begun())
        if self._postgres:
            sql = sql_of_postgres(self._postgres, self._database)
            copy(sql, table, count, schema="saloon.")
            sql("ANALYZE")
        else:
            copy(sql_of_file(self._file), table, count)

    async def _begun(self) -> str:
        async with Clients(self.addresses) as (stubs,):
            made = Table(stubs, 1)
            await made.sit()
            for _ in range(EVENTS):
                await made.decide()
            return made.table


def sql_of_file(file: Path) -> Sql:
    def run(sql: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(file, isolation_level=None)) as db:
            return db.execute(sql).fetchall()

    return run


def sql_of_postgres(postgres: Postgres, name: str) -> Sql:
    return lambda sql: postgres.sql(sql, name)


def _seconds(pid: int) -> float:
    """Of a process and its children."""
    root, total = psutil.Process(pid), 0.0
    for process in [root, *root.children(recursive=True)]:
        times = process.cpu_times()
        total += times.user + times.system
    return total


@contextmanager
def world(store: str, servers: int) -> Iterator[World]:
    """So many servers on one database."""
    with ExitStack() as stack:
        file = Path(stack.enter_context(TemporaryDirectory(prefix="saloon-"))) / "tables.sqlite"
        postgres, name = None, ""
        if store == "PostgreSQL":
            postgres = stack.enter_context(cluster())
            name = stack.enter_context(postgres.database())
        database = postgres.url(name) if postgres else str(file)
        found = []
        for _ in range(servers):
            port = free_port()
            found.append(Server(serve(port, file, "--database", database, *_FLAGS), port))
            found[-1].start()
            stack.callback(found[-1].stop)
        yield World(found, file, postgres, name)
