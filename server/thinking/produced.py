# May know: nothing else of Saloon.
"""Answers of a search that go out as a stream."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


async def produced(produce: Callable[[Callable[[T], None]], Awaitable[None]]) -> AsyncIterator[T]:
    """What `produce` puts out, in order. It goes on in a task of its own, so that whoever reads slowly or not at all
    keeps no slot: what it puts out waits here, and has to be little. It is cancelled when nobody reads any more."""
    answers: asyncio.Queue[T | None] = asyncio.Queue()

    async def run() -> None:
        await produce(answers.put_nowait)

    search = asyncio.create_task(run())
    search.add_done_callback(lambda _: answers.put_nowait(None))
    try:
        while (answer := await answers.get()) is not None:
            yield answer
        await search
    finally:
        search.cancel()
        await asyncio.gather(search, return_exceptions=True)
