"""Two players: the larger ranch and the bonus tiles, MR-26 to MR-26b."""

import pytest

from engine_cy import Game, MoonRiver
from tests.unit.moon_river.table import (
    CANYON,
    CANYON_NUGGET,
    CANYON_SKULL,
    CORN_3,
    CORN_4,
    CORN_ONLY,
    DESERT,
    DESERT_NUGGET,
    DESERT_SKULL,
    FARM,
    FOREST,
    MEADOW,
    MEADOW_CIRCLE,
    Cell,
    Laid,
    Ranch,
    collect,
    component_set,
    cows,
    final,
    options,
    partners,
    places,
    plots,
    table,
)

# Tile 0 has desert and meadow, tile 1 canyon and forest. A domino on (9, 0) and (9, 1) can join this ranch.
SOUTH: Ranch = {(7, 0): DESERT, (8, 0): DESERT}
# Plots on row 9, for a ranch with a tile.
ROW_NINE: Ranch = {(9, 3): CORN_3, (9, 4): CORN_4}
TILE_0_DESERT = {"tile": 0, "side": 0}


def reach_row_nine(saloon: tuple[str, ...] = (), ranch: Ranch = SOUTH) -> Game:
    game = table(2, hand=[DESERT, CANYON], ranch=ranch, saloon=saloon)
    game.decide(["build", DESERT, [9, 0], CANYON, [9, 1]])
    return game


def bonus_places(*sides: list[Cell]) -> list[list[object]]:
    return [["bonus_place", side, list(cell)] for side, cells in enumerate(sides) for cell in sorted(cells)]


def test_ten_rows() -> None:
    """Section 1: a ranch has ten rows with two players; MR-11 holds at its lower edge."""
    game = table(2, hand=[CANYON, DESERT], ranch={**CORN_ONLY, **SOUTH})
    at_the_edge = {place for place in places(game) if place[1][0] >= 9}
    assert at_the_edge == {((8, 1), (9, 1)), ((9, 0), (9, 1))}


def test_bonus_tile() -> None:
    """MR-26: after the first domino on row 9 a tile is chosen and placed, on a bridge or next to the same landscape."""
    game = reach_row_nine()
    assert (game.seat, options(game)) == (0, [["bonus_tile", 0], ["bonus_tile", 1]])
    game.decide(["bonus_tile", 0])
    bridges: list[Cell] = [(0, 1), (0, 3), (1, 2)]
    assert options(game) == bonus_places([*bridges, (6, 0), (7, 1), (8, 1)], bridges)
    game.decide(["bonus_place", 0, [8, 1]])
    assert plots(game)[(8, 1)] == TILE_0_DESERT
    assert (game.position()["bonus_tiles"], game.phase) == ([1], "select")


def test_other_side() -> None:
    """MR-26: either side may be used."""
    game = reach_row_nine()
    game.decide(["bonus_tile", 1])
    bridges: list[Cell] = [(0, 1), (0, 3), (1, 2)]
    assert options(game) == bonus_places([*bridges, (8, 1), (9, 2)], bridges)  # a canyon lies on (9, 1)
    game.decide(["bonus_place", 1, [0, 3]])
    assert plots(game)[(0, 3)] == {"tile": 1, "side": 1}


def test_placing_is_mandatory() -> None:
    """MR-26: the tile must be placed: with one place only it lies there, unasked."""
    ranch: Ranch = {**CORN_ONLY, (7, 0): DESERT, (8, 0): DESERT, (6, 0): CANYON, (7, 1): CANYON}
    game = reach_row_nine(ranch=ranch)
    game.decide(["bonus_tile", 0])
    assert (plots(game)[(8, 1)], game.phase) == (TILE_0_DESERT, "select")


def test_circle_of_the_tile() -> None:
    """MR-26: the circle of the tile recruits, with its immediate effect, and then the turn goes on."""
    ranch: Ranch = {(7, 0): DESERT, (8, 0): Laid(DESERT, cows=1)}
    game = table(2, hand=[DESERT, CANYON, FARM, FARM], ranch=ranch, saloon=["farmer"])
    game.decide(["build", DESERT, [9, 0], CANYON, [9, 1]])
    game.decide(["bonus_tile", 0])
    game.decide(["bonus_place", 0, [8, 1]])
    assert options(game) == [["recruit", [8, 1], "farmer", "cowboy"], ["recruit", [8, 1], "farmer", "specialist"]]
    game.decide(["recruit", [8, 1], "farmer", "cowboy"])
    assert options(game) == [["done"], *(["herd", [8, 0], cell] for cell in ([7, 0], [8, 1], [9, 0]))]
    game.decide(["done"])
    assert (game.phase, partners(game)) == ("build", {(8, 1): "cowboy"})


