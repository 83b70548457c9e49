"""The Tables service as a thin client sees it."""

from pathlib import Path
from random import Random

import grpc
import pytest
from saloon_client.v1 import game_pb2, rules_pb2, rules_pb2_grpc
from saloon_client.v1 import tables_pb2 as pb

from tests.service.at_tables import (
    Stub,
    act_once,
    begin,
    bot,
    create,
    events,
    join,
    look,
    options,
    play_to_end,
    refused,
    watch,
)
from tests.service.running import serving

CODE = grpc.StatusCode


@pytest.fixture(scope="module")
def rules(channel: grpc.Channel) -> rules_pb2_grpc.RulesStub:
    return rules_pb2_grpc.RulesStub(channel)


# ---- Whole games


@pytest.mark.parametrize(("players", "persons", "legends"), [(2, 1, False), (3, 2, False), (4, 1, True), (2, 2, True)])
def test_a_whole_game(tables: Stub, rules: rules_pb2_grpc.RulesStub, players: int, persons: int, legends: bool) -> None:
    """Persons and bots play to the end; all who watch see the same, and the record replays to what they saw."""
    bots = [bot(seat) for seat in range(persons, players)]
    made = tables.CreateTable(pb.CreateTableRequest(options=options(players, legends=legends), bots=bots))
    table = made.table.table
    tokens = {i: join(tables, table, name=f"Person {i}", seat=i).token for i in range(persons)}
    seen = play_to_end(tables, table, tokens, tokens[0])

    happened = events(seen)
    assert [event.number for event in happened] == list(range(len(happened)))
    assert seen[0].HasField("table")
    assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER
    assert seen[-1].table.events == len(happened)
    for token in ("", made.host_token, tokens[0]):
        assert events(list(watch(tables, table, token))) == happened
    assert events(list(watch(tables, table, first_event=7))) == happened[7:]

    record = tables.ExportTable(pb.ExportTableRequest(table=table)).record
    assert [event.event for event in happened] == list(record.events)
    end = look(tables, table)
    replayed = rules.Replay(rules_pb2.ReplayRequest(record=record))
    assert replayed.position == end.position
    assert replayed.status == end.table.status
    assert sorted(score.place for score in end.scores)[0] == 1


def test_chance_and_bots_are_the_same_with_the_same_seeds(tables: Stub) -> None:
    made = [create(tables, 3, [bot(i, seed=i, level="2" if i else "") for i in range(3)], seed=9) for _ in range(2)]
    games = [events(list(watch(tables, table.table.table))) for table in made]
    assert games[0] == games[1]


def test_a_game_begins_when_nobody_is_missing(tables: Stub) -> None:
    made = create(tables, 2)
    table = made.table.table
    first = join(tables, table)
    before = look(tables, table, first.token)
    assert before.seat == first.seat == 0
    assert not before.HasField("position")
    assert not before.table.HasField("status")
    assert before.table.events == 0
    second = join(tables, table, name="Bob")
    assert second.table.status.waiting == game_pb2.WAITING_DECISION
    assert second.table.events > 0
    assert [seat.name for seat in second.table.seats] == ["Ann", "Bob"]
    after = look(tables, table, first.token)
    assert after.HasField("position")
    assert len(after.scores) == 2
    due = second.table.status.seat
    for token, seat in ((first.token, 0), (second.token, 1), (made.host_token, None)):
        assert bool(look(tables, table, token).decisions) == (seat == due)


def test_joining_again_with_the_same_seat_token_takes_one_seat(tables: Stub) -> None:
    made = create(tables, 3, hidden=True)
    table, own = made.table.table, "A-token_of-the-client-s-own"
    request = pb.JoinTableRequest(table=table, name="Ann", token=made.invitation, seat_token=own)
    first, again = tables.JoinTable(request), tables.JoinTable(request)
    assert (first.seat, first.token) == (0, own)
    assert again == first
    for name in ("Bob", "Cid"):
        join(tables, table, made.invitation, name=name)
    last = tables.JoinTable(request)  # though no seat is free any more, and the game has begun
    assert (last.seat, last.token) == (0, own)
    assert [seat.name for seat in last.table.seats] == ["Ann", "Bob", "Cid"]
    assert look(tables, table, own).seat == 0


