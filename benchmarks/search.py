"""Search iterations and playouts per second of every game, from its opening, on one thread."""

import time
from collections.abc import Callable
from typing import Any

from benchmarks.engine import variants
from engine_cy import GameRules, Generator
from engine_cy.game import Game
from engine_cy.state import bench_games
from search.ismcts import Search


def measure(rules: GameRules, seconds: float) -> dict[str, float]:
    """From the position of the first decision; playouts from the start of the game."""
    game = Game(rules, 1)
    assert game.seat is not None
    observation = game.state.observe(game.seat)
    state = rules.compiled.start()
    everybody = (1 << rules.players) - 1

    def search(**settings: Any) -> Callable[[int], object]:
        return lambda n: Search(observation, 1, **settings).run(n)

    def playouts(informed: int) -> Callable[[int], object]:
        return lambda n: bench_games(state, Generator(1), n, informed)

    return {
        "ismcts_uniform_it_per_s": rate(search(prior=0.0, informed=0, exploration=0.7), seconds),
        "ismcts_it_per_s": rate(search(), seconds),
        "uniform_playouts_per_s": rate(playouts(0), seconds),
        "player_greedy_playouts_per_s": rate(playouts(1), seconds),
        "informed_playouts_per_s": rate(playouts(everybody), seconds),
    }


def rate(work: Callable[[int], object], seconds: float) -> int:
    """How often a second, over about so many seconds; a tenth of them first tells how often that is."""
    n = 100
    while (taken := _timed(work, n)) < seconds / 10:
        n *= 2
    n = max(1, int(n * seconds / taken))
    return round(n / _timed(work, n))


def _timed(work: Callable[[int], object], n: int) -> float:
    start = time.perf_counter()
    work(n)
    return time.perf_counter() - start


def run(seconds: float = 1.0) -> dict[str, Any]:
    """Every variant; about `seconds` for each figure."""
    return {
        game: {name: measure(rules, seconds) for name, rules in named.items()} for game, named in variants().items()
    }
