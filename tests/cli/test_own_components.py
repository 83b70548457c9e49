"""Games with component files of one's own at the command."""

from pathlib import Path

import pytest

from engine_cy import Game, Generator, MoonRiver, MoonRiverComponents
from engine_cy.records import Record
from tests.cli.conftest import Saloon
from tests.tables import DATA, advance

SCARCE = DATA / "scarce.toml"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    game = Game(MoonRiver(2, components=MoonRiverComponents.load(SCARCE)), seed=4)
    Record.of(advance(game, Generator(1), 12)).save(path)
    return path


@pytest.mark.parametrize("command", [("show",), ("analyze", "--iterations", "20")])
def test_a_record_is_read_with_its_file(command: tuple[str, ...], path: Path, saloon: Saloon) -> None:
    name, *more = command
    assert saloon(name, str(path), *more, "--components", str(SCARCE)).stdout
    without = saloon(name, str(path), *more, code=2)
    assert "components.hash: expected a component set that is here: moon-river-standard (" in without.stderr
    assert "scarce (" in without.stderr


def test_a_game_is_played_and_gone_on_with(saloon: Saloon, tmp_path: Path) -> None:
    """With a server of its own, which gets the file."""
    kept = tmp_path / "kept.json"
    how = ("--serve", "--terminal", "--level", "1", "--time", "5ms", "--pace", "0", "--components", str(SCARCE))
    said = saloon("play", "--players", "2", "--save", str(kept), *how, given="1\nquit\n").stdout
    assert f"--resume {kept} --components {SCARCE}" in said
    assert '"scarce"' in kept.read_text(encoding="utf-8")
    assert "current column" in saloon("show", str(kept), "--components", str(SCARCE)).stdout
    refused = saloon("play", "--resume", str(kept), "--terminal", code=2)
    assert "scarce (" in refused.stderr
