"""A file that is not there is told in words by every command that reads or writes one."""

from pathlib import Path

import pytest

from engine_cy import Game, MoonRiver
from engine_cy.records import Record
from tests.cli.conftest import Saloon

MATCH = ("arena", "--a", "level:1", "--b", "level:1", "--games", "1")


@pytest.mark.parametrize(
    "arguments",
    [
        ("suggest", "missing"),
        ("analyze", "missing"),
        ("review", "missing"),
        ("puzzles", "missing"),
        ("play", "--resume", "missing"),
        ("trace", "--verify", "missing"),
        ("trace", "--components", "missing"),
        (*MATCH, "--components", "missing"),
        (*MATCH, "--out", "missing/result.json"),
    ],
    ids=" ".join,
)
def test_what_is_not_there(arguments: tuple[str, ...], saloon: Saloon) -> None:
    said = saloon(*arguments, code=2).stderr
    missing = next(argument for argument in arguments if argument.startswith("missing"))
    assert said.strip() == f"saloon: {missing}: no such file or directory"


def test_an_analysis_names_plots_as_a_suggestion_does(saloon: Saloon, tmp_path: Path) -> None:
    game, path = Game(MoonRiver(2), seed=7), tmp_path / "game.json"
    Record.of(game).save(path)
    said = saloon("analyze", str(path), "--iterations", "50").stdout
    assert "claim position 1: corn+3 cobs" in said
    assert "decides (place your ranchero)" in said
