"""The worked examples of the rulebooks: E1 to E8."""

import pytest

from engine_cy import MoonRiver
from tests.unit.moon_river.table import (
    CANYON,
    CANYON_CIRCLE,
    CANYON_NUGGET,
    CANYON_SKULL,
    CORN_4,
    CORN_5,
    DESERT,
    DESERT_CIRCLE,
    DESERT_NUGGET,
    DESERT_SKULL,
    FARM,
    FARM_CIRCLE,
    FOREST,
    FOREST_COW,
    MEADOW,
    MEADOW_CIRCLE,
    MEADOW_NUGGET,
    MEADOW_NUGGET_CIRCLE,
    UNSELECTED,
    Cell,
    Laid,
    Ranch,
    cows,
    final,
    options,
    partners,
    supply,
    table,
)


def test_e1() -> None:
    """E1: 5 + 21 + 6 + 16 for territories, 4 + 1 + 18 resources, 18 for the Farmer: 89 (MR-28 to MR-30)."""
    ranch: Ranch = {
        (0, 0): Laid(DESERT, cows=1), (0, 1): DESERT_NUGGET, (1, 0): DESERT, (1, 1): DESERT, (1, 2): DESERT_NUGGET,
        (0, 3): Laid(CANYON, cows=1), (0, 4): CANYON_NUGGET, (1, 3): Laid(CANYON, cows=1), (1, 4): CANYON,
        (2, 3): CANYON_NUGGET, (2, 4): Laid(CANYON, cows=1), (3, 4): CANYON,
        (2, 0): MEADOW, (2, 1): Laid(MEADOW, cows=1), (2, 2): Laid(MEADOW, cows=1),
        (3, 0): Laid(FARM, cows=1), (3, 1): Laid(FARM, cows=1), (3, 2): Laid(FARM, cows=1),
        (3, 3): Laid(FARM_CIRCLE, cows=1, partner="farmer"),
        (4, 0): FOREST, (4, 1): CORN_5, (4, 2): CORN_5, (4, 3): CORN_4, (4, 4): CORN_4,
    }  # fmt: skip
    assert final(3, ranch).scores()[0].to_dict() == {
        "seat": 0, "territories": 48, "resources": 23, "partners": 18, "scenario": 0, "total": 89,
        "largest_territory": 7, "cows": 10,
    }  # fmt: skip


CANYON_WITH_TWO_COWS: Ranch = {(0, 0): Laid(CANYON, cows=1), (0, 1): Laid(CANYON_NUGGET, cows=1)}


def test_e2() -> None:
    """E2: of a canyon skull and a desert skull only the first finds a cow (MR-15): one cow goes, nothing else."""
    ranch: Ranch = {**CANYON_WITH_TWO_COWS, (1, 1): DESERT, (2, 1): DESERT}
    game = table(hand=[CANYON_SKULL, DESERT_SKULL], ranch=ranch)
    game.decide(["build", CANYON_SKULL, [1, 0], DESERT_SKULL, [2, 0]])
    assert options(game) == [["drought", [0, 0]], ["drought", [0, 1]]]
    game.decide(["drought", [0, 0]])
    assert (game.phase, cows(game), supply(game)) == ("select", {(0, 1): 1}, 31)


def test_e3() -> None:
    """E3: two canyon skulls take both cows of the canyon (MR-15, MR-15a); there is a choice for the first only."""
    game = table(hand=[CANYON_SKULL, CANYON_SKULL], ranch=CANYON_WITH_TWO_COWS)
    game.decide(["build", CANYON_SKULL, [1, 0], CANYON_SKULL, [2, 0]])
    game.decide(["drought", [0, 1]])
    assert (game.phase, cows(game), supply(game)) == ("select", {}, 32)


def test_e4() -> None:
    """E4: first a cow onto the farm, then one leaves the canyon, then a recruitment on the farm (MR-14 to MR-16)."""
    game = table(hand=[FARM_CIRCLE, CANYON_SKULL], ranch=CANYON_WITH_TWO_COWS, saloon=["farmer"])
    game.decide(["build", CANYON_SKULL, [1, 0], FARM_CIRCLE, [2, 0]])
    assert (game.phase, cows(game), partners(game)) == ("drought", {(0, 0): 1, (0, 1): 1, (2, 0): 1}, {})
    game.decide(["drought", [0, 0]])
    assert (game.phase, cows(game)) == ("recruit", {(0, 1): 1, (2, 0): 1})
    assert {tuple(option[1]) for option in options(game)} == {(2, 0)}
    game.decide(["recruit", [2, 0], "farmer", "specialist"])
    assert partners(game) == {(2, 0): "farmer"}


