"""How games look in a terminal: a screen for each, by the name of the game. A game that has none here is shown as its
server writes it."""

from collections.abc import Callable, Sequence

from rich.console import Console
from saloon_client import Client
from saloon_client.v1 import game_pb2, rules_pb2

from engine_cy.rules import GameRules
from saloon.screens.goldgraeber import GoldgraeberScreen
from saloon.screens.moon_river import MoonRiverScreen
from saloon.screens.screen import Screen
from wire.describing import game_message
from wire.writing import options_message

SCREENS: dict[str, type[Screen]] = {"moon_river": MoonRiverScreen, "goldgraeber": GoldgraeberScreen}


def screen_of(
    client: Client, console: Console, options: game_pb2.Options, names: Sequence[str] = (), me: int | None = None
) -> Screen:
    """The screen of a table on a server; `me` is the seat of the person who looks at it."""
    name = options.WhichOneof("game") or ""
    (info,) = (game for game in client.games() if game.name == name)
    return _made(
        console, _with_its_set(info, options), options, names, me, lambda position: client.render(position).text
    )


def _with_its_set(info: rules_pb2.GameInfo, options: game_pb2.Options) -> rules_pb2.GameInfo:
    """The game as it is with the components of this table."""
    for own in info.own_sets:
        if own.component_set.hash == options.components.hash:
            chosen = rules_pb2.GameInfo()
            chosen.CopyFrom(info)
            chosen.component_set.CopyFrom(own.component_set)
            chosen.components.CopyFrom(own.components)
            return chosen
    return info


def screen_of_rules(console: Console, rules: GameRules) -> Screen:
    """The same without a server."""
    info = game_message(type(rules), [rules.components])
    return _made(console, info, options_message(rules), (), None, str)


def _made(
    console: Console,
    info: rules_pb2.GameInfo,
    options: game_pb2.Options,
    names: Sequence[str],
    me: int | None,
    plain: Callable[[game_pb2.Position], str],
) -> Screen:
    return SCREENS.get(info.name, Screen)(console, info, options, names, me, plain)
