"""The locomotive: GG-4, GG-5."""

from tests.unit.goldgraeber.table import (
    HOUSE_A,
    banked,
    carried,
    digger,
    go,
    gold,
    on,
    robber,
    table,
    turn,
)


def test_it_moves_instead_of_the_digger() -> None:
    """GG-4: one rail field towards the city."""
    game = go(table(at={0: on(5)}), 1)
    assert game.position()["locomotive"] == [2, 23]
    assert digger(game) == on(5)
    assert turn(game) == 1


def test_a_digger_in_its_way() -> None:
    """GG-5, GG-5c: gold and captured robbers go to the player who rolled; the digger goes behind the locomotive."""
    game = go(table(at={1: on(22)}, locomotive=on(23), carried={0: [gold(2)], 1: [gold(4), robber(3)]}), 1)
    assert carried(game, 0) == [gold(2), gold(4), robber(3)]
    assert carried(game, 1) == []
    assert digger(game, 1) == on(23)
    assert turn(game) == 1


def test_the_first_free_field_behind() -> None:
    """GG-5: free is a field without a digger."""
    game = go(table(4, at={1: on(21), 2: on(21), 3: on(23)}, locomotive=on(22)), 1)
    assert digger(game, 1) == on(22)
    assert digger(game, 2) == on(24)
    assert digger(game, 3) == on(23)


def test_the_next_free_field_behind() -> None:
    """GG-5d, GG-5: of two diggers on the field the one to the left of the roller is set back first, the other behind
    it."""
    game = go(table(at={1: on(21), 2: on(21)}, locomotive=on(22), carried={2: [gold(4)]}), 1)
    assert digger(game, 1) == on(22)
    assert digger(game, 2) == on(23)
    assert carried(game, 0) == [gold(4)]


def test_the_own_digger_comes_last() -> None:
    """GG-5d, GG-5a: hitting one's own digger costs nothing."""
    game = go(table(at={0: on(21), 2: on(21)}, locomotive=on(22), carried={0: [gold(2)], 2: [gold(4)]}), 1)
    assert digger(game, 2) == on(22)
    assert digger(game, 0) == on(23)
    assert carried(game, 0) == [gold(2), gold(4)]


def test_no_free_field_behind() -> None:
    """GG-5b: the digger goes home; what it still has open stays open."""
    game = go(table(at={0: on(23), 1: on(23)}, locomotive=on(24), carried={0: [gold(4)]}), 1)
    assert digger(game, 1) == on(24)
    assert digger(game, 0) == HOUSE_A
    assert carried(game, 0) == [gold(4)]
    assert banked(game, 0) == []


def test_sent_home_by_another() -> None:
    """GG-5b, GG-5: what it had open is the roller's."""
    game = go(table(at={1: on(23), 2: on(23)}, locomotive=on(24), carried={2: [gold(4)]}), 1)
    assert digger(game, 1) == on(24)
    assert digger(game, 2) == (4, 11)
    assert carried(game, 0) == [gold(4)]


def test_won_at_home_lies_open() -> None:
    """GG-5e: only the end of a walk banks."""
    game = go(table(at={0: HOUSE_A, 1: on(22)}, locomotive=on(23), carried={1: [gold(4)]}), 1)
    assert digger(game, 0) == HOUSE_A
    assert carried(game, 0) == [gold(4)]
    assert banked(game, 0) == []


def test_nobody_on_the_way() -> None:
    """GG-5: diggers beside the line or elsewhere on it are left alone."""
    game = go(table(at={1: on(21)}, locomotive=on(23), carried={1: [gold(4)]}), 1)
    assert digger(game, 1) == on(21)
    assert carried(game, 1) == [gold(4)]
