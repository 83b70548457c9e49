"""A database of either kind, reached beside its servers: filled with tables by the thousand, and measured."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from load.postgres import Postgres, cluster

STORES = ("SQLite", "PostgreSQL")
LIVE = {"tables": "id", "seats": "table_id", "events": "table_id"}  # by what their rows belong to a table
OVER = {"games": "id"}
_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "

Rows = list[tuple[object, ...]]


class Database(ABC):
    """Empty at first; whoever opens stores on it makes its tables."""

    url: str  # for stores and servers
    _schema: str
    _columns: str  # tells those of a table, but for what the database fills in

    def copy(self, table: str, count: int, of: Mapping[str, str] = LIVE) -> None:
        """So many more like this one, all rows; each has another name, and was made a moment later."""
        for name, key in of.items():
            values = {str(row[0]): str(row[0]) for row in self.sql(self._columns.format(table=name))}
            values |= {key: f"{key} || '-' || i"} | ({"created": "created + i"} if "created" in values else {})
            values |= self._others(values)
            self.sql(
                f"{_NUMBERS.format(count=count)} INSERT INTO {self._schema}{name} ({', '.join(values)}) "  # noqa: S608
                f"SELECT {', '.join(values.values())} FROM {self._schema}{name}, n WHERE {key} = '{table}'"
            )

    def _others(self, values: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG002
        """What else differs between copies."""
        return {}

    @abstractmethod
    def sql(self, text: str) -> Rows: ...

    @abstractmethod
    def size(self) -> int:
        """Bytes on disk."""

    @abstractmethod
    def cpu(self) -> float:
        """Seconds that processes of its own took so far."""


class File(Database):
    _schema = ""
    _columns = "SELECT name FROM pragma_table_info('{table}') WHERE NOT (name = 'number' AND pk = 1)"

    def __init__(self, path: Path) -> None:
        self.path, self.url = path, str(path)

    def sql(self, text: str) -> Rows:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as db:
            return db.execute(text).fetchall()

    def _others(self, values: Mapping[str, str]) -> dict[str, str]:
        return {"revision": "-(i * 1000 + revision)"} if "revision" in values else {}  # no two are the same here

    def size(self) -> int:
        return sum(path.stat().st_size for path in self.path.parent.glob(self.path.name + "*"))

    def cpu(self) -> float:
        return 0.0


class OfPostgres(Database):
    _schema = "saloon."
    _columns = (
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'saloon' AND table_name = '{table}' "
        "AND is_identity = 'NO' AND is_generated = 'NEVER'"
    )

    def __init__(self, postgres: Postgres, name: str) -> None:
        self.postgres, self.name, self.url = postgres, name, postgres.url(name)

    def copy(self, table: str, count: int, of: Mapping[str, str] = LIVE) -> None:
        super().copy(table, count, of)
        self.sql("ANALYZE")  # which it does itself, but not at once

    def sql(self, text: str) -> Rows:
        return self.postgres.sql(text, self.name)

    def size(self) -> int:
        return int(self.postgres.sql(f"SELECT pg_database_size('{self.name}')")[0][0])

    def cpu(self) -> float:
        return seconds_of(self.postgres.pid)


def seconds_of(pid: int) -> float:
    """CPU time of a process and its children."""
    root, total = psutil.Process(pid), 0.0
    for process in [root, *root.children(recursive=True)]:
        times = process.cpu_times()
        total += times.user + times.system
    return total


@contextmanager
def database(store: str) -> Iterator[Database]:
    """Of this kind, for as long as it is needed."""
    if store == "PostgreSQL":
        with cluster() as postgres, postgres.database() as name:
            yield OfPostgres(postgres, name)
    else:
        with TemporaryDirectory(prefix="saloon-") as folder:
            yield File(Path(folder) / "tables.sqlite")
