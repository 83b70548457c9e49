"""kill -9 at any moment: what was acknowledged is there, once, and the game goes on."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Timer

import grpc
import pytest
from saloon_client.v1 import game_pb2, rules_pb2, rules_pb2_grpc
from saloon_client.v1 import tables_pb2 as pb

from tests.service.hosted import Stub, bot, create, events, join, stand, watch

KILLS = 4


class Server:
    """The service as a process of its own, begun again whenever it is gone."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.command = [sys.executable, "-m", "saloon", "serve", "--port", str(self.port), "--slots", "1"]
        self.command += ["--database", str(folder / "tables.sqlite"), "--log-level", "error", "--drain-seconds", "1"]
        self.process: subprocess.Popen[bytes] | None = None
        self.channel: grpc.Channel | None = None

    def start(self) -> Stub:
        """Begin (again); comes back when it answers."""
        self.end()
        self.process = subprocess.Popen(self.command)
        until = time.monotonic() + 30
        while True:
            # A channel that was refused once waits before it tries again; a new one does not.
            self.channel = grpc.insecure_channel(f"127.0.0.1:{self.port}")
            try:
                grpc.channel_ready_future(self.channel).result(timeout=0.2)
                return Stub(self.channel)
            except grpc.FutureTimeoutError:
                self.channel.close()
                assert self.process.poll() is None
                assert time.monotonic() < until

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()

    def end(self) -> None:
        if self.channel is not None:
            self.channel.close()
        if self.process is not None:
            self.process.kill()
            self.process.wait()


class Fuse:
    """Kills at a random moment shortly before, while or after a random one of the next requests is carried out."""

    def __init__(self, random: Random, kill: Callable[[], None]) -> None:
        self.left = random.randrange(5)
        self.timer = Timer(random.uniform(0, 0.008), kill)

    def burn(self) -> None:
        if self.left == 0:
            self.timer.start()
        self.left -= 1

    def wait(self) -> None:
        self.timer.join()


class Persons:
    """The persons at a table: they keep what they were told, and ask again when the server is gone."""

    def __init__(self, table: str, tokens: dict[int, str], random: Random) -> None:
        self.table = table
        self.tokens = tokens
        self.random = random
        self.pending: pb.ActRequest | None = None
        self.told: dict[int, game_pb2.Decision] = {}  # every decision acknowledged, by the number of its event
        self.heard: list[pb.NumberedEvent] = []
        self.before_act: Callable[[], None] = lambda: None

    def play(self, tables: Stub) -> None:
        """Until the game is over; RpcError if the server goes."""
        for update in watch(tables, self.table, first_event=len(self.heard)):
            if update.HasField("event"):
                self.heard.append(update.event)
            elif self.pending is not None or update.table.status.seat in self.tokens:
                self.act(tables)

    def act(self, tables: Stub) -> None:
        if self.pending is None:
            standing = stand(tables, self.table)
            token = self.tokens.get(standing.table.status.seat, "")
            standing = stand(tables, self.table, token)
            if not standing.decisions:
                return
            self.pending = pb.ActRequest(
                table=self.table,
                token=token,
                decision=self.random.choice(standing.decisions),
                after=standing.table.events,
                request_id=str(len(self.told)),
            )
        self.before_act()
        answer = tables.Act(self.pending)
        assert answer.events > self.pending.after
        self.told[self.pending.after] = self.pending.decision
        self.pending = None


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path, seed: int) -> None:
    random, server = Random(seed), Server(tmp_path)
    try:
        tables = server.start()
        table = create(tables, 4, [bot(1, iterations=200), bot(3, level="2")]).table.table
        persons = Persons(table, {seat: join(tables, table, seat=seat).token for seat in (0, 2)}, random)
        for _ in range(KILLS):
            fuse = Fuse(random, server.kill)
            persons.before_act = fuse.burn
            with pytest.raises(grpc.RpcError) as error:
                persons.play(tables)
            code: grpc.StatusCode = error.value.code()
            assert code == grpc.StatusCode.UNAVAILABLE
            fuse.wait()
            tables = server.start()
        persons.before_act = lambda: None
        persons.play(tables)

        happened = events(list(watch(tables, table)))
        assert [event.number for event in happened] == list(range(len(happened)))
        assert persons.heard == happened
        # Every decision of a person was acknowledged once, and stands where it was said to.
        assert {
            event.number: event.event.chosen.decision
            for event in happened
            if event.event.HasField("chosen") and event.event.chosen.seat in persons.tokens
        } == persons.told
        record = tables.ExportTable(pb.ExportTableRequest(table=table)).record
        assert server.channel is not None
        replayed = rules_pb2_grpc.RulesStub(server.channel).Replay(rules_pb2.ReplayRequest(record=record))
        assert replayed.status.waiting == game_pb2.WAITING_OVER
        assert replayed.position == stand(tables, table).position
    finally:
        server.end()
