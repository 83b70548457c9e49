"""What hosted tables need of a store, asked of every store there is, by two processes that share it."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from server.stores import room
from server.stores.tables import (
    Change,
    Clock,
    Conflict,
    Full,
    Header,
    Limits,
    News,
    Place,
    Request,
    SeatRow,
    Status,
    Store,
    Stored,
    StoredAnswer,
    StoredBot,
    Summary,
    TimedOut,
    TurnTime,
    Wanted,
)
from tests.service.kept import Kept, KeptInFile, Steady, opened

HEADER = Header("t", "moon_river", "{}", "c", "public", b"i", b"h", 2**64 - 1, 2**64 - 1, 2**63 - 1, 10**18)
BOT = StoredBot("max", 2**64 - 1, "outlaw", {"exploration": 1.5, "win": 0.0}, time=0.020000001, iterations=30)
SEATS = [
    SeatRow(0, "person", "Ann", b"token"),
    SeatRow(1, "bot", "StoredBot", None, BOT),
    SeatRow(2, "bot", "Other", b"own", StoredBot("3", 0)),
    SeatRow(3, "free"),
]
STATUS = Status("decision", "claim", 1)
CLOCK = Clock(60.5, "seat", BOT)
LIMITS = Limits(tables=10, of_owner=10, idle_seconds=3600, before_begin=3600)
FIRST = Change(Summary(STATUS, free=0, bot_due=True), SEATS, 0, ["[0]", "[1]"])
ANSWER = StoredAnswer(2, STATUS)


def limited(**limits: float) -> Limits:
    return replace(LIMITS, **limits)  # type: ignore[arg-type]


def stores(kept: Kept, work: Callable[[Store, Store], Awaitable[None]], steady: Steady | None = None) -> None:
    """Two stores on one database, as two processes have them."""

    async def run() -> None:
        async with opened(kept, steady=steady) as (one, two):
            for store in (one.tables, two.tables):
                await quiet(store)
            await work(one.tables, two.tables)

    asyncio.run(run())


async def heard(store: Store, wanted: Sequence[News] = ()) -> list[News] | None:
    """News until these are among them, or until there has been none for a while."""
    found: list[News] = []
    while not wanted or not {*wanted} <= {*found}:
        try:
            news = await asyncio.wait_for(store.news(), 5 if wanted else 0.3)
        except TimeoutError:
            return found
        if news is None:
            return None
        if not news and not wanted:
            return found
        found += news
    return found


async def quiet(store: Store) -> None:
    """Once nothing is left to be heard, of what was before either."""
    while await heard(store) is None:
        pass


def test_what_is_written_is_read(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        revision = await one.create(HEADER, FIRST, LIMITS)
        for store in (one, two):
            stored = await store.read("t", 0)
            assert stored is not None
            assert (stored.header, stored.seats, stored.summary) == (HEADER, tuple(SEATS), FIRST.summary)
            assert (stored.revision, stored.events, stored.count) == (revision, ("[0]", "[1]"), 2)
        later = await two.read("t", 1)
        assert later is not None
        assert later.events == ("[1]",)
        assert await one.read("u", 0) is None

    stores(kept, work)


def test_of_two_writers_one_has_to_look_again(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        revision = await one.create(HEADER, FIRST, LIMITS)
        changes = [Change(Summary(), [], 2, [f'["{name}"]'], Request(0, name, ANSWER)) for name in ("one", "two")]
        done = await asyncio.gather(
            *(store.write("t", revision, change) for store, change in zip((one, two), changes, strict=True)),
            return_exceptions=True,
        )
        assert sorted(isinstance(result, Conflict) for result in done) == [False, True]
        winner = "two" if isinstance(done[0], Conflict) else "one"
        stored = await one.read("t", 0)
        assert stored is not None
        assert stored.events == ("[0]", "[1]", f'["{winner}"]')
        assert [await two.answer("t", 0, name) is not None for name in ("one", "two")] == [
            winner == "one",
            winner == "two",
        ]
        assert await two.answer("t", 0, winner) == ANSWER
        assert await one.answer("t", 1, winner) is None

    stores(kept, work)


def test_a_write_is_done_as_a_whole_or_not_at_all(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        revision = await one.create(HEADER, FIRST, LIMITS)
        before = await one.read("t", 0)
        with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError)):  # an event of this number is there
            await one.write("t", revision, Change(Summary(), [SeatRow(0, "bot")], 1, ["[9]"], Request(0, "r", ANSWER)))
        assert await two.read("t", 0) == before
        assert await two.answer("t", 0, "r") is None
        assert await two.write("t", revision, Change(Summary(Status("over", "over")))) > revision

    stores(kept, work)


def test_news_of_others(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        assert await heard(two) == []
        revision = await one.create(HEADER, FIRST, LIMITS)
        both = [News("t", revision), News("u", await one.create(replace(HEADER, table="u"), FIRST, LIMITS))]
        assert await heard(two, both) == both
        assert await heard(two) == []
        revision = await two.write("t", revision, Change(Summary()))
        assert await heard(one, [News("t", revision)])
        await one.delete("u")
        revision = await one.write("t", revision, Change(Summary()))
        assert await heard(two, [News("t", revision)])

    stores(kept, work)


def test_lists_and_limits(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        free = Change(Summary(free=1))
        for number in range(5):
            header = header_of(number, access="invitation" if number == 2 else "public")
            await one.create(header, free if number % 2 else FIRST, limited(tables=5))
        with pytest.raises(Full):
            await two.create(HEADER, FIRST, limited(tables=5))
        found = await two.listed(Wanted("public"), None, 10)
        assert [stored.header.table for stored in found] == ["t4", "t3", "t1", "t0"]
        assert await names(two, Wanted("public"), found[1].place, 1) == ["t1"]
        assert await names(two, Wanted("public", states=("open",))) == ["t3", "t1"]
        assert await one.under_way() == 3

    stores(kept, work)


def test_tables_nobody_touches_are_forgotten(kept: Kept) -> None:
    """With all that belongs to them; the others stay."""

    async def work(one: Store, two: Store) -> None:
        for name in ("a", "b", "c"):
            await one.create(replace(HEADER, table=name), FIRST, LIMITS)
        await one.write(
            "a", (await _read(one, "a")).revision, Change(Summary(), [], 2, ["[2]"], Request(0, "r", ANSWER))
        )
        assert await two.forget(LIMITS) == 0
        kept.sql("UPDATE tables SET written = written - 4000 WHERE id <> 'a'")
        assert await two.forget(LIMITS) == 2
        assert await one.read("b", 0) is None
        assert (await _read(one, "a")).count == 3
        for name in ("events", "seats", "requests"):
            assert kept.sql(f"SELECT DISTINCT table_id FROM {name}") == [("a",)]
        await one.create(replace(HEADER, table="d"), FIRST, limited(tables=2))

    stores(kept, work)


def test_games_that_never_began_are_forgotten_sooner(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        await one.create(replace(HEADER, table="begun"), FIRST, LIMITS)
        await one.create(replace(HEADER, table="waiting"), Change(Summary(free=1)), LIMITS)
        assert await two.forget(limited(before_begin=-1)) == 1
        assert await one.read("waiting", 0) is None
        assert await one.read("begun", 0) is not None

    stores(kept, work)


def test_one_owner_has_only_so_many(kept: Kept) -> None:
    """And is told when there will be room: when the next of them would be deleted."""

    async def work(one: Store, two: Store) -> None:
        limits, ann = limited(of_owner=2, idle_seconds=500), replace(HEADER, owner="Ann")
        for name in ("a", "b"):
            await one.create(replace(ann, table=name), FIRST, limits)
        with pytest.raises(Full) as full:
            await two.create(replace(ann, table="c"), FIRST, limits)
        assert full.value.of_owner
        assert 480 < full.value.retry_seconds <= 500
        await two.create(replace(HEADER, owner="Bob"), FIRST, limits)
        await two.delete("a")
        await one.create(replace(ann, table="c"), FIRST, limits)

    stores(kept, work)


def test_tables_are_not_counted_for_every_new_one(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """And yet there are no more than there may be, but for what others made since the last count."""
    now = 1000.0
    monkeypatch.setattr(room, "monotonic", lambda: now)

    async def work(one: Store, two: Store) -> None:
        nonlocal now
        limits = limited(tables=5)
        for store, number in ((one, 0), (two, 1), (one, 2), (one, 3), (one, 4)):
            await store.create(header_of(number), FIRST, limits)
        await one.create(header_of(5), FIRST, limits)  # it knows of four and this one
        with pytest.raises(Full):
            await one.create(header_of(6), FIRST, limits)
        for name in ("t0", "t1"):
            await two.delete(name)
        await one.create(header_of(6), FIRST, limits)
        with pytest.raises(Full):
            await one.create(header_of(7), FIRST, limits)
        await two.create(header_of(7), FIRST, limits)  # it counted a moment ago
        now += 6
        with pytest.raises(Full):
            await two.create(header_of(8), FIRST, limits)

    stores(kept, work)


def test_times_of_turns(kept: Kept) -> None:
    """A time that ran out is told with the revision it belongs to; it ends with the turn."""
    now = Steady()

    async def work(one: Store, two: Store) -> None:
        timed = replace(HEADER, clock=CLOCK, host_may_know=True)
        revision = await one.create(timed, turn(0, seconds=60), LIMITS)
        await one.create(replace(timed, table="u"), turn(0, seconds=90), LIMITS)
        await one.create(replace(timed, table="none"), turn(0), LIMITS)
        stored = await _read(two, "t")
        assert (stored.header, stored.time_left, stored.turn_begun) == (timed, 60, 0)
        assert (await _read(two, "none")).time_left is None
        await now.goes(two, 59)
        assert (await _read(one, "t")).time_left == 1
        assert await one.out_of_time() == []
        await now.goes(two, 2)
        assert await one.out_of_time() == await two.out_of_time() == [("t", revision)]
        assert (await _read(two, "t")).time_left == 0

        revision = await one.write("t", revision, turn(0, goes_on=True))  # within the turn
        assert await two.out_of_time() == [("t", revision)]
        out = replace(turn(0, goes_on=True, bot_due=True), timed_out=[TimedOut(2, 1)])
        revision = await two.write("t", revision, out)
        assert await one.out_of_time() == []
        assert (await _read(one, "t")).timed_out == (TimedOut(2, 1),)
        revision = await two.write("t", revision, turn(0, goes_on=True))  # the person is back
        assert await one.out_of_time() == [("t", revision)]
        await one.write("t", revision, turn(2, seconds=60))
        stored = await _read(two, "t")
        assert (stored.time_left, stored.turn_begun, stored.timed_out) == (60, 2, (TimedOut(2, 1),))
        assert (await _read(two, "u")).time_left == 29
        await one.delete("t")
        assert await two.read("t", 0) is None

    stores(kept, work, now)


@pytest.mark.parametrize("jump", [-(10**6), -3600, 3600, 90 * 86_400])
def test_times_do_not_run_while_nobody_serves(kept: Kept, jump: float) -> None:
    """However long that was, and if the steady clock began anew."""
    now = Steady()

    async def before(one: Store, _: Store) -> None:
        await one.create(replace(HEADER, clock=CLOCK), turn(0, seconds=600), LIMITS)
        await now.goes(one, 100)

    async def after(one: Store, two: Store) -> None:
        for store in (one, two):
            assert 500 <= (await _read(store, "t")).time_left <= 505  # type: ignore[operator]
        await now.goes(two, 100)
        assert 395 <= (await _read(one, "t")).time_left <= 405  # type: ignore[operator]
        await now.goes(two, 405)
        assert [name for name, _ in await one.out_of_time()] == ["t"]

    stores(kept, before, now)
    now.time += jump
    stores(kept, after, now)


def test_a_clock_that_is_set_changes_no_time(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(one: Store, two: Store) -> None:
        await one.create(replace(HEADER, clock=CLOCK), turn(0, seconds=3600), LIMITS)
        for ahead in (90 * 86_400, -90 * 86_400):
            wall = time.time() + ahead
            monkeypatch.setattr(time, "time", lambda wall=wall: wall)
            assert await two.out_of_time() == []
            assert 3590 < (await _read(two, "t")).time_left <= 3600  # type: ignore[operator]

    stores(kept, work)


def turn(begun: int, seconds: float | None = None, *, goes_on: bool = False, bot_due: bool = False) -> Change:
    return Change(Summary(STATUS, bot_due=bot_due), turn=TurnTime(begun, seconds, goes_on))


def test_a_deleted_table_leaves_nothing(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        for name in ("a", "t"):
            await one.create(replace(HEADER, table=name), FIRST, LIMITS)
        await one.delete("t")
        await one.delete("t")
        assert await two.read("t", 0) is None
        for name in ("events", "seats", "requests"):
            assert not kept.sql(f"SELECT * FROM {name} WHERE table_id = 't'")
        assert (await _read(two, "a")).count == 2

    stores(kept, work)


def test_bots_are_played_by_one_process(kept: Kept) -> None:
    """By the one that wrote last; another one claims those of one that is gone, or that is not heard of there."""
    waits = Change(Summary(STATUS, free=0, bot_due=False))

    async def claimed(store: Store, idle_seconds: float = 1000) -> list[str]:
        return sorted(await store.claim_bots(idle_seconds, 10))

    async def claimed_soon(store: Store) -> list[str]:
        """That a process is gone is not known in the same moment."""
        async with asyncio.timeout(2):
            while not (found := await claimed(store)):
                await asyncio.sleep(0.01)
        return found

    async def work(one: Store, two: Store) -> None:
        for name in ("a", "b", "c"):
            await one.create(replace(HEADER, table=name), FIRST, LIMITS)
        revision = await one.create(replace(HEADER, table="person"), waits, LIMITS)
        assert await claimed(two) == await claimed(one) == []
        async with opened(kept, 1) as (three,):
            assert await claimed(three.tables) == []
            for name in ("b", "c"):
                stored = await _read(three.tables, name)
                # In the second of them the bot thinks on where it did.
                change = replace(FIRST, seats=[], first=2, events=[], bot_goes_on=name == "c")
                await three.tables.write(name, stored.revision, change)
            await three.tables.write("person", revision, waits)
            assert await claimed(two) == []
        assert await claimed_soon(two) == ["b"]
        assert await claimed(one) == []
        assert await claimed(one, -1) == ["a", "b", "c"]
        assert len(await two.claim_bots(-1, 2)) == 2

    stores(kept, work)


def test_of_many_that_claim_each_gets_others(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        names = {f"t{number}" for number in range(10)}
        async with opened(kept, 1) as (gone,):
            for name in names:
                await gone.tables.create(replace(HEADER, table=name), FIRST, LIMITS)
        found: list[str] = []
        async with asyncio.timeout(5):
            while len(found) < len(names):
                for each in await asyncio.gather(*(store.claim_bots(99, 3) for store in (one, two))):
                    found += each
        assert sorted(found) == sorted(names)

    stores(kept, work)


def test_looking_for_old_tables_waits_for_nobody(tmp_path: Path) -> None:
    """While somebody else writes, however long, it is found out that there is nothing to delete."""
    kept = KeptInFile(tmp_path)

    async def work(one: Store, two: Store) -> None:
        await one.create(HEADER, FIRST, LIMITS)
        db = sqlite3.connect(kept.database, isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        assert await two.forget(LIMITS) == 0
        assert await two.claim_bots(1000, 10) == []
        db.execute("ROLLBACK")
        db.close()

    stores(kept, work)


def header_of(number: int, **values: Any) -> Header:
    """Tables made one after the other."""
    return replace(HEADER, table=f"t{number}", created=10**18 + number, **values)


async def names(store: Store, wanted: Wanted, after: Place | None = None, count: int = 100) -> list[str]:
    return [stored.header.table for stored in await store.listed(wanted, after, count)]


async def _read(store: Store, table: str) -> Stored:
    stored = await store.read(table, 0)
    assert stored is not None
    return stored