def test_symbols_before_the_tile() -> None:
    """MR-26: the symbols of the domino are resolved first."""
    game = table(2, hand=[DESERT_SKULL, MEADOW_CIRCLE], saloon=["farmer"],
                 ranch={(7, 0): Laid(DESERT, cows=1), (8, 0): Laid(DESERT, cows=1)})  # fmt: skip
    game.decide(["build", DESERT_SKULL, [9, 0], MEADOW_CIRCLE, [9, 1]])
    phases = []
    for step in (["drought", [7, 0]], ["recruit", [9, 1], "farmer", "specialist"], ["bonus_tile", 0]):
        phases.append(game.phase)
        game.decide(step)
    assert phases == ["drought", "recruit", "bonus_tile"]


def test_upright_domino() -> None:
    """MR-26: one half on row 9 is enough; row 8 is not."""
    game = table(2, hand=[DESERT, CANYON, FARM, FARM], ranch={(6, 0): DESERT, (7, 0): DESERT})
    game.decide(["build", DESERT, [7, 1], FARM, [8, 1]])
    assert game.phase == "build"
    game = table(2, hand=[DESERT, CANYON], ranch={(6, 0): DESERT, (7, 0): DESERT})
    game.decide(["build", DESERT, [8, 0], CANYON, [9, 0]])
    assert game.phase == "bonus_tile"


def test_first_time_only() -> None:
    """MR-26: only the first domino of a player on row 9 brings a tile."""
    game = table(2, hand=[DESERT, CANYON, CANYON, DESERT], ranch=SOUTH)
    game.decide(["build", DESERT, [9, 0], CANYON, [9, 1]])
    game.decide(["bonus_tile", 0])
    game.decide(["bonus_place", 1, [0, 1]])
    game.decide(["build", CANYON, [9, 2], DESERT, [9, 3]])
    assert (game.phase, game.position()["bonus_tiles"]) == ("select", [1])


def test_remaining_tile() -> None:
    """MR-26: the other player gets the remaining tile in the same way, which leaves no choice of tile."""
    game = table(2, hand=[DESERT, CANYON], ranch=SOUTH, others={1: {**ROW_NINE, (0, 1): Laid((1, 0))}})
    game.decide(["build", DESERT, [9, 0], CANYON, [9, 1]])
    assert game.phase == "bonus_place"
    game.decide(["bonus_place", 1, [1, 2]])
    assert (plots(game)[(1, 2)], game.position()["bonus_tiles"]) == ({"tile": 0, "side": 1}, [])


def test_no_tile_left() -> None:
    """MR-26: with no tile left, in a set with a single one, nothing happens."""
    rules = MoonRiver(2, components=component_set(bonus_tile=[{"sides": ["desert", "forest"]}]))
    game = table(rules, hand=[DESERT, CANYON], ranch=SOUTH, others={1: {**ROW_NINE, (0, 1): Laid((0, 0))}})
    game.decide(["build", DESERT, [9, 0], CANYON, [9, 1]])
    assert (game.phase, len(plots(game))) == ("select", 4)


def test_tile_that_does_not_fit() -> None:
    """MR-26, MR-26a: any tile may be chosen; if neither side fits anywhere it leaves the game."""
    ranch: Ranch = {**CORN_ONLY, (7, 0): CANYON, (8, 0): CANYON}
    game = table(2, hand=[CANYON, CANYON], ranch=ranch, saloon=["farmer"])
    game.decide(["build", CANYON, [9, 0], CANYON, [9, 1]])
    assert options(game) == [["bonus_tile", 0], ["bonus_tile", 1]]
    game.decide(["bonus_tile", 0])  # no desert, no meadow, no free bridge
    assert (game.phase, game.position()["bonus_tiles"], len(plots(game))) == ("select", [1], 10)


def test_only_with_two_players() -> None:
    """Section 7: with three and four players there are no bonus tiles."""
    assert [Game(MoonRiver(players), 1).position()["bonus_tiles"] for players in (2, 3, 4)] == [[0, 1], [], []]


# ---- A placed tile is a plot


def test_tile_connects() -> None:
    """MR-26b, MR-12: plots of its landscape join a placed tile, plots of its other side do not."""
    ranch: Ranch = {**CORN_ONLY, **ROW_NINE, (1, 1): Laid((0, 0))}
    expected = {((1, 0), (2, 0)), ((2, 0), (2, 1)), ((2, 1), (3, 1))}
    assert places(table(2, hand=[DESERT, FARM], ranch=ranch)) == expected
    assert collect(2, hand=[MEADOW, FARM], ranch=ranch).phase == "select"


