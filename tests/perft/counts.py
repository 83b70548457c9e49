"""Counting: run as a module, it writes the counts anew (look at the difference before you commit it)."""

import json
from pathlib import Path

from engine_cy import Game, GameRules, Generator
from tests.tables import advance, tables

PATH = Path(__file__).parent / "counts.json"
SEED = 2024
PLIES = (0, 5, 20, 45, 80, 110)
LIMIT = 4000  # leaves


def perft(game: Game, depth: int) -> int:
    """The number of different sequences of `depth` decisions (fewer where the game ends); chance by the seed."""
    if depth == 0 or game.over:
        return 1
    options = game.decisions()
    if depth == 1:
        return len(options)
    total = 0
    for option in options:
        branch = game.copy()
        branch.decide(option)
        total += perft(branch, depth - 1)
    return total


def start(rules: GameRules, plies: int) -> Game:
    return advance(Game(rules, SEED), Generator(SEED, stream=1), plies)


def depth_within(game: Game) -> int:
    depth = 1
    while depth < 4 and perft(game, depth) * len(game.decisions()) < LIMIT:
        depth += 1
    return depth


def main() -> None:
    rows = []
    for name, rules in tables().items():
        for plies in PLIES:
            game = start(rules, plies)
            if not game.over:
                depth = depth_within(game)
                rows.append({"table": name, "plies": plies, "depth": depth, "count": perft(game, depth)})
    PATH.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
