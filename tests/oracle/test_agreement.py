"""The compiled engine against the oracle, decision by decision, in every variant and with scarce and crowded boxes.

Each test plays a batch; with the standard components 18 variants x 100 games, 36 x 15 with the others: 2,340 games.
"""

import os
import tomllib
from pathlib import Path

import pytest

from engine_cy import MoonRiver, MoonRiverComponents
from tests.oracle.agreement import play_both
from tests.oracle.moon_river import Oracle

ROOT = Path(__file__).parent.parent.parent
SCALE = int(os.environ.get("SALOON_TEST_SCALE", "1"))
BATCH = 25 * SCALE
BOARDS = ["mary", "wesley", "calamity", "big_jo"]
SCENARIOS = [None, "timber_rafting", "gold_rush", "outlaws", "moon_river_city"]
VARIANTS = [
    (players, legends, scenario)
    for players in (2, 3, 4)
    for legends, scenario in [(False, None), *((True, scenario) for scenario in SCENARIOS)]
]


def agree(path: Path, players: int, legends: bool, scenario: str | None, seeds: range) -> None:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    components = MoonRiverComponents.from_dict(data)
    for seed in seeds:
        turn = seed % len(BOARDS)
        boards = (BOARDS[turn:] + BOARDS[:turn])[:players] if legends else None
        rules = MoonRiver(players, legends=legends, scenario=scenario, boards=boards, components=components)
        assert play_both(rules, Oracle(data, players, legends, scenario, boards), seed) > 0


@pytest.mark.parametrize("batch", range(4))
@pytest.mark.parametrize(("players", "legends", "scenario"), VARIANTS)
def test_the_engine_agrees_with_the_oracle(players: int, legends: bool, scenario: str | None, batch: int) -> None:
    """Option sets, states, scores and places after every decision of random games."""
    path = ROOT / "engine_cy" / "components" / "moon_river.toml"
    agree(path, players, legends, scenario, range(batch * BATCH, (batch + 1) * BATCH))


@pytest.mark.parametrize("name", ["scarce", "crowded"])
@pytest.mark.parametrize(("players", "legends", "scenario"), VARIANTS)
def test_with_other_components(players: int, legends: bool, scenario: str | None, name: str) -> None:
    """MR-14a, MR-16: the supply and the saloon run out; wide columns leave plots over; storages of 1 to 7."""
    agree(ROOT / "tests" / "data" / f"{name}.toml", players, legends, scenario, range(15 * SCALE))
