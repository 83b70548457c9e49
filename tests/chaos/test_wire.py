"""Connections that are cut at any byte, and readers that do not read."""

import os
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import pytest
from saloon_client.v1 import bots_pb2, seats_pb2
from saloon_client.v1 import tables_pb2 as pb

from load.http2 import DATA, WINDOW_UPDATE, Wire, frame, settings, wire
from tests.chaos.questions import essence, question
from tests.chaos.test_disk import persons_at
from tests.chaos.test_processes import check
from tests.service.at_tables import Stub, bot, create, play_to_end
from tests.service.between import between
from tests.service.games import Sitting, Stubs, iterations, milliseconds, of
from tests.service.processes import QUICK, server

MEGABYTE = 1 << 20


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.chaos) for seed in range(2, 8))])
def test_connections_that_are_cut(tmp_path: Path, seed: int) -> None:
    """Wherever it is cut: the caller gets UNAVAILABLE or the right answer. A person who sends a decision again with its
    request id plays a game in which every decision happened once."""
    with server(tmp_path) as running, between(running.port, random.Random(seed), 15_000) as cutter:
        persons = persons_at(running, random.Random(seed))
        with running.channel() as channel:
            request = question(Stubs(channel), seed)
            known = essence(Stubs(channel).bots.Suggest(request))
        codes = set()
        until, over, right = time.monotonic() + 60, False, 0
        while not over:
            assert time.monotonic() < until
            with grpc.insecure_channel(cutter.address, QUICK) as channel:
                stubs = Stubs(channel)
                try:
                    assert essence(stubs.bots.Suggest(request, timeout=5)) == known
                    right += 1
                    persons.play(Stub(channel))
                    over = True
                except grpc.RpcError as error:
                    codes.add(error.code().name)
        assert cutter.cuts > 5
        assert right > 0
        assert codes == {"UNAVAILABLE"}
        check(running, persons)
        assert running.answers()


def test_a_seat_whose_connection_is_cut(tmp_path: Path) -> None:
    """A front end that sits down again with its session goes on there: what the bot had decided stays decided."""
    with server(tmp_path) as running, between(running.port, random.Random(3), 20_000) as cutter:
        with running.channel() as channel:
            stubs = Stubs(channel)
            situation = of(stubs.new_game())
            seat = stubs.bots.Suggest(question(stubs, 5)).answer.seat  # of the same game
        session, decided, until = "", dict[str, bytes](), time.monotonic() + 60
        while len(decided) < 40 or cutter.cuts < 5:
            assert time.monotonic() < until
            with grpc.insecure_channel(cutter.address, QUICK) as channel:
                sitting = Sitting(Stubs(channel), session=session, seat=seat, budget=iterations(20))
                try:
                    seated = sitting.next().seated
                    assert seated.resumed == bool(session)
                    assert set(decided) <= set(seated.decided)
                    session = seated.session
                    while len(decided) < 40 or cutter.cuts < 5:
                        # Every other one is asked for again, as if its answer had been lost.
                        for name in (str(len(decided)), str(len(decided) // 2)):
                            sitting.send(decide=seats_pb2.Decide(id=name, situation=situation))
                            answer = sitting.next().decided
                            chosen = answer.answers[0].choice.SerializeToString(deterministic=True)
                            assert decided.setdefault(name, chosen) == chosen
                except (grpc.RpcError, StopIteration) as error:
                    assert isinstance(error, StopIteration) or error.code().name == "UNAVAILABLE"  # noqa: PT017
                finally:
                    sitting.drop()


# ---- Readers that do not read


def watching(running_port: int, table: str) -> Wire:
    """Somebody who watches a table and lets nothing come."""
    made = Wire(running_port)
    made.greet(initial_window_size=0)
    made.call(1, "/saloon.v1.Tables/WatchTable", pb.WatchTableRequest(table=table).SerializeToString())
    return made


@pytest.mark.parametrize("readers", [20, pytest.param(1000, marks=pytest.mark.chaos)])
def test_watchers_that_do_not_read(tmp_path: Path, readers: int) -> None:
    """They hold up neither the game nor other watchers, and cost little memory. One that begins to read again gets
    everything from the first event on, or is told to watch again."""
    with server(tmp_path) as running, running.channel() as channel, ExitStack() as stack:
        tables = Stub(channel)
        played = [create(tables, 2, [bot(0, level="1"), bot(1, level="1")]).table.table for _ in range(3)]
        for table in played:
            play_to_end(tables, table, {})
        before = running.memory
        table = create(tables, 2, [bot(0, iterations=100)]).table.table
        slow = [stack.enter_context(wired(watching(running.port, table))) for _ in range(readers)]
        time.sleep(0.5)
        token = tables.JoinTable(pb.JoinTableRequest(table=table, name="Ann")).token
        begun = time.monotonic()
        seen = play_to_end(tables, table, {1: token})
        assert time.monotonic() - begun < 30
        # A sanitizer keeps memory that was given back.
        sanitized = "asan" in os.environ.get("LD_PRELOAD", "")
        assert sanitized or running.memory - before < 20 * MEGABYTE + readers * 60_000
        # One of them reads after all.
        slow[0].send(settings(initial_window_size=1 << 20), frame(WINDOW_UPDATE, 0, 0, (1 << 20).to_bytes(4, "big")))
        slow[0].socket.settimeout(2)
        got = sum(len(payload) for kind, _, _, payload in slow[0].frames() if kind == DATA)
        assert got > 500
        assert len(seen) > 20
        assert running.answers()


@contextmanager
def wired(made: Wire) -> Iterator[Wire]:
    try:
        yield made
    finally:
        made.socket.close()


def test_an_analysis_that_nobody_reads(tmp_path: Path) -> None:
    """It costs what its budget says and no more: others think as soon as it is over."""
    with server(tmp_path) as running, running.channel() as channel, wire(running.port) as slow:
        stubs = Stubs(channel)
        situation = of(stubs.new_game())
        slow.greet(initial_window_size=0)
        request = bots_pb2.AnalyzeRequest(situation=situation, budget=milliseconds(300))
        slow.call(1, "/saloon.v1.Bots/Analyze", request.SerializeToString())
        time.sleep(1)
        answer = stubs.bots.Suggest(bots_pb2.SuggestRequest(situation=situation, budget=milliseconds(50)), timeout=3)
        assert answer.answer.iterations


@pytest.mark.chaos
def test_answers_that_nobody_reads(tmp_path: Path) -> None:
    """Suggestions that are asked for and never taken keep nobody else from theirs."""
    with server(tmp_path) as running, running.channel() as channel, wire(running.port) as slow:
        stubs = Stubs(channel)
        request = question(stubs, count=5)
        slow.greet(initial_window_size=0)
        for number in range(50):
            slow.call(2 * number + 1, "/saloon.v1.Bots/Suggest", request.SerializeToString())
        time.sleep(1)
        known = essence(stubs.bots.Suggest(request, timeout=5))
        assert all(essence(stubs.bots.Suggest(request, timeout=1)) == known for _ in range(20))
