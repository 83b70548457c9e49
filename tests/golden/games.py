"""Golden games: run as a module, it writes them anew (look at the difference before you commit it)."""

from pathlib import Path

from engine_cy import Game, GameRules, Generator, Record
from tests.tables import advance, tables

FOLDER = Path(__file__).parent
SEED = 1849


def play(rules: GameRules) -> Game:
    return advance(Game(rules, SEED), Generator(SEED, stream=1))


def main() -> None:
    for name, rules in tables().items():
        game = play(rules)
        Record.of(game).save(FOLDER / f"{name}.json")
        (FOLDER / f"{name}.txt").write_text(str(game), encoding="utf-8")


if __name__ == "__main__":
    main()
