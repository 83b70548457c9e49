"""`saloon review`: what a person and what a program reads of it."""

import json
from pathlib import Path

import pytest

from engine_cy import Game, Generator, MoonRiver
from engine_cy.records import Record
from tests.cli.conftest import Saloon
from tests.tables import advance

SEATS = {"seat", "accuracy", "expected", "luck", "lost", "result"}
DECISIONS = {"event", "seat", "chosen", "best", "lost", "error", "class"}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game at random: much is given away."""
    path = tmp_path_factory.mktemp("review") / "game.json"
    Record.of(advance(Game(MoonRiver(2), 4), Generator(4), 60)).save(path)
    return path


def test_json_adds_up(record: Path, saloon: Saloon) -> None:
    arguments = ("review", str(record), "--json", "--iterations", "20", "--seed", "3")
    found = json.loads(saloon(*arguments).stdout)
    assert json.loads(saloon(*arguments).stdout) == found
    assert all(set(row) >= DECISIONS for row in found["decisions"])
    assert len(found["decisions"]) + len(found["chance"]) == len(Record.load(record).events)
    for seat in found["seats"]:
        assert set(seat) >= SEATS
        assert seat["result"] == pytest.approx(seat["expected"] + seat["luck"] + seat["lost"])
        assert seat["luck"] == pytest.approx(sum(row["luck"][seat["seat"]] for row in found["chance"]))
    assert not found["over"]


def test_what_people_read(record: Path, saloon: Saloon) -> None:
    said = saloon("review", str(record), "--time", "1s").stdout
    for words in ("accuracy", "gave away", "how likely each was to win", "better: ", "seat 1", "so far"):
        assert words in said
    assert "??" in said
    everything = saloon("review", str(record), "--iterations", "20", "--all").stdout
    assert everything.count("\n") > said.count("\n")


def test_what_cannot_be_reviewed(record: Path, saloon: Saloon, tmp_path: Path) -> None:
    assert "time: expected a time such as" in saloon("review", str(record), "--time", "soon", code=2).stderr
    path = tmp_path / "begun.json"
    Record.of(Game(MoonRiver(2), 4)).save(path)
    assert "expected a game in which somebody has decided something" in saloon("review", str(path), code=2).stderr