def test_a_bot_plays_on_for_a_person_who_comes_back(tables: Stub) -> None:
    made = create(tables, 2, [bot(1)])
    table, token = made.table.table, join(tables, made.table.table).token
    random = Random(1)
    while look(tables, table).table.events < 10:
        act_once(tables, table, token, random)

    handed = tables.SeatBot(pb.SeatBotRequest(table=table, token=token, bot=bot(0, name="Deputy")))
    assert handed.table.seats[0] == pb.Seat(seat=0, player=pb.PLAYER_BOT, name="Deputy", away=True)
    for update in watch(tables, table, token):
        if update.HasField("table") and update.table.events > 20:
            break
    back = join(tables, table, token, name="Ann again")
    assert (back.seat, back.token) == (0, token)
    assert back.table.seats[0] == pb.Seat(seat=0, player=pb.PLAYER_PERSON, name="Ann again")
    assert join(tables, table, token).token == token  # asked again, if the answer got lost
    seen = play_to_end(tables, table, {0: token})
    assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER


def test_a_bot_in_thought_is_stopped_when_its_person_comes_back(tables: Stub) -> None:
    """The turn is the person's at once, however long the bot would think."""
    made = create(tables, 2, [bot(0)])
    table = made.table.table
    token = join(tables, table, seat=1).token
    for update in watch(tables, table, token):
        if update.HasField("table") and update.table.status.seat == 1:
            break
    slow = bot(1, iterations=100_000_000)
    tables.SeatBot(pb.SeatBotRequest(table=table, token=token, bot=slow))
    before = join(tables, table, token).table.events
    assert act_once(tables, table, token, Random(2)) is not None
    seen = play_to_end(tables, table, {1: token})
    assert events(seen)[before].event.chosen.seat == 1


# ---- Acting


def test_a_request_sent_again_is_done_once(tables: Stub) -> None:
    table, tokens, due = begin(tables)
    decisions = look(tables, table, tokens[due]).decisions
    request = pb.ActRequest(table=table, token=tokens[due], decision=decisions[0], request_id="first")
    answer = tables.Act(request)
    other = tables.Act(pb.ActRequest(table=table, token=tokens[answer.status.seat], decision=decisions[1]))
    assert other.events > answer.events
    assert tables.Act(request) == answer
    assert look(tables, table).table.events == other.events
    # The other seat's names are its own.
    assert tables.Act(
        pb.ActRequest(
            table=table,
            token=tokens[other.status.seat],
            decision=look(tables, table, tokens[other.status.seat]).decisions[0],
            request_id="first" if other.status.seat != due else "second",
        )
    ).events > other.events  # fmt: skip


# ---- Lists, records


def test_tables_are_listed_newest_first(tmp_path: Path) -> None:
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        made = [create(tables, 2, hidden=i == 3).table for i in range(6)]
        token = join(tables, made[1].table).token
        join(tables, made[1].table, name="Bob")
        public = [made[i].table for i in (5, 4, 2, 1, 0)]

        def pages(size: int, only_free: bool = False) -> list[list[str]]:
            found, page = [], ""
            while True:
                request = pb.ListTablesRequest(page_size=size, page_token=page, only_free=only_free)
                answer = tables.ListTables(request)
                found.append([table.table for table in answer.tables])
                page = answer.next_page_token
                if not page:
                    return found

        assert pages(0) == [public]
        assert pages(2) == [public[:2], public[2:4], public[4:]]
        assert pages(5) == [public]
        assert pages(3, only_free=True) == [[made[i].table for i in (5, 4, 2)], [made[0].table]]
        listed = {t.table: t for t in tables.ListTables(pb.ListTablesRequest()).tables}
        for table in public:
            assert listed[table] == look(tables, table).table
        assert token not in str(listed)


