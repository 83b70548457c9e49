"""Hosted tables that outlive their process, are shared by several, or meet what goes wrong."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from server.stores.sqlite_tables import SqliteTables
from server.stores.tables import Change
from server.tables.bots import TableBots, Times
from tests.service.at_tables import (
    Stub,
    act_once,
    bot,
    create,
    events,
    join,
    look,
    options,
    play_to_end,
    refused,
    watch,
    without_grpc,
)
from tests.service.games import details
from tests.service.kept import Kept
from tests.service.running import serving
from wire.reading import Reader


def test_tables_are_there_after_a_restart(tmp_path: Path, kept: Kept) -> None:
    """A game goes on, a request is remembered, and a bot whose turn it was plays."""
    with serving(tmp_path, database=kept.database) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        made = create(tables, 3, [bot(2)])
        table = made.table.table
        tokens = {i: join(tables, table, seat=i).token for i in range(2)}
        for update in watch(tables, table):
            if update.HasField("table") and update.table.status.seat in tokens:
                break
        seat = update.table.status.seat
        decision = look(tables, table, tokens[seat]).decisions[0]
        request = pb.ActRequest(table=table, token=tokens[seat], decision=decision, request_id="r")
        answer = tables.Act(request)
        # A bot that has no time to answer before the end.
        lone = create(tables, 2, [bot(0, iterations=2000), bot(1, iterations=2000)]).table.table
    with serving(tmp_path, database=kept.database) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        assert tables.Act(request) == answer
        seen = play_to_end(tables, table, tokens)
        assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER
        assert events(seen)[look(tables, table).table.events - 1]
        before = look(tables, lone).table.events
        for update in watch(tables, lone, first_event=before):
            if update.HasField("event"):
                assert update.event.number == before
                break


@contextmanager
def two_services(folder: Path, kept: Kept) -> Iterator[list[Stub]]:
    """Clients of two services on one database, as those of two worker processes are."""
    with ExitStack() as stack:
        services = [stack.enter_context(serving(folder, database=kept.database)) for _ in range(2)]
        yield [Stub(stack.enter_context(grpc.insecure_channel(service.address))) for service in services]


def test_two_services_share_tables(tmp_path: Path, kept: Kept) -> None:
    """Whoever is asked, the answer is the same; watchers of one see what happens at the other."""
    with two_services(tmp_path, kept) as stubs:
        made = create(stubs[0], 4, [bot(2), bot(3)])
        table = made.table.table
        watchers = [watch(stub, table) for stub in stubs]
        tokens = [join(stubs[i % 2], table, seat=i).token for i in range(2)]
        random, seen = Random(5), []
        while True:
            update = next(watchers[1])
            seen.append(update)
            if update.table.status.waiting == game_pb2.WAITING_OVER:
                break
            if update.HasField("table") and update.table.status.seat in (0, 1):
                # Each person asks a service at random, and finds there what the other one has written.
                act_once(random.choice(stubs), table, tokens[update.table.status.seat], random)
        happened = events(seen)
        assert [event.number for event in happened] == list(range(len(happened)))
        assert events(list(watchers[0])) == happened
        assert look(stubs[0], table) == look(stubs[1], table)


def test_two_services_race_for_the_same_seats_and_bots(tmp_path: Path, kept: Kept) -> None:
    """Every seat goes to one person; a bot played by both decides once."""
    with two_services(tmp_path, kept) as stubs:
        table = create(stubs[0], 3, [bot(2)]).table.table
        calls = [stubs[i % 2].JoinTable.future(pb.JoinTableRequest(table=table, name=f"Person {i}")) for i in range(6)]
        joined = [call.result() for call in calls if call.code() == grpc.StatusCode.OK]
        assert sorted(answer.seat for answer in joined) == [0, 1]
        taken = [call.code() for call in calls if call.code() != grpc.StatusCode.OK]
        assert set(taken) == {grpc.StatusCode.ALREADY_EXISTS}
        tokens = {answer.seat: answer.token for answer in joined}
        happened = events(play_to_end(stubs[0], table, tokens))
        assert events(list(watch(stubs[1], table))) == happened


def test_bots_played_by_two_services_decide_once(tmp_path: Path, kept: Kept) -> None:
    """One that begins takes over all bots that have to decide, those that the other one lets think too."""
    with serving(tmp_path, database=kept.database) as one, grpc.insecure_channel(one.address) as left:
        made = [create(Stub(left), 3, [bot(i, iterations=200) for i in range(3)]).table.table for _ in range(3)]
        with serving(tmp_path, database=kept.database) as two, grpc.insecure_channel(two.address) as right:
            for table in made:
                happened = events(list(watch(Stub(left), table)))
                assert [event.number for event in happened] == list(range(len(happened)))
                assert events(list(watch(Stub(right), table))) == happened
                record = Stub(right).ExportTable(pb.ExportTableRequest(table=table)).record
                assert Reader().record(record, "record").over


def test_the_same_decision_sent_to_two_services_is_taken_once(tmp_path: Path, kept: Kept) -> None:
    with two_services(tmp_path, kept) as stubs:
        table = create(stubs[0], 2).table.table
        tokens = [join(stubs[0], table).token for _ in range(2)]
        for number in range(10):
            now = look(stubs[number % 2], table).table
            seat = now.status.seat
            decision = look(stubs[0], table, tokens[seat]).decisions[0]
            request = pb.ActRequest(
                table=table, token=tokens[seat], decision=decision, request_id=str(number), after=now.events
            )
            answers = [call.result() for call in [stub.Act.future(request) for stub in stubs]]
            assert answers[0] == answers[1]
            assert look(stubs[0], table).table.events == answers[0].events


def test_the_same_person_joining_at_two_services_takes_one_seat(tmp_path: Path, kept: Kept) -> None:
    with two_services(tmp_path, kept) as stubs:
        for number in range(10):
            table = create(stubs[0], 2).table.table
            request = pb.JoinTableRequest(table=table, name="Ann", seat_token=f"{number}{'x' * 30}")
            answers = [call.result() for call in [stub.JoinTable.future(request) for stub in stubs]]
            assert {(answer.seat, answer.token) for answer in answers} == {(0, request.seat_token)}
            assert [seat.name for seat in look(stubs[1], table).table.seats] == ["Ann", ""]


# ---- When something goes wrong


def test_a_write_that_fails_is_not_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk or the like: the caller is told, nothing has happened, and it can be sent again."""
    with serving(tmp_path, log_level="error") as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        table = create(tables, 2).table.table
        tokens = [join(tables, table).token for _ in range(2)]
        before = look(tables, table).table
        token = tokens[before.status.seat]
        with monkeypatch.context() as patch:
            patch.setattr(SqliteTables, "_add", fail)
            with pytest.raises(grpc.RpcError) as error:
                act_once(tables, table, token, Random(1))
            assert refused(error)[0] == grpc.StatusCode.UNAVAILABLE
            assert details(error.value, RetryInfo).retry_delay.seconds > 0
            assert "disk" not in str(error.value)  # that is for the operator
        assert look(tables, table).table == before
        answer = act_once(tables, table, token, Random(1))
        assert answer is not None
        assert answer.events > before.events


