"""A front end with its own dice and piles gives a bot a seat for the whole game.

The front end decides for seat 0 (here it takes the first option) and draws everything itself; the bot has seat 1 and
ponders while others play. If the connection drops, the seat connects again and no decision is taken twice.

    python examples/own_game.py [ADDRESS]
"""

import os
import random
import sys

from saloon_client import Client, chosen, moon_river
from saloon_client.v1 import game_pb2, moon_river_pb2

address = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SALOON_ADDRESS", "localhost:50051")
BOT = 1
dice = random.Random(3)  # noqa: S311


def draw(position: moon_river_pb2.MoonRiverPosition, left: list[int], rancheros: list[int]) -> game_pb2.Chance:
    """What comes out of the front end's own piles."""
    event = moon_river_pb2.MoonRiverChance()
    if position.phase == moon_river_pb2.MOON_RIVER_PHASE_COLUMN:
        drawn = [left.pop() for _ in range(4)]
        event.column.plots.extend(sorted(drawn, key=lambda kind: (plots[kind].number, kind)))
    elif position.phase == moon_river_pb2.MOON_RIVER_PHASE_RANCHERO:
        event.ranchero = rancheros.pop()
    else:
        missing = saloon_size - len(position.saloon)
        event.saloon.partners.extend(dice.sample(list(position.stack), min(missing, len(position.stack))))
    return game_pb2.Chance(moon_river=event)


with Client(address) as saloon:
    (components,) = (info.components.moon_river for info in saloon.games() if info.name == "moon_river")
    plots, saloon_size = components.plots, components.saloon_size
    game = saloon.new_game(moon_river(players=2))  # no seed: chance is ours
    rancheros = dice.sample([0, 0, 1, 1], 4)
    with saloon.sit(BOT, level="6", time=0.05) as bot:
        stand = saloon.replay(game)
        pile = list(stand.position.moon_river.pile)
        dice.shuffle(pile)
        while stand.status.waiting != game_pb2.WAITING_OVER:
            if stand.status.waiting == game_pb2.WAITING_CHANCE:
                event = game_pb2.Event(chance=draw(stand.position.moon_river, pile, rancheros))
            elif stand.status.seat == BOT:
                decided = bot.decide(game, id=f"after-{len(game.events)}")
                event = chosen(BOT, decided.answers[0].choice)
                print(f"bot: {decided.answers[0].choice.text}")
            else:
                bot.watch(game)
                event = chosen(0, saloon.legal_decisions(game).decisions[0])
            game = saloon.apply(game, event).situation.record
            stand = saloon.replay(game)
    for score in saloon.score(game).scores:
        print(f"seat {score.seat}: place {score.place} with {score.total} points")
