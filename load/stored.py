"""What databases with many tables cost: `python -m load.stored` fills SQLite and a PostgreSQL of its own with 100,000
live tables and as many games that are over, and times making a table, a decision and pages of lists. The best of many
counts, since other work of the machine only adds. `--docs docs` writes the table into docs/performance.md."""

import argparse
import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from load.databases import OVER, STORES, Database, database
from load.pages import put
from server.basics.settings import load
from server.stores.opening import Stores, stores_of
from server.stores.tables import Change, Finished, Header, Limits, Place, SeatRow, Status, Store, Summary, Wanted

_TIMES = 40
_FIRST = 10**18  # ns: when the first table was made
_LIMITS = Limits(tables=10**9, of_owner=10**9, idle_seconds=10**6, before_begin=10**6)
_KINDS = [("moon_river", 2), ("moon_river", 4), ("goldgraeber", 3)]  # a third each, but for one table of five seats
_HEADER = Header("", "", "{}", "c", "public", None, b"h", 1, 0, 1, _FIRST, "front-end")
_STATUS = Status("decision", "claim", 0)
_LISTS = {
    "a page": Wanted("public"),
    "a page of one game": Wanted("public", games=("goldgraeber",)),
    "a page of one game and five seats, of which there is one": Wanted("public", games=("goldgraeber",), players=5),
    "a page of open tables, of which there is one": Wanted("public", states=("open",)),
    "a page of games that are over": Wanted("public", states=("over",)),
    "a page of one person, who has two tables": Wanted(account="ann"),
}
COUNT = "how many are under way"  # the one that takes longer with more

Work = Callable[[int], Awaitable[Any]]


@asynccontextmanager
async def filled(place: Database, tables: int, **settings: Any) -> AsyncIterator[Stores]:
    """Stores with so many live tables and games that are over."""
    stores = stores_of(load(database=place.url, **settings))
    await stores.database.open()
    try:
        await _fill(stores.tables, place, tables // len(_KINDS) - 1)
        yield stores
    finally:
        await stores.database.close()


async def _fill(store: Store, place: Database, copies: int) -> None:
    for number, (game, players) in enumerate(_KINDS):
        header = replace(_HEADER, table=f"live{number}", game=game)
        seats = [SeatRow(seat, "person", "Ann", b"t") for seat in range(players)]
        await store.create(header, Change(Summary(_STATUS), seats, 0, ["[0]"] * 3), _LIMITS)
        over = replace(header, table=f"over{number}")
        game_over = Finished(over, seats, ["[0]"] * 3, [], "over", 0, "")
        change = Change(Summary(Status("over", "over")), seats, 0, ["[0]"] * 3, finished=game_over)
        await store.create(over, change, _LIMITS)
    await store.forget(replace(_LIMITS, after_end=-1.0))  # of games that are over only the records are left
    for number in range(len(_KINDS)):
        place.copy(f"live{number}", copies)
        place.copy(f"over{number}", copies, OVER)
    rare = replace(_HEADER, game="goldgraeber", account="ann")
    for table, status in (("rare", _STATUS), ("open", None)):
        seats = [SeatRow(seat, "person", "Ann", b"t", account="ann") for seat in range(5)]
        change = Change(Summary(status, free=int(status is None)), seats, 0, people=["ann"])
        await store.create(replace(rare, table=table, created=_FIRST + 1), change, _LIMITS)


async def works(store: Store, tables: int) -> dict[str, Work]:
    """What is asked of a store all the time, by name; each may be done again and again, with a number of its own."""
    stored = await store.read("rare", 0)
    assert stored is not None
    revision = stored.revision

    async def make(number: int) -> None:
        await store.create(replace(_HEADER, table=f"new{number}", game="moon_river"), Change(Summary()), _LIMITS)

    async def decide(number: int) -> None:
        nonlocal revision
        revision = await store.write("rare", revision, Change(Summary(_STATUS), (), number, ["[0]"]))

    def page(wanted: Wanted, after: Place | None = None) -> Work:
        return lambda _: store.listed(wanted, after, 21)

    return {
        "a new table": make,
        "a decision": decide,
        "a look": lambda _: store.read("rare", 0),
        **{name: page(wanted) for name, wanted in _LISTS.items()},
        "a page in the middle": page(Wanted("public"), Place(_FIRST + tables // 6, "")),
        "who is out of time": lambda _: store.out_of_time(),
        "bots of others": lambda _: store.claim_bots(60.0, 10),
        "old tables": lambda _: store.forget(_LIMITS),
        COUNT: lambda _: store.under_way(),
    }


async def best_ms(work: Work) -> float:
    taken = []
    for number in range(_TIMES):
        begun = time.perf_counter()
        await work(number)
        taken.append(time.perf_counter() - begun)
    return min(taken) * 1000


async def _measure(place: Database, tables: int) -> dict[str, float]:
    async with filled(place, tables) as stores:
        return {name: await best_ms(work) for name, work in (await works(stores.tables, tables)).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100_000, help="live ones, and as many games that are over")
    parser.add_argument("--docs", type=Path, help="folder of performance.md, where it is to be written, too")
    arguments = parser.parse_args()
    found = {}
    for store in STORES:
        with database(store) as place:
            found[store] = asyncio.run(_measure(place, arguments.tables))
    lines = [f"With {arguments.tables:,} live tables and as many games that are over:", ""]
    lines += ["| | SQLite | PostgreSQL |", "|---|---|---|"]
    lines += [f"| {name} | {ms:.2f} ms | {found['PostgreSQL'][name]:.2f} ms |" for name, ms in found["SQLite"].items()]
    print("\n".join(lines))
    if arguments.docs:
        put(arguments.docs, "make scale-tables, stored", "\n".join(lines))


if __name__ == "__main__":
    main()
