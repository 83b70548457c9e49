"""Rounds and the end of the game: MR-22 to MR-25, MR-27."""

from collections import Counter
from typing import Any

import pytest

from engine_cy import ComponentError, Game, Generator, ImpossibleOutcome, MoonRiver
from tests.unit.moon_river.table import (
    CANYON,
    CORN_3,
    CORN_4,
    CORN_5,
    CORN_ONLY,
    DESERT,
    FARM_CIRCLE,
    FOREST,
    MEADOW,
    MEADOW_CIRCLE,
    UNSELECTED,
    Laid,
    Slot,
    collect,
    column,
    component_set,
    cows,
    hand,
    let_chance,
    options,
    plots,
    plots_in_game,
    supply,
    table,
)

SELECTED: list[Slot] = [(DESERT, 1), (CANYON, None), (MEADOW, 2), (FOREST, None)]
FIVE = ["desperado", "cattle_thief", "gold_digger", "trapper", "farmer"]


def last_select(rules: MoonRiver | int = 3, **more: Any) -> Game:
    """Seat 0, last in the round, selects the last plot of a column in which the others stand."""
    game = table(rules, phase="select", upcoming=SELECTED, **{"current": [UNSELECTED], **more})
    game.decide(["select", 3])
    return game


def token_rules(trappers: int) -> MoonRiver:
    """A game with some trappers for partners."""
    return MoonRiver(3, components=component_set(partners={**dict.fromkeys(FIVE, 0), "trapper": trappers}))


# ---- The next round


def test_next_column() -> None:
    """MR-23: the next column becomes current and a new one is drawn; then the saloon is refilled to five."""
    game = last_select(saloon=["trapper", "trapper"])
    assert game.chance == "column"
    assert column(game, "current") == [(DESERT, 1), (CANYON, None), (MEADOW, 2), (FOREST, 0)]
    assert column(game, "next") == []
    game.reveal("column", [CORN_3, CORN_3, CORN_4, CORN_5])
    assert column(game, "next") == [(CORN_3, None), (CORN_3, None), (CORN_4, None), (CORN_5, None)]
    assert game.chance == "saloon"
    game.reveal("saloon", ["farmer", "desperado", "farmer"])
    assert sorted(game.position()["saloon"]) == ["desperado", "farmer", "farmer", "trapper", "trapper"]
    assert (game.seat, hand(game, 1)) == (1, [DESERT])


def test_refill_has_to_be_complete() -> None:
    """MR-23: the saloon is refilled to five with tokens of the stack, no fewer, no more, no others."""
    game = last_select(saloon=["farmer", "farmer"])
    game.reveal("column", [CORN_3] * 4)
    for wrong in (["trapper"] * 2, ["trapper"] * 4, ["trapper", "trapper", "farmer"], ["trapper", "trapper", "cowboy"]):
        with pytest.raises(ImpossibleOutcome):
            game.reveal("saloon", wrong)
    game.reveal("saloon", ["trapper"] * 3)
    assert Counter(game.position()["saloon"]) == {"farmer": 2, "trapper": 3}


def test_full_saloon_is_not_refilled() -> None:
    """MR-23 and section 10: drawing nothing is no event."""
    game = last_select(saloon=FIVE)
    game.reveal("column", [CORN_3] * 4)
    assert (game.chance, game.seat) == (None, 1)


@pytest.mark.parametrize("stack", [0, 1])
def test_refill_while_it_lasts(stack: int) -> None:
    """MR-23: what is left in the stack, if that is not enough; from an empty stack nothing is drawn."""
    game = last_select(token_rules(3 + stack), saloon=["trapper"] * 3)
    game.reveal("column", [CORN_3] * 4)
    if stack:
        game.reveal("saloon", ["trapper"])
    assert game.seat == 1
    assert (len(game.position()["saloon"]), game.position()["stack"]) == (3 + stack, [])


def test_unselected_plot_leaves() -> None:
    """MR-23: with three players the plot of the old column that nobody selected leaves the game."""
    old = [(FARM_CIRCLE, None)]
    before = plots_in_game(table(phase="select", upcoming=SELECTED, current=old))
    after = plots_in_game(last_select(current=old))
    assert before - after == Counter({FARM_CIRCLE: 1})


