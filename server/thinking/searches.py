# May know: basics, engine_cy, search.
"""Searches for calls: what one may cost, a slot and a thread for it, and its end with the call."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import thread_time
from typing import TypeVar

from engine_cy.registry import GAMES
from search.ismcts import clock_ns
from search.player import Budget, Limit, Player
from server.basics.caller import CALLER
from server.basics.metrics import Metrics
from server.basics.refusals import TooLate
from server.basics.settings import Settings
from server.thinking.admission import Admission, Job

T = TypeVar("T")
_DEFAULT_SECONDS = 1.0
_LEAST_SECONDS = 0.002
_FIRST_RATE = 20_000.0
_CAREFUL = 1.2  # so much longer than it should a search is said to take
_SURE = 0.95  # of the time left, within which what waits has to end: much of what makes answers late is not seen here
_NEVER = 2**62  # ns
_NO_LIMIT = Limit()
_USUAL_TURN = 4  # decisions of a turn, where it has to be guessed what they cost
_TELLING = 500  # iterations from which on they say something of the rate


@dataclass(eq=False, kw_only=True)
class SearchJob(Job):
    """A call's search: what it may cost, known when the call arrives, and what it did in its slot."""

    game: str
    arrived: int  # ns
    seconds: float
    iterations: int | None
    timed: bool  # whether time was asked for; if not, it only is a limit
    deadline_ns: int  # of the call, less the reserve
    begun_ns: int = 0
    limit: Limit = _NO_LIMIT  # since it has its slot
    runs: int = 0
    made: int = 0  # iterations

    def start(self) -> None:
        """It has its slot. One that did not wait ends when the caller expects it: reading the request is part of its
        time."""
        self.begun_ns = self.arrived if self.queued < _LEAST_SECONDS else clock_ns()
        self.limit = Limit(self.iterations, min(self.begun_ns + int(self.seconds * 1e9), self.deadline_ns))

    @property
    def budget(self) -> float | None:
        """The seconds there were, if time was the limit."""
        return self.seconds if self.timed else None


class Searches:
    """Everything of this process that thinks."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self.metrics = metrics
        self.admission = Admission(settings.search_slots, settings.queue, metrics.shed.inc)
        # Searches that rest keep their thread.
        self.threads = ThreadPoolExecutor(2 * settings.search_slots + settings.queue, thread_name_prefix="search")
        # So many bots ponder at a time; the others wait for their turn in order, which costs nothing.
        self.pondering = asyncio.Semaphore(settings.search_slots)
        metrics.slots.set(settings.search_slots)
        metrics.queued.set_function(lambda: len(self.admission.waiting))
        metrics.running.set_function(lambda: len(self.admission.running))
        self.rates = dict.fromkeys(GAMES, _FIRST_RATE)  # iterations a second, as measured lately

    def job(
        self,
        budget: Budget,
        game: str,
        arrived: int,
        *,
        time_left: float | None = None,
        patience: float | None = None,
        owner: str | None = None,
        background: bool = False,
        most: int | None = None,
        turn: bool = False,
    ) -> SearchJob:
        """A search for the smallest of what is asked for, what is left until the deadline, and the server's limit. It
        is the caller's and as patient as the server unless somebody says otherwise. `most`: iterations a decision
        takes at most, if that is known; `turn`: it is for a whole turn."""
        asked, iterations, longest = budget.seconds, budget.iterations, self.settings.longest
        wanted = min(asked if asked is not None else _DEFAULT_SECONDS, longest)
        if asked is None and iterations is not None:
            wanted = longest
        left = float("inf") if time_left is None else time_left - self.settings.reserve_ms / 1000
        if left < _LEAST_SECONDS:
            raise TooLate(f"{max(0.0, time_left or 0) * 1000:.0f} ms are left, too few to answer in time")
        seconds = min(wanted, left)
        if most is not None and turn:
            most *= _USUAL_TURN
        expected = min((n for n in (iterations, most) if n is not None), default=None)
        cost = seconds if expected is None else min(seconds, _CAREFUL * expected / self.rates[game])
        return SearchJob(
            cost=cost,
            patience=min(self.settings.patience if patience is None else patience, _SURE * left - cost),
            owner=CALLER.get() if owner is None else owner,
            background=background,
            game=game,
            arrived=arrived,
            seconds=seconds,
            iterations=iterations,
            timed=asked is not None or iterations is None,
            deadline_ns=_NEVER if time_left is None else arrived + int(left * 1e9),
        )

    @asynccontextmanager
    async def slot(self, job: SearchJob) -> AsyncIterator[None]:
        """A slot for this search, until the block ends; Overloaded at once if there will be none in time."""
        async with self.admission.slot(job):
            self.metrics.waited.observe(job.queued)
            job.start()
            yield
            if job.runs:
                self._book(job)

    async def run(self, job: SearchJob, player: Player, work: Callable[[], T]) -> T:
        """Let the player work in a search thread."""
        before = player.made
        job.run_by(player)

        def stop() -> None:
            job.ending()
            player.stop()

        result = await self.in_thread(work, stop)
        job.runs += 1
        job.made += player.made - before
        return result

    async def in_thread(self, work: Callable[[], T], stop: Callable[[], None]) -> T:
        """Do the work in a thread. If the call ends before it is done, it is stopped; its thread is waited for."""
        future = asyncio.get_running_loop().run_in_executor(self.threads, self._metered, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            stop()
            await asyncio.wait([future])
            raise

    def _metered(self, work: Callable[[], T]) -> T:
        begun = thread_time()
        try:
            return work()
        finally:
            self.metrics.search_cpu.inc(thread_time() - begun)

    def _book(self, job: SearchJob) -> None:
        """A search ended well."""
        now = clock_ns()
        seconds = (now - job.begun_ns) / 1e9
        self.metrics.searched.observe(seconds)
        if job.timed and job.limit.deadline_ns is not None:
            self.metrics.overshoot.observe(max(0.0, (now - job.limit.deadline_ns) / 1e9))
        if job.made >= _TELLING:
            self.rates[job.game] += 0.1 * (job.made / seconds - self.rates[job.game])

    def close(self) -> None:
        self.threads.shutdown(wait=True, cancel_futures=True)
