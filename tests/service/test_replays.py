"""Records that come again, a little longer or changed, are read as if they came for the first time."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from saloon_client.v1 import game_pb2

from engine_cy import Game, InputError, Record
from engine_cy.registry import rules_of
from tests.tables import DATA
from wire.memory import record_keys
from wire.reading import Reader, Situation
from wire.writing import Writer

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("moon_river", {"players": 3, "legends": True}),
    ("goldgraeber", {"players": 4, "prospecting": True}),
]


def played(name: str, options: dict[str, Any], seed: int) -> game_pb2.GameRecord:
    game, luck = Game(rules_of(name, options), seed), random.Random(seed)
    while not game.over and len(game.history) < 120:
        game.decide(luck.choice(game.decisions()))
    return Writer().record(game)


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_any_order_of_beginnings(name: str, options: dict[str, Any]) -> None:
    record, luck, reader = played(name, options, 5), random.Random(1), Reader()
    for most in [luck.randrange(len(record.events) + 1) for _ in range(40)]:
        fresh = Reader().record(record, "record", most)
        known = reader.record(record, "record", most)
        assert known == fresh
        assert known.history == fresh.history
        if known.decisions():  # what is done with one of them leaves the others alone
            known.decide(known.decisions()[0])
        assert reader.record(record, "record", most) == fresh


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_what_is_wrong_is_found_after_what_is_known(name: str, options: dict[str, Any]) -> None:
    record, reader = played(name, options, 5), Reader()
    reader.record(record, "record")
    wrong = game_pb2.GameRecord()
    wrong.CopyFrom(record)
    last = max(i for i, event in enumerate(wrong.events) if event.HasField("chosen"))
    wrong.events[last].chosen.seat = 5
    with pytest.raises(InputError, match=rf"record.events\[{last}\].chosen.seat: expected"):
        reader.record(wrong, "record")
    other = game_pb2.GameRecord()
    other.CopyFrom(record)
    other.seed += 1
    with pytest.raises(InputError, match=r"record.events\[\d+\]"):
        reader.record(other, "record")


def test_keys_tell_records_apart() -> None:
    record = played(*TABLES[0], 5)
    own = record_keys(record, None)
    assert len(set(own)) == len(record.events) + 1
    assert record_keys(record, 7) == own[:8]
    for field, value in (("seed", record.seed + 1), ("stream", 3)):
        other = game_pb2.GameRecord()
        other.CopyFrom(record)
        setattr(other, field, value)
        assert not set(record_keys(other, None)) & set(own)


def test_what_was_kept_before_there_were_editions() -> None:
    """It names its component set, as all that a server wrote does, but no edition."""
    old = Record.load(DATA / "goldgraeber-prospecting-edition-1.json").replay()
    kept = Writer().record(old)
    kept.options.goldgraeber.ClearField("edition")
    reader = Reader()
    assert reader.record(kept, "record") == old
    by_hand = game_pb2.GameRecord(options=kept.options, seed=old.seed, stream=old.stream)
    assert reader.record(by_hand, "record").rules.options()["edition"] == 2
    begun = game_pb2.GameRecord(options=kept.options, components=kept.components, seed=old.seed, stream=old.stream)
    assert reader.record(begun, "record").rules.options()["edition"] == 1
    assert Writer().record(reader.record(by_hand, "record")).options.goldgraeber.edition == 2


def test_few_are_kept() -> None:
    record, reader = played(*TABLES[0], 5), Reader()
    for seed in range(300):
        record.seed = seed
        del record.events[:]
        reader.record(record, "record")
    assert len(reader._played) == 128


def test_problems_of_positions_are_in_fields_of_the_contract() -> None:
    """Each names a field that is there, once."""
    game = Game(rules_of("moon_river", {"players": 3}), 5)
    message = Writer().situation(Situation(Game.at(game.rules, game.position()), False)).position
    changes: list[tuple[Callable[[Any], Any], str]] = [
        (lambda p: p.options.ClearField("players"), "options.players"),
        (lambda p: p.ClearField("supply"), "supply"),
        (lambda p: p.stack.append(p.stack[0]), "stack"),
        (lambda p: p.pile.extend([p.pile[0]] * 8), "pile"),
    ]
    for change, field in changes:
        broken = game_pb2.Position.FromString(message.SerializeToString())
        change(broken.moon_river)
        with pytest.raises(InputError) as error:
            Reader().position(broken, "position")
        assert error.value.field == f"position.moon_river.{field}"
