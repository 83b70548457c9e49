"""Scoring: MR-28 to MR-32."""

import pytest

from engine_cy import Game, MoonRiver
from tests.unit.moon_river.table import (
    CANYON,
    CANYON_CIRCLE,
    CANYON_NUGGET,
    CORN_3,
    CORN_4,
    CORN_5,
    DESERT,
    DESERT_CIRCLE,
    DESERT_NUGGET,
    FARM,
    FARM_CIRCLE,
    FOREST,
    FOREST_COW,
    MEADOW,
    MEADOW_CIRCLE,
    MEADOW_COW_CIRCLE,
    MEADOW_NUGGET,
    MEADOW_NUGGET_CIRCLE,
    Cell,
    Laid,
    Ranch,
    component_set,
    final,
    standard_data,
    table,
)


def score(game: Game, seat: int = 0) -> dict[str, int]:
    return game.scores()[seat].to_dict()


# ---- Territories, resources, partners


def test_territories() -> None:
    """MR-28: plots times cows for each territory, those of one landscape apart."""
    ranch: Ranch = {
        (0, 0): Laid(DESERT, cows=1), (0, 1): DESERT, (1, 0): Laid(DESERT, cows=1), (1, 1): CANYON,
        (1, 2): Laid(DESERT, cows=1), (2, 2): FARM, (2, 1): Laid(CANYON, cows=1), (2, 0): MEADOW,
    }  # fmt: skip
    assert score(final(3, ranch))["territories"] == 3 * 2 + 1 * 1 + 2 * 1


@pytest.mark.parametrize(("first", "second"), [
    ((0, 4), (1, 0)),  # across the edge
    ((0, 1), (0, 3)),  # the camp between them
    ((0, 0), (1, 1)),  # diagonal
])  # fmt: skip
def test_apart(first: Cell, second: Cell) -> None:
    """MR-28: plots that are not orthogonally adjacent form territories of their own."""
    ranch = {first: Laid(DESERT, cows=1), second: Laid(DESERT, cows=1)}
    assert score(final(3, ranch))["territories"] == 1 + 1


def test_winding_territory() -> None:
    """MR-28: a territory is as large as possible, whatever its shape."""
    cells = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2)]
    ranch: Ranch = {cell: Laid(DESERT, cows=int(cell == (1, 2))) for cell in cells}
    assert score(final(3, ranch))["territories"] == 6


def test_overpopulated_plots() -> None:
    """MR-28, MR-27: as if the game ended now, one cow of each plot counts."""
    game = table(hand=[DESERT, DESERT], ranch={(0, 0): Laid(MEADOW, cows=3), (0, 1): Laid(MEADOW, cows=1)})
    assert (score(game)["territories"], score(game)["cows"]) == (2 * 2, 2)


def test_resources() -> None:
    """MR-29: one point for each nugget, beaver and cob in the ranch."""
    ranch: Ranch = {
        (0, 0): DESERT_NUGGET, (0, 1): CANYON_NUGGET, (1, 0): MEADOW_NUGGET_CIRCLE, (1, 1): FOREST, (1, 2): FOREST_COW,
        (2, 0): CORN_3, (2, 1): CORN_4, (2, 2): CORN_5,
    }  # fmt: skip
    assert score(final(3, ranch))["resources"] == 3 + 2 + 12


@pytest.mark.parametrize(("partner", "points"), [
    ("gold_digger", 3), ("trapper", 2), ("farmer", 7), ("cowboy", 0), ("desperado", 0), ("cattle_thief", 0),
])  # fmt: skip
def test_partners(partner: str, points: int) -> None:
    """MR-30: a Gold Digger counts the nuggets, a Trapper the beavers, a Farmer the cobs of the whole ranch."""
    ranch: Ranch = {
        (0, 0): DESERT_NUGGET, (0, 1): DESERT_NUGGET, (0, 3): CORN_3, (0, 4): CORN_4, (4, 0): FOREST, (4, 1): FOREST,
        (2, 2): MEADOW_NUGGET, (3, 2): Laid(FARM_CIRCLE, partner=partner),
    }  # fmt: skip
    result = score(final(3, ranch, {(0, 0): CORN_5, (0, 1): DESERT_NUGGET}))  # others' resources do not count
    assert (result["partners"], result["resources"]) == (points, 3 + 2 + 7)


def test_two_partners() -> None:
    """MR-30: each partner counts; a Gold Digger's Cowboy side is only a Cowboy."""
    ranch: Ranch = {
        (0, 0): DESERT_NUGGET, (0, 1): DESERT_NUGGET, (1, 0): Laid(FARM_CIRCLE, partner="gold_digger"),
        (1, 1): Laid(MEADOW_CIRCLE, partner="gold_digger"), (1, 2): Laid(MEADOW_NUGGET_CIRCLE, partner="cowboy"),
        (2, 2): CORN_3,
    }  # fmt: skip
    result = score(final(3, ranch))
    assert (result["partners"], result["resources"], result["total"]) == (3 + 3, 3 + 3, 12)


