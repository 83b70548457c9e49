"""Immediate effects of partners: MR-19 to MR-21a."""

import pytest

from engine_cy import Game, IllegalDecision, MoonRiver
from tests.unit.moon_river.table import (
    CANYON,
    CANYON_COW,
    CORN_3,
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
    MEADOW_COW,
    MEADOW_NUGGET,
    Laid,
    Ranch,
    component_set,
    cows,
    hand,
    options,
    partners,
    standard_data,
    table,
)

COW_AT_THE_RIVER: Ranch = {(0, 0): Laid(DESERT, cows=1), (1, 0): CORN_5}


def recruit(game: Game, token: str, side: str = "specialist") -> Game:
    """Build a meadow with a circle on (0, 1) and a canyon on (1, 1), and recruit there."""
    game.decide(["build", MEADOW_CIRCLE, [0, 1], CANYON, [1, 1]])
    game.decide(["recruit", [0, 1], token, side])
    return game


def cowboy(ranch: Ranch) -> Game:
    return recruit(table(hand=[MEADOW_CIRCLE, CANYON], ranch=ranch, saloon=["farmer"]), "farmer", "cowboy")


# ---- Cowboy


def test_three_moves() -> None:
    """MR-19: up to three moves to orthogonally adjacent own plots, then it ends by itself; never onto corn."""
    game = cowboy(COW_AT_THE_RIVER)
    assert options(game) == [["done"], ["herd", [0, 0], [0, 1]]]  # there is corn on (1, 0)
    game.decide(["herd", [0, 0], [0, 1]])
    assert options(game) == [["done"], ["herd", [0, 1], [0, 0]], ["herd", [0, 1], [1, 1]]]
    game.decide(["herd", [0, 1], [1, 1]])
    assert options(game) == [["done"], ["herd", [1, 1], [0, 1]]]
    game.decide(["herd", [1, 1], [0, 1]])
    assert (game.phase, cows(game)) == ("select", {(0, 1): 1})


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_fewer_moves(moves: int) -> None:
    """MR-19: the effect is optional, as a whole and in part."""
    game = cowboy(COW_AT_THE_RIVER)
    for step in (["herd", [0, 0], [0, 1]], ["herd", [0, 1], [1, 1]])[:moves]:
        game.decide(step)
    game.decide(["done"])
    assert (game.phase, cows(game)) == ("select", {[(0, 0), (0, 1), (1, 1)][moves]: 1})


def test_cows_share_a_plot() -> None:
    """MR-19a: several cows may meet on a plot, and they leave it one by one."""
    game = cowboy({(0, 0): Laid(DESERT, cows=2), (1, 0): FOREST})
    game.decide(["herd", [0, 0], [0, 1]])
    assert cows(game) == {(0, 0): 1, (0, 1): 1}
    game.decide(["herd", [0, 0], [0, 1]])
    assert cows(game) == {(0, 1): 2}
    game.decide(["herd", [0, 1], [1, 1]])
    assert cows(game) == {(0, 1): 1, (1, 1): 1}


def test_only_own_cows() -> None:
    """MR-19: cows of other ranches do not move."""
    game = table(hand=[MEADOW_CIRCLE, CANYON], ranch=COW_AT_THE_RIVER, saloon=["farmer"],
                 others={1: {(0, 0): Laid(FARM, cows=1), (0, 1): FARM}})  # fmt: skip
    assert options(recruit(game, "farmer", "cowboy")) == [["done"], ["herd", [0, 0], [0, 1]]]


@pytest.mark.parametrize("ranch", [
    {},  # no cow at all
    {(0, 3): Laid(DESERT, cows=1), (0, 4): CORN_5},  # corn on one side, the camp on the other, free cells below
    {(0, 3): CORN_5, (0, 4): Laid(DESERT, cows=1), (1, 0): DESERT, (2, 0): DESERT},  # (1, 0) is across the edge
    {(1, 4): DESERT, (2, 0): Laid(DESERT, cows=1)},  # and so is (1, 4)
])  # fmt: skip
def test_no_cow_can_move(ranch: Ranch) -> None:
    """MR-19: onto plots of the own ranch only, never onto corn; if no cow can move, nothing is asked."""
    game = cowboy(ranch)
    assert (game.phase, partners(game)) == ("select", {(0, 1): "cowboy"})


def test_across_corn() -> None:
    """MR-19: a cow steps onto adjacent plots only, so it never gets across a corn field."""
    game = cowboy({(0, 0): Laid(DESERT, cows=1), (1, 0): CORN_5, (2, 0): FOREST, (3, 0): FOREST})
    with pytest.raises(IllegalDecision):
        game.decide(["herd", [0, 0], [2, 0]])
    with pytest.raises(IllegalDecision):
        game.decide(["herd", [0, 0], [1, 0]])


