"""Hosted games in which chance tells one seat what it does not tell the others: Goldgräber with prospecting."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import grpc
import pytest
from saloon_client.v1 import bots_pb2, bots_pb2_grpc, game_pb2, goldgraeber_pb2, rules_pb2, rules_pb2_grpc
from saloon_client.v1 import tables_pb2 as pb

from engine_cy import Goldgraeber, MoonRiver
from engine_cy.game import Game
from server.tables.visible import deal_chance, may_know, visible_state
from tests.service.at_tables import Stub, act_once, bot, events, join, play_to_end, refused, watch
from tests.service.running import serving
from wire.reading import Reader
from wire.writing import position_message


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Stub]:
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        yield Stub(channel)


def create(tables: Stub, *bots: pb.TableBot) -> pb.CreateTableResponse:
    """Three seats; those without a bot are free."""
    wanted = goldgraeber_pb2.GoldgraeberOptions(players=3, prospecting=True)
    options = game_pb2.Options(goldgraeber=wanted)
    return tables.CreateTable(pb.CreateTableRequest(options=options, bots=bots, seed=5))


def test_an_event_that_a_seat_may_not_see_is_left_out(tables: Stub) -> None:
    """What a digger looks at in secret is told to its seat alone; that it looked is public."""
    made = create(tables, bot(2, "2", seed=3))
    table = made.table.table
    tokens = {i: join(tables, table, seat=i).token for i in range(2)}
    own = {0: events(play_to_end(tables, table, tokens, tokens[0]))}
    own[1] = events(list(watch(tables, table, tokens[1])))
    public = events(list(watch(tables, table)))
    hidden = {event.number for event in public if not event.HasField("event")}
    secrets = {seat: hidden - {e.number for e in seen if not e.HasField("event")} for seat, seen in own.items()}
    assert all(len(secret) >= 2 for secret in secrets.values())
    assert not secrets[0] & secrets[1]
    for seat, secret in secrets.items():
        for event in own[seat]:
            if event.number in secret:
                assert event.event.chance.goldgraeber.WhichOneof("event") == "chip"
            elif event.HasField("event"):
                assert event.event == public[event.number].event


def test_a_position_holds_only_what_its_seat_knows(tables: Stub) -> None:
    made = create(tables, bot(2, "2", seed=3))
    table = made.table.table
    tokens = {i: join(tables, table, seat=i).token for i in range(2)}
    play_to_end(tables, table, tokens, tokens[0])
    for seat, token in [*tokens.items(), (9, "")]:
        position = tables.GetTable(pb.GetTableRequest(table=table, token=token)).position.goldgraeber
        for chip in position.chips:
            assert chip.HasField("chip") == (seat in chip.looked)


def test_without_a_seed_it_cannot_be_played_on(tables: Stub) -> None:
    """What was told secretly cannot be left out of what is dealt next without saying it."""
    table = create(tables, bot(0), bot(1), bot(2)).table.table
    list(watch(tables, table))
    record = tables.ExportTable(pb.ExportTableRequest(table=table)).record
    record.ClearField("seed")
    with pytest.raises(grpc.RpcError) as error:
        tables.ImportTable(pb.ImportTableRequest(record=record))
    assert refused(error) == (grpc.StatusCode.INVALID_ARGUMENT, "record.seed")


def own_record(tables: Stub, table: str, token: str) -> game_pb2.GameRecord:
    """Made of what a seat was told while it watched, as docs/tables.md says."""
    record = game_pb2.GameRecord(options=tables.GetTable(pb.GetTableRequest(table=table, token=token)).table.options)
    for update in watch(tables, table, token):
        if update.HasField("event"):
            record.events.extend(update.event.own or [update.event.event])
    return record


def test_what_a_seat_watched_can_be_reviewed(tmp_path: Path) -> None:
    """Its own decisions as in the whole game; those of others that had looked at something are passed over."""
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        tables, bots, rules = Stub(channel), bots_pb2_grpc.BotsStub(channel), rules_pb2_grpc.RulesStub(channel)
        made = create(tables, bot(2, "2", seed=3))
        table = made.table.table
        tokens = {i: join(tables, table, seat=i).token for i in range(2)}
        play_to_end(tables, table, tokens, tokens[0])
        record = own_record(tables, table, tokens[0])
        whole = tables.ExportTable(pb.ExportTableRequest(table=table)).record
        looked = [e.chance.goldgraeber.chip for e in record.events if e.chance.goldgraeber.HasField("chip")]
        assert any(not chip.HasField("chip") for chip in looked)

        request = bots_pb2.ReviewRequest(record=record, budget=bots_pb2.Budget(iterations=4), seed=1)
        *parts, last = bots.Review(request, timeout=60)
        decided = [part.decision for part in parts if part.HasField("decision")]
        chosen = [event.chosen for event in whole.events if event.HasField("chosen")]
        assert [(one.seat, one.chosen) for one in decided] == [(one.seat, one.decision) for one in chosen]
        unjudged = [one for one in decided if one.quality == bots_pb2.DECISION_CLASS_UNSPECIFIED]
        assert 0 < len(unjudged) < len(decided)
        for one in unjudged:
            assert one.seat != 0
            assert (one.HasField("best"), one.lost) == (False, 0)
            assert sum(one.wins) == pytest.approx(1, abs=1e-5)
        for seat in last.summary.seats:
            assert seat.decisions == sum(one.seat == seat.seat and one.quality > 0 for one in decided)
            assert seat.result == pytest.approx(seat.expected + seat.luck + seat.lost, abs=1e-9)
        assert last.summary.over

        with pytest.raises(grpc.RpcError) as error:
            rules.Replay(rules_pb2.ReplayRequest(record=record, events=unjudged[0].event, seat=unjudged[0].seat))
        assert refused(error) == (grpc.StatusCode.INVALID_ARGUMENT, "record.chips")


def test_a_seat_can_have_its_own_record(tables: Stub) -> None:
    """At any time, as it could have made it from what it watched; its view is the one of the table."""
    made = create(tables, bot(2, "2", seed=3))
    table = made.table.table
    tokens = {i: join(tables, table, seat=i).token for i in range(2)}
    random, hidden = Random(3), 0
    while True:
        status = tables.GetTable(pb.GetTableRequest(table=table)).table.status
        if status.waiting == game_pb2.WAITING_OVER:
            break
        if status.seat not in tokens:
            continue  # the bot will
        seat = status.seat
        record = tables.ExportTable(pb.ExportTableRequest(table=table, token=tokens[seat])).record
        assert not record.HasField("seed")
        game = Reader().record(record, "record")
        shown = tables.GetTable(pb.GetTableRequest(table=table, token=tokens[seat]))
        assert position_message(game.rules, game.observe(seat).state) == shown.position
        hidden += not game.whole
        act_once(tables, table, tokens[seat], random)
    assert hidden


@pytest.mark.parametrize("rules", [MoonRiver(2), Goldgraeber(3, prospecting=True)], ids=lambda rules: rules.name)
def test_a_spectator_is_shown_what_everybody_knows(rules: MoonRiver | Goldgraeber) -> None:
    game = Game(rules, seed=1)
    assert all(may_know(None, event) for event in game.history)
    assert visible_state(game, None) == game.state.spectate()
    assert visible_state(game, 1) == game.state.observe(1)


def test_chance_without_a_seed_comes_from_luck_and_number() -> None:
    games = [Game(MoonRiver(3)) for _ in range(3)]
    for game, luck in zip(games, (5, 5, 6), strict=True):
        deal_chance(game, luck)
        assert game.seat is not None
    assert games[0].history == games[1].history != games[2].history
    assert games[0] == games[1]