def test_total() -> None:
    """MR-28 to MR-31: the total is the sum of its parts."""
    rules = MoonRiver(3, legends=True, scenario="moon_river_city")
    farmer = Laid(FARM_CIRCLE, partner="farmer")
    farms: Ranch = {(0, 0): Laid(FARM, cows=1), (0, 1): FARM, (1, 0): farmer, (1, 1): CORN_5}
    assert score(final(rules, farms)) == {
        "seat": 0, "territories": 3, "resources": 5, "partners": 5, "scenario": 10, "total": 23,
        "largest_territory": 3, "cows": 1,
    }  # fmt: skip


# ---- Scenarios

BEND: list[Cell] = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]  # connected in this order
OUTLAWS = [
    Laid(MEADOW_CIRCLE, partner="desperado"), Laid(DESERT_CIRCLE, partner="cowboy"),
    Laid(FARM_CIRCLE, partner="farmer"), Laid(CANYON_CIRCLE, partner="cowboy"),
    Laid(MEADOW_COW_CIRCLE, partner="trapper"),
]  # fmt: skip
MEMBERS: dict[str, list[int | Laid]] = {
    "timber_rafting": [FOREST, FOREST_COW, FOREST, FOREST, FOREST_COW],
    "gold_rush": [DESERT_NUGGET, CANYON_NUGGET, MEADOW_NUGGET, MEADOW_NUGGET_CIRCLE, DESERT_NUGGET],
    "outlaws": [*OUTLAWS],
    "moon_river_city": [FARM, FARM_CIRCLE, FARM, FARM, FARM_CIRCLE],
}


def in_scenario(scenario: str, ranch: Ranch) -> int:
    """Its points; the ranch gets a meadow more if its plots are not even in number."""
    padding: Ranch = {(4, 4): MEADOW} if len(ranch) % 2 else {}
    rules = MoonRiver(3, legends=True, scenario=scenario)
    return score(final(rules, {**ranch, **padding}))["scenario"]


@pytest.mark.parametrize("scenario", MEMBERS)
@pytest.mark.parametrize(("size", "points"), [(1, 0), (2, 0), (3, 10), (4, 20), (5, 30)])
def test_group_size(scenario: str, size: int, points: int) -> None:
    """MR-31: three connected plots score 10, each further one 10 more."""
    assert in_scenario(scenario, dict(zip(BEND, MEMBERS[scenario][:size], strict=False))) == points


@pytest.mark.parametrize("scenario", MEMBERS)
def test_no_group_across_a_corner(scenario: str) -> None:
    """MR-31: two plots and one at their corner are no group of three."""
    assert in_scenario(scenario, dict(zip([(0, 0), (0, 1), (1, 2)], MEMBERS[scenario], strict=False))) == 0


@pytest.mark.parametrize("scenario", MEMBERS)
def test_only_in_the_scenario(scenario: str) -> None:
    """MR-31: only the scenario of the game counts, and none in the base game."""
    ranch = dict(zip(BEND[:4], MEMBERS[scenario], strict=False))
    assert score(final(3, ranch))["scenario"] == 0
    assert [in_scenario(other, ranch) for other in MEMBERS if other != scenario] == [0, 0, 0]


@pytest.mark.parametrize(("cells", "points"), [
    ([(0, 0), (1, 0), (2, 0)], 10),
    ([(0, 1), (1, 1), (2, 1)], 10),
    ([(1, 2), (2, 2), (3, 2)], 10),
    ([(0, 3), (1, 3), (2, 3)], 10),
    ([(0, 4), (1, 4), (2, 4)], 10),
    ([(3, 2), (2, 2), (2, 1)], 0),
    ([(1, 0), (1, 1), (2, 1)], 0),
    ([(1, 3), (1, 4), (2, 4)], 0),
])  # fmt: skip
def test_timber_rafting(cells: list[Cell], points: int) -> None:
    """MR-31: at least one forest plot of the group lies on a river cell."""
    assert in_scenario("timber_rafting", dict.fromkeys(cells, FOREST)) == points


@pytest.mark.parametrize(("partners", "points"), [
    (["desperado", "cowboy", "cowboy"], 10),
    (["trapper", "farmer", "cattle_thief"], 10),
    (["desperado", "cattle_thief", "desperado"], 10),
    (["trapper", "farmer", "gold_digger"], 0),
    (["cowboy", "cowboy", "cowboy"], 0),  # maybe from a Desperado's token: it does not matter
    (["desperado", None, "desperado"], 0),
])  # fmt: skip
def test_outlaws(partners: list[str | None], points: int) -> None:
    """MR-31: a gang needs a Desperado or Cattle Thief on its specialist side; the others may be any partner."""
    plots = (FARM_CIRCLE, DESERT_CIRCLE, MEADOW_CIRCLE)
    gang = [Laid(plot, partner=partner) for plot, partner in zip(plots, partners, strict=True)]
    assert in_scenario("outlaws", dict(zip(BEND, gang, strict=False))) == points


