"""Walks: GG-6 to GG-9."""

import pytest

from tests.unit.goldgraeber.table import (
    DOOR_A,
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
    table,
    turn,
    turn_up,
)


def test_exactly_that_many_fields() -> None:
    """GG-6: along the line, either way."""
    for number in (2, 3):
        assert columns(go(table(at={0: on(6)}, rafts=[(3, 4), (3, 5)]), number)) == [6 - number, 6 + number]
    assert columns(go(table(at={0: on(6)}), 4)) == [2, 10]


def test_over_diggers_and_chips() -> None:
    """GG-6: both may be walked over and count."""
    game = go(table(at={0: on(2), 1: on(4), 2: on(5)}), 5, on(7))
    assert game.chance == "chip"
    assert carried(turn_up(game, gold(2))) == [gold(2)]


def test_not_past_the_locomotive() -> None:
    """GG-6, GG-6a: it is neither passed nor landed on."""
    at = {0: on(18)}
    free = columns(go(table(at=at, locomotive=(2, 24)), 3))
    assert 21 in free
    assert 21 not in columns(go(table(at=at, locomotive=(2, 21)), 3))
    assert 21 not in columns(go(table(at=at, locomotive=(2, 20)), 3))
    assert 21 in columns(go(table(at=at, locomotive=(2, 22)), 3))


def test_never_straight_back() -> None:
    """GG-6b: whoever goes into house A does not come out again in the same walk; one way is left, and taken."""
    assert digger(go(table(at={0: DOOR_A}), 2)) == on(3)
    assert digger(go(table(at={0: on(2)}, rafts=[(3, 5), (3, 6)]), 3)) == on(5)


def test_a_field_entered_twice() -> None:
    """GG-6, GG-6b: round the door of house B, over (2, 11) and (2, 10) again, to (2, 9)."""
    assert columns(go(table(at={0: on(10)}), 6))[:2] == [4, 9]


def test_back_to_the_start() -> None:
    """GG-6c: round the door of house B back to where it began, and the chip one stands on is turned up."""
    assert (2, 11) in options(go(table(at={0: (2, 11)}), 3))
    game = go(table(at={0: on(10)}), 5, on(10))
    assert game.chance == "chip"
    turn_up(game, gold(4))
    assert 10 not in face_down(game)
    assert carried(game) == [gold(4)]


def test_home_by_the_exact_number() -> None:
    """GG-7, GG-11: the walk ends in the house, and all open chips are banked."""
    game = go(table(at={0: on(4)}, carried={0: [gold(2), ("robber", 2)]}, empty=[4, 5]), 4, HOUSE_A)
    assert digger(game) == HOUSE_A
    assert banked(game) == [gold(2), ("robber", 2)]
    assert carried(game) == []
    assert turn(game) == 1


@pytest.mark.parametrize("number", [2, 3, 5, 6])
def test_not_home_by_another_number(number: int) -> None:
    """GG-7: house A is four steps away."""
    assert HOUSE_A not in options(go(table(at={0: on(4)}), number))


def test_other_houses_are_closed() -> None:
    """GG-7a: house B is two steps from (2, 11), but seat 1's."""
    assert HOUSE_B not in options(go(table(at={0: (2, 11)}), 2))
    assert HOUSE_B in options(go(table(at={0: (2, 11)}, options={"colours": [1, 0, 2]}), 2))


def test_onto_a_raft() -> None:
    """GG-8: with the last step, and only where a raft lies."""
    game = go(table(at={0: on(2)}, rafts=[(3, 4), (3, 6)]), 3)
    assert options(game) == [(2, 5), (3, 4)]
    game = go(table(at={0: on(2)}, rafts=[(3, 5), (3, 6)]), 3)
    assert digger(game) == on(5)


def test_not_over_the_lake() -> None:
    """GG-8: a lake is not walked over: from (2, 4) one cannot come to (2, 6) over (3, 4) and (3, 5)."""
    game = go(table(at={0: on(5)}, rafts=[(3, 4), (3, 5)]), 3)
    assert (2, 6) not in options(game)
    assert columns(game) == [2, 8]


def test_across_the_lake() -> None:
    """GG-8: raft and digger move at once to any free shore field; GG-8c: those without a raft, and the present one."""
    game = go(table(at={0: on(2)}, rafts=[(3, 4), (3, 6)]), 3, (3, 4))
    assert game.phase == "ferry"
    assert options(game) == [(3, 4), (3, 5)]
    game.decide(["ferry", [3, 5]])
    assert digger(game) == (3, 5)
    assert game.position()["rafts"] == [[3, 5], [3, 6]]
    assert turn(game) == 1


def test_staying_on_the_shore() -> None:
    """GG-8: staying is allowed."""
    game = go(table(at={0: on(2)}), 3, (3, 4))
    game.decide(["ferry", [3, 4]])
    assert digger(game) == (3, 4)


def test_off_the_raft() -> None:
    """GG-8: the walk begins on land; the raft stays."""
    game = go(table(at={0: (3, 5)}, rafts=[(3, 5), (3, 6)]), 3)
    assert columns(game) == [3, 4, 7, 8]
    game.decide(["walk", [2, 3]])
    assert game.position()["rafts"] == [[3, 5], [3, 6]]
    assert digger(game) == on(3)


def test_one_digger_a_raft() -> None:
    """GG-8: a raft with a digger is not entered, and nobody fights there."""
    game = go(table(at={0: on(2), 1: (3, 4)}), 3)
    assert digger(game) == on(5)


def test_one_raft_a_field() -> None:
    """GG-8a, GG-8c: a field with a raft is not free."""
    game = go(table(at={0: on(2), 1: (3, 5)}, rafts=[(3, 4), (3, 5)]), 3, (3, 4))
    assert options(game) == [(3, 4), (3, 6)]


def test_back_onto_the_same_raft() -> None:
    """GG-8b: the raft just left is free for the same walk: off (3, 5), along (2, 5) and (2, 6), on again."""
    assert (3, 5) in options(go(table(at={0: (3, 5)}, rafts=[(3, 5), (3, 6)]), 3))
    assert (3, 5) not in options(go(table(at={0: (3, 5)}, rafts=[(3, 5), (3, 6)]), 2))  # straight back


def test_from_raft_to_raft() -> None:
    """GG-8: off (3, 4), over (2, 5), onto the other raft; and from there to any free shore field."""
    game = go(table(at={0: (3, 4)}, rafts=[(3, 4), (3, 5)]), 2, (3, 5))
    assert options(game) == [(3, 5), (3, 6)]


def test_no_walk_of_that_length() -> None:
    """GG-9: behind the locomotive, at the end of the line, there is no way: the digger stays."""
    game = go(table(at={0: on(24)}, locomotive=(2, 23)), 4)
    assert digger(game) == on(24)
    assert turn(game) == 1
    assert game.chance == "die"


def test_a_stranded_digger_does_not_arrive() -> None:
    """GG-9: it does not arrive anywhere, so there is no fight with who stands there too."""
    game = go(table(at={0: on(24), 1: on(24)}, locomotive=(2, 23), carried={1: [gold(4)]}), 3)
    assert carried(game, 1) == [gold(4)]
    assert turn(game) == 1


def test_a_single_walk_is_taken() -> None:
    """Section 8: a decision with one option is not asked for: from house A there is one way."""
    assert digger(go(table(), 3)) == on(3)
