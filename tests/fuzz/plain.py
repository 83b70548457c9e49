"""Targets whose inputs are plain data: records and positions as JSON, component files as TOML."""

import json
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from engine_cy import (
    ComponentError,
    Game,
    GameRules,
    GoldenMap,
    Goldgraeber,
    MoonRiver,
    MoonRiverComponents,
    PositionError,
    Record,
    RecordError,
)
from engine_cy.files import parse_tables
from tests.fuzz.changes import changed
from tests.fuzz.soundness import play_on
from tests.fuzz.target import Target
from tests.tables import tables

TABLES = tables()
STANDARD = TABLES["moon_river-4"], TABLES["goldgraeber-4-prospecting"]  # kept, so that their maps are compiled once
_COMPONENTS = {rules.component_hash: rules.components for rules in TABLES.values() if rules not in STANDARD}
Set = MoonRiverComponents | GoldenMap


# ---- Records


def read_record(data: bytes) -> Game:
    record = Record.from_json(data)
    return record.replay(_COMPONENTS.get(record.component_hash))


def use_record(game: Game) -> None:
    again = Record.from_json(Record.of(game).to_json())
    assert again.replay(game.rules.components) == game
    play_on(game)


# ---- Positions: with the name of one of the tables of the tests


def read_position(data: bytes) -> Game | None:
    try:
        given = json.loads(data)
        rules = TABLES[given["table"]]
    except (ValueError, TypeError, LookupError, RecursionError):  # said to no table
        return None
    return Game.at(rules, given.get("position"))


def use_position(game: Game | None) -> None:
    if game is not None:
        play_on(game)


# ---- Component files: of one game or the other


@cache
def _file() -> tuple[TemporaryDirectory[str], Path]:
    folder = TemporaryDirectory()
    return folder, Path(folder.name) / "set.toml"


def read_components(data: bytes) -> Set:
    """Of the game that it seems to be of; a map with chips of its own is one for tests."""
    _, path = _file()
    path.write_bytes(data)
    return GoldenMap.load(path, test=b"chips" in data) if b"rows" in data else MoonRiverComponents.load(path)


def use_components(components: Set) -> None:
    play_on(Game(_rules(components), 1))


def _rules(components: Set) -> GameRules:
    """A table that the file itself chooses: compiling all of them would take most of the time."""
    chance = int(components.digest[:2], 16)
    if isinstance(components, GoldenMap):
        return Goldgraeber(3 + chance % 4, prospecting=chance % 3 > 0, components=components)
    players = 2 + chance % 3
    legends = len(components.legends_boards) >= players and chance % 2 > 0
    return MoonRiver(players, legends=legends, components=components)


# ---- Changes


def change_json(data: bytes, chance: Random) -> bytes | None:
    try:
        return json.dumps(changed(json.loads(data), chance)).encode()
    except (ValueError, RecursionError):
        return None


def change_toml(data: bytes, chance: Random) -> bytes | None:
    try:
        wrong = changed(parse_tables(data, "text"), chance)
        return "".join(f"{_word(key)} = {_toml(value)}\n" for key, value in wrong.items()).encode(errors="replace")
    except (ValueError, AttributeError, RecursionError):  # no TOML, or no table any more
        return None


def _toml(value: Any) -> str:
    """A value in one line."""
    match value:
        case dict():
            return "{" + ", ".join(f"{_word(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case None:
            return "nan"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | int | float) else str(value)


def _word(key: str) -> str:
    return json.dumps(key, ensure_ascii=False)


RECORDS = Target("records", (RecordError,), read_record, use_record, change_json)
POSITIONS = Target("positions", (PositionError,), read_position, use_position, change_json)
COMPONENTS = Target("components", (ComponentError,), read_components, use_components, change_toml)
