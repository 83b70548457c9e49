# May know: basics, calls.
"""One call over HTTP, as `server/calls/outermost.py` takes them."""

import asyncio
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from server.calls.context import EOF
from server.calls.statuses import Told, told
from server.web.protocols import Speech


class Ended(Exception):
    """It did not end well, and the caller is to be told so."""

    def __init__(self, status: Told) -> None:
        super().__init__(status.name)
        self.status = status


class WebCall:
    """See `Line`."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        seconds = speech.seconds()
        self.deadline = None if seconds is None else monotonic() + seconds
        self._callbacks: list[Callable[[Any], None]] = []

    def peer(self) -> str:
        return self._speech.exchange.peer

    def invocation_metadata(self) -> Iterable[tuple[str, Any]]:
        return self._speech.exchange.headers

    def time_remaining(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        self._callbacks.append(callback)

    def done(self) -> None:
        for callback in self._callbacks:
            callback(self)

    async def read(self) -> Any:
        data = await self._speech.read()
        return EOF if data is None else data

    async def write(self, data: bytes) -> None:
        await self._speech.write(data)
        await asyncio.sleep(0)  # whoever has much to say lets others go on, too

    async def abort_with_status(self, status: Any) -> None:
        raise Ended(told(status))
