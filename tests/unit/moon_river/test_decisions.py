"""Section 10: which decisions and chance events there are, and their forms."""

from typing import Any

import pytest

from engine_cy import Chosen, Game, Generator, Happened, IllegalDecision, ImpossibleOutcome, MoonRiver
from tests.unit.moon_river.table import (
    CANYON,
    CORN_3,
    CORN_ONLY,
    DESERT,
    MEADOW,
    UNSELECTED,
    collect,
    component_set,
    let_chance,
    options,
    table,
)


@pytest.mark.parametrize(("players", "expected"), [
    (2, ["saloon", "column", "ranchero", "claim", "claim", "claim", "column"]),
    (3, ["saloon", "column", "ranchero", "claim", "ranchero", "claim", "claim", "column"]),
    (4, ["saloon", "column", "ranchero", "claim", "ranchero", "claim", "ranchero", "claim", "column"]),
])  # fmt: skip
def test_events_of_the_setup(players: int, expected: list[str]) -> None:
    """Section 10, MR-3 to MR-6: scenario, saloon, first column, a ranchero before each claim, second column."""
    for legends in (False, True):
        game = Game(MoonRiver(players, legends=legends), seed=9)
        while game.phase == "claim":
            game.decide(game.decisions()[0])
        names = [event.what if isinstance(event, Happened) else event.decision.kind for event in game.history]
        assert names == ["scenario"] * legends + expected  # the forced last claim is not among them


def test_nothing_drawn_is_no_event() -> None:
    """Section 10: a game without partners has no saloon events."""
    names = ("desperado", "cattle_thief", "gold_digger", "trapper", "farmer")
    game = Game(MoonRiver(3, components=component_set(partners=dict.fromkeys(names, 0))))
    assert game.chance == "column"


def test_column_before_saloon() -> None:
    """Section 10, MR-23: at the end of a round the column comes first, then the saloon."""
    upcoming = [(CORN_3, 1), (CORN_3, 2), UNSELECTED, UNSELECTED]
    game = table(phase="select", current=[UNSELECTED], upcoming=upcoming)
    game.decide(["select", 2])
    events = []
    while game.chance:
        events.append(game.chance)
        let_chance(game)
    assert events == ["column", "saloon"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_real_decisions_only(players: int) -> None:
    """Section 10: only decisions with two options or more are asked and recorded; no option comes twice."""
    game, chooser = Game(MoonRiver(players, legends=True), seed=players), Generator(players)
    asked: list[Chosen] = []
    while not game.over:
        assert game.seat is not None
        decisions = game.decisions()
        assert len(decisions) == len(set(decisions)) >= 2
        asked.append(Chosen(game.seat, decisions[chooser.below(len(decisions))]))
        game.decide(asked[-1].decision)
    assert [event for event in game.history if isinstance(event, Chosen)] == asked


def test_positions_of_one_kind() -> None:
    """Section 10: two positions of a column with plots of one kind are two options."""
    game = Game(MoonRiver(3))
    for what, outcome in (("saloon", ["trapper"] * 5), ("column", [DESERT] * 4), ("ranchero", 0)):
        game.reveal(what, outcome)
    assert options(game) == [["claim", 0], ["claim", 1], ["claim", 2], ["claim", 3]]


def test_plots_of_one_kind() -> None:
    """Section 10: plots of one kind in hand are the same option; three deserts build like two."""
    assert options(table(hand=[DESERT, DESERT, DESERT])) == options(table(hand=[DESERT, DESERT]))


@pytest.mark.parametrize("wrong", [
    ["build", DESERT, [0, 1], CANYON, [0, 0]],  # the lower cell comes first
    ["build", MEADOW, [0, 0], CANYON, [0, 1]],  # not in hand
    ["build", DESERT, [0, 0], CANYON],
    ["build", "desert", [0, 0], CANYON, [0, 1]],
    ["build", True, [0, 0], CANYON, [0, 1]],
    ["build", DESERT, 0, CANYON, 1],
    ["select", 0], ["done"], ["decline"], ["stop", 0], ["recruit", [0, 0], "trapper", "cowboy"], [], ["nonsense"],
])  # fmt: skip
def test_what_is_no_option(wrong: list[Any]) -> None:
    """Section 10: whatever is no option is refused, and the game stays as it was."""
    game = table(hand=[DESERT, CANYON])
    before = game.copy()
    with pytest.raises(IllegalDecision):
        game.decide(wrong)
    assert game == before
    assert game.history == []


def test_discard_names_the_lower_kind_first() -> None:
    """Section 10: the two kinds of a discard have one order."""
    game = collect(hand=[DESERT, CANYON, CANYON, MEADOW], ranch=CORN_ONLY)
    with pytest.raises(IllegalDecision):
        game.decide(["discard", CANYON, DESERT])
    with pytest.raises(IllegalDecision):
        game.decide(["discard", DESERT, DESERT])  # there is one only
    game.decide(["discard", DESERT, CANYON])


def test_objects_and_lists() -> None:
    """Section 10: a decision is the same as an object and in list form."""
    one, two = table(hand=[DESERT, CANYON]), table(hand=[DESERT, CANYON])
    for decision in one.decisions():
        by_object, by_list = one.copy(), two.copy()
        by_object.decide(decision)
        by_list.decide(decision.to_list())
        assert by_object == by_list
        assert by_object.history == by_list.history == [Chosen(0, decision)]


def test_nobody_is_asked_while_chance_is_due() -> None:
    """Section 10: decisions and chance events have their time."""
    game = Game(MoonRiver(3))
    assert (game.seat, game.decisions()) == (None, [])
    with pytest.raises(IllegalDecision):
        game.decide(["claim", 0])
    with pytest.raises(ImpossibleOutcome):
        game.reveal("column", [DESERT] * 4)
    game = table(hand=[DESERT, CANYON])
    with pytest.raises(ImpossibleOutcome):
        game.reveal("column", [DESERT] * 4)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_decision_can_be_a_starting_point(players: int) -> None:
    """Section 10: a game can be taken up in the middle of a turn, whatever is being decided (MR-26's choices too)."""
    refused = set()
    for seed in range(12):
        game, chooser = Game(MoonRiver(players), seed), Generator(seed, 1)
        while not game.over:
            try:
                assert Game.at(game.rules, game.position()) == game
            except ValueError as error:
                refused.add((game.phase, str(error)))
            game.decide(game.decisions()[chooser.below(len(game.decisions()))])
    assert refused == set()
