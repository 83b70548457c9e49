"""Golden games replay to the table they ended with, and their seeds still bring them about."""

import pytest

from engine_cy import Record
from tests.golden.games import FOLDER, play
from tests.tables import tables

TABLES = tables()


@pytest.mark.parametrize("name", TABLES)
def test_replay(name: str) -> None:
    record = Record.load(FOLDER / f"{name}.json")
    game = record.replay(getattr(TABLES[name], "components", None))
    assert game.over
    assert str(game) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TABLES)
def test_seed(name: str) -> None:
    """The generator, the shuffles and the order of the options have not changed."""
    assert Record.of(play(TABLES[name])).to_json() == (FOLDER / f"{name}.json").read_text(encoding="utf-8")
