"""Setup and the map: GG-1 to GG-3."""

from collections import Counter

import pytest

from engine_cy import Game, OptionError
from engine_cy.goldgraeber.components import standard
from engine_cy.goldgraeber.rules import Goldgraeber
from tests.unit.goldgraeber.table import (
    DOOR_B,
    HOUSE_B,
    MAP,
    carried,
    columns,
    digger,
    face_down,
    go,
    gold,
    on,
    options,
    rules,
    table,
    turn,
    turn_up,
)


def test_nobody_steps_between_street_and_lake() -> None:
    """GG-1: a lake field beside streets only is no shore."""
    assert MAP.kind((3, 12)) == "water"
    game = go(table(at={0: on(10)}), 2)
    assert (3, 12) not in options(game)
    assert (2, 12) in options(game)


def test_streets_are_not_land() -> None:
    """GG-1: in the city nobody fights, so the same field is shared."""
    game = go(table(at={0: on(10), 1: on(12)}, carried={1: [gold(4)]}), 2, on(12))
    assert game.chance == "die"
    assert digger(game, 0) == digger(game, 1)
    assert carried(game, 1) == [gold(4)]


def test_start() -> None:
    """GG-2: a chip on every hole, rafts on the piers, the locomotive at the tunnel, diggers at home."""
    game = Game(rules(3))
    position = game.position()
    assert game.chance == "first"
    assert face_down(game) == list(range(2, 11))
    assert position["rafts"] == [[3, 4], [3, 6]]
    assert position["locomotive"] == [2, 24]
    assert position["diggers"] == [[2, 0], [0, 11], [4, 11]]
    assert position["open"] == position["banked"] == [[], [], []]


def test_chips_are_shuffled() -> None:
    """GG-2: by the seed; all 64 of the printed game."""
    first, second = (Game(Goldgraeber(3), seed).position()["chips"] for seed in (1, 2))
    assert first != second
    chips = Counter((entry["chip"]["kind"], entry["chip"]["value"]) for entry in first)
    expected = {("gold", 1): 8, ("gold", 2): 10, ("gold", 3): 12, ("gold", 4): 10, ("gold", 5): 8}
    expected |= {("robber", 1): 1, ("robber", 2): 3, ("robber", 3): 4, ("robber", 4): 5, ("robber", 5): 3}
    assert chips == expected
    assert len(standard().holes) == 64


def test_colours() -> None:
    """GG-2a: seat i has colour i unless the option says otherwise."""
    assert Game(rules(4)).position()["diggers"] == [[2, 0], [0, 11], [4, 11], [0, 14]]
    assert Game(rules(3, colours=[5, 0, 2])).position()["diggers"] == [[0, 17], [2, 0], [4, 11]]
    for colours in ([0, 1], [0, 1, 1], [0, 1, 6], "012"):
        with pytest.raises(OptionError):
            rules(3, colours=colours)


def test_unused_houses_are_closed() -> None:
    """GG-2a: house D, two steps from (2, 15), belongs to nobody with three players."""
    game = go(table(at={0: on(16)}), 3)
    assert (0, 14) not in options(game)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_first_player(first: int) -> None:
    """GG-3: drawn; GG-2a, GG-17: then clockwise in ascending order."""
    game = Game(rules(3))
    game.reveal("first", first)
    order = []
    for _ in range(4):
        order.append(turn(game))
        game.reveal("die", 1)
    assert order == [first, (first + 1) % 3, (first + 2) % 3, first]


def test_every_seat_may_begin() -> None:
    """GG-3: every seat, about equally often."""
    firsts = Counter(Game(rules(3), seed).history[0].outcome for seed in range(300))  # type: ignore[union-attr]
    assert set(firsts) == {0, 1, 2}
    assert min(firsts.values()) > 60


def test_options_of_the_rules() -> None:
    """3 to 6 players, a map by its name, prospecting or not; the header of traces."""
    made = Goldgraeber(3, prospecting=True)
    plain = {"players": 3, "prospecting": True, "map": "golden-city", "colours": [0, 1, 2]}
    assert made.options() == {**plain, "edition": 2}
    assert Goldgraeber(3).options() == {**plain, "prospecting": False}
    assert Goldgraeber.from_options(made.options()) == made
    assert rules(5).options()["map"] == "line"
    for wrong in ({"players": 2}, {"players": 7}, {"players": 3, "map": "line"}, {"players": 3, "prospecting": 1}):
        with pytest.raises(OptionError):
            Goldgraeber.from_options(wrong)


def test_the_start_is_left_by_the_door() -> None:
    """GG-7: from house B the first field is its door."""
    game = go(table(at={0: HOUSE_B}, options={"colours": [1, 0, 2]}), 2)
    assert options(game) == [(2, 11), (2, 12)]
    assert DOOR_B not in options(game)


def test_helper_turns_up() -> None:
    """GG-10: a chip turned up is where the digger stands."""
    game = turn_up(go(table(), 4), gold(4))
    assert digger(game) == on(4)
    assert columns(go(game, 1)) == []
