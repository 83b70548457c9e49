# May know: basics, saloon_client, engine_cy, wire.
"""Reading requests: what takes long is done beside the event loop, so that only those wait who send it."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from saloon_client.v1 import game_pb2

from engine_cy.component_sets import ComponentSets
from engine_cy.game import Game
from engine_cy.rules import GameRules
from server.basics import limits
from server.basics.caller import CALLER
from server.basics.turns import Turns
from wire.reading import Reader, Situation
from wire.writing import Writer

T = TypeVar("T")
LONG = 100  # events, or decisions: so many take two milliseconds


class Requests:
    """A reader and a writer for all services of a process, so that what one call made known serves the next."""

    def __init__(self, sets: ComponentSets | None = None) -> None:
        self.reader = Reader(sets)
        self.writer = Writer()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="reading")
        self._turns = Turns(1, limits.BESIDE)

    async def options(self, message: game_pb2.Options, field: str) -> GameRules:
        return await self._read(message, 0, self.reader.options, message, field)

    async def situation(
        self, message: game_pb2.Situation, field: str = "situation", keys: Sequence[bytes] | None = None
    ) -> Situation:
        read = partial(self.reader.situation, message, field, keys)
        if message.HasField("record"):
            return await self._read(message.record, len(message.record.events), read)
        return await self._read(message.position, 0, read)

    async def record(self, message: game_pb2.GameRecord, field: str, most: int | None = None) -> Game:
        return await self._read(message, len(message.events), self.reader.record, message, field, most)

    async def _read(
        self,
        table: game_pb2.Options | game_pb2.Position | game_pb2.GameRecord,
        events: int,
        work: Callable[..., T],
        *arguments: Any,
    ) -> T:
        """Rules that nobody asked for lately have to be compiled, which takes longest."""
        if events > LONG or not self.reader.knows(table):
            return await self.beside(work, *arguments)
        return work(*arguments)

    async def beside(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do what takes long without keeping others waiting; clients take turns."""
        await self._turns.begin(CALLER.get())
        doing = asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)
        doing.add_done_callback(self._done)
        return await asyncio.shield(doing)  # the thread is not free before it is done, whoever goes away

    def _done(self, doing: asyncio.Future[Any]) -> None:
        if not doing.cancelled():
            doing.exception()  # whoever asked may be gone
        self._turns.end()

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
