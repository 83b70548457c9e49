"""Records that come again, a little longer or changed, are read as if they came for the first time."""

import random
from typing import Any

import pytest
from saloon_client.v1 import game_pb2

from engine_cy import Game
from engine_cy.registry import rules_of
from server.calls.refusals import Refused
from wire import situations
from wire.replays import Replays, names

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("moon_river", {"players": 3, "legends": True}),
    ("goldgraeber", {"players": 4, "prospecting": True}),
]


def played(name: str, options: dict[str, Any], seed: int) -> game_pb2.GameRecord:
    game, luck = Game(rules_of(name, options), seed), random.Random(seed)
    while not game.over and len(game.history) < 120:
        game.decide(luck.choice(game.decisions()))
    return situations.record_message(game)


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> Replays:
    """Nothing is known yet."""
    fresh = Replays()
    monkeypatch.setattr(situations, "_replays", fresh)
    return fresh


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_any_order_of_beginnings(name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    record, luck, replays = played(name, options, 5), random.Random(1), Replays()
    for most in [luck.randrange(len(record.events) + 1) for _ in range(40)]:
        monkeypatch.setattr(situations, "_replays", Replays())
        fresh = situations.read_record(record, "record", most)
        monkeypatch.setattr(situations, "_replays", replays)
        known = situations.read_record(record, "record", most)
        assert known == fresh
        assert known.history == fresh.history
        if known.decisions():  # what is done with one of them leaves the others alone
            known.decide(known.decisions()[0])
        assert situations.read_record(record, "record", most) == fresh


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_what_is_wrong_is_found_after_what_is_known(name: str, options: dict[str, Any], replays: Replays) -> None:
    record = played(name, options, 5)
    situations.read_record(record, "record")
    wrong = game_pb2.GameRecord()
    wrong.CopyFrom(record)
    last = max(i for i, event in enumerate(wrong.events) if event.HasField("chosen"))
    wrong.events[last].chosen.seat = 5
    with pytest.raises(Refused, match=rf"record.events\[{last}\].chosen.seat: expected"):
        situations.read_record(wrong, "record")
    other = game_pb2.GameRecord()
    other.CopyFrom(record)
    other.seed += 1
    with pytest.raises(Refused, match=r"record.events\[\d+\]"):
        situations.read_record(other, "record")


def test_names_tell_records_apart() -> None:
    record = played(*TABLES[0], 5)
    own = names(record, None)
    assert len(set(own)) == len(record.events) + 1
    assert names(record, 7) == own[:8]
    for field, value in (("seed", record.seed + 1), ("stream", 3)):
        other = game_pb2.GameRecord()
        other.CopyFrom(record)
        setattr(other, field, value)
        assert not set(names(other, None)) & set(own)


def test_few_are_kept(replays: Replays) -> None:
    record = played(*TABLES[0], 5)
    for seed in range(300):
        record.seed = seed
        del record.events[:]
        situations.read_record(record, "record")
    assert len(replays._games) == 128
