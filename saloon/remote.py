"""A server's bot as a program that matches can ask: what `grpc:HOST:PORT,...` starts. See docs/outside-bots.md.

python -m saloon.remote HOST:PORT '{"level": "3"}'
"""

import json
import os
import sys
from typing import Any

from saloon_client import Client, SaloonError
from saloon_client.messages import Thinking
from saloon_client.v1 import bots_pb2

from engine_cy.errors import InputError
from engine_cy.game import View
from engine_cy.registry import game_class
from engine_cy.rules import GameRules
from wire.plain import to_option
from wire.writing import position_message


def main(address: str, settings: str) -> None:
    """Answer what the standard input asks until it ends; what goes wrong is an answer too."""
    how = json.loads(settings)
    insecure = bool(how.pop("insecure", 0))
    try:
        with Client(address, token=os.environ.get("SALOON_TOKEN"), insecure=insecure) as client:
            for line in sys.stdin:
                message = json.loads(line)
                if message["say"] == "game":
                    rules, seat = _rules(message), message["seat"]
                elif message["say"] == "decide":
                    view = View.at(rules, message["position"], seat)
                    _say({"decision": _decision(client, view, _thinking(how, message))})
    except (SaloonError, ValueError) as error:  # an InputError is a ValueError
        _say({"error": str(error)})


def _say(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


def _rules(message: dict[str, Any]) -> GameRules:
    game, options = game_class(message["game"]), message["options"]
    return game.from_options(options, game.component_set.from_dict(message["components"]))


def _thinking(how: dict[str, Any], message: dict[str, Any]) -> Thinking:
    """What is asked of the server: settings, the limit of this decision, and its seed."""
    thinking = Thinking(level=how.get("level", ""), personality=how.get("personality", ""), seed=message["seed"])
    if knobs := {name: value for name, value in how.items() if name not in thinking}:
        thinking["search"] = bots_pb2.SearchSettings(**knobs)
    if message["seconds"] is not None:
        thinking["time"] = message["seconds"]
    if message["iterations"] is not None:
        thinking["iterations"] = message["iterations"]
    return thinking


def _decision(client: Client, view: View, thinking: Thinking) -> list[Any]:
    """In list form. The server is told the position as the seat sees it."""
    answer = client.suggest(position_message(view.rules, view.state), count=1, **thinking)
    option = to_option(getattr(answer.choice, view.rules.name), "decision")
    if option is None:
        raise InputError("choice", f"a decision of {view.rules.name}", answer.choice.text)
    return option


if __name__ == "__main__":
    main(*sys.argv[1:])