def test_the_seed_is_known_to_the_host_only(tables: Stub) -> None:
    made = create(tables, 2, seed=1234567890123)
    table = made.table.table
    token = join(tables, table).token
    join(tables, table, name="Bob")
    record = tables.ExportTable(pb.ExportTableRequest(table=table, token=made.host_token)).record
    assert record.seed == 1234567890123
    said = [
        str(look(tables, table, token)),
        str(made),
        str(tables.ListTables(pb.ListTablesRequest(page_size=100))),
    ]
    updates = watch(tables, table, token)
    said += [str(next(updates)) for _ in range(len(record.events) + 1)]
    updates.close()  # type: ignore[attr-defined]
    assert "1234567890123" not in "".join(said)


def test_who_joins_sees_whether_the_host_may_know_what_comes(tables: Stub) -> None:
    """They chose the seed or brought a record with one; else it was drawn by the server and told to nobody."""
    drawn, chosen = create(tables, 2), create(tables, 2, seed=1)
    whole = tables.ExportTable(pb.ExportTableRequest(table=drawn.table.table, token=drawn.host_token)).record
    brought = tables.ImportTable(pb.ImportTableRequest(record=whole))
    whole.ClearField("seed")
    unsaid = tables.ImportTable(pb.ImportTableRequest(record=whole))
    told = [look(tables, made.table.table).table.host_may_know for made in (drawn, chosen, brought, unsaid)]
    assert told == [False, True, True, False]
    listed = {table.table: table for table in tables.ListTables(pb.ListTablesRequest(page_size=4)).tables}
    assert [listed[made.table.table].host_may_know for made in (drawn, chosen, brought, unsaid)] == told


@pytest.mark.parametrize("seeded", [True, False])
def test_a_record_is_played_on(tables: Stub, rules: rules_pb2_grpc.RulesStub, seeded: bool) -> None:
    made = create(tables, 2)
    tokens = [join(tables, made.table.table, name=name).token for name in ("Ann", "Bob")]
    random = Random(3)
    for _ in range(12):
        act_once(tables, made.table.table, tokens[look(tables, made.table.table).table.status.seat], random)
    record = tables.ExportTable(pb.ExportTableRequest(table=made.table.table, token=made.host_token)).record
    if not seeded:
        record.ClearField("seed")

    copy = tables.ImportTable(pb.ImportTableRequest(record=record, bots=[bot(1)])).table
    assert copy.events == len(record.events)
    assert not copy.HasField("status")
    assert not look(tables, copy.table).HasField("position")
    token = join(tables, copy.table).token
    seen = events(play_to_end(tables, copy.table, {0: token}))
    assert [event.event for event in seen][: len(record.events)] == list(record.events)
    whole = tables.ExportTable(pb.ExportTableRequest(table=copy.table)).record
    assert whole.HasField("seed") == seeded
    replayed = rules.Replay(rules_pb2.ReplayRequest(record=whole))
    assert replayed.status.waiting == game_pb2.WAITING_OVER
    assert replayed.position == look(tables, copy.table).position

    over = tables.ImportTable(pb.ImportTableRequest(record=whole)).table
    assert over.status.waiting == game_pb2.WAITING_OVER
    assert events(list(watch(tables, over.table))) == seen


def test_a_record_without_any_event_is_dealt(tables: Stub) -> None:
    record = game_pb2.GameRecord(options=options(2))
    made = tables.ImportTable(pb.ImportTableRequest(record=record, bots=[bot(0), bot(1)])).table
    seen = list(watch(tables, made.table))
    assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER


def test_a_record_that_does_not_fit(tables: Stub) -> None:
    made = create(tables, 2)
    record = tables.ExportTable(pb.ExportTableRequest(table=made.table.table, token=made.host_token)).record
    record.events[0].chance.moon_river.saloon.partners[0] = 0  # type: ignore[call-overload]
    with pytest.raises(grpc.RpcError) as error:
        tables.ImportTable(pb.ImportTableRequest(record=record))
    code, field = refused(error)
    assert code == CODE.INVALID_ARGUMENT
    assert field.startswith("record.events[0]")
