"""Millions of games in one process: nothing is allocated inside a game, so the memory must stay where it is."""

import argparse
import resource
import sys

from engine_cy import Generator
from engine_cy.loops import bench_games
from saloon.speed import variants

_ROUNDS = 20
_ALLOWED_KB = 1024


def peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def soak(games: int) -> int:
    """Play so many games over all variants; returns by how many KiB the peak memory grew after the first round."""
    tables = [rules.compiled.start() for named in variants().values() for rules in named.values()]
    generator = Generator(1)
    first = 0
    for turn in range(_ROUNDS):
        for state in tables:
            bench_games(state, generator, max(1, games // _ROUNDS // len(tables)))
        if turn == 0:
            first = peak_kb()
    return peak_kb() - first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000_000)
    games = parser.parse_args().games
    grown = soak(games)
    print(f"{games:,} games, peak memory {peak_kb():,} KiB, grown by {grown:,} KiB after the first twentieth")
    sys.exit(grown > _ALLOWED_KB)


if __name__ == "__main__":
    main()
