"""A bot that `saloon arena --b 'exec:python examples/random_bot.py'` plays against; see docs/outside-bots.md."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["say"] == "decide":
        chosen = random.Random(message["seed"]).randrange(len(message["decisions"]))
        print(json.dumps({"decision": chosen}), flush=True)
