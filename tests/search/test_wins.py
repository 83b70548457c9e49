"""How likely every seat is told to win, beside ends drawn at random, as far off as the learned judgement says it is."""

from itertools import islice
from random import Random

import pytest

from engine_cy import Generator, Goldgraeber, MoonRiver
from engine_cy.network import expected
from engine_cy.rules import GameRules
from engine_cy.state import State
from search.arena import play, replayed
from search.outlook import outlook
from search.specs import spec

DRAWS = 20_000
SPREAD = 1.25  # of normal errors whose mean is 1


def drawn(state: State, seed: int) -> list[float]:
    """The part of the wins of every seat in many ends."""
    thought = expected(state)
    assert thought is not None
    luck = Random(seed)
    wins = [0] * len(thought)
    for _ in range(DRAWS):
        ends = [luck.gauss(points, SPREAD * off) for points, off in thought]
        wins[ends.index(max(ends))] += 1
    return [part / DRAWS for part in wins]


@pytest.mark.parametrize(
    "rules", [MoonRiver(players=2), MoonRiver(players=4), Goldgraeber(players=6)], ids=["2", "4", "goldgraeber-6"]
)
def test_wins_told_are_those_of_ends_that_differ_as_much_as_is_said(rules: GameRules) -> None:
    game = play(rules, [spec("greedy")] * rules.players, seed=3, deal=0, index=0)
    most = 0.0
    for number, (before, _) in enumerate(islice(replayed(game), 20, None, 20)):
        told, _ = outlook(before.state.spectate(), Generator(1), 1, 0)
        came = drawn(before.state, number)
        assert sum(told) == pytest.approx(1)
        assert told == pytest.approx(came, abs=0.1)
        most = max(most, *came)
    assert most > 0.6  # leaders were among them, who are easily told too sure
