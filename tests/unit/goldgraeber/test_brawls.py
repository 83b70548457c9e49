"""Diggers against diggers: GG-11a to GG-11g, GG-14 to GG-17."""

from typing import Any

import pytest

from engine_cy import Game, IllegalDecision
from tests.unit.goldgraeber.table import (
    HOUSE_A,
    HOUSE_B,
    banked,
    carried,
    columns,
    digger,
    face_down,
    go,
    gold,
    on,
    options,
    robber,
    robbers,
    roll,
    table,
    turn,
)


def brawl(**more: Any) -> Game:
    """Seat 0 attacks seat 1 on (2, 6)."""
    setting: dict[str, Any] = {"carried": {0: [gold(2)], 1: [gold(4), robber(2)]}, "at": {0: on(4), 1: on(6)}}
    return go(table(**setting | more), 2, on(6))


def test_another_digger() -> None:
    """GG-11a: outside the city that is a fight; GG-11b: the chip there stays face down."""
    game = brawl()
    assert game.chance == "roll"
    assert game.position()["turn"]["defender"] == 1
    roll(game, 6, 1, 2)
    assert 6 in face_down(game)


def test_the_higher_takes_all() -> None:
    """GG-14: attacker first, then defender."""
    game = roll(brawl(), 5, 3)
    assert carried(game, 0) == [gold(2), gold(4), robber(2)]
    assert carried(game, 1) == []
    game = roll(brawl(), 3, 5)
    assert carried(game, 0) == []
    assert carried(game, 1) == [gold(2), gold(4), robber(2)]


def test_equal_rolls() -> None:
    """GG-14: both roll again."""
    game = roll(brawl(), 4, 4, 2, 2)
    assert game.position()["turn"]["fight"] == "attack"
    assert carried(roll(game, 1, 6), 1) == [gold(2), gold(4), robber(2)]


def test_the_locomotive_counts_one() -> None:
    """Section 5: also in a brawl, and it does not move."""
    game = roll(brawl(), 1, 2)
    assert carried(game, 1) == [gold(2), gold(4), robber(2)]
    assert game.position()["locomotive"] == [2, 24]


def test_the_winner_walks_away() -> None:
    """GG-15, GG-16b: the winner chooses where; the loser stays; GG-16: a chip reached is not turned up."""
    game = roll(brawl(), 6, 1, 3)
    assert (game.phase, game.seat) == ("retreat", 0)
    assert columns(game) == [3, 9]
    game.decide(["retreat", [2, 3]])
    assert digger(game, 0) == on(3)
    assert digger(game, 1) == on(6)
    assert 3 in face_down(game)
    assert (turn(game), game.chance) == (1, "die")


def test_a_winning_defender_walks_away() -> None:
    """GG-15, GG-16b: it decides in the turn of another; GG-17: play goes on to the left of that one."""
    game = roll(brawl(), 1, 6, 3)
    assert (game.phase, game.seat, turn(game)) == ("retreat", 1, 0)
    game.decide(["retreat", [2, 3]])
    assert digger(game, 1) == on(3)
    assert digger(game, 0) == on(6)
    assert turn(game) == 1


def test_the_winner_may_get_home() -> None:
    """GG-16a: the own house may be reached by the exact number, and banks."""
    game = roll(brawl(), 6, 1, 6)
    assert HOUSE_A in options(game)
    game.decide(["retreat", list(HOUSE_A)])
    assert banked(game) == [gold(2), gold(4), robber(2)]
    assert carried(game) == []


def test_the_winner_cannot_go() -> None:
    """GG-16a: both stay on the field, and the roll was made all the same."""
    game = roll(brawl(players=4, at={0: on(4), 1: on(6), 2: on(5), 3: on(7)}), 1, 6, 1)
    assert digger(game, 0) == digger(game, 1) == on(6)
    assert (turn(game), game.chance) == (1, "die")


def test_the_next_clockwise_defends() -> None:
    """GG-11g: of several diggers on the field."""
    game = go(table(4, at={0: on(4), 2: on(6), 3: on(6)}), 2, on(6))
    assert game.position()["turn"]["defender"] == 2
    game = go(table(4, at={0: on(6), 1: on(6), 2: on(4)}, seat=2), 2, on(6))
    assert game.position()["turn"]["defender"] == 0


def test_a_robber_under_a_digger() -> None:
    """GG-11g: it is left alone like a chip."""
    game = brawl(robbers={6: (5, [gold(4)])}, carried={})
    assert game.position()["turn"]["fight"] == "attack"
    roll(game, 6, 1, 2)
    assert robbers(game) == {6: (5, [gold(4)])}


def test_nobody_fights_in_the_city() -> None:
    """GG-11c, GG-11d."""
    game = go(table(at={0: on(10), 1: on(13)}, carried={1: [gold(4)]}), 3, on(13))
    assert (turn(game), game.chance) == (1, "die")


def test_on_the_rail() -> None:
    """GG-11a: a rail field outside the city is land."""
    game = go(table(at={0: on(18), 1: on(20)}), 2)
    game.decide(["walk", [2, 20]])
    assert game.chance == "roll"


def test_a_loop_to_where_two_stand() -> None:
    """GG-6c, GG-11a: who comes back to the field it shares with another attacks."""
    game = go(table(at={0: on(10), 1: on(10)}), 5, on(10))
    assert game.position()["turn"]["fight"] == "attack"


def test_home_is_safe() -> None:
    """GG-7a: nobody gets into a house of others."""
    game = go(table(at={0: (2, 12)}), 3)
    assert HOUSE_B not in options(game)


def test_only_the_winner_decides() -> None:
    """GG-16b."""
    game = roll(brawl(), 6, 1, 3)
    for wrong in (["retreat", [2, 6]], ["walk", [2, 9]], ["retreat", [2, 8]], ["retreat", [3, 5]]):
        with pytest.raises(IllegalDecision):
            game.decide(wrong)
