"""How hosted tables grow: `python -m load.tables` measures 1 and 2 servers on SQLite and on a PostgreSQL of its own,
with persons who decide at once at many tables, and writes a table into docs/performance.md."""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import grpc
from saloon_client.v1 import game_pb2, moon_river_pb2, tables_pb2_grpc
from saloon_client.v1 import tables_pb2 as pb

from load.growth import DOCS, machine
from load.postgres import cluster
from saloon.launching import Server, free_port, serve

_BEGIN, _END = "<!-- made by make scale-tables: begin -->", "<!-- made by make scale-tables: end -->"
_OPTIONS = game_pb2.Options(moon_river=moon_river_pb2.MoonRiverOptions(players=2))


@dataclass(frozen=True)
class Cell:
    """One measurement."""

    store: str
    servers: int
    tables: int  # played at a time
    acts: float  # a second
    p50_ms: float
    p99_ms: float


@contextmanager
def running(store: str, servers: int) -> Iterator[list[Server]]:
    """So many on one database."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="saloon-")))
        database = str(folder / "tables.sqlite")
        if store == "PostgreSQL":
            postgres = stack.enter_context(cluster())
            database = postgres.url(stack.enter_context(postgres.database()))
        found = []
        for _ in range(servers):
            port = free_port()
            flags = ["--database", database, "--client-share", "1"]
            found.append(Server(serve(port, folder / "tables.sqlite", *flags), port))
            found[-1].start()
            stack.callback(found[-1].stop)
        yield found


class Table:
    """Two persons who decide at once, each at the next server; how long every decision took."""

    def __init__(self, stubs: Sequence[tables_pb2_grpc.TablesAsyncStub], number: int) -> None:
        self.stubs, self.random = stubs, random.Random(number)
        self.seconds: list[float] = []

    async def play(self, until: float) -> None:
        while time.monotonic() < until:
            await self._game(until)

    async def _game(self, until: float) -> None:
        one = self.stubs[0]
        new = pb.CreateTableRequest(options=_OPTIONS, seed=self.random.getrandbits(60))
        table = (await _answer(one.CreateTable, new)).table
        sit = [pb.JoinTableRequest(table=table.table, seat=seat, name="Ann") for seat in range(2)]
        tokens = [(await _answer(one.JoinTable, request)).token for request in sit]
        seat, number = 0, 0
        while time.monotonic() < until:
            stub = self.stubs[number % len(self.stubs)]
            number += 1
            now = await _answer(stub.GetTable, pb.GetTableRequest(table=table.table, token=tokens[seat]))
            if now.table.status.waiting == game_pb2.WAITING_OVER:
                return
            if not now.decisions:
                seat = now.table.status.seat
                continue
            request = pb.ActRequest(
                table=table.table,
                token=tokens[seat],
                decision=self.random.choice(now.decisions),
                after=now.table.events,
                request_id=str(number),
            )
            begun = time.monotonic()
            seat = (await _answer(stub.Act, request)).status.seat
            self.seconds.append(time.monotonic() - begun)


async def _answer(method: Any, request: Any) -> Any:
    """Asked again while more is asked than one core can answer."""
    while True:
        try:
            return await method(request)
        except grpc.aio.AioRpcError as error:
            if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
            await asyncio.sleep(0.05)


async def _played(addresses: Sequence[str], tables: int, seconds: float) -> list[float]:
    async with AsyncChannels(addresses) as stubs:
        playing = [Table([*stubs[n % len(stubs) :], *stubs[: n % len(stubs)]], n) for n in range(tables)]
        until = time.monotonic() + seconds
        await asyncio.gather(*(table.play(until) for table in playing))
    return sorted(taken for table in playing for taken in table.seconds)


class AsyncChannels:
    """A client of every server."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._channels = [grpc.aio.insecure_channel(address) for address in addresses]

    async def __aenter__(self) -> list[tables_pb2_grpc.TablesAsyncStub]:
        return [cast(Any, tables_pb2_grpc.TablesStub)(channel) for channel in self._channels]

    async def __aexit__(self, *_: object) -> None:
        for channel in self._channels:
            await channel.close()


def measure(store: str, servers: int, tables: Sequence[int], seconds: float) -> Iterator[Cell]:
    with running(store, servers) as found:
        for count in tables:
            taken = asyncio.run(_played([server.address for server in found], count, seconds))
            p50, p99 = (taken[int(len(taken) * part)] * 1000 for part in (0.5, 0.99))
            yield Cell(store, servers, count, len(taken) / seconds, p50, p99)


def write(cells: Sequence[Cell], seconds: float, folder: Path) -> None:
    page = folder / "performance.md"
    rows = ["| database | servers | tables played | Acts a second | p50 | p99 |", "|---|---|---|---|---|---|"]
    rows += [
        f"| {c.store} | {c.servers} | {c.tables} | {c.acts:.0f} | {c.p50_ms:.1f} ms | {c.p99_ms:.1f} ms |"
        for c in cells
    ]
    made = f"{_BEGIN}\n{machine()}. {seconds:g} s each.\n\n" + "\n".join(rows) + f"\n{_END}"
    text, count = re.subn(f"{_BEGIN}.*{_END}", lambda _: made, page.read_text(encoding="utf-8"), flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{page}: expected one part between {_BEGIN!r} and {_END!r}, found {count}")
    page.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--docs", type=Path, default=DOCS, help="folder of performance.md")
    arguments = parser.parse_args()
    cells = []
    for store in ("SQLite", "PostgreSQL"):
        for servers in (1, 2):
            for cell in measure(store, servers, arguments.tables, arguments.seconds):
                cells.append(cell)
                print(cell, flush=True)
    write(cells, arguments.seconds, arguments.docs)


if __name__ == "__main__":
    main()
