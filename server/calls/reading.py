# May know: saloon_client, engine_cy, wire.
"""Reading requests: what is long is read beside the event loop, so that only those wait who send it."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from saloon_client.v1 import game_pb2

from engine_cy.game import Game
from engine_cy.rules import GameRules
from wire.reading import Reader, Situation
from wire.writing import Writer

T = TypeVar("T")
LONG = 300  # events, or decisions: nearly all games have fewer, and take a few milliseconds


class Requests:
    """A reader and a writer for all services of a process, so that what one call made known serves the next."""

    def __init__(self) -> None:
        self.reader = Reader()
        self.writer = Writer()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="reading")

    def options(self, message: game_pb2.Options, field: str) -> GameRules:
        return self.reader.options(message, field)

    async def situation(
        self, message: game_pb2.Situation, field: str = "situation", keys: Sequence[bytes] | None = None
    ) -> Situation:
        return await self._read(len(message.record.events), self.reader.situation, message, field, keys)

    async def record(self, message: game_pb2.GameRecord, field: str, most: int | None = None) -> Game:
        return await self._read(len(message.events), self.reader.record, message, field, most)

    async def _read(self, events: int, work: Callable[..., T], *arguments: Any) -> T:
        return await self.beside(work, *arguments) if events > LONG else work(*arguments)

    async def beside(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do what takes long without keeping others waiting."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
