# May know: basics.
"""How fast what comes is taken apart, and requests begin. That is Python, and whoever sends can choose bytes of which
each costs much, or requests that cost nothing but to be refused."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from time import thread_time

from server.basics import limits


class Pacing:
    """An address whose bytes took long waits as long for the next ones, by whichever connection they come."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[Callable[[], None]]] = {}  # of those that wait
        self._requests: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # that have not begun
        self._one_began = False

    def take(self, address: str, work: Callable[[], None]) -> None:
        """Do this now, or when it is its turn."""
        line = self._lines.get(address)
        if line is not None:
            line.append(work)
            return
        took = _timed(work)
        if took > limits.TAKING_SECONDS:
            self._lines[address] = deque()
            self._rest(address, took)

    def _rest(self, address: str, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._go_on, address)

    def _go_on(self, address: str) -> None:
        line, took = self._lines[address], 0.0
        while line:
            took += _timed(line.popleft())
            if took > limits.TAKING_SECONDS:
                self._rest(address, took)
                return
        del self._lines[address]

    async def turn(self, address: str) -> None:
        """One request begins each time the event loop goes round, of the addresses in a circle."""
        loop = asyncio.get_running_loop()
        if not self._one_began:
            self._one_began = True
            loop.call_soon(self._next)
            return
        mine = loop.create_future()
        self._requests.setdefault(address, deque()).append(mine)
        await mine

    def _next(self) -> None:
        self._one_began = False
        while self._requests and not self._one_began:
            address, line = self._requests.popitem(last=False)
            first = line.popleft()
            if line:
                self._requests[address] = line
            if not first.done():  # whoever asked may be gone
                first.set_result(None)
                self._one_began = True
        if self._one_began:
            asyncio.get_running_loop().call_soon(self._next)


def _timed(work: Callable[[], None]) -> float:
    begun = thread_time()
    work()
    return thread_time() - begun
