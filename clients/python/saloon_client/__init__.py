"""Client for Saloon: AI opponents for board games with hidden information.

>>> with Client("localhost:50051") as saloon:
...     game = saloon.new_game(moon_river(players=3), seed=1)
...     print(saloon.suggest(game, time=0.1).choice.text)

What calls take and give are the messages of the contract, in `saloon_client.v1`.
"""

from saloon_client.async_client import AsyncClient
from saloon_client.async_seat import AsyncSeat
from saloon_client.client import Client
from saloon_client.errors import (
    InvalidRequest,
    NotAllowed,
    NotFound,
    NotNow,
    NotReachable,
    Overloaded,
    SaloonError,
    ServerFault,
    Taken,
    TooLate,
)
from saloon_client.messages import chosen, goldgraeber, moon_river, table_bot, turn_clock
from saloon_client.records import load_record, save
from saloon_client.seat import Seat

__all__ = [
    "AsyncClient",
    "AsyncSeat",
    "Client",
    "InvalidRequest",
    "NotAllowed",
    "NotFound",
    "NotNow",
    "NotReachable",
    "Overloaded",
    "SaloonError",
    "Seat",
    "ServerFault",
    "Taken",
    "TooLate",
    "chosen",
    "goldgraeber",
    "load_record",
    "moon_river",
    "save",
    "table_bot",
    "turn_clock",
]
