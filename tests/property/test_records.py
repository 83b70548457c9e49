"""Records play again to the identical state, and a damaged one is refused at the entry that cannot be played."""

import json
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_cy import ComponentError, Game, GameRules, GoldenMap, PositionError, Record, RecordError
from tests.property.invariants import attempt, check
from tests.property.strategies import (
    VARIANTS,
    any_games,
    damaged,
    examples,
    games,
    plain,
    play,
    replaced,
    told_games,
    words,
)


def again(game: Game, text: str | bytes | None = None) -> Game:
    """The game of a record, or of its text, played again."""
    record = Record.from_json(Record.of(game).to_json() if text is None else text)
    return record.replay(game.rules.components)


def data_of(game: Game) -> dict[str, Any]:
    """The record as plain data."""
    data: dict[str, Any] = json.loads(Record.of(game).to_json())
    return data


def first_difference(one: list[Any], other: list[Any]) -> int:
    """The first entry that is not the same in both; 1, 1.0 and true are not the same."""
    pairs = zip_longest(map(repr, one), map(repr, other))
    return next((i for i, (a, b) in enumerate(pairs) if a != b), len(one))


@examples(3)
@given(any_games)
def test_a_record_replays_to_the_identical_game(game: Game) -> None:
    """At any moment, with a seed or without: state, history, record and, with a seed, the future."""
    other = again(game)
    assert other == game
    assert bytes(other.state) == bytes(game.state)
    assert other.history == game.history
    assert Record.of(other) == Record.of(game)
    assert Record.of(other).to_json() == Record.of(game).to_json()
    if game.seed is not None:
        assert play(other, 1) == play(game.copy(), 1)
        assert other.generator is not None
        assert other.generator.next() == play(game, 1).generator.next()  # type: ignore[union-attr]


@given(games(), st.data())
def test_the_start_of_a_record_is_a_record(game: Game, data: st.DataObject) -> None:
    """Any prefix of a game without a seed replays; of a seeded one unless chance events of the seed are missing."""
    events = data_of(game)["events"]
    length = data.draw(st.integers(0, len(events)))
    told = replace(Record.of(game), seed=None, events=tuple(events[:length]))
    assert len(told.replay(game.rules.components).history) == length
    seeded = replace(Record.of(game), events=tuple(events[:length]))
    if length < len(events) and events[length][0] == "chance":
        with pytest.raises(RecordError, match="missing") as caught:
            seeded.replay(game.rules.components)
        assert caught.value.index == length
    else:
        assert len(seeded.replay(game.rules.components).history) == length


@examples(5)
@given(any_games, st.data())
def test_a_damaged_record_is_refused_where_it_stops_being_a_game(game: Game, data: st.DataObject) -> None:
    """Whatever happens to its entries: RecordError at the first that cannot be played, or another legal game."""
    components, plain_record = game.rules.components, data_of(game)
    events = plain_record["events"]
    if not events:
        return
    wrong = data.draw(damaged(events, edits=2))
    text = json.dumps({**plain_record, "events": wrong})
    other, error = attempt(RecordError, lambda: again(game, text))
    if other is None:
        assert error is not None
        assert error.index is not None
        assert first_difference(events, wrong) <= error.index <= len(wrong)
        sound = replace(Record.from_json(text), seed=None, events=tuple(wrong[: error.index]))
        assert len(sound.replay(components).history) == error.index  # up to there it is a game
    else:
        check(other)
        assert repr(data_of(other)["events"]) == repr(wrong)
        assert (other == game) or wrong != events


@examples(8)
@given(any_games, st.data())
def test_a_damaged_header_is_refused(game: Game, data: st.DataObject) -> None:
    """Any value of any field: RecordError, or a legal game by those options."""
    record = data_of(game)
    field = data.draw(st.sampled_from(sorted(record)))
    wrong = dict(record)
    match data.draw(st.sampled_from(["spoil", "near", "inside", "delete", "add"])):
        case "spoil":
            wrong[field] = data.draw(plain)
        case "near":
            wrong[field] = data.draw(replaced(record[field]))
        case "inside" if isinstance(record[field], dict):
            wrong[field] = data.draw(damaged(record[field]))
        case "delete":
            del wrong[field]
        case _:
            wrong[data.draw(words)] = data.draw(plain)
    other, _ = attempt(RecordError, lambda: again(game, json.dumps(wrong)))
    if other:
        check(other)


