"""Symbols of a placed domino: MR-14 to MR-16."""

import pytest

from tests.unit.moon_river.table import (
    CANYON,
    CANYON_CIRCLE,
    CANYON_COW,
    CANYON_NUGGET,
    CANYON_SKULL,
    DESERT,
    DESERT_CIRCLE,
    DESERT_NUGGET,
    DESERT_SKULL,
    FOREST,
    MEADOW,
    MEADOW_2_COWS,
    MEADOW_CIRCLE,
    MEADOW_COW_CIRCLE,
    MEADOW_NUGGET,
    UNSELECTED,
    Laid,
    Ranch,
    cows,
    let_chance,
    options,
    partners,
    supply,
    table,
)

# Two canyon plots with a cow each, side by side at the river; one such desert plot has no part in it.
TWO_COWS: Ranch = {
    (0, 0): Laid(CANYON, cows=1), (0, 1): Laid(CANYON_NUGGET, cows=1),
    (0, 3): Laid(DESERT_NUGGET, cows=1), (0, 4): MEADOW,
}  # fmt: skip


def test_cows() -> None:
    """MR-14: a cow from the supply for each cow symbol, on the plot that bears it."""
    game = table(hand=[MEADOW_2_COWS, CANYON_COW])
    game.decide(["build", MEADOW_2_COWS, [0, 0], CANYON_COW, [0, 1]])
    assert cows(game) == {(0, 0): 2, (0, 1): 1}
    assert supply(game) == 29


def test_no_symbol_no_cow() -> None:
    """MR-14: plots without cow symbols bring none."""
    game = table(hand=[MEADOW, FOREST])
    game.decide(["build", MEADOW, [0, 0], FOREST, [0, 1]])
    assert (cows(game), supply(game)) == ({}, 32)


@pytest.mark.parametrize(("left", "low", "high", "expected"), [
    (0, MEADOW_2_COWS, CANYON_COW, {}),
    (1, MEADOW_2_COWS, CANYON_COW, {(0, 0): 1}),
    (2, MEADOW_2_COWS, CANYON_COW, {(0, 0): 2}),
    (1, CANYON_COW, MEADOW_2_COWS, {(0, 0): 1}),
    (2, CANYON_COW, MEADOW_2_COWS, {(0, 0): 1, (0, 1): 1}),
])  # fmt: skip
def test_supply_runs_out(left: int, low: int, high: int, expected: dict[tuple[int, int], int]) -> None:
    """MR-14a: the last cows of the supply go to the half on the lower cell index first; the rest has no effect."""
    elsewhere: Ranch = {(0, 0): Laid(DESERT, cows=32 - left), (0, 1): DESERT}
    game = table(hand=[MEADOW_2_COWS, CANYON_COW], others={1: elsewhere})
    game.decide(["build", low, [0, 0], high, [0, 1]])
    assert cows(game) == expected
    assert supply(game) == left - sum(expected.values())


def test_missed_cows_never_come() -> None:
    """MR-14a: a symbol that met an empty supply stays without a cow when cows return to the supply."""
    elsewhere: Ranch = {(0, 0): Laid(DESERT, cows=31), (0, 1): DESERT}
    game = table(
        hand=[CANYON_COW, DESERT, CANYON_SKULL, MEADOW], others={1: elsewhere},
        ranch={(0, 3): Laid(CANYON, cows=1), (0, 4): MEADOW_NUGGET},
    )  # fmt: skip
    game.decide(["build", CANYON_COW, [0, 0], DESERT, [0, 1]])
    assert (cows(game), supply(game)) == ({(0, 3): 1}, 0)
    game.decide(["build", CANYON_SKULL, [1, 3], MEADOW, [1, 4]])
    assert (cows(game), supply(game)) == ({}, 1)


def test_drought() -> None:
    """MR-15: a skull removes one cow of the owner's choice from the territory of its plot, back to the supply."""
    game = table(hand=[CANYON_SKULL, FOREST], ranch=TWO_COWS)
    game.decide(["build", CANYON_SKULL, [1, 0], FOREST, [2, 0]])
    assert (game.seat, options(game)) == (0, [["drought", [0, 0]], ["drought", [0, 1]]])
    game.decide(["drought", [0, 1]])
    assert cows(game) == {(0, 0): 1, (0, 3): 1}
    assert supply(game) == 30
    assert game.phase == "select"


