"""How late answers are: thinking with budgets of 10 ms to 2 s, against the clock. Run on an otherwise idle core."""

import argparse
import time

from engine_cy import Game, GameRules, Generator
from engine_cy.game import View
from engine_cy.moon_river.rules import MoonRiver
from search.player import Budget, Question
from search.search_player import SearchPlayer

BUDGETS = (0.01, 0.03, 0.1, 0.3, 1.0, 2.0)


def views(rules: GameRules, count: int) -> list[View]:
    """Positions all over random games."""
    found: list[View] = []
    seed = 0
    while len(found) < count:
        seed += 1
        game, chooser = Game(rules, seed), Generator(seed, 1)
        while not game.over:
            assert game.seat is not None
            if chooser.below(12) == 0:
                found.append(game.observe(game.seat))
            options = game.decisions()
            game.decide(options[chooser.below(len(options))])
    return found[:count]


def overshoots(rules: GameRules, seconds: float, count: int) -> list[float]:
    """By how many milliseconds each answer came after its budget, ascending."""
    late = []
    for number, view in enumerate(views(rules, count)):
        start = time.perf_counter()
        answer = SearchPlayer().think(Question(view, Budget(seconds=seconds).limit(), number, count=5))
        taken = time.perf_counter() - start
        if answer.stopped == "time":
            late.append((taken - seconds) * 1000)
    return sorted(late)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each budget")
    seconds = parser.parse_args().seconds
    print("budget  answers    p50     p99     max   (ms late)")
    for budget in BUDGETS:
        late = overshoots(MoonRiver(2), budget, max(10, int(seconds / budget)))
        p50, p99 = late[len(late) // 2], late[min(len(late) - 1, int(len(late) * 0.99))]
        print(f"{budget:6.2f} {len(late):8}  {p50:6.2f}  {p99:6.2f}  {late[-1]:6.2f}")


if __name__ == "__main__":
    main()