def fail(*_: object) -> None:
    raise sqlite3.OperationalError("the disk is full")


def test_a_bot_that_fails_tries_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        table = create(tables, 2, [bot(1)]).table.table
        failed: list[Change] = []
        write = SqliteTables._write

        def fails_once(store: SqliteTables, table_id: str, revision: int, change: Change) -> int:
            if change.events and change.first > 5 and not failed:
                failed.append(change)
                fail()
            return write(store, table_id, revision, change)

        monkeypatch.setattr(SqliteTables, "_write", fails_once)
        tables.SeatBot(pb.SeatBotRequest(table=table, token=join(tables, table).token, bot=bot(0)))
        assert list(watch(tables, table))[-1].table.status.waiting == game_pb2.WAITING_OVER
        assert failed


def test_bots_whose_process_is_gone_are_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        context: Any = None
        async with without_grpc(tmp_path, times=Times(0.1, 0.1), longest=0.1) as service:
            with monkeypatch.context() as patch:
                patch.setattr(TableBots, "play", lambda *_: None)  # as if it had died right after its last write
                request = pb.CreateTableRequest(options=options(), bots=[bot(0), bot(1)])
                table = (await service.CreateTable(request, context)).table.table
            updates = [update async for update in service.WatchTable(pb.WatchTableRequest(table=table), context)]
        assert updates[-1].table.status.waiting == game_pb2.WAITING_OVER

    asyncio.run(work())


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        ("UPDATE tables SET components = 'other' WHERE id = ?", grpc.StatusCode.FAILED_PRECONDITION),
        ("UPDATE tables SET game = 'other' WHERE id = ?", grpc.StatusCode.INTERNAL),
        ("""UPDATE tables SET options = '{"players": 9}' WHERE id = ?""", grpc.StatusCode.INTERNAL),
        (
            """UPDATE events SET data = '["chance", "column", [0]]' WHERE number = 1 AND table_id = ?""",
            grpc.StatusCode.INTERNAL,
        ),
        (
            """UPDATE events SET data = '["decision", 0, ["stop"]]' WHERE number > 5 AND table_id = ?""",
            grpc.StatusCode.INTERNAL,
        ),
        ("DELETE FROM events WHERE number > 3 AND table_id = ?", grpc.StatusCode.INTERNAL),
    ],
)
def test_a_table_that_this_server_cannot_go_on_with(tmp_path: Path, damage: str, code: grpc.StatusCode) -> None:
    """Its players are told, what it lacks too where it is a component set; other tables go on."""
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        tables, tokens = Stub(channel), {}
        for _ in range(2):
            table = create(tables, 2, [bot(0)]).table.table
            tokens[table] = join(tables, table).token
            for update in watch(tables, table):
                if update.HasField("table") and update.table.events > 8 and update.table.status.seat == 1:
                    break
                if update.HasField("table") and update.table.status.seat == 1:
                    act_once(tables, table, tokens[table], Random(1))
    bad, good = tokens
    db = sqlite3.connect(tmp_path / "tables.sqlite")
    db.execute(damage, [bad])
    db.execute("UPDATE tables SET bot_due = 1")
    db.commit()
    db.close()
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        with pytest.raises(grpc.RpcError) as error:
            look(tables, bad)
        assert refused(error)[0] == code
        assert good in {table.table for table in tables.ListTables(pb.ListTablesRequest()).tables}
        assert play_to_end(tables, good, {1: tokens[good]})[-1].table.status.waiting == game_pb2.WAITING_OVER


def test_those_who_go_away_leave_nothing_behind(tmp_path: Path) -> None:
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        table = create(tables, 2).table.table
        calls = [tables.WatchTable(pb.WatchTableRequest(table=table)) for _ in range(5)]
        for call in calls:
            next(call)
        assert service.tables.open_tables.used == 5
        for call in calls:
            call.cancel()
        until = time.monotonic() + 20
        while service.tables.open_tables.used and time.monotonic() < until:
            time.sleep(0.01)
        assert service.tables.open_tables.used == 0
