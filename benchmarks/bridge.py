"""The bots of the build whose Python runs this, for matches with another build (docs/outside-bots.md):

build/frozen/.venv/bin/python -P benchmarks/bridge.py mce:time=100ms

It knows builds whose bots are `search.bots`, which decide by codes, and those with players.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from engine_cy.game import View
from engine_cy.registry import game_class
from engine_cy.rules import GameRules

Message = dict[str, Any]
Decide = Callable[[View, Message], Any]  # a decision
_PRINTED_RIVER = [[0, 0], [0, 1], [0, 3], [0, 4], [1, 2]]


def decider(text: str) -> Decide:
    """The bot of a spec, for one seat of one game."""
    try:
        bots = import_module("search.bots")
    except ModuleNotFoundError:
        return _of_players(text)
    bot = bots.bot(text)

    def decide(view: View, message: Message) -> Any:
        chosen = bot
        if _limited(message) and hasattr(bot, "budget"):
            # Copies share the trees of a turn.
            chosen = replace(bot, budget=bots.Budget(message["seconds"], message["iterations"]))
        return view.rules.decode(view.state.phase, chosen.decide(view, message["seed"]))

    return decide


def _of_players(text: str) -> Decide:
    from search.player import Budget, Question
    from search.specs import spec

    chosen = spec(text)
    player = chosen.player()

    def decide(view: View, message: Message) -> Any:
        budget = Budget(message["seconds"], message["iterations"]) if _limited(message) else chosen.budget
        return player.think(Question(view, budget.limit(), message["seed"])).choice

    return decide


def _limited(message: Message) -> bool:
    return message["seconds"] is not None or message["iterations"] is not None


def rules_of(message: Message) -> GameRules:
    game, options = game_class(message["game"]), message["options"]
    standard: Any = game.from_options({"players": options["players"]}).components
    components = dict(message["components"])
    if not hasattr(standard, "river") and components.get("river") == _PRINTED_RIVER:
        del components["river"]  # builds that cannot be told of a river know this one
    return game.from_options(options, type(standard).from_dict(components))


def main(text: str) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        try:
            if message["say"] == "game":
                rules, seat, decide = rules_of(message), message["seat"], decider(text)
            elif message["say"] == "decide":
                position = message["position"]
                if not position.get("rested"):  # which earlier builds do not know, and which means the same
                    position.pop("rested", None)
                decision = decide(View.at(rules, position, seat), message)
                print(json.dumps({"decision": decision.to_list()}), flush=True)
        except ValueError as error:  # what does not fit, in the words of the build
            print(json.dumps({"error": str(error)}), flush=True)
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
