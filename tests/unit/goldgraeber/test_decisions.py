"""Decisions and outcomes in their forms, and the quick judgement."""

from typing import Any

import pytest

from engine_cy import Game, Generator, IllegalDecision, ImpossibleOutcome, OptionError
from engine_cy.goldgraeber import Ferry, Field, Prospect, Retreat, Roll, Walk
from engine_cy.goldgraeber.rules import Goldgraeber
from engine_cy.loops import play_games
from tests.unit.goldgraeber.table import HOUSE_A, Chip, go, gold, on, robber, roll, rules, table, turn_up


def test_objects() -> None:
    """Every decision is an object with a list form and words."""
    asked = table(at={0: on(6)}, phase="prospect", options={"prospecting": True})
    assert asked.decisions() == [Roll(), Prospect()]
    assert [decision.to_list() for decision in asked.decisions()] == [["roll"], ["prospect"]]
    walk = go(table(at={0: on(2)}), 3)
    assert walk.decisions() == [Walk(Field(2, 5)), Walk(Field(3, 4))]
    assert [str(decision) for decision in walk.decisions()] == ["walk to f3", "walk to e4"]
    walk.decide(Walk(Field(3, 4)))
    assert walk.decisions() == [Ferry(Field(3, 4)), Ferry(Field(3, 5))]
    assert walk.decisions()[0].to_list() == ["ferry", [3, 4]]
    away = roll(turn_up(go(table(at={0: on(4)}), 2, on(6)), robber(5)), 2)
    assert away.decisions() == [Retreat(Field(2, 4)), Retreat(Field(2, 8))]


@pytest.mark.parametrize(
    "wrong",
    [
        ["walk"], ["walk", 5], ["walk", [2, 4]], ["walk", [2]], ["walk", [2, 5, 0]], ["walk", [True, 5]],
        ["ferry", [3, 4]], ["roll"], [], "walk", None, 5, ["walk", [2, 5], 0], ["walk", "25"], [["walk"], [2, 5]],
        ["walk", [99, 99]],
    ],
)  # fmt: skip
def test_only_options(wrong: Any) -> None:
    game = go(table(at={0: on(2)}), 3)
    before = bytes(game.state)
    with pytest.raises(IllegalDecision):
        game.decide(wrong)
    assert bytes(game.state) == before


@pytest.mark.parametrize(
    ("what", "outcome"),
    [
        ("die", 3), ("roll", 3), ("chip", 3), ("chip", [[2, 3], ["gold", 0]]), ("chip", [[2, 3], ["gold", 6]]),
        ("chip", [[2, 4], ["gold", 4]]), ("chip", [[2, 3], ["silver", 4]]), ("chip", [[2, 3], ["gold", 4.0]]),
        ("chip", [[2, 3]]), ("chip", None), ("chip", [[2, 3], [["gold"], 4]]), ("chip", [["2", 3], ["gold", 4]]),
    ],
)  # fmt: skip
def test_only_what_can_come(what: str, outcome: Any) -> None:
    game = go(table(), 3)
    before = bytes(game.state)
    with pytest.raises(ImpossibleOutcome):
        game.reveal(what, outcome)
    assert bytes(game.state) == before


@pytest.mark.parametrize("number", [0, 7, -1, True, 2.0, "2", None, 256])
def test_numbers_of_the_die(number: Any) -> None:
    """Section 1: 1 is the locomotive, then 2 to 6."""
    with pytest.raises(ImpossibleOutcome):
        table().reveal("die", number)


def worths(game: Game) -> dict[Any, float]:
    """The quick judgement of every field."""
    return {tuple(game.rules.decode(game.state.phase, code).to_list()[1]): w for code, w in game.state.appraise()}


def test_the_rich_go_home() -> None:
    """With much to lose the house is better than another chip, and by more than with nothing."""
    rich = worths(go(table(at={0: on(3)}, carried={0: [gold(4), gold(4), robber(5), robber(4)]}), 3))
    poor = worths(go(table(at={0: on(3)}, empty=[7, 8, 9, 10]), 3))
    assert max(rich, key=rich.__getitem__) == HOUSE_A
    assert rich[HOUSE_A] - rich[on(6)] > poor[HOUSE_A] - poor[on(6)] + 2


def test_a_seat_judges_by_what_it_knows() -> None:
    """GG-20: gold it has seen is better than a robber it has seen; who has seen nothing cannot tell."""

    def judged(seat: int, at_3: Chip, at_9: Chip) -> dict[Any, float]:
        """The fields that seat 0 may walk to, with these chips there, known to a seat."""
        known = {"looked": {3: [seat], 9: [seat]}, "chips": {3: at_3, 9: at_9}}
        return worths(go(table(at={0: on(6)}, options={"prospecting": True}, **known), 3))  # type: ignore[arg-type]

    one, other = judged(0, gold(4), robber(5)), judged(0, robber(5), gold(4))
    assert one[on(3)] > other[on(3)]
    assert other[on(9)] > one[on(9)]
    assert judged(1, gold(4), robber(5)) == judged(1, robber(5), gold(4))


def test_views_judge_alike() -> None:
    """What is hidden from a seat does not enter its judgement."""
    chooser = Generator(3)
    game = Game(Goldgraeber(4, prospecting=True), 8)
    while not game.over:
        assert game.seat is not None
        assert game.state.appraise() == game.observe(game.seat).state.appraise()
        options = game.decisions()
        game.decide(options[chooser.below(len(options))])


@pytest.mark.parametrize("prospecting", [False, True])
def test_sense_beats_chance(prospecting: bool) -> None:
    """A seat with quick judgement beats three at random nearly always, and banks tens of points."""
    state = Goldgraeber(4, prospecting=prospecting).compiled.start()
    won, points = play_games(state, Generator(1), 200, 1)
    assert won[0] > 190
    assert points[0] > 200 * 30


def test_personalities() -> None:
    """Each is a way of its own; the first is the plain one."""
    made = Goldgraeber(3)
    assert Goldgraeber.personalities()[0] == "balanced"
    assert Goldgraeber.judgement.personalities["balanced"] == {}
    state = Game(made, 3).state
    for name in Goldgraeber.personalities():
        assert state.under(made.shaped(name, 0)).copy() == state
    with pytest.raises(OptionError, match="personality"):
        made.shaped("pessimist", 0)
    with pytest.raises(OptionError, match="seat"):
        made.shaped("banker", 3)


def test_weights() -> None:
    """By seat, by name; what is no number or no weight is refused."""
    Goldgraeber(3, weights=[{"risk": 1}, {}, {}])
    refused: list[Any] = [[{}], [{"risk": "1"}, {}, {}], [{"nothing": 1.0}, {}, {}], [{"risk": float("nan")}, {}, {}]]
    for wrong in refused:
        with pytest.raises(OptionError, match="weights"):
            Goldgraeber(3, weights=wrong)


def test_words() -> None:
    """A table as text."""
    game = go(table(at={0: on(4), 1: on(9)}, robbers={5: (4, [gold(2)])}, carried={0: [gold(4), robber(3)]}), 3)
    text = str(game)
    assert "seat 0 (A) at e3" in text
    assert "@0" in str(Game(Goldgraeber(3), 1))
    assert "open 4 gold, 1 robber" in text


def test_about() -> None:
    """Options for a form, and the map as plain data."""
    about = Goldgraeber.about()
    assert [option.name for option in about.options] == list(rules(3).options())
    assert len(about.components["holes"]) == 64
    assert sum(entry["count"] for entry in about.components["gold"] + about.components["robbers"]) == 64
