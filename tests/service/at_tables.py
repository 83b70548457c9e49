"""Tables for tests: persons who decide at random, and short ways to ask."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from saloon_client.v1 import bots_pb2, game_pb2, moon_river_pb2, tables_pb2_grpc
from saloon_client.v1 import tables_pb2 as pb

from server.basics.metrics import Metrics
from server.basics.settings import load
from server.calls.reading import Requests
from server.stores.opening import stores_of
from server.tables.bots import USUAL, Times
from server.tables.service import TablesService
from server.thinking.searches import Searches

Stub = tables_pb2_grpc.TablesStub
PATIENCE = 60


def options(players: int = 2, legends: bool = False) -> game_pb2.Options:
    return game_pb2.Options(moon_river=moon_river_pb2.MoonRiverOptions(players=players, legends=legends))


def bot(seat: int, level: str = "", iterations: int = 20, seed: int | None = None, name: str = "") -> pb.TableBot:
    settings = bots_pb2.BotSettings(level=level, seed=seed)
    return pb.TableBot(seat=seat, bot=settings, budget=bots_pb2.Budget(iterations=iterations), name=name)


def create(
    tables: Stub, players: int = 2, bots: Sequence[pb.TableBot] = (), *, seed: int | None = None, hidden: bool = False
) -> pb.CreateTableResponse:
    access = pb.ACCESS_INVITATION if hidden else pb.ACCESS_PUBLIC
    return tables.CreateTable(pb.CreateTableRequest(options=options(players), bots=bots, seed=seed, access=access))


def join(tables: Stub, table: str, token: str = "", name: str = "Ann", seat: int | None = None) -> pb.JoinTableResponse:
    return tables.JoinTable(pb.JoinTableRequest(table=table, token=token, name=name, seat=seat))


def begin(tables: Stub) -> tuple[str, list[str], int]:
    """A table of two persons: its name, the seats' tokens, and whose turn it is."""
    made = create(tables, 2)
    tokens = [join(tables, made.table.table, name=name).token for name in ("Ann", "Bob")]
    return made.table.table, tokens, look(tables, made.table.table).table.status.seat


def look(tables: Stub, table: str, token: str = "") -> pb.GetTableResponse:
    return tables.GetTable(pb.GetTableRequest(table=table, token=token))


@asynccontextmanager
async def without_grpc(
    folder: Path,
    *,
    behind: int = 256,
    times: Times = USUAL,
    steady: Callable[[], float] = monotonic,
    **settings: Any,
) -> AsyncIterator[TablesService]:
    """The Tables service alone, to be called as gRPC does."""
    known, metrics = load(database=folder / "tables.sqlite", slots=1, **settings), Metrics()
    searches = Searches(known, metrics)
    stores = stores_of(known, metrics, steady)
    await stores.database.open()
    service = TablesService(
        Requests(), searches, known, metrics, stores.tables, behind=behind, times=times, steady=steady
    )
    service.start()
    try:
        yield service
    finally:
        await service.close()
        await stores.database.close()
        searches.close()


def watch(tables: Stub, table: str, token: str = "", first_event: int = 0) -> Iterator[pb.WatchTableResponse]:
    request = pb.WatchTableRequest(table=table, token=token, first_event=first_event)
    yield from tables.WatchTable(request, timeout=PATIENCE)


def events(updates: Sequence[pb.WatchTableResponse]) -> list[pb.NumberedEvent]:
    return [update.event for update in updates if update.HasField("event")]


def act_once(tables: Stub, table: str, token: str, random: Random) -> pb.ActResponse | None:
    """A random decision of the person, if it is their turn."""
    now = look(tables, table, token)
    if not now.decisions:
        return None
    decision = random.choice(now.decisions)
    request = pb.ActRequest(table=table, token=token, decision=decision, after=now.table.events)
    return tables.Act(request)


def play_to_end(
    tables: Stub, table: str, tokens: Mapping[int, str], token: str = "", seed: int = 0
) -> list[pb.WatchTableResponse]:
    """Watch a game and decide for all persons, by their seats' tokens; what was seen."""
    random, seen = Random(seed), []
    for update in watch(tables, table, token):
        seen.append(update)
        if update.HasField("table") and update.table.status.seat in tokens:
            act_once(tables, table, tokens[update.table.status.seat], random)
    return seen


def refused(error: pytest.ExceptionInfo[grpc.RpcError]) -> tuple[grpc.StatusCode, str]:
    """The status code of an error, and the field it names."""
    field = ""
    call: Any = error.value  # an error of grpc is a call as well, as its stubs do not say
    status = rpc_status.from_call(call)
    for detail in () if status is None else status.details:
        bad = error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            field = bad.field_violations[0].field
    return call.code(), field
