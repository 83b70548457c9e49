# May know: basics.
"""One request and its answer, whichever HTTP it is."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence

from server.basics import limits

Headers = Sequence[tuple[str, str]]


class Exchange(ABC):
    """What was asked is read only as far as somebody wants it."""

    def __init__(self, peer: str, method: str, path: str, headers: Headers) -> None:
        self.peer = peer
        self.method = method
        self.path = path.partition("?")[0]
        self.headers = headers
        self.both_ways = False  # whether one may still ask while the other answers
        self.ended = False  # all that was asked is here
        self.task: asyncio.Task[None] | None = None  # who answers
        self._have = bytearray()
        self._news: asyncio.Future[None] | None = None

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")

    # ---- What is asked

    def feed(self, data: bytes) -> None:
        if data:
            self._have += data
            self._tell()

    def feed_end(self) -> None:
        self.ended = True
        self._tell()

    def _tell(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    @property
    def full(self) -> bool:
        """Whether more is here than should be, unless somebody asks for it."""
        return len(self._have) > limits.WINDOW_BYTES

    async def read(self) -> bytes:
        """The next part of the body; empty at its end."""
        self.wanted()
        while not self._have and not self.ended:
            self._news = asyncio.get_running_loop().create_future()
            await self._news
        part = bytes(self._have)
        self._have.clear()
        if part:
            self.taken(len(part))
        return part

    @abstractmethod
    def wanted(self) -> None:
        """Somebody waits for the body."""

    @abstractmethod
    def taken(self, size: int) -> None:
        """So much of the body was read."""

    # ---- What is answered

    @abstractmethod
    async def begin(self, status: int, headers: Headers) -> None: ...

    @abstractmethod
    async def send(self, data: bytes) -> None:
        """A part of the answer; it waits until it is on its way."""

    @abstractmethod
    async def finish(self) -> None:
        """The answer is whole."""

    @abstractmethod
    def give_up(self) -> None:
        """It will not be whole: say so as HTTP can."""

    def cancel(self) -> None:
        """The other side is gone, or does not want it any more."""
        if self.task is not None:
            self.task.cancel()
