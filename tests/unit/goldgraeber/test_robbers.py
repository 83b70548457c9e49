"""Chips and robbers: GG-10 to GG-13, GG-16."""

import pytest

from engine_cy import ImpossibleOutcome
from tests.unit.goldgraeber.table import (
    HOUSE_A,
    PIERS,
    Chip,
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
    turn_up,
)


def test_gold() -> None:
    """GG-10: it is turned up for all and lies open in front of the player."""
    game = turn_up(go(table(), 3), gold(4))
    assert carried(game) == [gold(4)]
    assert 3 not in face_down(game)
    assert turn(game) == 1


def test_only_chips_that_are_left() -> None:
    """GG-2: what has gone cannot be turned up."""
    game = go(table(carried={1: [gold(4), gold(4)]}), 3)
    for chip in (gold(4), gold(3), robber(1)):
        with pytest.raises(ImpossibleOutcome):
            turn_up(game, chip)
    assert carried(turn_up(game, gold(2))) == [gold(2)]


def test_an_empty_hole() -> None:
    """GG-10: where no chip lies nothing happens."""
    game = go(table(empty=[3]), 3)
    assert game.chance == "die"
    assert turn(game) == 1


@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_robber_beaten(number: int) -> None:
    """GG-12: higher than the strength, and it lies open with the player."""
    game = roll(turn_up(go(table(), 3), robber(2)), number)
    assert carried(game) == [robber(2)]
    assert robbers(game) == {}
    assert digger(game) == on(3)
    assert turn(game) == 1


def test_a_tie_is_rolled_again() -> None:
    """GG-12: until the number differs."""
    game = roll(turn_up(go(table(), 3), robber(4)), 4, 4)
    assert game.chance == "roll"
    assert carried(roll(game, 5)) == [robber(4)]


def test_the_locomotive_counts_one() -> None:
    """Section 5: a rolled locomotive counts 1 and does not move."""
    game = roll(turn_up(go(table(), 3), robber(2)), 1)
    assert game.position()["locomotive"] == [2, 24]
    assert robbers(game) == {3: (2, [])}


def test_robber_wins() -> None:
    """GG-13: all open chips go under it, gold and robbers; the digger walks as far as the deciding roll says."""
    at = {0: on(4)}
    game = turn_up(go(table(at=at, carried={0: [gold(2), robber(3)]}, rafts=PIERS), 2, on(6)), robber(5))
    roll(game, 5, 3)
    assert game.phase == "retreat"
    assert columns(game) == [3, 9]
    assert robbers(game) == {6: (5, [gold(2), robber(3)])}
    assert carried(game) == []
    game.decide(["retreat", [2, 9]])
    assert digger(game) == on(9)
    assert turn(game) == 1


def test_a_chip_reached_so_stays_down() -> None:
    """GG-16."""
    game = roll(turn_up(go(table(at={0: on(4)}), 2, on(6)), robber(5)), 2)
    game.decide(["retreat", [2, 8]])
    assert 8 in face_down(game)
    assert game.chance == "die"


def test_not_onto_a_raft() -> None:
    """GG-16a: the walk away does not end on a raft."""
    game = roll(turn_up(go(table(at={0: on(4)}), 2, on(6)), robber(5)), 2)
    assert options(game) == [(2, 4), (2, 8)]


def test_not_onto_a_robber_or_a_digger() -> None:
    """GG-16a: nor on a revealed robber or on a field outside the city with a digger."""
    game = roll(turn_up(go(table(at={0: on(4)}, robbers={8: (3, [])}), 2, on(6)), robber(5)), 2)
    assert digger(game) == on(4)
    game = roll(turn_up(go(table(at={0: on(4), 2: on(8)}), 2, on(6)), robber(5)), 2)
    assert digger(game) == on(4)


def test_onto_a_digger_in_the_city() -> None:
    """GG-16a, GG-11d: streets may be shared."""
    game = roll(turn_up(go(table(at={0: on(7), 2: on(12)}), 3, on(10)), robber(5)), 2)
    assert (2, 12) in options(game)


def test_home_after_a_lost_fight() -> None:
    """GG-16a: the own house may be reached."""
    game = roll(turn_up(go(table(at={0: on(6)}), 3, on(3)), robber(5)), 3)
    assert options(game) == [HOUSE_A, on(6)]
    game.decide(["retreat", list(HOUSE_A)])
    assert digger(game) == HOUSE_A


def test_nowhere_to_go() -> None:
    """GG-16a, GG-16b: the digger stays, did not arrive, and fights no more."""
    game = table(at={0: on(4), 1: on(5), 2: on(7)})
    roll(turn_up(go(game, 2, on(6)), robber(5)), 1)
    assert digger(game) == on(6)
    assert turn(game) == 1
    assert game.chance == "die"


def loot() -> tuple[int, list[Chip]]:
    return 4, [gold(2), robber(2)]


def test_a_revealed_robber_is_fought_again() -> None:
    """GG-11e, GG-11f: whoever lands there challenges it; GG-12: the winner also takes what lay under it."""
    game = go(table(at={0: on(4)}, robbers={6: loot()}, carried={0: [gold(4)]}), 2, on(6))
    assert game.chance == "roll"
    roll(game, 5)
    assert carried(game) == [gold(2), gold(4), robber(2), robber(4)]
    assert robbers(game) == {}
    assert face_down(game) == [column for column in face_down(game) if column != 6]


def test_a_revealed_robber_wins_again() -> None:
    """GG-11e, GG-13: what the loser had comes to what lies there."""
    game = go(table(at={0: on(4)}, robbers={6: loot()}, carried={0: [gold(4)]}), 2, on(6))
    roll(game, 4, 1)
    assert robbers(game) == {6: (4, [gold(2), gold(4), robber(2)])}


def test_the_own_house_banks_everything() -> None:
    """GG-11: gold and robbers are safe for good."""
    game = go(table(at={0: on(3)}, carried={0: [gold(2), robber(4)]}, banked={0: [gold(4)]}), 3, HOUSE_A)
    assert banked(game) == [gold(2), gold(4), robber(4)]
    assert game.scores()[0].to_dict() == {"seat": 0, "gold": 6, "robbers": 2, "total": 8}
