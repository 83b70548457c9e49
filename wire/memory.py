"""What was read lately, so that it has not to be read again: compiled rules, and records that were played.

A front end sends its game with every call, a little longer each time. A game is found by what its record holds up to
there; whoever sends the same record gets the same game, so nothing is learned that was not known.
"""

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from threading import Lock
from typing import Generic, TypeVar

from saloon_client.v1 import game_pb2 as pb

from engine_cy.game import Game

K = TypeVar("K")
V = TypeVar("V")
_GAMES = 128
_LONGEST = 1000  # events; twice as many as any game has, so that nobody can fill the memory


class Recent(Generic[K, V]):
    """The values that were used last, by their keys."""

    def __init__(self, most: int) -> None:
        self._lock = Lock()  # several threads read
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)


class PlayedRecords:
    """The games that were reached last."""

    def __init__(self) -> None:
        self._games: Recent[bytes, Game] = Recent(_GAMES)

    def __len__(self) -> int:
        return len(self._games)

    def find(self, keys: Sequence[bytes]) -> tuple[int, Game | None]:
        """How many events of the record need not be played again, and the game there, to go on with."""
        for index in reversed(range(len(keys))):
            game = self._games.get(keys[index])
            if game is not None:
                return index, game.copy()
        return 0, None

    def keep(self, key: bytes, game: Game) -> None:
        if len(game.history) <= _LONGEST:
            self._games.put(key, game.copy())


def situation_keys(message: pb.Situation) -> list[bytes]:
    """A key of the situation, the last one; of a record, before it one for each of its beginnings."""
    if message.WhichOneof("situation") == "record":
        return record_keys(message.record)
    return [blake2b(message.SerializeToString(deterministic=True), digest_size=16).digest()]


def record_keys(message: pb.GameRecord, most: int | None = None) -> list[bytes]:
    """A key for every beginning of the record, the shortest first, up to so many events."""
    begin = pb.GameRecord(options=message.options, stream=message.stream)
    if message.HasField("seed"):
        begin.seed = message.seed
    if message.HasField("components"):
        begin.components.SetInParent()  # what its options mean depends on it
        begin.components.hash = message.components.hash
    total = blake2b(begin.SerializeToString(deterministic=True), digest_size=16)
    found = [total.digest()]
    for event in message.events[:most]:
        data = event.SerializeToString()
        total.update(len(data).to_bytes(4, "little") + data)
        found.append(total.digest())
    return found
