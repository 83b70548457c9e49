"""How hosted tables grow: `python -m load.tables` measures 1, 2 and 4 servers on SQLite and on a PostgreSQL of its own,
as fast as they go, at 70 % of that, then watched, and beside 100,000 tables that rest; `--docs docs` writes table and
picture into docs/performance.md."""

import argparse
import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from load.chart import chart
from load.databases import STORES
from load.pages import machine, put
from load.table_players import Clients, Table, sit_down
from load.table_worlds import EVENTS, World, world

_SHARE = 0.7  # of the top rate


@dataclass(frozen=True)
class Cell:
    """One measurement."""

    store: str
    servers: int
    stored: int  # tables that rest
    tables: int  # played at a time
    paced: bool
    acts: float  # a second
    p50_ms: float
    p99_ms: float
    heard_ms: float  # p99 from the moment that an Act is sent to that in which somebody who watches hears of it
    server_ms: float  # of a processor for each Act and the look before it
    database_ms: float
    create_ms: float  # for a table and two persons, one by one, the median


@dataclass(frozen=True)
class Room:
    """What tables that rest take."""

    store: str
    bytes_each: float


def measure(
    of: World, store: str, tables: int, seconds: float, *, rate: float = 0.0, stored: int = 0, watched: bool = False
) -> Cell:
    """So many tables, all together at this rate of Acts, or as fast as they go."""
    interval = tables / rate if rate else 0.0

    async def play() -> tuple[list[Table], list[float], float, tuple[float, float]]:
        async with Clients(of.addresses, tables) as clients:
            playing = [
                Table(clients[number % len(clients)], number, interval, watched=watched) for number in range(tables)
            ]
            made = await sit_down(playing)
            before, begun = of.cpu(), time.monotonic()
            await asyncio.gather(*(table.play(begun + seconds) for table in playing))
            now = of.cpu()
            return playing, made, time.monotonic() - begun, (now[0] - before[0], now[1] - before[1])

    playing, made, took, (servers, database) = asyncio.run(play())
    acts = sorted(taken for table in playing for taken in table.seconds)
    heard = sorted(taken for table in playing for taken in table.heard_after)
    return Cell(
        store, len(of.servers), stored, tables, bool(rate), len(acts) / took,
        _part(acts, 0.5), _part(acts, 0.99), _part(heard, 0.99),
        1000 * servers / max(1, len(acts)), 1000 * database / max(1, len(acts)), _part(sorted(made), 0.5),
    )  # fmt: skip


def _part(values: Sequence[float], part: float) -> float:
    return values[int(len(values) * part)] * 1000 if values else 0.0


def measured(
    store: str, servers: int, tables: Sequence[int], seconds: float, stored: int, active: int
) -> Iterator[Cell | Room]:
    """As fast as it goes; at a pace; watched, too; and with many tables that rest."""
    with world(store, servers) as of:
        top = 0.0
        for count in tables:
            cell = measure(of, store, count, seconds)
            top = max(top, cell.acts)
            yield cell
        for watched in (False, True):
            yield measure(of, store, tables[-1], 2 * seconds, rate=_SHARE * top, watched=watched)
        if stored:
            before = of.database.size()
            of.fill(stored)
            yield Room(store, (of.database.size() - before) / stored)
            yield measure(of, store, active, 4 * seconds, rate=_SHARE * top, stored=stored)


def write(cells: Sequence[Cell], rooms: Sequence[Room], seconds: float, folder: Path) -> None:
    """Table and picture into the documentation."""
    rows = [
        "| database | servers | tables | Acts a second | p50 | p99 | heard, p99 | processor: servers, database |",
        "|---|---|---|---|---|---|---|---|",
        *map(_row, cells),
    ]
    counts = sorted({c.servers for c in cells})
    tops = {s: [max(c.acts for c in cells if (c.store, c.servers) == (s, n)) for n in counts] for s in STORES}
    (folder / "scale-tables.svg").write_text(chart("Acts a second", counts, "servers", tops), encoding="utf-8")
    said = [f"A table that rests after {EVENTS} events takes {r.bytes_each / 1000:.1f} kB in {r.store}." for r in rooms]
    busy = os.getloadavg()[2]
    load = f"{machine()}. {seconds:g} s each. In the quarter of an hour before its end {busy:.0f} processes had work."
    put(folder, "make scale-tables", "\n".join([load, "", *rows, "", *said, "", "![Acts a second](scale-tables.svg)"]))


def _row(c: Cell) -> str:
    tables = f"{c.tables:,}" + (f" of {c.stored:,}" if c.stored else "") + (", at 70 %" if c.paced else "")
    tables += ", watched" if c.heard_ms else ""
    heard = f"{c.heard_ms:.1f} ms" if c.heard_ms else ""
    return (
        f"| {c.store} | {c.servers} | {tables} | {c.acts:.0f} | {c.p50_ms:.1f} ms | {c.p99_ms:.1f} ms | {heard} "
        f"| {c.server_ms:.2f} ms, {c.database_ms:.2f} ms |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--servers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--stored", type=int, default=100_000, help="tables that rest, at the second number of servers")
    parser.add_argument("--active", type=int, default=1000, help="tables that are played beside them")
    parser.add_argument("--docs", type=Path, help="folder of performance.md, where it is to be written, too")
    arguments = parser.parse_args()
    found: list[Cell | Room] = []
    for store in STORES:
        for servers in arguments.servers:
            stored = arguments.stored if servers == arguments.servers[:2][-1] else 0
            for one in measured(store, servers, arguments.tables, arguments.seconds, stored, arguments.active):
                found.append(one)
                print(one, flush=True)
    cells, rooms = ([one for one in found if isinstance(one, kind)] for kind in (Cell, Room))
    if arguments.docs:
        write(cells, rooms, arguments.seconds, arguments.docs)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