# ---- The last round


def test_empty_pile() -> None:
    """MR-24: with the pile empty no column is drawn: the saloon is refilled, and it is the last round."""
    game = last_select(pile=[], storages={1: [CANYON]})
    assert (game.chance, column(game, "next")) == ("saloon", [])
    game.reveal("saloon", FIVE)
    assert game.position()["last_round"] is True
    assert (game.seat, game.phase) == (1, "build")


def test_last_column() -> None:
    """MR-24: the round after the draw of the last column is not the last one yet."""
    game = last_select(pile=[CORN_3] * 4, saloon=FIVE)
    game.reveal("column", [CORN_3] * 4)
    assert (game.position()["last_round"], game.position()["pile"]) == (False, [])
    assert (game.seat, game.phase) == (1, "select")


def test_no_refill_in_the_last_round() -> None:
    """MR-24, MR-18: no refill and no Select in the last round: the game ends with the last turn."""
    game = table(last_round=True, current=[UNSELECTED], hand=[MEADOW_CIRCLE, DESERT], saloon=FIVE)
    game.decide(["build", DESERT, [0, 0], MEADOW_CIRCLE, [0, 1]])
    game.decide(["recruit", [0, 1], "trapper", "specialist"])
    assert game.over
    assert (game.seat, game.chance, game.phase, game.decisions()) == (None, None, "over", [])
    assert len(game.position()["saloon"]) == 4


def test_no_select_in_the_last_round() -> None:
    """MR-17, MR-18: in the last round a turn ends when nothing more can be built."""
    game = table(last_round=True, hand=[DESERT, CANYON], storages={1: [CANYON]})
    game.decide(["build", DESERT, [0, 0], CANYON, [0, 1]])
    assert (game.seat, game.phase, hand(game, 1)) == (1, "build", [CANYON, CORN_3])


def test_everybody_plays_the_last_round() -> None:
    """MR-24, MR-25: all rancheros have their turn in the last round, in the order of the column."""
    game = table(4, last_round=True, current=[(CORN_3, 2), (CORN_3, 0), (CORN_3, 3), (CORN_3, 1)], phase="saloon",
                 saloon=FIVE[:4], hand=[DESERT], storages={seat: [DESERT] for seat in (1, 2, 3)})  # fmt: skip
    game.reveal("saloon", ["trapper"])
    order = []
    while not game.over:
        order.append(game.seat)
        game.decide(["build", DESERT, [0, 0], CORN_3, [0, 1]])
    assert order == [2, 0, 3, 1]


def test_building_in_the_last_turn() -> None:
    """MR-22: in the last turn one has to build while a pair can be placed."""
    game = table(last_round=True, hand=[DESERT, DESERT, CANYON, CANYON])
    assert ["stop"] not in options(game)
    game.decide(["build", DESERT, [0, 0], CANYON, [0, 1]])
    assert ["stop"] not in options(game)
    game.decide(["build", DESERT, [1, 0], CANYON, [2, 0]])
    assert set(plots(game)) == {(0, 0), (0, 1), (1, 0), (2, 0)}


def test_rest_is_discarded() -> None:
    """MR-22: the plot left over is discarded; nobody else has two plots, so that ends the game."""
    game = table(last_round=True, hand=[DESERT, DESERT, CANYON])
    game.decide(["build", DESERT, [0, 0], DESERT, [0, 1]])
    assert game.over
    assert game.position()["hands"] == [[], [], []]
    assert len(plots(game)) == 2


def test_no_discard_in_the_last_turn() -> None:
    """MR-22: MR-10 does not apply: if no pair fits, the whole hand is discarded without a choice."""
    game = collect(hand=[DESERT, CANYON, MEADOW, MEADOW], ranch=CORN_ONLY, last_round=True, storages={1: [CANYON]})
    assert (game.seat, game.phase) == (1, "build")
    assert (hand(game), plots(game)) == ([], CORN_ONLY)


