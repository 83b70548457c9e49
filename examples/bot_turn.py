"""A small front end that owns its game: it keeps a record and asks for whole turns of its bots.

Here bots play all seats; a person's decision is applied in the same way, with `chosen(seat, decision)`.

    python examples/bot_turn.py [ADDRESS]
"""

import os
import sys

from saloon_client import Client, moon_river, save
from saloon_client.v1 import game_pb2

address = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SALOON_ADDRESS", "localhost:50051")
LEVELS = ("8", "4", "1")

with Client(address) as saloon:
    game = saloon.new_game(moon_river(players=len(LEVELS)), seed=7)
    status = saloon.replay(game).status
    while status.waiting != game_pb2.WAITING_OVER:
        turn = saloon.play_turn(game, level=LEVELS[status.seat], time=0.05)
        for answer in turn.answers:
            print(f"seat {answer.seat}: {answer.choice.text}")  # a front end for people would wait answer.pacing
        after = saloon.apply(game, *turn.answers)  # the seed draws what comes between turns
        game, status = after.situation.record, after.status
    for score in saloon.score(game).scores:
        print(f"seat {score.seat}, level {LEVELS[score.seat]}: place {score.place} with {score.total} points")
    if len(sys.argv) > 2:
        save(game, sys.argv[2])
