"""Searches for calls: how much one may cost, a slot to do it in, a thread that does it, and its end with the call."""

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
from server.thinking.admission import Admission, Place

T = TypeVar("T")
_DEFAULT_SECONDS = 1.0
_LEAST_SECONDS = 0.002
_FIRST_RATE = 20_000.0
_TELLING = 500  # iterations from which on they say something of the rate


@dataclass(frozen=True)
class Cost:
    """What a call's search may cost; known when the call arrives."""

    game: str
    arrived: int  # ns
    seconds: float
    iterations: int | None
    timed: bool  # whether time was asked for; if not, it only is a limit
    left: float  # seconds until the call's deadline, less the reserve
    expected: float  # seconds it will take, as far as that can be said
    patience: float  # seconds it may wait for its slot
    owner: str  # who asked
    background: bool = False  # whether it rests for anybody else


class Slot:
    """A search's place: one thread until it is done."""

    def __init__(self, searches: "Searches", cost: Cost, place: Place) -> None:
        self.searches = searches
        self.cost = cost
        self.place = place
        # A search that did not wait ends when the caller expects it: reading the request is part of its time.
        self.begun = cost.arrived if place.queued < _LEAST_SECONDS else clock_ns()
        ends = [self.begun + int(cost.seconds * 1e9)]
        if cost.left < float("inf"):
            ends.append(cost.arrived + int(cost.left * 1e9))
        self.deadline_ns = min(ends)
        self.runs = 0
        self.made = 0  # iterations

    @property
    def limit(self) -> Limit:
        return Limit(self.cost.iterations, self.deadline_ns)

    @property
    def budget(self) -> float | None:
        """The seconds there were, if time was the limit."""
        return self.cost.seconds if self.cost.timed else None

    async def run(self, player: Player, work: Callable[[], T]) -> T:
        """Let the player work in a search thread."""
        before = player.made
        self.place.run_by(player)

        def stop() -> None:
            self.place.ending()
            player.stop()

        result = await self.searches.in_thread(work, stop)
        self.runs += 1
        self.made += player.made - before
        return result


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

    def cost(self, budget: Budget, game: str, time_left: float | None, arrived: int) -> Cost:
        """The smallest of what is asked for, what is left until the deadline, and the server's limit."""
        asked, iterations, longest = budget.seconds, budget.iterations, self.settings.longest
        wanted = min(asked if asked is not None else _DEFAULT_SECONDS, longest)
        if asked is None and iterations is not None:
            wanted = longest
        left = float("inf") if time_left is None else time_left - self.settings.reserve_ms / 1000
        if left < _LEAST_SECONDS:
            raise TooLate(f"{max(0.0, time_left or 0) * 1000:.0f} ms are left, too few to answer in time")
        seconds = min(wanted, left)
        expected = seconds if iterations is None else min(seconds, 1.2 * iterations / self.rates[game])
        patience = min(self.settings.patience, left - expected)
        timed = asked is not None or iterations is None
        return Cost(game, arrived, seconds, iterations, timed, left, expected, patience, CALLER.get())

    @asynccontextmanager
    async def slot(self, cost: Cost) -> AsyncIterator[Slot]:
        """A place to search; Overloaded at once if there will be none in time."""
        async with self.admission.slot(cost.expected, cost.patience, cost.owner, cost.background) as place:
            self.metrics.waited.observe(place.queued)
            slot = Slot(self, cost, place)
            yield slot
            if slot.runs:
                self._book(slot)

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

    def _book(self, slot: Slot) -> None:
        """A search ended well."""
        now, cost = clock_ns(), slot.cost
        seconds = (now - slot.begun) / 1e9
        self.metrics.searched.observe(seconds)
        if cost.timed:
            self.metrics.overshoot.observe(max(0.0, (now - slot.deadline_ns) / 1e9))
        if slot.made >= _TELLING:
            self.rates[cost.game] += 0.1 * (slot.made / seconds - self.rates[cost.game])

    def close(self) -> None:
        self.threads.shutdown(wait=True, cancel_futures=True)
