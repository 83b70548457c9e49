"""Servers that stand still, that are killed, and whose clock is changed."""

import os
import random
import shutil
import signal
import struct
import subprocess
import threading
import time
from datetime import timedelta
from pathlib import Path

import grpc
import pytest
from saloon_client.v1 import bots_pb2, game_pb2, rules_pb2, tables_pb2

from tests.chaos.questions import essence, question
from tests.service.at_tables import Stub, bot, create, join, look, play_to_end
from tests.service.games import Stubs, iterations, milliseconds, of
from tests.service.processes import Server, server
from tests.service.test_tables_crash import Persons

CLIENTS = 3


def ask(running: Server, ended: threading.Event, seed: int, right: list[str], codes: list[str]) -> None:
    """Ask the same again and again; what the answers were like."""
    with running.channel() as channel:
        stubs = Stubs(channel)
        request = question(stubs, seed)
        known = essence(stubs.bots.Suggest(request, timeout=10))
        while not ended.is_set():
            try:
                found = essence(stubs.bots.Suggest(request, timeout=1))
                right.append("right" if found == known else "wrong")
            except grpc.RpcError as error:
                codes.append(error.code().name)


@pytest.mark.parametrize("seconds", [1.5, pytest.param(20, marks=pytest.mark.chaos)])
def test_a_server_that_stands_still(tmp_path: Path, seconds: float) -> None:
    """Clients get DEADLINE_EXCEEDED at their deadlines or the right answer; once it goes on, it serves as before. Games
    at hosted tables go on where they were."""
    ended, right, codes = threading.Event(), list[str](), list[str]()
    with server(tmp_path) as running, running.channel() as channel:
        tables = Stub(channel)
        table = create(tables, 2, [bot(0, iterations=50), bot(1, iterations=50)]).table.table
        threads = [threading.Thread(target=ask, args=(running, ended, n, right, codes)) for n in range(CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            time.sleep(1)
            with running.frozen():
                time.sleep(0.1)
                before = len(right)
                time.sleep(seconds)
                assert len(right) == before
                assert len(codes) >= int(seconds) * CLIENTS
            time.sleep(1.5)
        finally:
            ended.set()
            for thread in threads:
                thread.join(30)
        assert len(right) > before
        assert set(right) == {"right"}
        # RESOURCE_EXHAUSTED, at once: it has to catch up first.
        assert set(codes) <= {"DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED"}
        assert running.answers()
        assert play_to_end(tables, table, {})[-1].table.events == look(tables, table).table.events


class Guests:
    """They open tables and sit down until the server is gone, and remember what they were told."""

    def __init__(self, running: Server) -> None:
        self.running = running
        self.told: list[tuple[str, str, dict[int, str]]] = []
        self.thread = threading.Thread(target=self._come)
        self.thread.start()

    def _come(self) -> None:
        with self.running.channel() as channel:
            tables = Stub(channel)
            try:
                while True:
                    made = create(tables, 3, [bot(2, level="1")], hidden=True)
                    seats: dict[int, str] = {}
                    self.told.append((made.table.table, made.host_token, seats))
                    for seat in (0, 1):
                        seats[seat] = join(tables, made.table.table, token=made.invitation, seat=seat).token
            except grpc.RpcError:
                pass


@pytest.mark.parametrize("kills", [1, pytest.param(10, marks=pytest.mark.chaos)])
def test_tables_and_seats_outlive_a_kill(tmp_path: Path, kills: int) -> None:
    """Every table, seat and token that was acknowledged before SIGKILL is there afterwards, and games can be played."""
    chance = random.Random(kills)
    with server(tmp_path) as running:
        told = []
        for _ in range(kills):
            guests = [Guests(running) for _ in range(3)]
            time.sleep(chance.uniform(0.3, 1))
            running.kill()
            for guest in guests:
                guest.thread.join(30)
                told += guest.told
            running.start()
        assert len(told) > 5 * kills
        with running.channel() as channel:
            tables = Stub(channel)
            for table, host, seats in told:
                assert tables.ExportTable(tables_pb2.ExportTableRequest(table=table, token=host)).record.options
                for seat, token in seats.items():
                    assert look(tables, table, token).seat == seat
            table, host, seats = next(each for each in reversed(told) if len(each[2]) == 2)
            play_to_end(tables, table, seats, token=host)
            assert look(tables, table, host).table.status.waiting == game_pb2.WAITING_OVER


@pytest.mark.chaos
def test_workers_are_killed_one_after_the_other(tmp_path: Path) -> None:
    """A game goes on in the other process and in the one that takes the place; nothing acknowledged is lost."""
    chance = random.Random(1)
    with server(tmp_path, "--workers", "2") as running:
        with running.channel() as channel:
            tables = Stub(channel)
            table = create(tables, 4, [bot(1, iterations=100), bot(3, level="2")]).table.table
            persons = Persons(table, {seat: join(tables, table, seat=seat).token for seat in (0, 2)}, chance)
        persons.before_act = lambda: time.sleep(0.2)
        over, kills = threading.Event(), 0
        thread = threading.Thread(target=play_on, args=(running, persons, over))
        thread.start()
        while not over.wait(chance.uniform(0.5, 2)) and kills < 8:
            os.kill(chance.choice(running.workers(2)), signal.SIGKILL)
            kills += 1
            time.sleep(2)
        thread.join(120)
        assert over.is_set()
        assert kills >= 2
        check(running, persons)


def play_on(running: Server, persons: Persons, over: threading.Event, seconds: float = 120) -> None:
    """Until the game is over, whatever happens to the server."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not over.is_set():
        with running.channel() as channel:
            try:
                persons.play(Stub(channel))
                over.set()
            except grpc.RpcError:
                time.sleep(0.1)


def check(running: Server, persons: Persons) -> None:
    """What was acknowledged happened, once, and the record is that of the game."""
    with running.channel() as channel:
        assert [event.number for event in persons.heard] == list(range(len(persons.heard)))
        assert {
            event.number: event.event.chosen.decision
            for event in persons.heard
            if event.event.HasField("chosen") and event.event.chosen.seat in persons.tokens
        } == persons.told
        record = Stub(channel).ExportTable(tables_pb2.ExportTableRequest(table=persons.table)).record
        assert list(record.events) == [event.event for event in persons.heard]
        Stubs(channel).rules.Replay(rules_pb2.ReplayRequest(record=record))


# ---- The clock on the wall


class WallClock:
    """The wall clock of a server, which can be set."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc") or pytest.skip("needs a C compiler")
        library = folder / "clock.so"
        source = Path(__file__).parent / "clock.c"
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(source)], check=True)
        self.file = folder / "ahead"
        self.file.write_bytes(struct.pack("q", 0))
        # Sanitizers, which are loaded like this too, come first.
        preloaded = f"{os.environ.get('LD_PRELOAD', '')} {library}".strip()
        self.environment = {"LD_PRELOAD": preloaded, "WALL_CLOCK": str(self.file)}

    def set(self, ahead: timedelta) -> None:
        with self.file.open("r+b") as file:  # the server has mapped it
            file.write(struct.pack("q", int(ahead.total_seconds())))


