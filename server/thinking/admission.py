# May know: basics, search.
"""Who may search, and when: a few slots, a bounded queue ordered by deadline, and a refusal at once for the rest.

A search is admitted only if it and everything admitted before it can still begin in time, by what each says it will
cost. So admitted calls keep their time, and those that cannot be served learn it at once, with a time to try again.

Nobody keeps the others out for long. A search that is much shorter than one that runs makes it rest meanwhile; that one
still ends in its own time, with less thought, and rests for half of it at most. What runs in the background rests for
anybody. Where there is no room for all, whoever waits more often than others goes first.
"""

import asyncio
import heapq
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from search.player import Player
from server.basics.refusals import Overloaded

_SHORTER = 4  # so many times a search must be shorter than what is left of another to go first
_LEAST_LEFT = 0.25  # seconds that must be left of that one


@dataclass(eq=False)
class Job:
    """Work for one slot: it waits, runs, or rests."""

    cost: float  # seconds it will take, as far as that can be said
    patience: float  # seconds it may wait
    owner: str = ""  # who asked
    background: bool = False  # whether it rests for anybody else
    begun: asyncio.Future[None] = field(init=False, default_factory=lambda: asyncio.get_running_loop().create_future())
    latest: float = field(init=False, default=0.0)  # it must begin by then
    queued: float = field(init=False, default=0.0)  # seconds it waited
    began: float = field(init=False, default=0.0)
    ends: float = field(init=False, default=0.0)  # when it is expected to end
    left: float = field(init=False, default=0.0)  # seconds it was expected to take when it began to rest
    rested: float = field(init=False, default=0.0)  # seconds
    player: Player | None = field(init=False, default=None)  # who thinks, if that is known already
    rests: bool = field(init=False, default=False)

    def run_by(self, player: Player) -> None:
        """It is this player who thinks."""
        self.player = player
        if self.rests:
            player.pause()

    def ending(self) -> None:
        """It will end any moment, since nobody wants it any more."""
        self.ends = monotonic()

    def gives_way(self, now: float, cost: float) -> bool:
        """Whether it rests for a search of so many seconds."""
        left = self.left if self.rests else self.ends - now
        if self.background:
            return left > 0
        return left >= max(_SHORTER * cost, _LEAST_LEFT) and self.rested + cost <= self.cost / 2


