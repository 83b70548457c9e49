"""Servers on a database of either kind, what they and it cost, and how it is filled with tables that rest."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from load.databases import Database, database, seconds_of
from load.table_players import Clients, Table
from saloon.launching import Server, serve
from saloon.ports import free_port

EVENTS = 30  # of a table that rests
_FLAGS = ("--client-share", "1", "--max-tables", "10000000")


class World:
    """One database and its servers."""

    def __init__(self, servers: Sequence[Server], its_database: Database) -> None:
        self.servers, self.database = servers, its_database

    @property
    def addresses(self) -> list[str]:
        return [server.address for server in self.servers]

    def cpu(self) -> tuple[float, float]:
        """Seconds that servers and database took so far."""
        return sum(seconds_of(server.process.pid) for server in self.servers), self.database.cpu()

    def fill(self, count: int) -> None:
        """So many more tables, each a copy of one in the middle of its game, at which nobody plays on."""
        self.database.copy(asyncio.run(self._begun()), count)

    async def _begun(self) -> str:
        async with Clients(self.addresses) as (stubs,):
            made = Table(stubs, 1)
            await made.sit()
            for _ in range(EVENTS):
                await made.decide()
            return made.table


@contextmanager
def world(store: str, servers: int) -> Iterator[World]:
    """So many servers on one database."""
    with ExitStack() as stack:
        its_database = stack.enter_context(database(store))
        found = []
        for _ in range(servers):
            port = free_port()
            found.append(Server(serve(port, its_database.url, *_FLAGS), port))
            found[-1].start()
            stack.callback(found[-1].stop)
        yield World(found, its_database)