def test_cowboy_from_any_token() -> None:
    """MR-19: a Desperado's or Cattle Thief's cowboy side moves cows and has no other effect."""
    for token in ("desperado", "cattle_thief"):
        game = table(hand=[MEADOW_CIRCLE, CANYON, FARM], ranch=COW_AT_THE_RIVER, saloon=[token], storages={1: [FOREST]},
                     others={1: {(0, 0): Laid(FARM, cows=1), (0, 1): FARM}})  # fmt: skip
        recruit(game, token, "cowboy")
        assert game.phase == "herd"
        game.decide(["done"])
        assert game.phase == "select"


# ---- Desperado

STORAGES = {1: [FARM, FOREST], 2: [CORN_3]}


def desperado(cards: list[int], storages: dict[int, list[int]]) -> Game:
    """A Desperado is recruited with these plots left in hand."""
    game = table(hand=[MEADOW_CIRCLE, CANYON, *cards], storages=storages, saloon=["desperado"])
    return recruit(game, "desperado")


def test_swap() -> None:
    """MR-20: any plot of the own hand for any in another's storage; MR-20a: but not for one of its kind."""
    game = desperado([DESERT, FARM], STORAGES)
    assert options(game) == [
        ["decline"],
        ["swap", DESERT, 1, FOREST], ["swap", DESERT, 1, FARM], ["swap", DESERT, 2, CORN_3],
        ["swap", FARM, 1, FOREST], ["swap", FARM, 2, CORN_3],
    ]  # fmt: skip
    game.decide(["swap", DESERT, 1, FOREST])
    assert [hand(game, seat) for seat in range(3)] == [[FOREST, FARM], [DESERT, FARM], [CORN_3]]


def test_building_with_the_swapped_plot() -> None:
    """MR-20: the plot taken belongs to the hand of this turn."""
    game = desperado([DESERT, FARM], STORAGES)
    game.decide(["swap", DESERT, 1, FOREST])
    assert game.phase == "build"
    assert {frozenset((o[1], o[3])) for o in options(game) if o[0] == "build"} == {frozenset((FOREST, FARM))}


def test_decline_to_swap() -> None:
    """MR-20: the effect is optional."""
    game = desperado([DESERT, FARM], STORAGES)
    game.decide(["decline"])
    assert [hand(game, seat) for seat in range(3)] == [[DESERT, FARM], [FOREST, FARM], [CORN_3]]
    assert game.phase == "build"


@pytest.mark.parametrize(("cards", "storages"), [
    ([], STORAGES),
    ([DESERT], {}),
    ([DESERT, DESERT], {1: [DESERT], 2: [DESERT, DESERT]}),
])  # fmt: skip
def test_nothing_to_swap(cards: list[int], storages: dict[int, list[int]]) -> None:
    """MR-20, MR-20a: both need a plot, and plots of one kind are no option: then nothing is asked."""
    game = desperado(cards, storages)
    assert game.phase == ("build" if len(cards) == 2 else "select")
    assert partners(game) == {(0, 1): "desperado"}


# ---- Cattle Thief


def thief(others: dict[int, Ranch], ranch: Ranch | None = None) -> Game:
    game = table(hand=[MEADOW_CIRCLE, CANYON], ranch=ranch, others=others, saloon=["cattle_thief"])
    return recruit(game, "cattle_thief")


def test_steal() -> None:
    """MR-21: one cow of another's ranch comes onto the thief's plot; own cows are no option."""
    victims: dict[int, Ranch] = {
        1: {(0, 0): Laid(FARM, cows=1), (0, 1): Laid(DESERT, cows=2)},
        2: {(1, 2): Laid(MEADOW_COW, cows=1), (2, 2): MEADOW},
    }
    game = thief(victims, COW_AT_THE_RIVER)
    assert options(game) == [["decline"], ["steal", 1, [0, 0]], ["steal", 1, [0, 1]], ["steal", 2, [1, 2]]]
    game.decide(["steal", 1, [0, 1]])
    assert [cows(game, seat) for seat in range(3)] == [{(0, 0): 1, (0, 1): 1}, {(0, 0): 1, (0, 1): 1}, {(1, 2): 1}]
    assert game.phase == "select"


def test_decline_to_steal() -> None:
    """MR-21: the effect is optional."""
    game = thief({1: {(0, 0): Laid(FARM, cows=1), (0, 1): FARM}})
    game.decide(["decline"])
    assert (cows(game), cows(game, 1), game.phase) == ({}, {(0, 0): 1}, "select")


