"""`saloon suggest` says what a bot would do in a recorded game."""

import json
import re
from pathlib import Path

import pytest
from saloon_client import load_record, save

from engine_cy import Game, Generator, Goldgraeber, MoonRiver
from engine_cy.component_sets import ComponentSets
from engine_cy.errors import OptionError
from engine_cy.records import Record
from saloon.connecting import read_record, seconds
from search.specs import spec
from tests.cli.conftest import Saloon
from tests.tables import advance


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A game of some decisions, as the engine records it."""
    game = Game(MoonRiver(players=4, legends=True), seed=11)
    while len(game.history) < 60:
        game.decide(game.decisions()[0])
    path = tmp_path / "game.json"
    Record.of(game).save(path)
    return path


def test_a_table_of_suggestions(path: Path, address: str, saloon: Saloon) -> None:
    said = saloon("suggest", str(path), "--address", address, "--time", "50ms", "--count", "3", "--board").stdout
    assert "seat 0 (mary)" in said
    assert "wins  points  margin" in said
    assert "iterations in" in said
    assert said.count("%") == 6
    assert re.search(r"the first rather than the second: [+-]\d+\.\d", said)


def test_what_lies_where_a_digger_may_go(address: str, saloon: Saloon, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    Record.of(advance(Game(Goldgraeber(4), seed=11), Generator(1), 40)).save(path)
    said = saloon("suggest", str(path), "--address", address, "--time", "50ms", "--count", "3", "--board").stdout
    assert re.search(r"Goldgräber: seat \d to walk \d fields", said)
    assert re.search(r"[a-q]\d+: .*, \d+ from home +\d+%", said)


def test_both_formats_say_the_same(path: Path, address: str, saloon: Saloon, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    save(read_record(path, ComponentSets()), other)
    assert load_record(other) == read_record(path, ComponentSets()) == read_record(other, ComponentSets())
    settings = ("--address", address, "--level", "3", "--after", "40", "--json")
    first, second = (json.loads(saloon("suggest", str(p), *settings).stdout) for p in (path, other))
    assert first["choice"]["text"]
    assert [s["decision"] for s in first["suggestions"]] or second["suggestions"] == []


def test_a_weaker_bot_may_choose_otherwise(path: Path, address: str, saloon: Saloon) -> None:
    said = [
        saloon("suggest", str(path), "--address", address, "--level", "1", "--after", str(n)).stdout
        for n in range(30, 60, 5)
    ]
    assert any("level 1 chooses: " in text for text in said)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--after", "99999"], 2, "after: expected 0 to "),
        (["--time", "soon"], 2, "time: expected a time such as 500ms, 1s or 2min, got 'soon'"),
        (["--level", "77"], 1, "bot.level: expected one of 1, 2"),
        (["--after", "0", "--address", "127.0.0.1:1"], 1, "no Saloon server answers at 127.0.0.1:1"),
    ],
)
def test_what_does_not_fit_is_said(
    arguments: list[str], code: int, message: str, path: Path, address: str, saloon: Saloon
) -> None:
    assert message in saloon("suggest", str(path), *arguments, code=code, SALOON_ADDRESS=address).stderr


def test_files_that_are_no_records(tmp_path: Path, address: str, saloon: Saloon) -> None:
    path = tmp_path / "game.json"
    for text in ("nothing", "[]", '{"what": 1}', '{"saloon_record": 1}'):
        path.write_text(text, encoding="utf-8")
        assert saloon("suggest", str(path), "--address", address, code=2).stderr.startswith("saloon: ")
    assert "missing.json" in saloon("suggest", "missing.json", "--address", address, code=2).stderr


def test_times_of_specs() -> None:
    """The same as everywhere, but a bare number says too little there."""
    times = {"100ms": 0.1, "2s": 2, "1.5s": 1.5, "2min": 120, "1m": 60}
    for text, expected in times.items():
        assert spec(f"ismcts:time={text}").budget.seconds == pytest.approx(expected)
    with pytest.raises(OptionError, match="a number with its unit"):
        spec("ismcts:time=2")


def test_times() -> None:
    assert [seconds(text) for text in ("500ms", "1s", "1.5", "2min", ".5 s", "3M")] == [0.5, 1, 1.5, 120, 0.5, 180]
