"""Tuning works on every game, at the tables it names."""

import pytest

from engine_cy import GameRules
from engine_cy.registry import GAMES
from search.tune import advantage, moved, tune


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_weights_that_mean_the_opposite_lose(game: type[GameRules]) -> None:
    """Who judges well wins far more than its part against seats that want what is bad for them."""
    weights = game.judgement.standard
    opposite = {name: -weight for name, weight in weights.items()}
    assert advantage(game, weights, opposite, 200, 1) > 5
    assert advantage(game, opposite, weights, 200, 1) < -5


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_same_weights_win_their_part(game: type[GameRules]) -> None:
    """However unlike the seats of a table are."""
    weights = game.judgement.standard
    assert abs(advantage(game, weights, weights, 3000, 1)) < 4


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_same_seed_finds_the_same_weights(game: type[GameRules]) -> None:
    """From weights moved far off there is a way to go at once; noise and what personalities like stay."""
    standard = game.judgement.standard
    start = moved(standard, dict.fromkeys(standard, -1.0), {name: abs(w) for name, w in standard.items()}, 0.9)
    start |= {"noise": standard["noise"]}
    found = tune(game, start, 1, 4, 12, seed=3)
    assert found != start
    assert found == tune(game, start, 1, 4, 12, seed=3)
    assert {name for name in found if name == "noise" or name.startswith("likes_")} <= {
        name for name in found if found[name] == start[name]
    }
