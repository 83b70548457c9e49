"""Servers on a database of either kind, what they and it cost, and how it is filled with tables that rest."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from load.postgres import Postgres, cluster
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
            _copy(self._in_postgres, table, count, schema="saloon.")
            self._in_postgres("ANALYZE")
        else:
            _copy(self._in_file, table, count)

    async def _begun(self) -> str:
        async with Clients(self.addresses) as (stubs,):
            made = Table(stubs, 1)
            await made.sit()
            for _ in range(EVENTS):
                await made.decide()
            return made.table

    def _in_postgres(self, sql: str) -> list[tuple[object, ...]]:
        assert self._postgres is not None
        return self._postgres.sql(sql, self._database)

    def _in_file(self, sql: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self._file, isolation_level=None)) as db:
            return db.execute(sql).fetchall()


Sql = Callable[[str], list[tuple[object, ...]]]
_OF = {"tables": "id", "seats": "table_id", "events": "table_id"}  # by what their rows belong to a table
_COLUMNS_THERE = (
    "SELECT column_name FROM information_schema.columns WHERE table_schema = 'saloon' AND table_name = '{name}' "
    "AND is_identity = 'NO' AND is_generated = 'NEVER'"
)
_COLUMNS_IN_FILE = "SELECT name FROM pragma_table_info('{name}') WHERE NOT (name = 'number' AND pk = 1)"
_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "


def _copy(sql: Sql, table: str, count: int, *, schema: str = "") -> None:
    """All its rows, with another name for each copy; in a file, where revisions differ, with older ones."""
    for name, key in _OF.items():
        columns = (_COLUMNS_THERE if schema else _COLUMNS_IN_FILE).format(name=name)
        values = {str(row[0]): str(row[0]) for row in sql(columns)}
        values[key] = f"{key} || '-' || i"
        if not schema and name == "tables":
            values["revision"] = "-i"
        sql(
            f"{_NUMBERS.format(count=count)} INSERT INTO {schema}{name} ({', '.join(values)}) "  # noqa: S608
            f"SELECT {', '.join(values.values())} FROM {schema}{name}, n WHERE {key} = '{table}'"
        )


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