def test_e5() -> None:
    """E5: a Gold Digger in a meadow protects every cow of that meadow territory from a Cattle Thief (MR-21)."""
    victim: Ranch = {
        (0, 0): Laid(MEADOW, cows=1), (1, 0): Laid(MEADOW_CIRCLE, cows=1, partner="gold_digger"),
        (2, 0): Laid(MEADOW_NUGGET, cows=1), (3, 0): Laid(FARM, cows=1),
    }  # fmt: skip
    game = table(hand=[DESERT, DESERT_CIRCLE], saloon=["cattle_thief"], others={2: victim})
    game.decide(["build", DESERT, [0, 0], DESERT_CIRCLE, [0, 1]])
    game.decide(["recruit", [0, 1], "cattle_thief", "specialist"])
    assert options(game) == [["decline"], ["steal", 2, [3, 0]]]


def test_e6() -> None:
    """E6: a Cowboy moves one cow by one plot and another by two (MR-19)."""
    ranch: Ranch = {(0, 0): Laid(FARM, cows=1), (1, 0): MEADOW, (2, 0): Laid(FOREST, cows=1), (2, 1): CANYON}
    game = table(hand=[DESERT, DESERT_CIRCLE], ranch=ranch, saloon=["trapper"])
    game.decide(["build", DESERT_CIRCLE, [0, 1], DESERT, [1, 1]])
    game.decide(["recruit", [0, 1], "trapper", "cowboy"])
    for step in (["herd", [0, 0], [1, 0]], ["herd", [2, 0], [2, 1]], ["herd", [2, 1], [1, 1]]):
        game.decide(step)
    assert (game.phase, cows(game)) == ("select", {(1, 0): 1, (1, 1): 1})


GROUP_OF_SIX: list[Cell] = [(0, 0), (1, 0), (1, 1), (1, 2), (2, 2), (2, 3)]
TWO_GROUPS: list[Cell] = [(0, 0), (1, 0), (2, 0), (0, 4), (1, 4), (1, 3)]
BANDIT = Laid(MEADOW_CIRCLE, partner="desperado")
SIX_PLOTS: dict[str, list[int | Laid]] = {
    "timber_rafting": [FOREST, FOREST_COW] * 3,
    "gold_rush": [DESERT_NUGGET, CANYON_NUGGET, MEADOW_NUGGET] * 2,
    "outlaws": [
        BANDIT, Laid(FARM_CIRCLE, partner="farmer"), Laid(DESERT_CIRCLE, partner="cowboy"),
        BANDIT, Laid(CANYON_CIRCLE, partner="trapper"), Laid(MEADOW_NUGGET_CIRCLE, partner="cowboy"),
    ],
    "moon_river_city": [FARM, FARM_CIRCLE] * 3,
}  # fmt: skip


@pytest.mark.parametrize("scenario", SIX_PLOTS)
@pytest.mark.parametrize(("cells", "points"), [(GROUP_OF_SIX, 40), (TWO_GROUPS, 20)])
def test_e7(scenario: str, cells: list[Cell], points: int) -> None:
    """E7: a group of six scores 40, two groups of three score 20, in each scenario (MR-31)."""
    ranch = dict(zip(cells, SIX_PLOTS[scenario], strict=True))
    game = final(MoonRiver(4, legends=True, scenario=scenario), {}, ranch)
    assert [score.to_dict()["scenario"] for score in game.scores()] == [0, points, 0, 0]


def test_e8() -> None:
    """E8: of two cows on a plot at the end one goes back before scoring (MR-27)."""
    ranch: Ranch = {(0, 0): Laid(MEADOW, cows=2), (1, 0): MEADOW}
    game = table(last_round=True, current=[UNSELECTED], hand=[DESERT, CANYON], ranch=ranch)
    game.decide(["build", DESERT, [0, 1], CANYON, [1, 1]])
    assert game.over
    assert (cows(game), supply(game)) == ({(0, 0): 1}, 31)
    assert (game.scores()[0].total, game.scores()[0].to_dict()["cows"]) == (2 * 1, 1)
