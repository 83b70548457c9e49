"""kill -9 at any moment: what was acknowledged is there, once, and the game goes on."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Timer

import grpc
import pytest
from saloon_client.v1 import game_pb2, rules_pb2, rules_pb2_grpc
from saloon_client.v1 import tables_pb2 as pb

from tests.service.at_tables import Stub, bot, create, events, join, look, watch
from tests.service.processes import server

KILLS = 4


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
            now = look(tables, self.table)
            token = self.tokens.get(now.table.status.seat, "")
            now = look(tables, self.table, token)
            if not now.decisions:
                return
            self.pending = pb.ActRequest(
                table=self.table,
                token=token,
                decision=self.random.choice(now.decisions),
                after=now.table.events,
                request_id=str(len(self.told)),
            )
        self.before_act()
        answer = tables.Act(self.pending)
        assert answer.events > self.pending.after
        self.told[self.pending.after] = self.pending.decision
        self.pending = None


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    with server(tmp_path, "--drain-seconds", "1") as running:
        with running.channel() as channel:
            tables = Stub(channel)
            table = create(tables, 4, [bot(1, iterations=200), bot(3, level="2")]).table.table
            persons = Persons(table, {seat: join(tables, table, seat=seat).token for seat in (0, 2)}, random)
        for _ in range(KILLS):
            fuse = Fuse(random, running.kill)
            persons.before_act = fuse.burn
            with running.channel() as channel, pytest.raises(grpc.RpcError) as error:
                persons.play(Stub(channel))
            code: grpc.StatusCode = error.value.code()
            assert code == grpc.StatusCode.UNAVAILABLE
            fuse.wait()
            running.start()
        persons.before_act = lambda: None
        with running.channel() as channel:
            tables = Stub(channel)
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
            replayed = rules_pb2_grpc.RulesStub(channel).Replay(rules_pb2.ReplayRequest(record=record))
            assert replayed.status.waiting == game_pb2.WAITING_OVER
            assert replayed.position == look(tables, table).position
