"""Lists of tables, and games that are over apart from live tables, asked of every store there is."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, product
from random import Random
from typing import Any

import pytest

from server.stores.tables import (
    STATES,
    Change,
    Conflict,
    Finished,
    Header,
    Limits,
    Place,
    SeatRow,
    State,
    Status,
    Store,
    Summary,
    TimedOut,
    Wanted,
)
from tests.service.kept import Kept
from tests.service.test_tables_store import (
    CLOCK,
    FIRST,
    HEADER,
    LIMITS,
    SEATS,
    _read,
    header_of,
    limited,
    names,
    stores,
)

OVER = Status("over", "over")
RESULT = json.dumps([{"seat": 0, "points": 40, "place": 1}])


def the_end(header: Header, seats: Sequence[SeatRow], events: Sequence[str], out: Sequence[TimedOut] = ()) -> Change:
    """The last write of a game, which had no event before."""
    game = Finished(header, seats, events, out, "over", 0, RESULT)
    free = sum(seat.player == "free" for seat in seats)
    return Change(Summary(OVER, free), seats, 0, events, timed_out=out, finished=game, people=people(header, seats))


def people(header: Header, seats: Sequence[SeatRow]) -> list[str]:
    return sorted({header.account, *(seat.account for seat in seats)} - {""})


def seats(count: int, accounts: Sequence[str] = ()) -> list[SeatRow]:
    known = [*accounts, *[""] * count]
    return [SeatRow(seat, "person", f"P{seat}", b"%d" % seat, account=known[seat]) for seat in range(count)]


# ---- Lists


def made(number: int, random: Random) -> tuple[Header, Change, State]:
    """Any table."""
    header = header_of(
        number,
        game=random.choice(["moon_river", "goldgraeber"]),
        access=random.choice(["public", "invitation"]),
        account=random.choice(["", "ann", "bob"]),
    )
    rows = seats(random.randint(2, 4), [random.choice(["", "ann", "cid"])])
    state = random.choice(STATES)
    if state == "over":
        return header, the_end(header, rows, ["[0]"]), state
    status = None if state == "open" else Status("decision", "claim", 1)
    return header, Change(Summary(status, free=int(status is None)), rows, people=people(header, rows)), state


def asked() -> Iterator[Wanted]:
    """Many ways to ask."""
    ways = product(
        ["public", None],
        ["", "ann", "cid", "nobody"],
        [((), None), (("goldgraeber",), None), (("moon_river",), 3), (("moon_river", "goldgraeber"), 2)],
        [STATES, ("open",), ("under_way", "over"), ("over",), ()],
        [(None, None), (10**18 + 10, None), (None, 10**18 + 30), (10**18 + 10, 10**18 + 30)],
    )
    for access, account, (games, players), states, (made_from, made_before) in ways:
        yield Wanted(access, account, games, players, states, made_from, made_before)  # type: ignore[arg-type]


def test_lists_hold_what_is_wanted_and_no_more(kept: Kept) -> None:
    """Compared with a look at every table; page by page, too."""

    async def work(one: Store, two: Store) -> None:
        random = Random(1)
        found = [made(number, random) for number in range(40)]
        for header, change, _ in found:
            await one.create(header, change, limited(tables=100, of_owner=100))

        def fits(wanted: Wanted, header: Header, change: Change, state: State) -> bool:
            return (
                wanted.access in (None, header.access)
                and (not wanted.account or wanted.account in (change.people or ()))
                and (not wanted.games or header.game in wanted.games)
                and wanted.players in (None, len(change.seats))
                and state in wanted.states
                and (wanted.made_from is None or header.created >= wanted.made_from)
                and (wanted.made_before is None or header.created < wanted.made_before)
            )

        some = 0
        for wanted in random.sample([*asked()], 120):
            expected = [h.table for h, change, state in reversed(found) if fits(wanted, h, change, state)]
            assert await names(two, wanted) == expected, wanted
            some += 0 < len(expected) < 30
            if random.random() < 0.1:
                assert await paged(two, wanted, 7) == expected
        assert some > 20

    stores(kept, work)


async def paged(store: Store, wanted: Wanted, count: int) -> list[str]:
    found: list[str] = []
    place = None
    while page := await store.listed(wanted, place, count):
        found += [stored.header.table for stored in page]
        place = page[-1].place
    return found


def test_tables_made_in_the_same_moment_are_all_listed(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        for name in "cabed":
            await one.create(replace(HEADER, table=name), FIRST, LIMITS)
        assert await names(two, Wanted()) == list("edcba")
        assert await names(two, Wanted(), Place(HEADER.created, "c")) == list("ba")

    stores(kept, work)


def test_who_sits_where_is_known_by_account(kept: Kept) -> None:
    """As it is now: whoever has left does not find the table any more."""

    async def work(one: Store, two: Store) -> None:
        header, rows = replace(HEADER, account="ann"), seats(2, ["bob"])
        first = Change(Summary(free=1), rows, people=people(header, rows))
        revision = await one.create(header, first, LIMITS)
        for account in ("ann", "bob"):
            assert await names(two, Wanted(account=account)) == ["t"]
        assert (await _read(two, "t")).header.account == "ann"
        assert (await _read(two, "t")).seats == tuple(rows)
        other = replace(rows[0], account="cid")
        revision = await two.write("t", revision, Change(Summary(free=1), [other], people=["ann", "cid"]))
        assert [await names(one, Wanted(account=account)) for account in ("ann", "bob", "cid")] == [["t"], [], ["t"]]
        await two.write("t", revision, Change(Summary(free=1)))  # nobody else
        assert await names(one, Wanted(account="cid")) == ["t"]
        await one.delete("t")
        assert kept.sql("SELECT * FROM people") == []

    stores(kept, work)


# ---- Games that are over


def test_a_game_that_is_over_outlives_its_table(kept: Kept) -> None:
    """With all there was, but for requests that were answered; once the live table is gone, nothing is written."""

    async def work(one: Store, two: Store) -> None:
        header = replace(HEADER, clock=CLOCK, account="ann")
        lobby = Change(Summary(free=1), SEATS, people=["ann"])
        revision = await one.create(header, lobby, LIMITS)
        assert await names(one, Wanted(states=("over",))) == []
        events = ['["chance", "saloon", ["ä"]]', "[1]", "[2]"]
        change = the_end(header, SEATS, events, [TimedOut(1, 0), TimedOut(2, 3)])
        revision = await two.write("t", revision, change)
        before = await _read(one, "t")
        assert await two.forget(limited(after_end=100)) == 0
        assert await two.forget(limited(after_end=-1)) == 1
        assert kept.sql("SELECT id FROM tables") == kept.sql("SELECT * FROM events") == []
        for store in (one, two):
            after = await _read(store, "t")
            assert after.result == RESULT
            assert after.ended is not None
            rest = {"ended": None, "result": "", "header": replace(after.header, owner=before.header.owner)}
            assert replace(after, **rest) == before  # type: ignore[arg-type]
        later = await one.read("t", 2)
        assert later is not None
        assert (later.events, later.count) == (("[2]",), 3)
        with pytest.raises(Conflict):
            await one.write("t", revision, Change(Summary(OVER)))
        for wanted in (Wanted(), Wanted("public", "ann", states=("over",))):
            assert await names(one, wanted) == ["t"]
        await two.delete("t")
        assert await one.read("t", 0) is None
        assert kept.sql("SELECT * FROM games") == kept.sql("SELECT * FROM people") == []

    stores(kept, work)


def test_a_game_is_over_and_kept_in_one_write(kept: Kept) -> None:
    """Who comes too late keeps nothing."""

    async def work(one: Store, two: Store) -> None:
        revision = await one.create(HEADER, Change(Summary(free=1), SEATS), LIMITS)
        await one.write("t", revision, Change(Summary(free=1)))
        with pytest.raises(Conflict):
            await two.write("t", revision, the_end(HEADER, SEATS, ["[0]"]))
        assert kept.sql("SELECT * FROM games") == []
        assert (await _read(two, "t")).summary.status is None

    stores(kept, work)


@pytest.mark.parametrize(("limits", "left"), [({"record_seconds": -1.0}, ""), ({"records": 2}, "bc"), ({}, "abc")])
def test_records_are_kept_for_so_long_and_so_many(kept: Kept, limits: dict[str, Any], left: str) -> None:
    """Live tables, and who sits there, stay as long as they would."""

    async def work(one: Store, two: Store) -> None:
        for name, created in zip("abc", count(), strict=False):
            header = replace(HEADER, table=name, created=created, account=name)
            await one.create(header, the_end(header, SEATS, ["[0]"]), LIMITS)
        await one.forget(replace(LIMITS, **limits))
        listed = sorted(await names(one, Wanted(states=("over",))))
        assert listed == list(left)
        assert [(await _read(two, name)).count for name in "abc"] == [1, 1, 1]
        assert kept.sql("SELECT count(*) FROM people") == [(3,)]
        await two.forget(replace(LIMITS, **{"after_end": -1.0, **limits}))
        await two.forget(replace(LIMITS, **{"idle_seconds": -1.0, **limits}))
        assert kept.sql("SELECT count(*) FROM tables") == [(0,)]
        assert sorted(row[0] for row in kept.sql("SELECT account FROM people")) == list(left)

    stores(kept, work)


def test_the_idle_are_forgotten_without_a_record(kept: Kept) -> None:
    async def work(one: Store, two: Store) -> None:
        await one.create(replace(HEADER, account="ann"), replace(FIRST, people=["ann"]), LIMITS)
        assert await two.forget(Limits(10, 10, -1, 3600)) == 1
        assert await one.read("t", 0) is None
        assert kept.sql("SELECT * FROM people") == []

    stores(kept, work)
