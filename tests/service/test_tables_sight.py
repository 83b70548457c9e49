"""A game whose chance tells some seats what it does not tell others: Moon River with columns that only seat 0 sees."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from saloon_client.v1 import tables_pb2 as pb

from engine_cy import MoonRiver
from engine_cy.game import Game
from engine_cy.registry import GAMES
from server.sight import KeepsSecrets, deal, sees, shown
from server.situations import _compiled
from tests.service.hosted import Stub, bot, create, events, join, play_to_end, refused, watch
from tests.service.running import serving


class Secretive(MoonRiver):
    def sees(self, seat: int | None, what: str, outcome: Any) -> bool:
        return what != "column" or seat == 0


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    monkeypatch.setitem(GAMES, "moon_river", Secretive)
    _compiled.cache_clear()
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        yield Stub(channel)
    _compiled.cache_clear()


def test_an_event_that_a_seat_may_not_see_is_left_out(tables: Stub) -> None:
    made = create(tables, 2)
    table = made.table.table
    tokens = {i: join(tables, table, seat=i).token for i in range(2)}
    whole = events(play_to_end(tables, table, tokens, tokens[0]))
    assert all(event.HasField("event") for event in whole)
    columns = {event.number for event in whole if event.event.chance.moon_river.HasField("column")}
    assert len(columns) > 5
    for token in (tokens[1], made.host_token, ""):
        seen = events(list(watch(tables, table, token)))
        assert {event.number for event in seen if not event.HasField("event")} == columns
        assert [event for event in seen if event.HasField("event")] == [
            event for event in whole if event.number not in columns
        ]


def test_without_a_seed_it_cannot_be_played_on(tables: Stub) -> None:
    """What was dealt secretly cannot be left out of what is dealt next without saying it."""
    table = create(tables, 2, [bot(0), bot(1)]).table.table
    list(watch(tables, table))
    record = tables.ExportTable(pb.ExportTableRequest(table=table)).record
    record.ClearField("seed")
    with pytest.raises(grpc.RpcError) as error:
        tables.ImportTable(pb.ImportTableRequest(record=record))
    assert refused(error) == (grpc.StatusCode.INVALID_ARGUMENT, "record.seed")


def test_a_spectator_is_shown_what_everybody_knows() -> None:
    game, secretive = Game(MoonRiver(2), seed=1), Game(Secretive(2), seed=1)
    assert isinstance(secretive.rules, KeepsSecrets)
    assert not isinstance(game.rules, KeepsSecrets)
    assert all(sees(game.rules, None, event) for event in game.history)
    assert shown(game, None) == game.state.spectate()
    assert shown(game, 1) == game.state.observe(1)


def test_chance_without_a_seed_comes_from_luck_and_number() -> None:
    games = [Game(MoonRiver(3)) for _ in range(3)]
    for game, luck in zip(games, (5, 5, 6), strict=True):
        deal(game, luck)
        assert game.seat is not None
    assert games[0].history == games[1].history != games[2].history
    assert games[0] == games[1]
