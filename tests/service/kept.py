"""The stores there are, as tests see them: opened by several processes, and looked into."""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

import psycopg

from server.basics.settings import load
from server.stores.opening import Stores, stores_of
from server.stores.tables import Store
from tests.service.postgres import Postgres


class Steady:
    """A clock that nobody can set, for tests to wind."""

    def __init__(self) -> None:
        self.time = 5000.0
        self.told: Callable[[], None] = lambda: None  # to be called when it was wound

    def __call__(self) -> float:
        return self.time

    async def goes(self, store: Store, seconds: float) -> None:
        """So long, while a server looks every five seconds."""
        end = self.time + seconds
        while self.time < end:
            self.time = min(end, self.time + 5)
            self.told()
            await store.out_of_time()


class Kept(Protocol):
    """A database."""

    database: str | Path

    def sql(self, text: str) -> list[tuple[Any, ...]]:
        """What an operator does to it."""

    def wind(self, steady: Steady) -> None:
        """From now on time goes there as this clock says."""


class KeptInFile:
    def __init__(self, folder: Path) -> None:
        self.database: str | Path = folder / "tables.sqlite"

    def sql(self, text: str) -> list[tuple[Any, ...]]:
        db = sqlite3.connect(self.database, isolation_level=None)
        try:
            return db.execute(text).fetchall()
        finally:
            db.close()

    def wind(self, steady: Steady) -> None:
        """It has the clock already."""


class KeptInPostgres:
    def __init__(self, postgres: Postgres, name: str) -> None:
        self.postgres, self.name = postgres, name
        self.database: str | Path = postgres.url(name)
        self._time: psycopg.Connection[Any] | None = None

    def sql(self, text: str) -> list[tuple[Any, ...]]:
        return self.postgres.sql(text, self.name)

    def wind(self, steady: Steady) -> None:
        if self._time is None:
            self.sql("CREATE TABLE saloon.time (now double precision)")
            self.sql("INSERT INTO saloon.time VALUES (0)")
            self._time = psycopg.connect(self.postgres.url(self.name), autocommit=True)
        self.sql(
            "CREATE OR REPLACE FUNCTION saloon.clock() RETURNS double precision LANGUAGE sql VOLATILE AS "
            "'SELECT now FROM saloon.time'"
        )
        connection = self._time

        def tell() -> None:
            connection.execute("UPDATE saloon.time SET now = %s", [steady.time])

        steady.told = tell
        steady.told()

    def close(self) -> None:
        if self._time is not None:
            self._time.close()


@contextmanager
def kept_in_postgres(postgres: Postgres) -> Iterator[KeptInPostgres]:
    with postgres.database() as name, closing(KeptInPostgres(postgres, name)) as kept:
        yield kept


@asynccontextmanager
async def opened(kept: Kept, processes: int = 2, steady: Steady | None = None) -> AsyncIterator[list[Stores]]:
    """As so many processes have it; time may go as a test says."""
    settings = load(database=kept.database, database_connections=4)
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(processes):
            stores = stores_of(settings, steady=steady) if steady else stores_of(settings)
            await stores.database.open()
            stack.push_async_callback(stores.database.close)
            found.append(stores)
        if steady is not None:
            kept.wind(steady)
        yield found
