"""Persons who decide at hosted tables, as fast as they can or at a pace, and somebody who watches each table."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Sequence
from typing import Any, cast

import grpc
from saloon_client.v1 import game_pb2, moon_river_pb2, tables_pb2_grpc
from saloon_client.v1 import tables_pb2 as pb

_OPTIONS = game_pb2.Options(moon_river=moon_river_pb2.MoonRiverOptions(players=2))
_AT_ONCE = 20  # tables that are made at a time
_TABLES_EACH = 50  # of a client

Stubs = Sequence[Any]  # tables_pb2_grpc.TablesAsyncStub, which is a class for type checkers alone


class Clients:
    """Each has a connection to every server, and not too many tables for one."""

    def __init__(self, addresses: Sequence[str], tables: int = 1) -> None:
        own = [("grpc.use_local_subchannel_pool", 1)]
        self._channels = [
            [grpc.aio.insecure_channel(address, own) for address in addresses]
            for _ in range(math.ceil(tables / _TABLES_EACH))
        ]

    async def __aenter__(self) -> list[Stubs]:
        return [[cast(Any, tables_pb2_grpc.TablesStub)(each) for each in client] for client in self._channels]

    async def __aexit__(self, *_: object) -> None:
        for client in self._channels:
            for channel in client:
                await channel.close()


class Table:
    """Two persons, each of whose calls goes to the next server, and perhaps a watcher."""

    def __init__(self, stubs: Stubs, number: int, interval: float = 0.0, *, watched: bool = False) -> None:
        """So many seconds from one decision to the next; 0: at once."""
        self.stubs = [*stubs[number % len(stubs) :], *stubs[: number % len(stubs)]]
        self.random, self.interval, self.watched = random.Random(number), interval, watched
        self.seconds, self.heard_after = list[float](), list[float]()  # of every decision
        self._calls, self._sent = 0, dict[int, float]()
        self.table, self.tokens, self.seat = "", list[str](), 0

    @property
    def _stub(self) -> Any:
        self._calls += 1
        return self.stubs[self._calls % len(self.stubs)]

    async def sit(self) -> None:
        """A new table, at which two persons sit."""
        new = pb.CreateTableRequest(options=_OPTIONS, seed=self.random.getrandbits(60))
        self.table = (await answer(self._stub.CreateTable, new)).table.table
        seats = [pb.JoinTableRequest(table=self.table, seat=seat, name="Ann") for seat in range(2)]
        self.tokens = [(await answer(self._stub.JoinTable, request)).token for request in seats]
        self.seat = 0

    async def play(self, until: float) -> None:
        """Game after game."""
        await asyncio.sleep(self.random.uniform(0, self.interval))  # not all at once in the first moment
        due = time.monotonic()
        while time.monotonic() < until:
            watcher = asyncio.create_task(self._watch()) if self.watched else None
            while time.monotonic() < until and await self.decide():
                due = max(due + self.interval, time.monotonic())
                await asyncio.sleep(max(0.0, due - time.monotonic()) if self.interval else 0)
            if watcher is not None:
                watcher.cancel()
                await asyncio.gather(watcher, return_exceptions=True)
            if time.monotonic() < until:
                await self.sit()

    async def decide(self) -> bool:
        """Whoever has to, at random; False once the game is over. If that was another, they are asked at once."""
        stub, token = self._stub, self.tokens[self.seat]
        now = await answer(stub.GetTable, pb.GetTableRequest(table=self.table, token=token))
        if now.table.status.waiting == game_pb2.WAITING_OVER:
            return False
        if not now.decisions:
            self.seat = now.table.status.seat
            return await self.decide()
        request = pb.ActRequest(
            table=self.table,
            token=token,
            decision=self.random.choice(now.decisions),
            after=now.table.events,
            request_id=str(self._calls),
        )
        begun = self._sent[now.table.events] = time.monotonic()
        self.seat = (await answer(stub.Act, request)).status.seat
        self.seconds.append(time.monotonic() - begun)
        return True

    async def _watch(self) -> None:
        """From now on, at another server if there is one."""
        self._sent.clear()
        async for update in self._stub.WatchTable(pb.WatchTableRequest(table=self.table)):
            if update.HasField("event") and update.event.number in self._sent:
                self.heard_after.append(time.monotonic() - self._sent[update.event.number])


async def sit_down(tables: Sequence[Table]) -> list[float]:
    """At all of them; how long each took."""
    places, seconds = asyncio.Semaphore(_AT_ONCE), list[float]()

    async def one(table: Table) -> None:
        async with places:
            begun = time.monotonic()
            await table.sit()
            seconds.append(time.monotonic() - begun)

    await asyncio.gather(*map(one, tables))
    return seconds


async def answer(method: Any, request: Any) -> Any:
    """Asked again while more is asked than one core can answer."""
    while True:
        try:
            return await method(request)
        except grpc.aio.AioRpcError as error:
            if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
            await asyncio.sleep(0.05)
