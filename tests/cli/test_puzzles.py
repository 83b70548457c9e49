"""`saloon puzzles`: what a person and what a program reads of it."""

import json
from pathlib import Path

import pytest

from engine_cy.records import Record
from tests.cli.conftest import Saloon
from tests.search.test_puzzles import beginning

ARGUMENTS = ("--iterations", "6000", "--seed", "1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("puzzles")
    Record.of(beginning(62)).save(folder / "long.json")
    Record.of(beginning(20)).save(folder / "short.json")
    return folder


def test_a_folder_and_a_file(folder: Path, saloon: Saloon) -> None:
    found = json.loads(saloon("puzzles", str(folder), *ARGUMENTS, "--json").stdout)
    assert found["seed"] == 1
    last = found["puzzles"][-1]
    assert (last["record"], last["event"]) == (str(folder / "long.json"), 61)
    assert all(other["lost"] > 0.05 for other in last["others"])
    said = saloon("puzzles", str(folder / "long.json"), *ARGUMENTS).stdout
    assert "event 61, seat " in said
    assert "looks best: " in said
    assert f"saloon show {folder / 'long.json'} --after 61 --seat {last['seat']}" in said
    nothing = saloon("puzzles", str(folder / "short.json"), *ARGUMENTS, "--least", "60%").stdout
    assert "no decision is so much better than it looks" in nothing


def test_what_cannot_be_looked_at(folder: Path, saloon: Saloon, tmp_path: Path) -> None:
    assert "expected a folder with game records" in saloon("puzzles", str(tmp_path), code=2).stderr
    assert (
        "least: expected a part of a win from 1% to 100%"
        in saloon("puzzles", str(folder), "--least", "half", code=2).stderr
    )
