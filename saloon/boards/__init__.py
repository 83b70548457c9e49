"""How games look in a terminal: a board for each, by the name of the game. A game that has none here is shown as its
server writes it."""

from collections.abc import Sequence

from rich.console import Console
from saloon_client import Client
from saloon_client.v1 import game_pb2

from saloon.boards.board import Board
from saloon.boards.goldgraeber import GoldgraeberBoard
from saloon.boards.moon_river import MoonRiverBoard

BOARDS: dict[str, type[Board]] = {"moon_river": MoonRiverBoard, "goldgraeber": GoldgraeberBoard}


def board_of(
    client: Client, console: Console, options: game_pb2.Options, names: Sequence[str] = (), me: int | None = None
) -> Board:
    """The board of a table on a server; `me` is the seat of the person who looks at it."""
    name = options.WhichOneof("game") or ""
    (info,) = (game for game in client.games() if game.name == name)
    board = BOARDS.get(name, Board)
    return board(console, info, options, names, me, lambda position: client.render(position).text)