def test_bandit_of_another_gang() -> None:
    """MR-31: a bandit elsewhere does not help a group without one."""
    cells: list[Cell] = [(0, 0), (0, 1), (1, 1), (4, 0)]
    names = ["cowboy", "trapper", "farmer", "desperado"]
    ranch = {cell: Laid(FARM_CIRCLE, partner=name) for cell, name in zip(cells, names, strict=True)}
    assert in_scenario("outlaws", ranch) == 0


def test_groups_of_the_landscape_only() -> None:
    """MR-31: a plot of another landscape separates farms."""
    ranch: Ranch = {(0, 0): FARM, (1, 0): FARM, (2, 0): MEADOW, (3, 0): FARM, (4, 0): FARM, (4, 1): CORN_3}
    assert in_scenario("moon_river_city", ranch) == 0


@pytest.mark.parametrize(("nuggets", "points"), [
    ([2, 2], 0),  # four nuggets on two plots
    ([2, 2, 2], 10 + 10 * 3),
    ([2, 1, 1], 10 + 10 * 1),
    ([1, 1, 1], 10),
])  # fmt: skip
def test_several_nuggets(nuggets: list[int], points: int) -> None:
    """MR-31a: a vein needs three plots, and 10 points are added for each nugget beyond the third."""
    kinds = standard_data()["plot"]
    rich = {"count": 4, "number": 3, "landscape": "canyon", "nuggets": 2}
    rules = MoonRiver(3, legends=True, scenario="gold_rush", components=component_set(plot=[*kinds, rich]))
    plots = [DESERT_NUGGET if n == 1 else len(kinds) for n in nuggets]
    padding: Ranch = {(4, 4): MEADOW} if len(plots) % 2 else {}
    assert score(final(rules, {**dict(zip(BEND, plots, strict=False)), **padding}))["scenario"] == points


# ---- Ranking


def test_most_points() -> None:
    """MR-32: most points win, whatever the territories and cows."""
    four: Ranch = {(0, 0): Laid(FARM, cows=1), (0, 1): FARM, (1, 0): FARM, (1, 1): FARM}  # 4 points
    six: Ranch = {(0, 1): CORN_3, (0, 3): CORN_3}
    game = final(4, four, six, {}, {(0, 0): CORN_4, (0, 1): CORN_4})
    assert [score(game, seat)["total"] for seat in range(4)] == [4, 6, 0, 8]
    assert game.ranking() == [3, 2, 4, 1]


def test_more_cows() -> None:
    """MR-32: among equal points and equal largest territories more cows win, then the place is shared."""
    corn: Ranch = {(0, 0): CORN_3, (0, 1): CORN_3}
    two: Ranch = {(0, 0): Laid(MEADOW_NUGGET, cows=1), (0, 1): Laid(MEADOW_NUGGET, cows=1)}
    one: Ranch = {(0, 0): Laid(FOREST, cows=1), (0, 1): FOREST, (0, 3): DESERT_NUGGET, (0, 4): CANYON_NUGGET}
    game = final(4, corn, two, corn, one)
    assert [(s["total"], s["largest_territory"], s["cows"]) for s in (score(game, seat) for seat in range(4))] == [
        (6, 2, 0), (6, 2, 2), (6, 2, 0), (6, 2, 1),
    ]  # fmt: skip
    assert game.ranking() == [3, 1, 3, 2]


def test_larger_territory() -> None:
    """MR-32: among equal points the largest territory decides before the cows."""
    corn: Ranch = {(0, 0): CORN_3, (0, 1): CORN_3}
    single: Ranch = {(0, 1): CORN_3, (0, 3): CORN_3}
    cows: Ranch = {(0, 0): Laid(DESERT_NUGGET, cows=1), (1, 1): Laid(DESERT_NUGGET, cows=1), (1, 2): CANYON_NUGGET,
                   (2, 2): MEADOW_NUGGET}  # fmt: skip
    bare: Ranch = {**corn, (3, 0): MEADOW, (3, 1): MEADOW, (3, 2): MEADOW, (4, 0): DESERT}
    game = final(4, corn, single, cows, bare)
    assert [score(game, seat)["total"] for seat in range(4)] == [6, 6, 6, 6]
    assert [score(game, seat)["largest_territory"] for seat in range(4)] == [2, 1, 1, 3]
    assert game.ranking() == [2, 4, 3, 1]


def test_cows_that_stay_count() -> None:
    """MR-32, MR-27: in a tie the cows after overpopulation count, one for each plot."""
    crowded: Ranch = {(0, 0): Laid(MEADOW_NUGGET, cows=3), (0, 1): MEADOW_NUGGET}
    spread: Ranch = {(0, 0): Laid(DESERT, cows=1), (0, 1): Laid(DESERT, cows=1)}
    game = table(hand=[CANYON, CORN_3], others={1: crowded, 2: spread})
    assert [score(game, seat)["total"] for seat in range(3)] == [0, 4, 4]
    assert game.ranking() == [3, 2, 1]


def test_shared_win() -> None:
    """MR-32: equal in everything is a shared win, and the next place is left out."""
    corn: Ranch = {(0, 0): CORN_3, (0, 1): CORN_3}
    assert final(3, corn, {}, corn).ranking() == [1, 3, 1]
