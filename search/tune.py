"""Tuning the quick judgement of Moon River: `python -m search.tune` writes the weights it finds to worth.toml.

Each round moves all weights at once, at random, one way and the other, and plays both against the unmoved ones (all
only by judgement, forty thousand games a second). What that says of every weight together is a direction; the round
goes there as far as matches confirm. The same seed and rounds give the same weights.
"""

import argparse
from math import hypot, sqrt
from statistics import NormalDist

from engine_cy import Generator, MoonRiver
from engine_cy.moon_river.rules import JUDGEMENT
from engine_cy.state import play_games

_TABLES = ((2, False), (4, False), (4, False), (3, True))
_SURE = 1.5  # standard errors
_PAIRS = 120  # matches one way and the other, for a direction
_STRIDES = (0.7, 1.4, 2.8)  # how far to go there, in steps

Weights = dict[str, float]


def advantage(own: dict[str, float], others: dict[str, float], games: int, seed: int) -> float:
    """How many standard errors seat 0 wins more than its part, over all tables."""
    total = 0.0
    for stream, (players, legends) in enumerate(_TABLES):
        rules = MoonRiver(players, legends=legends, weights=[own] + [others] * (players - 1))
        won, _ = play_games(rules.compiled.start(), Generator(seed, stream), games, (1 << players) - 1)
        part = 1 / players
        total += (won[0] / games - part) / sqrt(part * (1 - part) / games)
    return total / sqrt(len(_TABLES))


def sizes(weights: Weights, step: float) -> Weights:
    """What counts as one step of each weight: a part of its size, and a little at least."""
    return {  # but for noise, which is for variety (without it playouts are all alike), and what personalities like
        name: step * max(abs(weight), 0.5)
        for name, weight in weights.items()
        if name != "noise" and not name.startswith("likes_")
    }


def moved(weights: Weights, direction: Weights, size: Weights, stride: float) -> Weights:
    return {
        name: round(weight + stride * direction.get(name, 0) * size.get(name, 0), 3) for name, weight in weights.items()
    }


def slope(weights: Weights, size: Weights, games: int, generator: Generator, seed: int) -> Weights:
    """By how many standard errors a match goes better for one step of each weight."""
    total = dict.fromkeys(size, 0.0)
    for number in range(_PAIRS):
        way = {name: NormalDist().inv_cdf((generator.below(1 << 30) + 0.5) / (1 << 30)) for name in size}
        gain = advantage(moved(weights, way, size, 1), weights, games, seed + 2 * number)
        gain -= advantage(moved(weights, way, size, -1), weights, games, seed + 2 * number + 1)
        for name in size:
            total[name] += way[name] * gain / 2 / _PAIRS
    return total


def tune(weights: Weights, rounds: int, games: int, seed: int) -> Weights:
    generator = Generator(seed)
    step = 0.25
    for number in range(rounds):
        at = (seed << 20) + number * 1000
        size = sizes(weights, step)
        way = slope(weights, size, games, generator, at)
        length = hypot(*way.values())
        trials = [moved(weights, way, size, stride / length) for stride in _STRIDES]
        gains = [advantage(trial, weights, 8 * games, at + 900 + i) for i, trial in enumerate(trials)]
        if max(gains) > _SURE:
            weights = trials[gains.index(max(gains))]
            print(f"{number:5} {max(gains):+.1f}", weights, flush=True)
        else:
            step *= 0.8
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--games", type=int, default=700, help="of each match for a direction")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    start = JUDGEMENT.standard
    weights = tune(start, arguments.rounds, arguments.games, arguments.seed)
    print(f"against the weights before: {advantage(weights, start, 20_000, 99):+.1f} standard errors")
    head = (
        "# The quick judgement of decisions, in points: state.pxd says what each weight is of. Found by search.tune.\n"
    )
    JUDGEMENT.worth_file.write_text(
        head + "".join(f"{name} = {value}\n" for name, value in weights.items()), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
