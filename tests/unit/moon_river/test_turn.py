"""A turn: MR-8 to MR-10, MR-17, MR-18, and the order of turns (section 3)."""

import pytest

from engine_cy import IllegalDecision, MoonRiver
from tests.unit.moon_river.table import (
    CANYON,
    CANYON_COW,
    COLLECTED,
    CORN_3,
    CORN_ONLY,
    DESERT,
    DESERT_NUGGET,
    FARM,
    FOREST,
    MEADOW,
    UNSELECTED,
    collect,
    column,
    hand,
    options,
    plots,
    table,
)


def test_order_by_position() -> None:
    """Section 3 and MR-18: the rancheros' positions are the order of the turns, and a Select ends each."""
    current = [(DESERT, 3), (DESERT, 1), (DESERT, 2)]
    game = table(4, phase="select", current=current, storages={seat: [CANYON] for seat in (1, 2, 3)})
    order = []
    for place in (3, 2, 1):
        game.decide(["select", place])
        order.append(game.seat)
        game.decide(["stop"])
    assert order == [3, 1, 2]


def test_two_rancheros_two_turns() -> None:
    """Section 3: with two players each ranchero is a turn of its own."""
    game = table(2, phase="select", current=[(FARM, 0), (DESERT, 1), (MEADOW, 1)])
    game.decide(["select", 0])
    assert (game.seat, hand(game)) == (0, [FARM])
    game.decide(["select", 1])
    assert (game.seat, hand(game, 1)) == (1, [DESERT])
    assert [seat for _, seat in column(game, "next")] == [0, 0, None, None]


def test_collect() -> None:
    """MR-8: the ranchero and its plot leave the column, and the plot joins the storage."""
    game = collect(hand=[DESERT, FARM, CANYON])
    assert hand(game) == [DESERT, CANYON, FARM]
    assert column(game, "current") == [COLLECTED, (CORN_3, 1), (CORN_3, 2), UNSELECTED]


def test_building_is_optional() -> None:
    """MR-9: with two plots or more, but no more than the storage holds, one may build or stop."""
    for cards in ([DESERT, CANYON], [DESERT, CANYON, MEADOW]):
        game = collect(hand=cards)
        assert game.phase == "build"
        assert {option[0] for option in options(game)} == {"build", "stop"}
        game.decide(["stop"])
        assert game.phase == "select"
        assert hand(game) == cards


def test_one_plot_is_no_domino() -> None:
    """MR-9: with a single plot building is not asked for."""
    assert collect(hand=[DESERT]).phase == "select"


def test_four_plots_two_dominoes() -> None:
    """MR-9: four plots allow two dominoes, the second as an option again; then the hand is empty."""
    game = table(hand=[DESERT, DESERT, CANYON, CANYON])
    game.decide(["build", DESERT, [0, 0], CANYON, [0, 1]])
    assert ["stop"] in options(game)
    game.decide(["build", CANYON, [1, 1], DESERT, [2, 1]])
    assert plots(game) == {(0, 0): DESERT, (0, 1): CANYON, (1, 1): CANYON, (2, 1): DESERT}
    assert (game.phase, hand(game)) == ("select", [])


def test_stop_after_one_domino() -> None:
    """MR-9: after the first domino one may stop; the other plots stay in the storage."""
    game = table(hand=[DESERT, DESERT, CANYON, FARM])
    game.decide(["build", DESERT, [0, 0], DESERT, [0, 1]])
    game.decide(["stop"])
    assert (game.phase, hand(game)) == ("select", [CANYON, FARM])


def test_five_plots_two_dominoes() -> None:
    """MR-9: with Mary's four slots five plots allow two dominoes, and the fifth plot stays."""
    game = table(MoonRiver(3, legends=True, scenario="outlaws"), hand=[DESERT, DESERT, CANYON, CANYON, FARM])
    assert ["stop"] not in options(game)
    game.decide(["build", CANYON, [1, 2], DESERT, [2, 2]])
    assert ["stop"] in options(game)
    game.decide(["build", DESERT, [3, 2], CANYON, [4, 2]])
    assert (game.phase, hand(game)) == ("select", [FARM])


