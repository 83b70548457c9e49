# May know: search.
"""Searches that answer again and again, as streams."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TypeVar

from search.player import Player
from server.thinking.searches import Searches, SearchJob

T = TypeVar("T")


async def produced(
    searches: Searches, job: SearchJob, player: Player, begin: Callable[[], Iterator[T]]
) -> AsyncIterator[T]:
    """What the player says one after the other once the job has its slot, each message made in the search's thread.

    It goes on in a task of its own, so that whoever reads slowly or not at all keeps no slot: messages wait here, and
    have to be few or small. It is cancelled when nobody reads any more."""
    waiting: asyncio.Queue[T | None] = asyncio.Queue()

    async def work() -> None:
        async with searches.slot(job):
            messages = begin()
            while (message := await searches.run(job, player, lambda: next(messages, None))) is not None:
                waiting.put_nowait(message)

    search = asyncio.create_task(work())
    search.add_done_callback(lambda _: waiting.put_nowait(None))
    try:
        while (message := await waiting.get()) is not None:
            yield message
        await search
    finally:
        search.cancel()
        await asyncio.gather(search, return_exceptions=True)
