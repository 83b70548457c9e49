"""The end and the score: GG-17 to GG-19."""

from engine_cy import Game
from engine_cy.goldgraeber.rules import Goldgraeber
from tests.unit.goldgraeber.table import (
    carried,
    digger,
    face_down,
    go,
    gold,
    on,
    robber,
    robbers,
    roll,
    table,
    turn,
    turn_up,
)


def ended_by(game: Game) -> str | None:
    assert isinstance(game.rules, Goldgraeber)
    return game.rules.ended_by(game.state)


def test_to_the_left() -> None:
    """GG-17: the seat after the one whose turn it was, from the last to the first."""
    assert turn(go(table(4, seat=3), 1)) == 0
    assert turn(go(table(4, seat=1), 1)) == 2


def test_the_locomotive_arrives() -> None:
    """GG-18, GG-18b: at once; its last step hits nobody."""
    game = table(at={1: on(19)}, locomotive=on(20), carried={1: [gold(4)]})
    assert ended_by(game) is None
    go(game, 1)
    assert game.over
    assert ended_by(game) == "locomotive"
    assert carried(game, 1) == [gold(4)]
    assert digger(game, 1) == on(19)


def test_the_last_chips() -> None:
    """GG-18: no more face-down chips than players."""
    game = turn_up(go(table(empty=[6, 7, 8, 9, 10], chips={3: gold(4)}), 3), gold(4))
    assert face_down(game) == [2, 4, 5]
    assert game.over
    assert ended_by(game) == "chips"


def test_one_chip_more() -> None:
    """GG-18: with one more the game goes on."""
    game = turn_up(go(table(empty=[7, 8, 9, 10]), 3), gold(4))
    assert not game.over
    assert ended_by(game) is None
    game = turn_up(go(table(4, empty=[7, 8, 9, 10]), 3), gold(4))
    assert game.over


def test_robbers_face_up_do_not_count() -> None:
    """GG-18a: chips under a revealed robber are not counted either; chips under diggers are."""
    game = table(at={1: on(4)}, robbers={9: (5, [gold(2)]), 10: (4, [])}, empty=[6, 7, 8])
    assert len(face_down(game)) == 4
    assert turn_up(go(game, 3), gold(4)).over
    assert 4 in face_down(game)


def test_the_last_robber_is_not_fought() -> None:
    """GG-18b."""
    game = turn_up(go(table(empty=[6, 7, 8, 9, 10], chips={3: robber(5)}), 3), robber(5))
    assert game.over
    assert robbers(game) == {3: (5, [])}


def test_points() -> None:
    """GG-19: banked gold by value, banked robbers 2 each; open chips count nothing."""
    banked = {0: [gold(4), gold(2), robber(5)], 1: [robber(2)]}
    game = turn_up(go(table(banked=banked, carried={1: [gold(4)]}, empty=[6]), 3), gold(2))
    assert game.over
    assert [score.to_dict() for score in game.scores()][:2] == [
        {"seat": 0, "gold": 6, "robbers": 2, "total": 8},
        {"seat": 1, "gold": 0, "robbers": 2, "total": 2},
    ]
    assert game.ranking() == [1, 2, 3]


def test_ties() -> None:
    """GG-19a: equal points share the win."""
    game = table(banked={0: [gold(4)], 1: [gold(2), robber(2)]})
    assert game.ranking() == [1, 1, 3]


def test_a_fight_can_end_nothing() -> None:
    """GG-18a: a captured robber was not face down; the game goes on with four chips."""
    game = go(table(robbers={3: (2, [])}, empty=[7, 8, 9, 10]), 3)
    roll(game, 6)
    assert not game.over