@pytest.mark.parametrize(
    "jumps", [[5], pytest.param([-5, 5, 30 * 24, -24], marks=pytest.mark.chaos)], ids=["once", "often"]
)
def test_the_clock_jumps(tmp_path: Path, jumps: list[int]) -> None:
    """The wall clock may be set forth and back by hours: answers come in time, deadlines hold, games go on."""
    clock = WallClock(tmp_path)
    with server(tmp_path, environment=clock.environment) as running, running.channel() as channel:
        stubs, tables = Stubs(channel), Stub(channel)
        situation = of(stubs.new_game())
        made = []
        for hours in jumps:
            request = bots_pb2.SuggestRequest(situation=situation, budget=milliseconds(600))
            begun = time.monotonic()
            call = stubs.bots.Suggest.future(request, timeout=3)
            analysis = stubs.bots.Analyze(
                bots_pb2.AnalyzeRequest(situation=situation, budget=milliseconds(300)), timeout=3
            )
            time.sleep(0.2)
            clock.set(timedelta(hours=hours))
            assert call.result(5).answer.iterations > 0
            assert 0.5 < time.monotonic() - begun < 2
            assert list(analysis)[-1].final
            assert time.monotonic() - begun < 3
            with pytest.raises(grpc.RpcError) as caught:
                stubs.bots.Suggest(bots_pb2.SuggestRequest(situation=situation, budget=milliseconds(100)), timeout=0.01)
            assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
            begun = time.monotonic()
            # The time left until the deadline is what the search gets.
            short = bots_pb2.SuggestRequest(situation=situation, budget=milliseconds(5000))
            assert stubs.bots.Suggest(short, timeout=0.5).answer.iterations > 0
            assert time.monotonic() - begun < 0.55
            table = create(tables, 2, [bot(0, level="1"), bot(1, level="1")]).table
            made.append((table.table, table.created.ToSeconds() - time.time()))
            play_to_end(tables, table.table, {})
        # It did notice.
        assert [round(ahead / 3600) for _, ahead in made] == jumps
        for table_id, _ in made:
            assert look(tables, table_id).table.status.waiting == game_pb2.WAITING_OVER
        assert running.stop() == 0


@pytest.mark.chaos
def test_a_clock_far_ahead_deletes_no_table(tmp_path: Path) -> None:
    """Nor one that is set back again."""
    clock = WallClock(tmp_path)
    with server(tmp_path, environment=clock.environment) as running, running.channel() as channel:
        tables = Stub(channel)
        made = [create(tables, 2).table.table for _ in range(3)]
        for ahead in (timedelta(days=100), timedelta(days=-20_000), timedelta()):
            clock.set(ahead)
            time.sleep(6)  # it tidies every five seconds
        for table in made:
            assert look(tables, table).table.table == table
        assert running.stop() == 0


@pytest.mark.chaos
def test_budgets_of_iterations_are_kept_under_load(tmp_path: Path) -> None:
    """A machine that is busy with other things makes answers late, not different."""
    with server(tmp_path) as running, running.channel() as channel:
        stubs = Stubs(channel)
        known = essence(stubs.bots.Suggest(question(stubs, 3)))
        hogs = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(4)]
        try:
            for _ in range(5):
                assert essence(stubs.bots.Suggest(question(stubs, 3), timeout=20)) == known
            assert stubs.bots.Suggest(
                bots_pb2.SuggestRequest(situation=of(stubs.new_game()), budget=iterations(100)), timeout=20
            ).answer.iterations
        finally:
            for hog in hogs:
                hog.kill()
                hog.wait(5)
