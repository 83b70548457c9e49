# May know: basics.
"""The stores of one process, by its settings: a SQLite file, or PostgreSQL."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from server.basics.database import PostgresUrl
from server.basics.metrics import Metrics
from server.basics.settings import ConfigError, Settings
from server.stores.games import Games
from server.stores.seats import SeatStore
from server.stores.sqlite import SqliteFile
from server.stores.sqlite_games import SqliteGames
from server.stores.sqlite_seats import SqliteSeats
from server.stores.sqlite_tables import SqliteTables
from server.stores.tables import Store


class Database(Protocol):
    """What stores are in."""

    async def open(self, *, as_it_is: bool = False) -> None:
        """ConfigError if that fails; as it is: also if there is nothing, or something that would have to be brought up
        to date, which is for servers to do."""

    async def close(self) -> None:
        """Nothing is written afterwards."""


@dataclass(frozen=True)
class Stores:
    """All that this process keeps."""

    database: Database
    tables: Store
    seats: SeatStore
    games: Games


def stores_of(
    settings: Settings, metrics: Metrics | None = None, steady: Callable[[], float] = time.monotonic
) -> Stores:
    """Not open yet; ConfigError if there is no way to open them. `steady` is a clock that nobody can set."""
    if not isinstance(settings.database, PostgresUrl):
        file = SqliteFile(settings.database, metrics)
        return Stores(file, SqliteTables(file, steady), SqliteSeats(file), SqliteGames(file))
    try:
        from server.stores.postgresql import Postgres
        from server.stores.postgresql_games import PostgresGames
        from server.stores.postgresql_seats import PostgresSeats
        from server.stores.postgresql_tables import PostgresTables
    except ImportError as error:
        raise ConfigError(f"database: PostgreSQL needs saloon-server[postgresql]: {error}") from error
    postgres = Postgres(settings.database, settings.database_direct, settings.database_connections, metrics)
    return Stores(postgres, PostgresTables(postgres), PostgresSeats(postgres), PostgresGames(postgres))
