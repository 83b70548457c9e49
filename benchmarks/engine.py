"""Random games, decisions and copies per second of every game, and a calibration to compare machines by."""

import time
from collections.abc import Callable
from typing import Any

from engine_cy import GameRules, Generator, Goldgraeber, MoonRiver
from engine_cy.state import bench_copies, bench_draws, bench_games

_DRAWS = 50_000_000
_COPIES = 5_000_000


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


def measure(rules: GameRules, games: int) -> dict[str, float]:
    """Whole uniformly random games on one core: shuffling, chance and scoring included."""
    state = rules.compiled.start()
    seconds, decisions = _timed(lambda: bench_games(state, Generator(1), games))
    copy_seconds, _ = _timed(lambda: bench_copies(state, _COPIES))
    return {
        "games_per_s": round(games / seconds),
        "decisions_per_s": round(decisions / seconds),
        "ns_per_decision": round(seconds / decisions * 1e9, 2),
        "decisions_per_game": round(decisions / games, 2),
        "copies_per_s": round(_COPIES / copy_seconds),
        "state_bytes": len(bytes(state)),
    }


def calibration() -> dict[str, float]:
    """Random numbers of the engine's generator: what this machine does whatever the engine does."""
    seconds, _ = _timed(lambda: bench_draws(Generator(1), _DRAWS))
    return {"draws_per_s": round(_DRAWS / seconds)}


def run(games: int = 200_000) -> dict[str, Any]:
    """Everything. The first tenth of the games warms up each variant."""
    report: dict[str, Any] = {}
    for game, named in variants().items():
        report[game] = {}
        for name, rules in named.items():
            measure(rules, max(1, games // 10))
            report[game][name] = measure(rules, games)
    return {**report, "calibration": calibration()}


def _timed(work: Callable[[], int | None]) -> tuple[float, int]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result or 0
