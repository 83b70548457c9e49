# May know: basics.
"""Times of turns: where one has run out, the table is told so, and from then on a bot decides there.

The store says where, and every process asks it; whoever writes first has done it for all.
"""

import asyncio

import structlog

from server.basics.refusals import NotFound
from server.tables.open_tables import OpenTables
from server.tables.table import Broken, Table

log = structlog.get_logger()

LOOK_SECONDS = 0.5


class TurnClocks:
    """The clocks of all tables."""

    def __init__(self, open_tables: OpenTables, look_seconds: float = LOOK_SECONDS) -> None:
        self.open_tables = open_tables
        self.look_seconds = look_seconds
        self.broken: set[str] = set()
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def _look(self) -> None:
        while not self.open_tables.draining:
            try:
                for table_id, revision in await self.open_tables.store.out_of_time():
                    if table_id not in self.broken:
                        await self._end(table_id, revision)
            except Exception as error:
                log.error("times of turns not looked at", exc_info=error)
            await asyncio.sleep(self.look_seconds)

    async def _end(self, table_id: str, revision: int) -> None:
        """The time has run out, unless something happened there since the store said so."""

        def ended(table: Table) -> Table:
            return table.out_of_time() if table.revision == revision else table

        try:
            await self.open_tables.change(table_id, ended)
        except NotFound:
            return  # it was deleted
        except Broken as error:
            log.error("table cannot be gone on with", table=table_id, reason=str(error))
            self.broken.add(table_id)