@examples(3)
@given(st.one_of(plain, st.dictionaries(words, plain)))
def test_what_is_no_record_is_refused(value: Any) -> None:
    """Any JSON but a record."""
    with pytest.raises(RecordError) as caught:
        Record.from_json(json.dumps(value))
    assert caught.value.index is None


@pytest.mark.parametrize("key", ["x" * 5000, "\ud800", "\n", "\x1b[2J", ""], ids=ascii)
def test_a_key_nobody_knows_is_named_in_one_short_line(key: str) -> None:
    """However long it is, and whatever a terminal would make of it."""
    wrong = json.dumps(data_of(Game(VARIANTS["golden-city, 3 players"], 1)) | {key: 1})
    with pytest.raises(RecordError, match="no such key") as caught:
        Record.from_json(wrong)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", [None, 5, [], "text"])
def test_what_is_no_table_is_named(value: Any) -> None:
    with pytest.raises(RecordError, match="header: top level: expected a table, got "):
        Record.from_json(json.dumps(value))
    with pytest.raises(PositionError, match=r"^top level: expected a table, got "):
        Game.at(VARIANTS["golden-city, 3 players"], value)
    with pytest.raises(ComponentError, match=r"^top level: expected a table, got "):
        GoldenMap.from_dict(value)


@examples(3)
@given(any_games, st.data())
def test_a_corrupt_text_is_refused(game: Game, data: st.DataObject) -> None:
    """Cut off, or with a few bytes changed: RecordError, unless what is left is a game all the same."""
    text = bytearray(Record.of(game).to_json().encode())
    if data.draw(st.booleans()):
        del text[data.draw(st.integers(0, len(text) - 1)) :]
    for _ in range(data.draw(st.integers(0, 3)) if text else 0):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    other, _ = attempt(RecordError, lambda: again(game, bytes(text)))
    if other:
        check(other)


@examples(3)
@given(st.one_of(st.binary(), st.text()))
def test_no_text_breaks_the_reader(text: str | bytes) -> None:
    """Arbitrary bytes and characters."""
    with pytest.raises(RecordError) as caught:
        Record.from_json(text)
    assert caught.value.index is None


@given(told_games())
def test_a_record_without_a_seed_tells_all_of_chance(game: Game) -> None:
    """Its entries are the history, in order; none is left to the generator."""
    entries = data_of(game)["events"]
    assert len(entries) == len(game.history)
    assert again(game).generator is None


@given(games(), games())
def test_a_record_belongs_to_its_component_set(game: Game, other: Game) -> None:
    """Played by another set, or by none where it is not the standard one, it is refused in the header."""
    sets = (game.rules.components, other.rules.components)
    if sets[0] is not sets[1]:
        with pytest.raises(RecordError, match=r"component|map") as caught:
            Record.of(game).replay(sets[1])
        assert caught.value.index is None
    if game.rules.printed:
        assert Record.of(game).replay() == game


@given(games())
def test_a_game_from_the_middle_has_no_record(game: Game) -> None:
    """What came before is not known."""
    for middle in (Game.at(game.rules, game.position()), Game.at(game.rules, game.position()).copy()):
        with pytest.raises(ValueError, match="no record"):
            Record.of(middle)


@pytest.mark.parametrize("rules", [VARIANTS[name] for name in list(VARIANTS)[::7]], ids=list(VARIANTS)[::7])
def test_a_record_survives_the_file(rules: GameRules, tmp_path: Path) -> None:
    """Saved and loaded, it is the same."""
    record = Record.of(play(Game(rules, 11), 11))
    record.save(tmp_path / "game.json")
    assert Record.load(tmp_path / "game.json") == record
