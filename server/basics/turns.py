# May know: nothing else of Saloon.
"""Who comes next: the clients one after the other, however much each of them wants."""

import asyncio
import heapq
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from time import monotonic, thread_time

from server.basics import limits
from server.basics.refusals import Overloaded

_LONGEST_REST = 0.05
_QUIET = 4  # times the event loop went round without a new call: then there is nothing to rest for
_PATIENCE = 0.15  # seconds until a turn on the event loop comes; who would wait longer is told at once


class Turns:
    """So many turns at a time, given to the owners in a circle; of one owner, what costs least comes first."""

    def __init__(self, at_a_time: int = 1, most_waiting: int | None = None) -> None:
        """`most_waiting`: of one owner."""
        self.free = at_a_time
        self.most_waiting = most_waiting
        self.waiting: OrderedDict[str, list[tuple[float, int, asyncio.Future[None]]]] = OrderedDict()
        self._numbers = count()

    @asynccontextmanager
    async def turn(self, owner: str, cost: float = 0.0) -> AsyncIterator[None]:
        await self.begin(owner, cost)
        try:
            yield
        finally:
            self.end()

    async def begin(self, owner: str, cost: float = 0.0) -> None:
        """Wait for a turn, which has to be ended; RESOURCE_EXHAUSTED if too much of this owner waits already."""
        if self.free and not self.waiting:
            self.free -= 1
            return
        line = self.waiting.setdefault(owner, [])
        if self.most_waiting is not None and len(line) >= self.most_waiting:
            raise Overloaded(f"more than {self.most_waiting} calls of one client wait for this", limits.AGAIN_SECONDS)
        mine = asyncio.get_running_loop().create_future()
        place = (cost, next(self._numbers), mine)
        heapq.heappush(line, place)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # it was its turn at that moment
                self.end()
            else:
                self._leave(owner, place)
            raise

    def end(self) -> None:
        self.free += 1
        while self.free and self.waiting:
            owner, line = self.waiting.popitem(last=False)
            _, _, first = heapq.heappop(line)
            if line:
                self.waiting[owner] = line
            if not first.done():
                self.free -= 1
                first.set_result(None)

    def _leave(self, owner: str, place: tuple[float, int, asyncio.Future[None]]) -> None:
        line = self.waiting.get(owner, [])
        if place in line:
            line.remove(place)
            heapq.heapify(line)
            if not line:
                del self.waiting[owner]

    def others_wait(self, owner: str) -> bool:
        return any(other != owner for other in self.waiting)


class LoopTurns(Turns):
    """Turns on the event loop. One lasts until whoever has it waits for something else, and as long again nobody gets
    the next one if new calls come in meanwhile, so that none of them has to wait behind all that came before. That
    is measured by the time of the processor: threads that search may have it in between."""

    def __init__(self) -> None:
        super().__init__()
        self._came = 0  # calls
        self.usual = 0.001  # seconds that turns took lately, with their rests

    def look(self, owner: str) -> None:
        """A call came. RESOURCE_EXHAUSTED if its turn would not come soon."""
        self._came += 1
        wait = len(self.waiting.get(owner, ())) * len(self.waiting) * self.usual
        if wait > _PATIENCE:
            raise Overloaded("more requests of one client wait than can be begun in time", wait)

    async def take(self, owner: str, patient: bool = False) -> None:
        """Wait for a turn, which ends by itself; RESOURCE_EXHAUSTED at once if it would not come soon, unless the owner
        is patient."""
        if not patient:
            self.look(owner)
        await self.begin(owner)
        loop, begun, worked = asyncio.get_running_loop(), monotonic(), thread_time()

        def over() -> None:
            now = thread_time()
            rest(now + min(now - worked, _LONGEST_REST), self._came, 0)

        def rest(until: float, came: int, quiet: int) -> None:
            quiet = quiet + 1 if came == self._came else 0
            if self.waiting and quiet <= _QUIET and thread_time() < until:
                loop.call_soon(rest, until, self._came, quiet)
            else:
                self.usual += (monotonic() - begun - self.usual) / 16
                self.end()

        loop.call_soon(over)