def test_drought_without_a_choice() -> None:
    """MR-15: one plot with cows leaves no choice, and one cow goes, even of two."""
    game = table(hand=[CANYON_SKULL, FOREST], ranch={(0, 0): Laid(CANYON, cows=2), (0, 1): MEADOW})
    game.decide(["build", CANYON_SKULL, [1, 0], FOREST, [2, 0]])
    assert (game.phase, cows(game), supply(game)) == ("select", {(0, 0): 1}, 31)


def test_drought_in_the_joined_territory() -> None:
    """MR-15: the territory is that after the placement: the skull's plot joins two canyons."""
    ranch: Ranch = {(0, 0): Laid(CANYON, cows=1), (0, 1): FOREST, (2, 0): Laid(CANYON, cows=1), (3, 0): FOREST}
    game = table(hand=[CANYON_SKULL, FOREST], ranch=ranch)
    game.decide(["build", CANYON_SKULL, [1, 0], FOREST, [1, 1]])
    assert options(game) == [["drought", [0, 0]], ["drought", [2, 0]]]


def test_drought_does_not_leave_the_territory() -> None:
    """MR-15: no cow in the skull's own territory: no effect, whatever stands in other ones of the same landscape."""
    game = table(hand=[CANYON_SKULL, FOREST], ranch=TWO_COWS)
    game.decide(["build", CANYON_SKULL, [1, 2], FOREST, [2, 2]])
    assert (game.phase, cows(game)) == ("select", {(0, 0): 1, (0, 1): 1, (0, 3): 1})


def test_cow_before_skull() -> None:
    """MR-14, MR-15: the cows come first, so a skull takes the cow that its own domino brought."""
    for low, high in ((CANYON_SKULL, CANYON_COW), (CANYON_COW, CANYON_SKULL)):
        game = table(hand=[CANYON_SKULL, CANYON_COW])
        game.decide(["build", low, [0, 0], high, [0, 1]])
        assert (cows(game), supply(game)) == ({}, 32)


def test_skull_acts_once() -> None:
    """MR-15: a skull that lies there already does not act on the cows of later dominoes."""
    game = table(hand=[CANYON_SKULL, DESERT, CANYON_COW, FOREST])
    game.decide(["build", CANYON_SKULL, [0, 0], DESERT, [0, 1]])
    game.decide(["build", CANYON_COW, [1, 0], FOREST, [1, 1]])
    assert cows(game) == {(1, 0): 1}


@pytest.mark.parametrize(("low", "high"), [(CANYON, DESERT), (DESERT, CANYON)])
def test_two_skulls(low: int, high: int) -> None:
    """MR-15a: the skull on the lower cell index acts first, whichever plot it is."""
    skull = {CANYON: CANYON_SKULL, DESERT: DESERT_SKULL}
    nugget = {CANYON: CANYON_NUGGET, DESERT: DESERT_NUGGET}
    ranch = {
        (0, 0): Laid(low, cows=1), (0, 1): Laid(nugget[low], cows=1),
        (2, 1): Laid(high, cows=1), (2, 2): Laid(nugget[high], cows=1),
    }  # fmt: skip
    game = table(hand=[CANYON_SKULL, DESERT_SKULL], ranch=ranch)
    game.decide(["build", skull[low], [1, 0], skull[high], [1, 1]])
    assert options(game) == [["drought", [0, 0]], ["drought", [0, 1]]]
    game.decide(["drought", [0, 0]])
    assert options(game) == [["drought", [2, 1]], ["drought", [2, 2]]]
    game.decide(["drought", [2, 2]])
    assert cows(game) == {(0, 1): 1, (2, 1): 1}


def test_recruit() -> None:
    """MR-16: every circle, every distinct token, either side; and no way to decline."""
    game = table(hand=[MEADOW_CIRCLE, DESERT_CIRCLE], saloon=["trapper", "farmer", "trapper"])
    game.decide(["build", DESERT_CIRCLE, [0, 0], MEADOW_CIRCLE, [0, 1]])
    sides = ("specialist", "cowboy")
    choices = [(token, side) for token in ("trapper", "farmer") for side in sides]
    assert options(game) == sorted(["recruit", list(cell), *c] for cell in ((0, 0), (0, 1)) for c in choices)
    game.decide(["recruit", [0, 1], "trapper", "specialist"])
    assert options(game) == sorted(["recruit", [0, 0], *choice] for choice in choices)  # the other circle is due
    game.decide(["recruit", [0, 0], "farmer", "cowboy"])
    assert partners(game) == {(0, 0): "cowboy", (0, 1): "trapper"}
    assert game.position()["saloon"] == ["trapper"]