class Admission:
    """The search slots of this process."""

    def __init__(self, slots: int, queue: int, on_shed: Callable[[], None] = lambda: None) -> None:
        self.slots = slots
        self.queue = queue
        self.waiting: list[Job] = []  # by latest begin
        self.running: set[Job] = set()
        self.resting: list[Job] = []
        self.on_shed = on_shed

    @asynccontextmanager
    async def slot(self, me: Job) -> AsyncIterator[None]:
        """A slot for this one, until the block ends. Overloaded at once if there will be none in time."""
        asked = monotonic()
        me.latest = asked + me.patience
        if self.waiting or len(self.running) >= self.slots:
            self._make_room(me)
        else:
            self._begin(me)
        try:
            await me.begun
            me.queued = monotonic() - asked
            yield
        finally:
            self._leave(me)

    @property
    def idle(self) -> bool:
        """Whether a search could begin at once without taking anything from others."""
        return not self.waiting and not self.resting and len(self.running) < self.slots

    def expected_wait(self) -> float:
        """Seconds until all that is admitted now has begun and a slot is free again."""
        ends = self._ends()
        for waiting in self.waiting:
            heapq.heappush(ends, heapq.heappop(ends) + waiting.cost)
        return max(0.0, ends[0] - monotonic())

    # ---- Running and resting

    def _begin(self, job: Job) -> None:
        job.began = monotonic()
        job.ends = job.began + job.cost
        self.running.add(job)
        job.begun.set_result(None)

    def _rest(self, job: Job) -> None:
        now = monotonic()
        self.running.discard(job)
        self.resting.append(job)
        job.rests, job.left, job.began = True, job.ends - now, now
        if job.player is not None:
            job.player.pause()

    def _go_on(self, job: Job) -> None:
        now = monotonic()
        self.resting.remove(job)
        self.running.add(job)
        job.rested += now - job.began
        job.rests, job.ends = False, now + job.left
        if job.player is not None:
            job.player.resume()

    def _leave(self, job: Job) -> None:
        self.running.discard(job)
        for line in (self.waiting, self.resting):
            if job in line:
                line.remove(job)  # cancelled before its turn, or at its end while it rested
        while len(self.running) < self.slots and self._next():
            pass

    def _next(self) -> bool:
        """Let the next one begin or go on; False if there is none."""
        self._drop_done()
        rest = min(self.resting, key=lambda job: (job.background, job.left), default=None)
        if self.waiting and (rest is None or rest.gives_way(monotonic(), self.waiting[0].cost)):
            self._begin(self.waiting.pop(0))
        elif rest is not None:
            self._go_on(rest)
        return bool(self.waiting or self.resting)

    def _drop_done(self) -> None:
        """Those that were cancelled a moment ago, and have not left yet."""
        self.waiting = [job for job in self.waiting if not job.begun.done()]

    # ---- Admitting

    def _make_room(self, me: Job) -> None:
        """Let it begin in place of one that rests for it, or wait; if there is no time for it, refuse it."""
        self._drop_done()
        way = self._way_for(me)
        if way is not None:
            self._rest(way)
            self._begin(me)
            return
        while not self._enqueued(me):
            pushy = self._pushier_than(me)
            if pushy is None:
                self.on_shed()
                raise Overloaded("the server has no time for this search now", self.expected_wait())
            self.waiting.remove(pushy)
            self.on_shed()
            pushy.begun.set_exception(Overloaded("others wait who asked for less", self.expected_wait()))

    def _way_for(self, me: Job) -> Job | None:
        """The search that rests for this one, if nobody who waits would begin too late because of that."""
        now = monotonic()
        ways = [job for job in self.running if job.gives_way(now, me.cost)]
        if not ways or me.background:
            return None
        way = max(ways, key=lambda job: (job.background, job.ends))
        return way if self._in_time(self.waiting, longer=way, by=me.cost) else None

    def _enqueued(self, me: Job) -> bool:
        queue = sorted([*self.waiting, me], key=lambda job: job.latest)
        if len(queue) > self.queue or not self._in_time(queue):
            return False
        stay = [job for job in self.resting if not job.gives_way(monotonic(), me.cost)]
        if not self._in_time(sorted([*queue, *stay], key=lambda job: job is me), only=me):
            return False
        self.waiting = queue
        return True

    def _pushier_than(self, me: Job) -> Job | None:
        """The last one in the queue of whoever has most searches here, if those are clearly more than this one's."""
        have = Counter(job.owner for job in (*self.running, *self.resting, *self.waiting))
        others = [job for job in self.waiting if have[job.owner] > have[me.owner] + 1]
        return max(others, key=lambda job: (have[job.owner], job.latest), default=None)

    def _ends(self, longer: Job | None = None, by: float = 0.0) -> list[float]:
        """When each slot becomes free, as a heap, if one search takes longer. One past its time is about to end."""
        now = monotonic()
        ends = [max(now, job.ends + (by if job is longer else 0)) for job in self.running]
        ends += [now] * (self.slots - len(ends))
        heapq.heapify(ends)
        return ends

    def _in_time(
        self, queue: Iterable[Job], only: Job | None = None, longer: Job | None = None, by: float = 0.0
    ) -> bool:
        """Whether everything in the queue, or this one of it, can begin in time, one after the other."""
        ends = self._ends(longer, by)
        for job in queue:
            begin = heapq.heappop(ends)
            if begin > job.latest and (only is None or job is only):
                return False
            heapq.heappush(ends, begin + (job.left if job.rests else job.cost))
        return True
