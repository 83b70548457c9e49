"""Tuning the quick judgement of Moon River: `python -m search.tune` writes the weights it finds to worth.toml.

A hill climb: change a few weights at random, let the changed seat play the unchanged ones (all only by judgement, ten
thousand games a second), keep the change if it wins clearly more than its part. The same seed and steps give the same
weights.
"""

import argparse
from math import exp, sqrt
from pathlib import Path
from statistics import NormalDist

from engine_cy import Generator, MoonRiver
from engine_cy.moon_river import rules as moon_river
from engine_cy.state import play_games

PATH = Path(moon_river.__file__).parent / "worth.toml"
_TABLES = ((2, False), (4, False), (3, True))
_SURE = 2.0  # standard errors


def advantage(own: dict[str, float], others: dict[str, float], games: int, seed: int) -> float:
    """How many standard errors seat 0 wins more than its part, over all tables."""
    total = 0.0
    for stream, (players, legends) in enumerate(_TABLES):
        rules = MoonRiver(players, legends=legends, weights=[own] + [others] * (players - 1))
        won, _ = play_games(rules.compiled.start(), Generator(seed, stream), games, (1 << players) - 1)
        part = 1 / players
        total += (won[0] / games - part) / sqrt(part * (1 - part) / games)
    return total / sqrt(len(_TABLES))


def changed(weights: dict[str, float], generator: Generator, step: float) -> dict[str, float]:
    """One to three weights moved: by a part of their size, and a little at least."""
    new = dict(weights)
    names = [name for name in weights if name != "noise"]  # which is for variety: without it playouts are all alike
    for _ in range(1 + generator.below(3)):
        name = names[generator.below(len(names))]
        normal = NormalDist().inv_cdf((generator.below(1 << 30) + 0.5) / (1 << 30))
        new[name] = round(new[name] + normal * step * max(abs(new[name]), 0.3), 3)
    return new


def tune(weights: dict[str, float], steps: int, games: int, seed: int) -> dict[str, float]:
    generator = Generator(seed)
    for number in range(steps):
        trial = changed(weights, generator, 0.1 + 0.6 * exp(-number / (steps / 3)))
        sigmas = advantage(trial, weights, games, seed + number)
        if sigmas > _SURE and advantage(trial, weights, 2 * games, seed + steps + number) > _SURE / 2:
            weights = trial
            print(f"{number:5} {sigmas:+.1f}", weights, flush=True)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    start = moon_river.standard_weights()
    weights = tune(start, arguments.steps, arguments.games, arguments.seed)
    print(f"against the weights before: {advantage(weights, start, 20_000, 99):+.1f} standard errors")
    head = (
        "# The quick judgement of decisions, in points: state.pxd says what each weight is of. Found by search.tune.\n"
    )
    PATH.write_text(head + "".join(f"{name} = {value}\n" for name, value in weights.items()), encoding="utf-8")


if __name__ == "__main__":
    main()
