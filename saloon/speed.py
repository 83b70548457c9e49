"""How fast this machine plays and searches every game, and a calibration to compare machines by."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from engine_cy import Game, GameRules, Generator, Goldgraeber, MoonRiver
from engine_cy.loops import bench_copies, bench_draws, bench_games
from search.ismcts import Search

_DRAWS = 50_000_000
_COPIES = 5_000_000

T = TypeVar("T")


def variants() -> dict[str, dict[str, GameRules]]:
    """What is measured: rules by game and by the name of the variant."""
    return {
        "moon_river": {
            "4": MoonRiver(4),
            "3": MoonRiver(3),
            "2": MoonRiver(2),
            "4-legends": MoonRiver(4, legends=True),
        },
        "goldgraeber": {
            "4": Goldgraeber(4),
            "3": Goldgraeber(3),
            "6": Goldgraeber(6),
            "4-prospecting": Goldgraeber(4, prospecting=True),
        },
    }


def engine_speed(games: int) -> dict[str, Any]:
    """Of every variant so many whole random games. A tenth of them more warms up each."""
    report: dict[str, Any] = {}
    for game, named in variants().items():
        report[game] = {}
        for name, rules in named.items():
            _play(rules, max(1, games // 10))
            report[game][name] = _play(rules, games)
    # Random numbers of the engine's generator: what this machine does whatever the engine does.
    seconds, _ = _timed(bench_draws, Generator(1), _DRAWS)
    return {**report, "calibration": {"draws_per_s": round(_DRAWS / seconds)}}


def _play(rules: GameRules, games: int) -> dict[str, float]:
    """Whole uniformly random games on one core: shuffling, chance and scoring included."""
    state = rules.compiled.start()
    seconds, decisions = _timed(bench_games, state, Generator(1), games)
    copy_seconds, _ = _timed(bench_copies, state, _COPIES)
    return {
        "games_per_s": round(games / seconds),
        "decisions_per_s": round(decisions / seconds),
        "ns_per_decision": round(seconds / decisions * 1e9, 2),
        "decisions_per_game": round(decisions / games, 2),
        "copies_per_s": round(_COPIES / copy_seconds),
        "state_bytes": len(bytes(state)),
    }


def search_speed(seconds: float) -> dict[str, Any]:
    """Iterations and playouts of every variant, on one thread; about so many seconds for each figure."""
    return {game: {name: _think(rules, seconds) for name, rules in named.items()} for game, named in variants().items()}


def _think(rules: GameRules, seconds: float) -> dict[str, float]:
    """From the position of the first decision; playouts from the start of the game."""
    game = Game(rules, 1)
    assert game.seat is not None
    observation = game.state.observe(game.seat)
    state = rules.compiled.start()
    everybody = (1 << rules.players) - 1

    def search(**settings: Any) -> Callable[[int], object]:
        return lambda n: Search(observation, 1, **settings).run(n)

    def playouts(informed: int) -> Callable[[int], int]:
        return lambda n: bench_games(state, Generator(1), n, informed)

    return {
        "ismcts_uniform_it_per_s": _rate(search(prior=0.0, informed=0, exploration=0.7, learned=False), seconds),
        "ismcts_it_per_s": _rate(search(asked=0), seconds),  # of the first looks at a decision
        "ismcts_late_it_per_s": _rate(search(glances=0), seconds),
        "uniform_playouts_per_s": _rate(playouts(0), seconds),
        "player_greedy_playouts_per_s": _rate(playouts(1), seconds),
        "informed_playouts_per_s": _rate(playouts(everybody), seconds),
    }


def _rate(work: Callable[[int], object], seconds: float) -> int:
    """How often a second, over about so many seconds; a tenth of them first tells how often that is."""
    n = 100
    while (taken := _timed(work, n)[0]) < seconds / 10:
        n *= 2
    n = max(1, int(n * seconds / taken))
    return round(n / _timed(work, n)[0])


def _timed(work: Callable[..., T], *arguments: Any) -> tuple[float, T]:
    """How many seconds it took, and what came of it."""
    start = time.perf_counter()
    result = work(*arguments)
    return time.perf_counter() - start, result
