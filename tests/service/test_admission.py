"""Who may search and when: admitted searches begin in time, the others are refused at once, cancelled ones leave
nothing behind."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.player import Answer, Budget, Player, Question
from server.basics.metrics import Metrics
from server.basics.refusals import Overloaded
from server.basics.settings import load
from server.thinking.admission import Admission, Job
from server.thinking.searches import Searches
from wire.bots import Bot

BOTS = ("1", "10", "max")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


async def hold(admission: Admission, cost: float, patience: float, log: list[str], name: str, owner: str = "") -> None:
    async with admission.slot(Job(cost, patience, owner)):
        log.append(name)
        await asyncio.sleep(cost)


def test_the_most_urgent_begins_first() -> None:
    async def work() -> None:
        admission, log = Admission(1, 10), list[str]()
        tasks = [asyncio.create_task(hold(admission, 0.05, 0, log, "running"))]
        await asyncio.sleep(0)
        for name, patience in (("late", 5.0), ("soon", 1.0), ("later", 9.0)):
            tasks.append(asyncio.create_task(hold(admission, 0.01, patience, log, name)))
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        assert log == ["running", "soon", "late", "later"]

    run(work())


def test_what_cannot_begin_in_time_is_refused_at_once() -> None:
    """With a time to try again that is about when a slot is free."""

    async def work() -> None:
        admission, log = Admission(1, 10), list[str]()
        running = asyncio.create_task(hold(admission, 0.3, 0, log, "running"))
        await asyncio.sleep(0)
        begun = monotonic()
        with pytest.raises(Overloaded) as caught:
            await hold(admission, 0.1, 0.2, log, "impatient")
        assert monotonic() - begun < 0.1
        assert 0.1 < (caught.value.retry_seconds or 0) <= 0.3
        await asyncio.gather(running, hold(admission, 0.01, 0.5, log, "patient"))
        assert log == ["running", "patient"]

    run(work())


def test_nobody_admitted_is_pushed_back() -> None:
    """A more urgent search is refused if one that waits already would begin too late for it."""

    async def work() -> None:
        admission, log = Admission(1, 10), list[str]()
        running = asyncio.create_task(hold(admission, 0.1, 0, log, "running"))
        await asyncio.sleep(0)
        waiting = asyncio.create_task(hold(admission, 0.1, 0.15, log, "waiting"))
        await asyncio.sleep(0)
        with pytest.raises(Overloaded):
            await hold(admission, 0.2, 0.12, log, "pushing")
        await asyncio.gather(running, waiting)
        assert log == ["running", "waiting"]

    run(work())


def test_the_queue_is_bounded() -> None:
    async def work() -> None:
        admission, log = Admission(1, 2), list[str]()
        tasks = [asyncio.create_task(hold(admission, 0.02, 10, log, str(i))) for i in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Overloaded):
            await hold(admission, 0.01, 10, log, "one too many")
        await asyncio.gather(*tasks)
        assert log == ["0", "1", "2"]

    run(work())


class Thinking(Player):
    """Notes when it rests."""

    def __init__(self, log: list[str]) -> None:
        self.log = log

    def think(self, question: Question) -> Answer:
        raise NotImplementedError

    def pause(self) -> None:
        self.log.append("rests")

    def resume(self) -> None:
        self.log.append("goes on")


async def long_one(admission: Admission, cost: float, log: list[str], background: bool = False) -> None:
    job = Job(cost, 0, "hog", background)
    async with admission.slot(job):
        job.run_by(Thinking(log))
        await asyncio.sleep(cost)
        log.append("long")


def test_a_long_search_rests_for_a_short_one() -> None:
    async def work() -> None:
        admission, log = Admission(1, 10), list[str]()
        long = asyncio.create_task(long_one(admission, 1.0, log))
        await asyncio.sleep(0.01)
        await hold(admission, 0.05, 0, log, "short")
        assert not admission.idle
        await long
        assert log == ["rests", "short", "goes on", "long"]
        assert admission.idle

    run(work())


def test_one_who_waits_keeps_no_short_search_out() -> None:
    """Nor is it kept waiting longer than it may: then the short one is refused."""

    async def work() -> None:
        admission, log = Admission(1, 10), list[str]()
        long = asyncio.create_task(long_one(admission, 1.0, log))
        await asyncio.sleep(0.01)
        waiting = asyncio.create_task(hold(admission, 0.5, 1.2, log, "patient"))
        await asyncio.sleep(0.01)
        await hold(admission, 0.05, 0, log, "short")
        with pytest.raises(Overloaded):
            await hold(admission, 0.24, 0, log, "not so short")
        await asyncio.gather(long, waiting)
        assert log == ["rests", "short", "goes on", "long", "patient"]

    run(work())


def test_it_rests_for_half_of_its_time_at_most() -> None:
    async def work() -> None:
        admission, log = Admission(1, 10), list[str]()
        long = asyncio.create_task(long_one(admission, 1.0, log))
        await asyncio.sleep(0.01)
        admitted = 0
        while not long.done():
            with suppress(Overloaded):
                await hold(admission, 0.06, 0, log, "short")
                admitted += 1
            await asyncio.sleep(0.001)
        assert 1 <= admitted <= 8
        assert log.count("rests") == log.count("goes on") == admitted

    run(work())


def test_what_runs_in_the_background_rests_for_anybody() -> None:
    async def work() -> None:
        admission, log = Admission(1, 10), list[str]()
        long = asyncio.create_task(long_one(admission, 0.1, log, background=True))
        await asyncio.sleep(0.01)
        for name in ("first", "second"):
            await hold(admission, 0.2, 0, log, name)
        await long
        assert log[:2] == ["rests", "first"]
        with pytest.raises(Overloaded):
            async with admission.slot(Job(1.0, 0)):
                await long_one(admission, 0.1, log, background=True)

    run(work())


def test_who_waits_often_makes_room_for_who_does_not() -> None:
    async def work() -> None:
        admission, log = Admission(1, 3), list[str]()
        tasks = [asyncio.create_task(hold(admission, 0.05, 1, log, f"hog {i}", "hog")) for i in range(4)]
        await asyncio.sleep(0.01)
        await hold(admission, 0.05, 1, log, "other", "other")
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(isinstance(one, Overloaded) for one in done) == 1
        assert sorted(log) == ["hog 0", "hog 1", "hog 2", "other"]

    run(work())


def test_who_has_gone_is_not_asked_to_make_room() -> None:
    """Though it still stands in the queue when the next one comes."""

    async def work() -> None:
        admission, log = Admission(1, 2), list[str]()
        tasks = [asyncio.create_task(hold(admission, 0.05, 1, log, f"hog {i}", "hog")) for i in range(3)]
        await asyncio.sleep(0.01)
        for task in tasks[1:]:
            task.cancel()
        await hold(admission, 0.05, 1, log, "other", "other")
        await asyncio.gather(*tasks, return_exceptions=True)
        assert log == ["hog 0", "other"]

    run(work())


def test_a_search_that_was_cancelled_does_not_count() -> None:
    """It needs some milliseconds to end; who comes meanwhile waits for these, and is not refused."""

    async def work() -> None:
        admission, log = Admission(1, 10), list[str]()
        job = Job(30.0, 0)
        async with admission.slot(job):
            job.ending()
            waiting = asyncio.create_task(hold(admission, 20.0, 0.5, log, "next"))
            await asyncio.sleep(0.01)
            assert not waiting.done()
        await asyncio.sleep(0.01)
        assert log == ["next"]
        waiting.cancel()

    run(work())


@given(
    st.integers(1, 3),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=25),
)
def test_slots_are_never_lost(slots: int, searches: list[tuple[int, int, int]]) -> None:
    """Whatever is admitted, refused or cancelled, and when: never more than the slots, and all are free at the end."""
    most = 0

    async def one(admission: Admission, cost: int, patience: int) -> None:
        nonlocal most
        with suppress(Overloaded):
            async with admission.slot(Job(cost / 1000, patience / 1000)):
                most = max(most, len(admission.running))
                await asyncio.sleep(0)

    async def work() -> None:
        admission = Admission(slots, 5)
        tasks = []
        for cost, patience, cancel in searches:
            tasks.append(asyncio.create_task(one(admission, cost, 1000 * patience)))
            if cancel == 0:
                tasks[len(tasks) // 2].cancel()
            if cancel < 3:
                await asyncio.sleep(0)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert admission.idle

    run(work())
    assert most <= slots


def test_a_level_is_booked_at_what_it_costs(tmp_path: Path) -> None:
    """Without a budget it may take a second, but it is known to take far less; the best takes all of it."""

    async def work() -> None:
        searches = Searches(load(database=tmp_path / "tables.sqlite"), Metrics())
        try:
            costs = {name: searches.job(Budget(), "moon_river", 0, most=Bot(name).player().most).cost for name in BOTS}
        finally:
            searches.close()
        assert costs["max"] == 1
        assert costs["1"] < costs["10"] < 0.1

    run(work())
