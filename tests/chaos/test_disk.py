"""The disk of the hosted tables: full, or the database in somebody else's hands."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from saloon_client.v1 import bots_pb2
from saloon_client.v1 import tables_pb2 as pb

from tests.chaos.questions import question
from tests.chaos.test_processes import check, play_on
from tests.service.at_tables import Stub, bot, create, join, look
from tests.service.games import Stubs
from tests.service.processes import Server, server
from tests.service.test_tables_crash import Persons


def code(caught: pytest.ExceptionInfo[grpc.RpcError]) -> str:
    name: str = caught.value.code().name
    return name


def persons_at(running: Server, chance: random.Random) -> Persons:
    """Two of them at a table with two bots."""
    with running.channel() as channel:
        tables = Stub(channel)
        table = create(tables, 4, [bot(1, iterations=30), bot(3, level="2")]).table.table
        return Persons(table, {seat: join(tables, table, seat=seat).token for seat in (0, 2)}, chance)


def fill(running: Server, persons: Persons, decisions: int) -> None:
    """Let them play until the disk is full, after so many decisions; they notice."""

    def count() -> None:
        if len(persons.told) == decisions:
            running.limit_files(running.written_ahead)

    persons.before_act = count
    with running.channel() as channel, pytest.raises(grpc.RpcError) as caught:
        persons.play(Stub(channel))
    assert code(caught) == "UNAVAILABLE"
    assert len(persons.told) == decisions
    persons.before_act = lambda: None


def finish(running: Server, persons: Persons) -> None:
    """The game goes on to its end, and nothing is lost."""
    over = threading.Event()
    play_on(running, persons, over, 60)
    assert over.is_set()
    check(running, persons)


@pytest.mark.parametrize("restart", [False, pytest.param(True, marks=pytest.mark.chaos)])
@pytest.mark.parametrize("decisions", [3, pytest.param(10, marks=pytest.mark.chaos)])
def test_a_full_disk(tmp_path: Path, decisions: int, restart: bool) -> None:
    """Whoever wants something written gets an error, and may send it again; all else is served. Nothing acknowledged is
    lost, nothing that failed has half happened, and with room on the disk games go on, with or without a restart."""
    with server(tmp_path) as running:
        persons = persons_at(running, random.Random(decisions))
        fill(running, persons, decisions)
        with running.channel() as channel:
            tables, stubs = Stub(channel), Stubs(channel)
            before = look(tables, persons.table)
            with pytest.raises(grpc.RpcError):
                create(tables)
            assert persons.pending is not None
            for _ in range(3):
                with pytest.raises(grpc.RpcError):
                    tables.Act(persons.pending, timeout=10)
            assert look(tables, persons.table).position == before.position
            assert [table.table for table in tables.ListTables(pb.ListTablesRequest()).tables] == [persons.table]
            assert stubs.bots.Suggest(question(stubs), timeout=10).answer.iterations
            assert running.alive
        assert "tables cannot be stored" in running.logged()
        assert "internal error" not in running.logged()
        if restart:
            assert running.stop() == 0
            running.start()
        else:
            running.limit_files(None)
        finish(running, persons)


@pytest.mark.chaos
def test_a_kill_while_the_disk_is_full(tmp_path: Path) -> None:
    """Both at once lose no more than either."""
    with server(tmp_path) as running:
        persons = persons_at(running, random.Random(7))
        for decisions in (2, 5, 9):
            fill(running, persons, decisions)
            running.kill()
            running.start()
        finish(running, persons)


_HOLD = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
db.execute("ROLLBACK")
"""


@contextmanager
def locked(database: Path, seconds: float) -> Iterator[None]:
    """Another process has the database for itself for a while."""
    words = [sys.executable, "-c", _HOLD, str(database), str(seconds)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == b"held\n"
            yield
        finally:
            child.wait(60)


@pytest.mark.chaos
def test_a_locked_database_for_a_while(tmp_path: Path) -> None:
    """Whoever wants something written waits; calls that need no table are served meanwhile."""
    with server(tmp_path) as running, running.channel() as channel:
        persons = persons_at(running, random.Random(1))
        tables, stubs = Stub(channel), Stubs(channel)
        request = question(stubs)
        with locked(running.database, 2):
            begun = time.monotonic()
            made = tables.CreateTable.future(pb.CreateTableRequest(options=look(tables, persons.table).table.options))
            for _ in range(10):
                stubs.bots.Suggest(request, timeout=1)
            assert not made.done()
            assert look(tables, made.result(20).table.table).table.seats
            assert 1 < time.monotonic() - begun < 8
        finish(running, persons)


@pytest.mark.chaos
def test_a_locked_database_for_too_long(tmp_path: Path) -> None:
    """After ten seconds a call fails, and did nothing; once the database is free again games go on."""
    with server(tmp_path) as running, running.channel() as channel:
        persons = persons_at(running, random.Random(2))
        tables, stubs = Stub(channel), Stubs(channel)
        options = look(tables, persons.table).table.options
        with locked(running.database, 14):
            begun = time.monotonic()
            with pytest.raises(grpc.RpcError) as caught:
                tables.CreateTable(pb.CreateTableRequest(options=options))
            assert code(caught) == "UNAVAILABLE"
            assert 8 < time.monotonic() - begun < 14
            stubs.bots.Suggest(question(stubs), timeout=1)
        assert [table.table for table in tables.ListTables(pb.ListTablesRequest()).tables] == [persons.table]
        finish(running, persons)


@pytest.mark.chaos
def test_a_worker_dies_while_the_database_is_locked(tmp_path: Path) -> None:
    """The others serve on, and once the database is free again it is replaced."""
    with server(tmp_path, "--workers", "2") as running:
        first, second = running.workers(2)
        with locked(running.database, 25):
            os.kill(first, signal.SIGKILL)
            until = time.monotonic() + 22
            while time.monotonic() < until:
                time.sleep(1)
                assert running.alive
                assert Path(f"/proc/{second}").exists()
        assert second in running.workers(2)
        assert running.answers()


@pytest.mark.chaos
def test_a_backup_while_games_go_on(tmp_path: Path) -> None:
    """A copy made by SQLite under way is whole: a server goes on from it."""
    copy = tmp_path / "copy"
    copy.mkdir()
    with server(tmp_path) as running:
        persons = persons_at(running, random.Random(3))
        over = threading.Event()
        thread = threading.Thread(target=play_on, args=(running, persons, over, 60))
        thread.start()
        time.sleep(0.3)
        source = sqlite3.connect(running.database)
        target = sqlite3.connect(copy / "tables.sqlite")
        source.backup(target)
        source.close()
        target.close()
        thread.join(90)
        check(running, persons)
    with server(copy) as other, other.channel() as channel:
        begun = look(Stub(channel), persons.table)
        assert 0 < begun.table.events <= len(persons.heard)
        assert Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest()).levels
