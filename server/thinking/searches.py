"""Searches for calls: how much one may cost, a slot to do it in, a thread that does it, and its end with the call."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import thread_time
from typing import TypeVar

from grpc import StatusCode
from saloon_client.v1 import bots_pb2 as pb

from engine_cy.registry import GAMES
from search.bots import Budget
from search.ismcts import clock_ns
from server.calls.refusals import Refused, invalid
from server.process.metrics import Metrics
from server.process.settings import Settings
from server.thinking.admission import Admission
from server.thinking.minds import Mind

T = TypeVar("T")
_DEFAULT_SECONDS = 1.0
_LEAST_SECONDS = 0.002
_FIRST_RATE = 20_000.0
_TELLING = 500  # iterations from which on they say something of the rate
_MOST_ITERATIONS = 100_000_000


@dataclass(frozen=True)
class Plan:
    """What a call's search may cost."""

    arrived: int  # ns
    seconds: float
    iterations: int | None
    timed: bool  # whether time was asked for; if not, it only is a limit
    left: float  # seconds until the call's deadline, less the reserve
    cost: float  # seconds it will take, as far as that can be said
    patience: float  # seconds it may wait for its slot


class Slot:
    """A search's place: one thread until it is done."""

    def __init__(self, owner: "Searches", plan: Plan, queued: float) -> None:
        self.owner = owner
        self.plan = plan
        self.queued = queued
        # A search that did not wait ends when the caller expects it: reading the request is part of its time.
        self.begun = plan.arrived if queued < _LEAST_SECONDS else clock_ns()
        ends = [self.begun + int(plan.seconds * 1e9)]
        if plan.left < float("inf"):
            ends.append(plan.arrived + int(plan.left * 1e9))
        self.deadline_ns = min(ends)

    @property
    def budget(self) -> Budget:
        return Budget(iterations=self.plan.iterations)

    async def run(self, work: Callable[[], T], stop: Callable[[], None]) -> T:
        """Do the work in a search thread."""
        return await self.owner.in_thread(work, stop)


class Searches:
    """Everything of this process that thinks."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self.metrics = metrics
        self.admission = Admission(settings.search_slots, settings.queue, metrics.shed.inc)
        self.threads = ThreadPoolExecutor(settings.search_slots, thread_name_prefix="search")
        metrics.slots.set(settings.search_slots)
        metrics.queued.set_function(lambda: len(self.admission.waiting))
        metrics.running.set_function(lambda: len(self.admission.running))
        self.rates = dict.fromkeys(GAMES, _FIRST_RATE)  # iterations a second, as measured lately

    def plan(self, budget: pb.Budget, game: str, time_left: float | None, arrived: int, field: str = "budget") -> Plan:
        """The smallest of what is asked for, what is left until the deadline, and the server's limit."""
        asked, iterations = check_budget(budget, field)
        wanted = min(asked if asked is not None else _DEFAULT_SECONDS, self.settings.longest)
        if asked is None and iterations is not None:
            wanted = self.settings.longest
        left = float("inf") if time_left is None else time_left - self.settings.reserve_ms / 1000
        if left < _LEAST_SECONDS:
            raise Refused(
                StatusCode.DEADLINE_EXCEEDED,
                f"{max(0.0, time_left or 0) * 1000:.0f} ms are left, too few to answer in time",
            )
        seconds = min(wanted, left)
        cost = seconds if iterations is None else min(seconds, 1.2 * iterations / self.rates[game])
        patience = min(self.settings.patience, left - cost)
        return Plan(arrived, seconds, iterations, asked is not None or iterations is None, left, cost, patience)

    @asynccontextmanager
    async def slot(self, plan: Plan) -> AsyncIterator[Slot]:
        """A place to search; RESOURCE_EXHAUSTED at once if there will be none in time."""
        async with self.admission.slot(plan.cost, plan.patience) as queued:
            self.metrics.waited.observe(queued)
            yield Slot(self, plan, queued)

    @property
    def idle(self) -> bool:
        """Whether a search could begin at once."""
        return not self.admission.waiting and len(self.admission.running) < self.admission.slots

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

    def count(self, slot: Slot, mind: Mind) -> None:
        """Book a search that ended."""
        now = clock_ns()
        seconds = (now - slot.begun) / 1e9
        self.metrics.searched.observe(seconds)
        if slot.plan.timed:
            self.metrics.overshoot.observe(max(0.0, (now - slot.deadline_ns) / 1e9))
        if mind.made >= _TELLING and not mind.plan.weaker:
            game = mind.view.rules.name
            self.rates[game] += 0.1 * (mind.made / seconds - self.rates[game])

    def close(self) -> None:
        self.threads.shutdown(wait=True, cancel_futures=True)


def check_budget(budget: pb.Budget, field: str) -> tuple[float | None, int | None]:
    """The seconds and the iterations that are asked for."""
    seconds: float | None = None
    if budget.HasField("time"):
        seconds = budget.time.seconds + budget.time.nanos / 1e9
        if not 0.001 <= seconds <= 86_400:
            raise invalid(f"{field}.time", f"expected 1 ms to 24 h, got {seconds} s")
    if budget.HasField("iterations") and not 1 <= budget.iterations <= _MOST_ITERATIONS:
        raise invalid(f"{field}.iterations", f"expected 1 to {_MOST_ITERATIONS}, got {budget.iterations}")
    return seconds, budget.iterations if budget.HasField("iterations") else None