def test_full_storage() -> None:
    """MR-10: with more plots than slots one must build."""
    game = collect(hand=[DESERT, DESERT, CANYON, FARM])
    assert {option[0] for option in options(game)} == {"build"}
    with pytest.raises(IllegalDecision):
        game.decide(["stop"])


def test_discard() -> None:
    """MR-10: if then no pair fits anywhere, two plots of choice leave the game; after that all is optional again."""
    game = collect(hand=[DESERT, CANYON, CANYON, MEADOW], ranch=CORN_ONLY)
    assert options(game) == [
        ["discard", DESERT, CANYON],
        ["discard", DESERT, MEADOW],
        ["discard", CANYON, CANYON],
        ["discard", CANYON, MEADOW],
    ]
    game.decide(["discard", CANYON, MEADOW])
    assert (game.phase, hand(game)) == ("select", [DESERT, CANYON])
    assert plots(game) == CORN_ONLY


def test_discard_without_a_choice() -> None:
    """MR-10: four plots of one kind leave no choice which two to discard."""
    game = collect(hand=[DESERT] * 4, ranch=CORN_ONLY)
    assert (game.phase, hand(game)) == ("select", [DESERT, DESERT])


def test_no_discard_while_a_pair_fits() -> None:
    """MR-10: one plot of corn fits beside the corn, so a domino with it must be built."""
    game = collect(hand=[DESERT, CANYON, MEADOW, CORN_3], ranch=CORN_ONLY)
    assert game.phase == "build"
    assert all(option[0] == "build" and CORN_3 in (option[1], option[3]) for option in options(game))


def test_no_discard_within_the_storage() -> None:
    """MR-10: no discard while the storage holds the plots, even if no pair fits."""
    game = collect(hand=[DESERT, CANYON, MEADOW], ranch=CORN_ONLY)
    assert (game.phase, hand(game)) == ("select", [DESERT, CANYON, MEADOW])


def test_small_storage() -> None:
    """MR-10: Big Jo must build with three plots, and discards two of three if none fits."""
    rules = MoonRiver(3, legends=True, scenario="outlaws", boards=["big_jo", "mary", "wesley"])
    assert ["stop"] not in options(collect(rules, hand=[DESERT, CANYON, MEADOW]))
    game = collect(rules, hand=[DESERT, CANYON, MEADOW], ranch=CORN_ONLY)
    assert options(game) == [["discard", DESERT, CANYON], ["discard", DESERT, MEADOW], ["discard", CANYON, MEADOW]]
    game.decide(["discard", DESERT, CANYON])
    assert hand(game) == [MEADOW]


def test_select() -> None:
    """MR-17: the ranchero is placed on a free plot of the next column."""
    upcoming = [(DESERT, 2), (DESERT_NUGGET, None), (FOREST, 1), (FARM, None)]
    game = table(phase="select", current=[UNSELECTED], upcoming=upcoming)
    assert options(game) == [["select", 1], ["select", 3]]
    with pytest.raises(IllegalDecision):
        game.decide(["select", 0])
    game.decide(["select", 3])
    assert column(game, "current") == [(DESERT, 2), (DESERT_NUGGET, None), (FOREST, 1), (FARM, 0)]


def test_select_is_mandatory() -> None:
    """MR-17: there is no way not to select; the last free plot is taken without a question."""
    game = table(4, phase="select", current=[(CANYON_COW, 1), (FARM, 2), (FARM, 3)])
    free = [0, 1, 2, 3]
    for place in (2, 0, 1):
        assert options(game) == [["select", place] for place in free]
        game.decide(["select", place])
        free.remove(place)
    assert game.chance == "column"
    assert [seat for _, seat in column(game, "current")] == [1, 2, 0, 3]


def test_nothing_after_select() -> None:
    """MR-18: Select ends the turn: no building after it."""
    game = table(hand=[DESERT, CANYON], storages={1: [FARM]})
    game.decide(["stop"])
    game.decide(["select", 0])
    assert (game.seat, game.phase) == (1, "build")
    assert hand(game) == [DESERT, CANYON]
