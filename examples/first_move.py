"""The first move: a new game, and what a bot would do in it.

python examples/first_move.py [ADDRESS]
"""

import os
import sys

from saloon_client import Client, moon_river

address = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SALOON_ADDRESS", "localhost:50051")

with Client(address) as saloon:
    game = saloon.new_game(moon_river(players=3), seed=1)
    answer = saloon.suggest(game, time=0.1)
    print(saloon.render(game).text)
    print(f"seat {answer.seat}: {answer.choice.text}")
    for s in answer.suggestions:
        print(f"  {s.decision.text:<24} wins {s.win:4.0%}, {s.points:3.0f} points")
