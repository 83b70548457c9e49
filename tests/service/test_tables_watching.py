"""Watching hosted tables, and bots that play there."""

import asyncio
import hashlib
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from saloon_client.v1 import bots_pb2, bots_pb2_grpc, game_pb2
from saloon_client.v1 import tables_pb2 as pb

from server.basics.refusals import Overloaded, Refused
from tests.service.at_tables import (
    PATIENCE,
    Stub,
    act_once,
    bot,
    create,
    join,
    options,
    play_to_end,
    refused,
    watch,
    without_grpc,
)
from tests.service.running import serving

CODE = grpc.StatusCode


def test_a_watcher_hears_of_seats_and_events_as_they_come(tables: Stub) -> None:
    made = create(tables, 2)
    table = made.table.table
    updates = watch(tables, table)
    assert next(updates).table == made.table
    first = join(tables, table)
    assert next(updates).table == first.table
    second = join(tables, table, name="Bob")
    for number in range(second.table.events):
        assert next(updates).event.number == number
    assert next(updates).table == second.table
    tokens = [first.token, second.token]
    answer = act_once(tables, table, tokens[second.table.status.seat], Random(4))
    assert answer is not None
    assert next(updates).event.event.chosen.seat == second.table.status.seat
    play_to_end(tables, table, dict(enumerate(tokens)))
    assert list(updates)[-1].table.status.waiting == game_pb2.WAITING_OVER


def test_watchers_are_told_when_the_server_shuts_down(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        channel = grpc.insecure_channel(service.address)
        tables = Stub(channel)
        updates = watch(tables, create(tables, 2).table.table)
        next(updates)
    with pytest.raises(grpc.RpcError) as error:
        next(updates)
    assert refused(error) == (CODE.UNAVAILABLE, "")
    channel.close()


def test_a_watcher_that_does_not_read_is_let_go(tmp_path: Path) -> None:
    """Nothing is kept for it: it has to ask again from where it was."""

    async def watch_and_wait() -> tuple[int, Refused | None]:
        context: Any = None
        async with without_grpc(tmp_path, behind=20) as service:
            made = await service.CreateTable(pb.CreateTableRequest(options=options(), bots=[bot(0)]), context)
            table, seen, error = made.table.table, 0, None
            try:
                async for update in service.WatchTable(pb.WatchTableRequest(table=table), context):
                    seen += update.HasField("event")
                    if seen == 0:
                        request = pb.SeatBotRequest(table=table, token=made.host_token, bot=bot(1))
                        await service.SeatBot(request, context)
                    elif seen == 1:
                        while not (await service.GetTable(pb.GetTableRequest(table=table), context)).table.events > 60:
                            await asyncio.sleep(0.01)
            except Refused as refused:
                error = refused
        return seen, error

    seen, error = asyncio.run(watch_and_wait())
    assert isinstance(error, Overloaded)
    assert f"watch again from {seen}" in str(error)


def test_bots_of_one_client_wait_no_longer_than_those_of_another(tmp_path: Path) -> None:
    """However long these are to think, and at however many tables."""
    tokens = tmp_path / "tokens.toml"
    rows = [f'[{name}]\nsha256 = "{hashlib.sha256(name.encode()).hexdigest()}"\n' for name in ("hog", "good")]
    tokens.write_text("".join(rows), encoding="utf-8")
    with serving(tmp_path, slots=1, tokens=tokens) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        hog, good = ((("authorization", f"Bearer {name}"),) for name in ("hog", "good"))
        slow = [bot(seat, iterations=10**8) for seat in range(2)]
        for _ in range(6):
            tables.CreateTable(pb.CreateTableRequest(options=options(2), bots=slow), metadata=hog)
        quick = [bot(seat, iterations=5) for seat in range(2)]
        made = tables.CreateTable(pb.CreateTableRequest(options=options(2), bots=quick), metadata=good)
        seen, begun = 0, time.monotonic()
        request = pb.WatchTableRequest(table=made.table.table, first_event=made.table.events)
        updates = tables.WatchTable(request, metadata=good, timeout=PATIENCE)
        while seen < 8:
            seen += next(updates).HasField("event")
        updates.cancel()
        assert time.monotonic() - begun < 20


def test_bots_wait_for_a_slot_as_long_as_it_takes(tmp_path: Path) -> None:
    """One slot, no queue, and others who search much: bots at tables are refused too, and try again."""
    ended = threading.Event()

    def suggest(channel: grpc.Channel, situation: game_pb2.Situation) -> None:
        bots = bots_pb2_grpc.BotsStub(channel)
        request = bots_pb2.SuggestRequest(situation=situation, budget=bots_pb2.Budget(iterations=300))
        while not ended.wait(0.01):
            with suppress(grpc.RpcError):
                bots.Suggest(request)

    with serving(tmp_path, slots=1, queue=0) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        record = game_pb2.GameRecord(options=options(2), seed=1)
        situation = game_pb2.Situation(record=record)
        thread = threading.Thread(target=suggest, args=(channel, situation))
        thread.start()
        try:
            table = create(tables, 2, [bot(0), bot(1)]).table.table
            assert list(watch(tables, table))[-1].table.status.waiting == game_pb2.WAITING_OVER
        finally:
            ended.set()
            thread.join()
        value = service.metrics.registry.get_sample_value
        assert (value("saloon_table_events_total") or 0) > 100
        assert (value("saloon_shed_total") or 0) > 0
