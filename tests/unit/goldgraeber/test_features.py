"""What a learned judgement sees of a seat agrees with a plain reading of the position (features.pxd says where)."""

from collections import Counter
from typing import Any

import pytest

from engine_cy import Game, Generator, GoldenMap, Goldgraeber
from engine_cy.network import described
from tests.tables import advance
from tests.unit.goldgraeber.table import rules

Position = dict[str, Any]


def points(chips: list[dict[str, Any]]) -> int:
    """GG-19."""
    return sum(2 if chip["kind"] == "robber" else chip["value"] for chip in chips)


def load(carried: int) -> int:
    """0, 1-2, 3-4, 5-6, 7-9, 10-13, 14-19 points, and more."""
    return sum(carried >= least for least in (1, 3, 5, 7, 10, 14, 20))


def the_one(counts: bytes, first: int, size: int) -> int:
    """Of a block in which one row is 1, which."""
    block = counts[first : first + size]
    assert sorted(block) == [0] * (size - 1) + [1]
    return block.index(1)


def moments(players: int) -> list[Game]:
    """States from all over some games, decisions and chance alike."""
    found = []
    for seed in range(3):
        game, chooser = Game(Goldgraeber(players), seed), Generator(seed, stream=3)
        while not game.over:
            found.append(Game.at(game.rules, game.position()) if not game.chance else game.copy())
            advance(game, chooser, 17)
    return found


@pytest.mark.parametrize("players", [3, 4, 6])
def test_counts_are_those_of_the_position(players: int) -> None:
    for game in moments(players):
        position, golden = game.position(), game.rules.components
        assert isinstance(golden, GoldenMap)
        carried = [points(chips) for chips in position["open"]]
        down = [chip["chip"] for chip in position["chips"]]
        for seat in range(players):
            x, now = described(game.state, seat)
            assert sum(now) == points(position["banked"][seat])
            assert the_one(x, 0, 4) == players - 3
            rail = [list(field) for field in golden.rail]
            assert the_one(x, 4, 32) == len(rail) - 1 - rail.index(position["locomotive"])
            assert the_one(x, 36, 33) == max(0, len(down) - players) // 2
            assert the_one(x, 93, 6) == (seat - position["turn"]["seat"]) % players
            assert the_one(x, 109, 32) == min(carried[seat], 31)
            others = Counter(load(carried[other]) for other in range(players) if other != seat)
            assert list(x[878:886]) == [others[step] for step in range(8)]
            gain = sum(chip["value"] if chip["kind"] == "gold" else 2 * (6 - chip["value"]) / 5 for chip in down) / len(
                down
            )
            assert the_one(x, 628, 16) == min(int(4 * gain + 1e-9), 15)


def test_nothing_that_lies_face_down_is_seen() -> None:
    """Chips that change places change nothing."""
    for game in moments(4):
        for seat in range(4):
            seen = described(game.state, seat)
            for other in range(4):
                view = game.state.observe(other)
                assert described(view, seat) == seen
                assert described(view.determinize(Generator(other)), seat) == seen


def test_looking_around_is_counted() -> None:
    """On the line of the rule tests, from the first hole: five rolls reach chips, none reaches home."""
    game = Game(rules(3), 1)
    x, _ = described(game.state, 0)
    assert the_one(x, 461, 4) == 2  # in its house
    assert [the_one(x, 513 + 5 * i, 5) for i in range(5)] == [1, 1, 1, 1, 1]
    assert the_one(x, 538, 48) == 5 * 8
    assert the_one(x, 465, 48) == 0