@pytest.mark.parametrize("partner", ["desperado", "cattle_thief", "gold_digger", "trapper", "farmer", "cowboy"])
def test_protection(partner: str) -> None:
    """MR-21: any partner, either side, protects every cow of its territory, and no cow of another one."""
    ranch: Ranch = {
        (0, 0): Laid(FARM, cows=1), (0, 1): Laid(FARM_CIRCLE, cows=1, partner=partner),
        (1, 0): Laid(FOREST_COW, cows=1), (1, 1): FOREST,  # beside it, but another landscape
        (0, 3): Laid(FARM, cows=1), (0, 4): MEADOW,  # the same landscape, but apart
    }  # fmt: skip
    assert options(thief({1: ranch})) == [["decline"], ["steal", 1, [0, 3]], ["steal", 1, [1, 0]]]


def test_empty_circles_protect_nothing() -> None:
    """MR-21: a circle without a partner is no protection, nor is a partner of somebody else."""
    ranch: Ranch = {(0, 0): Laid(FARM_CIRCLE, cows=1), (0, 1): FARM}
    guarded: Ranch = {(0, 0): Laid(FARM_CIRCLE, cows=1, partner="trapper"), (0, 1): FARM}
    assert options(thief({1: ranch, 2: guarded})) == [["decline"], ["steal", 1, [0, 0]]]


@pytest.mark.parametrize("others", [
    {},
    {1: {(0, 0): Laid(FARM_CIRCLE, cows=1, partner="trapper"), (0, 1): Laid(FARM, cows=1)}},
])  # fmt: skip
def test_nothing_to_steal(others: dict[int, Ranch]) -> None:
    """MR-21: if no cow is unprotected, nothing is asked."""
    game = thief(others, COW_AT_THE_RIVER)
    assert (game.phase, partners(game)) == ("select", {(0, 1): "cattle_thief"})


def test_thief_on_corn() -> None:
    """MR-21a: a thief on a corn field (there are none with a circle in the standard set) cannot steal."""
    kinds = standard_data()["plot"]
    circle = {"count": 4, "number": 3, "landscape": "corn", "cobs": 1, "circle": True}
    rules = MoonRiver(3, components=component_set(plot=[*kinds, circle]))
    victims: dict[int, Ranch] = {1: {(0, 0): Laid(FARM, cows=1), (0, 1): FARM}}
    game = table(rules, hand=[len(kinds), DESERT], others=victims, saloon=["cattle_thief"])
    game.decide(["build", len(kinds), [0, 0], DESERT, [0, 1]])
    game.decide(["recruit", [0, 0], "cattle_thief", "specialist"])
    assert (game.phase, cows(game, 1)) == ("select", {(0, 0): 1})


# ---- The others


@pytest.mark.parametrize("token", ["gold_digger", "trapper", "farmer"])
def test_no_immediate_effect(token: str) -> None:
    """MR-16, MR-30: Gold Digger, Trapper and Farmer have no immediate effect."""
    game = table(hand=[MEADOW_CIRCLE, CANYON, DESERT_NUGGET], ranch=COW_AT_THE_RIVER, saloon=[token, "desperado"],
                 storages=STORAGES, others={1: {(0, 0): Laid(CANYON_COW, cows=1), (0, 1): MEADOW_NUGGET}})  # fmt: skip
    recruit(game, token)
    assert (game.phase, partners(game)) == ("select", {(0, 1): token})


@pytest.mark.parametrize(("token", "side"), [
    ("farmer", "cowboy"), ("desperado", "specialist"), ("cattle_thief", "specialist"), ("trapper", "specialist"),
])  # fmt: skip
def test_second_circle_after_no_effect(token: str, side: str) -> None:
    """MR-16, MR-19 to MR-21: with no cow, no storage, no victim the next circle is served at once."""
    game = table(hand=[MEADOW_CIRCLE, DESERT_CIRCLE], saloon=[token, "gold_digger"])
    game.decide(["build", DESERT_CIRCLE, [0, 0], MEADOW_CIRCLE, [0, 1]])
    game.decide(["recruit", [0, 1], token, side])
    sides = ("cowboy", "specialist")
    assert options(game) == [["recruit", [0, 0], "gold_digger", side] for side in sides]


def test_two_effects() -> None:
    """MR-16, MR-19, MR-21: with two circles each effect is used on its own."""
    victims: dict[int, Ranch] = {1: {(0, 0): Laid(FARM, cows=1), (0, 1): FARM}}
    game = table(hand=[MEADOW_CIRCLE, DESERT_CIRCLE], saloon=["cattle_thief", "farmer"], others=victims)
    game.decide(["build", DESERT_CIRCLE, [0, 0], MEADOW_CIRCLE, [0, 1]])
    game.decide(["recruit", [0, 1], "cattle_thief", "specialist"])
    game.decide(["steal", 1, [0, 0]])
    game.decide(["recruit", [0, 0], "farmer", "cowboy"])
    assert options(game) == [["done"], ["herd", [0, 1], [0, 0]]]  # the cow just stolen
