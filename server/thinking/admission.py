"""Who may search, and when: a few slots, a bounded queue ordered by deadline, and a refusal at once for the rest.

A search is admitted only if it and everything admitted before it can still begin in time, by what each says it will
cost. So admitted calls keep their time, and those that cannot be served learn it at once, with a time to try again.
"""

import asyncio
import heapq
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from server.calls.refusals import exhausted


@dataclass(eq=False)
class _Search:
    """A search that waits or runs."""

    latest: float  # it must begin by then
    cost: float  # seconds it will take
    begun: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Admission:
    """The search slots of this process."""

    def __init__(self, slots: int, queue: int, on_shed: Callable[[], None] = lambda: None) -> None:
        self.slots = slots
        self.queue = queue
        self.waiting: list[_Search] = []  # by latest begin
        self.running: dict[_Search, float] = {}  # when each is expected to end
        self.on_shed = on_shed

    @asynccontextmanager
    async def slot(self, cost: float, patience: float) -> AsyncIterator[float]:
        """A slot for a search of so many seconds that may wait as long as `patience`; gives the seconds it waited.
        RESOURCE_EXHAUSTED at once if there will be none in time."""
        asked = monotonic()
        me = _Search(asked + patience, cost)
        if self.waiting or len(self.running) >= self.slots:
            self._enqueue(me)
        else:
            self._begin(me)
        try:
            await me.begun
            yield monotonic() - asked
        finally:
            if self.running.pop(me, None) is None and me in self.waiting:
                self.waiting.remove(me)  # cancelled before its turn
            self._begin_next()

    def _begin(self, search: _Search) -> None:
        self.running[search] = monotonic() + search.cost
        search.begun.set_result(None)

    def _begin_next(self) -> None:
        while self.waiting and len(self.running) < self.slots:
            search = self.waiting.pop(0)
            if not search.begun.done():  # cancelled a moment ago: its call has not noticed yet
                self._begin(search)

    def _enqueue(self, me: _Search) -> None:
        place = next((i for i, other in enumerate(self.waiting) if other.latest > me.latest), len(self.waiting))
        queue = [*self.waiting[:place], me, *self.waiting[place:]]
        if len(queue) > self.queue or not self._in_time(queue):
            self.on_shed()
            raise exhausted("the server has no time for this search now", self.expected_wait())
        self.waiting = queue

    def _ends(self) -> list[float]:
        """When each slot becomes free, as a heap. A search past its time is about to end."""
        now = monotonic()
        ends = [max(now, end) for end in self.running.values()]
        ends += [now] * (self.slots - len(ends))
        heapq.heapify(ends)
        return ends

    def _in_time(self, queue: list[_Search]) -> bool:
        """Whether everything in the queue can begin in time, one after the other."""
        ends = self._ends()
        for waiting in queue:
            begin = heapq.heappop(ends)
            if begin > waiting.latest:
                return False
            heapq.heappush(ends, begin + waiting.cost)
        return True

    def expected_wait(self) -> float:
        """Seconds until all that is admitted now has begun and a slot is free again."""
        ends = self._ends()
        for waiting in self.waiting:
            heapq.heappush(ends, heapq.heappop(ends) + waiting.cost)
        return max(0.0, ends[0] - monotonic())
