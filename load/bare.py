"""The search alone: how many iterations a CPU second buys without a service around it (`python -m load.bare`)."""

import json
import time

from engine_cy import Game, Generator, MoonRiver
from search.bots import Budget
from search.think import Thinker

_DECISIONS = (12, 30, 50)  # moments of a game, alike those the users think about
_SECONDS = 0.5


def iterations_per_cpu_second() -> float:
    """Over games of two to four players, at several moments."""
    iterations, begun = 0, time.process_time()
    for players in (2, 3, 4):
        for moment in _DECISIONS:
            game, chooser = Game(MoonRiver(players), 5), Generator(players)
            for _ in range(moment):
                game.decide(game.decisions()[chooser.below(len(game.decisions()))])
            assert game.seat is not None
            thinker = Thinker(game.observe(game.seat), 1)
            thinker.run(Budget(seconds=_SECONDS))
            iterations += thinker.iterations
    return iterations / (time.process_time() - begun)


if __name__ == "__main__":
    print(json.dumps({"iterations_per_cpu_second": iterations_per_cpu_second()}))
