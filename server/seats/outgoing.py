# May know: basics, saloon_client.
"""What a bot says to its front end, on its way: little of it may wait for one who does not read."""

import asyncio
from collections.abc import AsyncIterator

from saloon_client.v1 import seats_pb2 as pb

from server.basics import limits
from server.basics.refusals import Overloaded

_MOST_UNREAD = 8
_UNREAD_SECONDS = 60.0  # until it gives up


class Outgoing:
    """One stream's answers, in order."""

    def __init__(self, unread_seconds: float = _UNREAD_SECONDS) -> None:
        self._seconds = unread_seconds
        self._queue: asyncio.Queue[pb.SitResponse | None] = asyncio.Queue()
        self._room = asyncio.Semaphore(_MOST_UNREAD)

    async def say(self, response: pb.SitResponse) -> None:
        """Waits while much is unread, and with it everything that the front end wants next; Overloaded in the end."""
        try:
            await asyncio.wait_for(self._room.acquire(), self._seconds)
        except TimeoutError:
            raise Overloaded(f"answers were not read for {self._seconds:g} s", limits.AGAIN_SECONDS) from None
        self._queue.put_nowait(response)

    def announce(self, response: pb.SitResponse) -> None:
        """Something that is said once, whether there is room or not."""
        self._queue.put_nowait(response)

    def end(self) -> None:
        self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[pb.SitResponse]:
        while (response := await self._queue.get()) is not None:
            yield response
            self._room.release()