def test_first_of_two_last_turns() -> None:
    """MR-22a: the first of two turns in the last round is ordinary, but without Select; the second is the last."""
    current = [(CORN_3, 1), (CORN_4, 0), (CORN_3, 1)]
    game = table(2, last_round=True, hand=[DESERT, CANYON], current=current)
    assert ["stop"] in options(game)
    game.decide(["stop"])  # seat 1 cannot build with a single plot, and keeps it
    assert (game.seat, game.phase, hand(game), hand(game, 1)) == (0, "build", [DESERT, CANYON, CORN_4], [CORN_3])
    assert ["stop"] not in options(game)


def test_first_of_two_last_turns_with_a_full_storage() -> None:
    """MR-22a: MR-10 applies in it: with more plots than slots one must build, or discard two if nothing fits."""
    cards = [DESERT, CANYON, MEADOW, MEADOW]
    assert ["stop"] not in options(collect(2, hand=cards, last_round=True))
    game = collect(2, hand=cards, ranch=CORN_ONLY, last_round=True)
    assert (game.seat, game.phase) == (0, "discard")


def test_second_of_two_last_turns() -> None:
    """MR-22a: in the second MR-22 applies: one has to build, and what then fits nowhere is discarded unasked."""
    current: list[Slot] = [(MEADOW, 0), (CORN_3, 1), (CORN_3, 1)]
    game = table(2, last_round=True, hand=[DESERT, CANYON, CORN_3], ranch=CORN_ONLY, current=current,
                 storages={1: [CANYON]})  # fmt: skip
    game.decide(["stop"])
    assert (game.seat, hand(game)) == (0, [DESERT, CANYON, MEADOW, CORN_3])
    assert ["stop"] not in options(game)
    game.decide(["build", CORN_3, [1, 0], DESERT, [2, 0]])
    assert (game.seat, game.phase, hand(game)) == (1, "build", [])


# ---- Length


@pytest.mark.parametrize("players", [2, 3, 4])
def test_twenty_four_columns(players: int) -> None:
    """MR-25: 96 plots are 24 columns, in each of which every ranchero has a turn; two players have two each."""
    game, chooser = Game(MoonRiver(players)), Generator(players)
    standing = []
    while not game.over:
        if game.chance == "column":
            standing.append(sorted(seat for _, seat in column(game, "current") if seat is not None))
        if game.chance:
            let_chance(game)
        else:
            game.decide(options(game)[chooser.below(len(options(game)))])
    everybody = [0, 0, 1, 1] if players == 2 else [*range(players)]
    assert standing == [[]] + [everybody] * 23  # the 24th column is played in the last round
    assert (game.position()["last_round"], game.position()["pile"]) == (True, [])


@pytest.mark.parametrize(("count", "right"), [(3, False), (4, True), (5, False), (6, False), (8, True)])
def test_whole_columns(count: int, right: bool) -> None:
    """MR-24a: the number of plots is a multiple of the column size."""
    plot = [{"count": count, "number": 1, "landscape": "desert"}]
    if right:
        assert component_set(plot=plot).plots[0].count == count
    else:
        with pytest.raises(ComponentError):
            component_set(plot=plot)


def test_one_column_only() -> None:
    """MR-5, MR-24: if no second column can be drawn, the first round is the last: one turn each, no Select."""
    rules = MoonRiver(4, components=component_set(plot=[{"count": 4, "number": 1, "landscape": "desert"}]))
    game = Game(rules, seed=1)
    while not game.over:
        assert game.phase == "claim"
        game.decide(options(game)[0])
    assert game.position()["last_round"]


# ---- Overpopulation


def test_overpopulation() -> None:
    """MR-27: after the last turn at most one cow stays on each plot of every ranch; the others go to the supply."""
    game = table(
        last_round=True, current=[UNSELECTED], hand=[DESERT, CANYON],
        ranch={(0, 0): Laid(MEADOW, cows=3), (1, 0): Laid(MEADOW, cows=1)},
        others={2: {(0, 0): Laid(FOREST, cows=2), (1, 0): FOREST}},
    )  # fmt: skip
    assert (cows(game), supply(game)) == ({(0, 0): 3, (1, 0): 1}, 26)
    game.decide(["build", DESERT, [0, 1], CANYON, [1, 1]])
    assert game.over
    assert (cows(game), cows(game, 2), supply(game)) == ({(0, 0): 1, (1, 0): 1}, {(0, 0): 1}, 29)
