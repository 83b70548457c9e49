"""How games look in a terminal: a screen for each, by the name of the game. A game that has none here is shown as its
server writes it."""

from collections.abc import Sequence

from rich.console import Console
from saloon_client import Client
from saloon_client.v1 import game_pb2

from saloon.screens.goldgraeber import GoldgraeberScreen
from saloon.screens.moon_river import MoonRiverScreen
from saloon.screens.screen import Screen

SCREENS: dict[str, type[Screen]] = {"moon_river": MoonRiverScreen, "goldgraeber": GoldgraeberScreen}


def screen_of(
    client: Client, console: Console, options: game_pb2.Options, names: Sequence[str] = (), me: int | None = None
) -> Screen:
    """The screen of a table on a server; `me` is the seat of the person who looks at it."""
    name = options.WhichOneof("game") or ""
    (info,) = (game for game in client.games() if game.name == name)
    screen = SCREENS.get(name, Screen)
    return screen(console, info, options, names, me, lambda position: client.render(position).text)