def test_tile_in_a_territory() -> None:
    """MR-26b, MR-15, MR-28: a tile belongs to the territory: cows on it count and suffer from skulls."""
    tile = Laid((0, 0), cows=1)
    ranch: Ranch = {**ROW_NINE, (0, 0): Laid(DESERT, cows=1), (1, 0): tile, (2, 0): DESERT_NUGGET}
    game = table(2, hand=[DESERT_SKULL, FOREST], ranch=ranch)
    assert game.scores()[0].to_dict()["territories"] == 3 * 2
    game.decide(["build", DESERT_SKULL, [3, 0], FOREST, [3, 1]])
    assert options(game) == [["drought", [0, 0]], ["drought", [1, 0]]]
    game.decide(["drought", [1, 0]])
    assert cows(game) == {(0, 0): 1}


def test_partner_on_a_tile_protects() -> None:
    """MR-26b, MR-21: a partner on a tile protects the tile's territory."""
    ranch: Ranch = {
        (0, 0): Laid(DESERT, cows=1), (1, 0): Laid((0, 0), partner="trapper"), (2, 0): DESERT, (0, 1): CANYON_NUGGET,
        (1, 1): Laid(CANYON, cows=1), **ROW_NINE,
    }  # fmt: skip
    game = table(2, hand=[MEADOW_CIRCLE, CANYON], others={1: ranch}, saloon=["cattle_thief"])
    game.decide(["build", MEADOW_CIRCLE, [0, 1], CANYON, [1, 1]])
    game.decide(["recruit", [0, 1], "cattle_thief", "specialist"])
    assert options(game) == [["decline"], ["steal", 1, [1, 1]]]


def test_cows_walk_over_a_tile() -> None:
    """MR-26b, MR-19: a cow may step onto a tile."""
    ranch: Ranch = {**ROW_NINE, (0, 0): Laid(DESERT, cows=1), (1, 0): Laid((0, 1)), (2, 0): DESERT}
    game = table(2, hand=[MEADOW_CIRCLE, CORN_3], ranch=ranch, saloon=["farmer"])
    game.decide(["build", CORN_3, [0, 1], MEADOW_CIRCLE, [1, 1]])
    game.decide(["recruit", [1, 1], "farmer", "cowboy"])
    game.decide(["herd", [0, 0], [1, 0]])
    assert cows(game) == {(1, 0): 1}


@pytest.mark.parametrize(("scenario", "tile", "partner", "points"), [
    ("timber_rafting", (1, 1), None, 10),
    ("timber_rafting", (1, 0), None, 0),
    ("outlaws", (1, 0), "desperado", 10),
    ("outlaws", (1, 0), None, 0),
])  # fmt: skip
def test_tile_in_a_scenario(scenario: str, tile: tuple[int, int], partner: str | None, points: int) -> None:
    """MR-26b, MR-31: a forest tile is a raft's log, a partner on a tile is a member of the gang."""
    rules = MoonRiver(2, legends=True, scenario=scenario)
    plot = FOREST if scenario == "timber_rafting" else MEADOW_CIRCLE
    member = Laid(plot, partner=None if plot == FOREST else "trapper")
    ranch: Ranch = {**ROW_NINE, (0, 0): member, (1, 0): Laid(tile, partner=partner), (2, 0): member}
    game = final(rules, ranch)
    assert game.scores()[0].to_dict()["scenario"] == points


def test_tile_has_no_other_symbol() -> None:
    """MR-26b: the tile's circle is its only symbol: placing it brings no cow and no drought."""
    game = reach_row_nine(ranch={(7, 0): Laid(DESERT, cows=1), (8, 0): Laid(DESERT, cows=1)})
    game.decide(["bonus_tile", 0])
    game.decide(["bonus_place", 0, [8, 1]])
    assert cows(game) == {(7, 0): 1, (8, 0): 1}


def test_skull_beside_the_tile() -> None:
    """MR-26: a skull on row 9 acts once, before the tile, not again after it."""
    game = table(2, hand=[CANYON_SKULL, CANYON], ranch={(7, 0): Laid(CANYON, cows=2), (8, 0): CANYON})
    game.decide(["build", CANYON_SKULL, [9, 0], CANYON, [9, 1]])
    game.decide(["bonus_tile", 1])
    game.decide(["bonus_place", 0, [8, 1]])
    assert cows(game) == {(7, 0): 1}