def test_recruit_on_one_circle() -> None:
    """MR-16: a single circle with a single token leaves the choice of its side; plots without a circle take nobody."""
    game = table(hand=[MEADOW_CIRCLE, DESERT], saloon=["farmer"])
    game.decide(["build", DESERT, [0, 0], MEADOW_CIRCLE, [0, 1]])
    assert options(game) == [["recruit", [0, 1], "farmer", "cowboy"], ["recruit", [0, 1], "farmer", "specialist"]]


def test_empty_saloon() -> None:
    """MR-16: with an empty saloon a circle has no effect and stays empty."""
    game = table(hand=[MEADOW_CIRCLE, DESERT])
    game.decide(["build", DESERT, [0, 0], MEADOW_CIRCLE, [0, 1]])
    assert (game.phase, partners(game)) == ("select", {})


def test_saloon_runs_out() -> None:
    """MR-16: the last token serves one of two circles, the other stays empty."""
    game = table(hand=[MEADOW_CIRCLE, DESERT_CIRCLE], saloon=["farmer"])
    game.decide(["build", DESERT_CIRCLE, [0, 0], MEADOW_CIRCLE, [0, 1]])
    assert len(options(game)) == 4
    game.decide(["recruit", [0, 1], "farmer", "specialist"])
    assert (game.phase, partners(game)) == ("select", {(0, 1): "farmer"})


def test_old_circles_stay_empty() -> None:
    """MR-16: a circle that stayed empty is not served with a later domino."""
    ranch = {(0, 0): MEADOW_CIRCLE, (0, 1): DESERT}
    game = table(hand=[CANYON, CANYON_CIRCLE, DESERT, MEADOW], ranch=ranch, saloon=["farmer", "trapper"])
    game.decide(["build", MEADOW, [1, 0], DESERT, [1, 1]])
    assert game.phase == "build"
    game.decide(["build", CANYON, [1, 2], CANYON_CIRCLE, [2, 2]])
    assert {tuple(option[1]) for option in options(game)} == {(2, 2)}


def test_empty_circles_after_a_refill() -> None:
    """MR-16: when the saloon is full again nobody is asked about a circle that met an empty one."""
    game = table(hand=[MEADOW_CIRCLE, DESERT], current=[UNSELECTED], storages={1: [FOREST]},
                 upcoming=[(CANYON, 1), (CANYON, 2), UNSELECTED, UNSELECTED])  # fmt: skip
    game.decide(["build", DESERT, [0, 0], MEADOW_CIRCLE, [0, 1]])
    game.decide(["select", 2])
    let_chance(game)
    let_chance(game)
    game.decide(["build", CANYON, [0, 0], FOREST, [0, 1]])
    assert (game.seat, game.phase) == (1, "select")


def test_one_recruitment_before_the_next() -> None:
    """MR-16: the cowboy's moves come before the second circle is served."""
    game = table(hand=[MEADOW_CIRCLE, DESERT_CIRCLE], ranch={(1, 0): Laid(CANYON, cows=1), (2, 0): CANYON},
                 saloon=["farmer", "trapper"])  # fmt: skip
    game.decide(["build", DESERT_CIRCLE, [0, 0], MEADOW_CIRCLE, [0, 1]])
    game.decide(["recruit", [0, 1], "farmer", "cowboy"])
    assert game.phase == "herd"
    game.decide(["done"])
    assert game.phase == "recruit"
    assert {tuple(option[1]) for option in options(game)} == {(0, 0)}


def test_no_refill_within_a_round() -> None:
    """MR-16: the saloon stays as it is, for the next player as well."""
    game = table(hand=[MEADOW_CIRCLE, DESERT], storages={1: [DESERT]}, saloon=["trapper", "farmer"])
    stack = game.position()["stack"]
    game.decide(["build", DESERT, [0, 0], MEADOW_CIRCLE, [0, 1]])
    game.decide(["recruit", [0, 1], "farmer", "specialist"])
    game.decide(["select", 0])
    assert game.seat == 1
    assert (game.position()["saloon"], game.position()["stack"]) == (["trapper"], stack)


def test_symbols_in_order() -> None:
    """MR-14 to MR-16: cows, then skulls, then circles, whatever the halves."""
    game = table(hand=[CANYON_SKULL, MEADOW_COW_CIRCLE, FOREST, FOREST], ranch=TWO_COWS, saloon=["farmer"])
    game.decide(["build", CANYON_SKULL, [1, 0], MEADOW_COW_CIRCLE, [2, 0]])
    assert (game.phase, cows(game)[(2, 0)]) == ("drought", 1)
    game.decide(["drought", [0, 0]])
    assert game.phase == "recruit"
    game.decide(["recruit", [2, 0], "farmer", "specialist"])
    assert game.phase == "build"
