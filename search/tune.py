"""Tuning the quick judgement: `python -m search.tune --game goldgraeber` writes the weights it finds to the game's
worth.toml.

Each round moves all weights at once, at random, one way and the other, and plays both against the unmoved ones (all
only by judgement, at the tables that the game names for it). What that says of every weight together is a direction;
the round goes there as far as matches confirm. The same seed and rounds give the same weights.
"""

import argparse
from math import hypot, sqrt
from statistics import NormalDist

from engine_cy import GameRules, Generator
from engine_cy.loops import play_games
from engine_cy.registry import GAMES

_SURE = 1.5  # standard errors
_STRIDES = (0.7, 1.4, 2.8)  # how far to go there, in steps

Weights = dict[str, float]
Game = type[GameRules]


def advantage(game: Game, own: Weights, others: Weights, games: int, seed: int) -> float:
    """How many standard errors a seat wins more than its part, over all tables. Every seat in turn, since they are not
    alike: of the houses of Goldgräber some lie better."""
    total = 0.0
    for stream, options in enumerate(game.judgement.tables):
        players = options["players"]
        part, each = 1 / players, max(1, games // players)
        won = 0.0
        for seat in range(players):
            rules = game.from_options(options, weights=[own if s == seat else others for s in range(players)])
            generator = Generator(seed, (stream << 8) + seat)
            won += play_games(rules.compiled.start(), generator, each, (1 << players) - 1)[0][seat]
        total += (won / (players * each) - part) / sqrt(part * (1 - part) / (players * each))
    return total / sqrt(len(game.judgement.tables))


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


def slope(
    game: Game, weights: Weights, size: Weights, games: int, pairs: int, generator: Generator, seed: int
) -> Weights:
    """By how many standard errors a match goes better for one step of each weight."""
    total = dict.fromkeys(size, 0.0)
    for number in range(pairs):
        way = {name: NormalDist().inv_cdf((generator.below(1 << 30) + 0.5) / (1 << 30)) for name in size}
        gain = advantage(game, moved(weights, way, size, 1), weights, games, seed + 2 * number)
        gain -= advantage(game, moved(weights, way, size, -1), weights, games, seed + 2 * number + 1)
        for name in size:
            total[name] += way[name] * gain / 2 / pairs
    return total


def tune(game: Game, weights: Weights, rounds: int, pairs: int, games: int, seed: int) -> Weights:
    generator = Generator(seed)
    step = 0.25
    for number in range(rounds):
        at = (seed << 20) + number * 1000
        size = sizes(weights, step)
        way = slope(game, weights, size, pairs, games, generator, at)
        length = hypot(*way.values())
        trials = [moved(weights, way, size, stride / length) for stride in _STRIDES]
        gains = [advantage(game, trial, weights, 8 * games, at + 900 + i) for i, trial in enumerate(trials)]
        if max(gains) > _SURE:
            weights = trials[gains.index(max(gains))]
            print(f"{number:5} {max(gains):+.1f}", weights, flush=True)
        else:
            step *= 0.8
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES, default="moon_river")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=120, help="matches one way and the other, for a direction")
    parser.add_argument("--games", type=int, default=700, help="of each match for a direction")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = GAMES[arguments.game]
    start = game.judgement.standard
    weights = tune(game, start, arguments.rounds, arguments.pairs, arguments.games, arguments.seed)
    print(f"against the weights before: {advantage(game, weights, start, 20_000, 99):+.1f} standard errors")
    head = (
        "# The quick judgement of decisions, in points: state.pxd says what each weight is of. Found by search.tune.\n"
    )
    game.judgement.worth_file.write_text(
        head + "".join(f"{name} = {value}\n" for name, value in weights.items()), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
