"""Records that were played again lately, so that only what is new of a record has to be.

A front end sends its game with every call, a little longer each time. A game is found by what its record holds up to
there; whoever sends the same record gets the same game, so nothing is learned that was not known.
"""

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b

from saloon_client.v1 import game_pb2 as pb

from engine_cy.game import Game

_GAMES = 128
_LONGEST = 1000  # events; twice as many as any game has, so that nobody can fill the memory


class Replays:
    """The games that were reached last."""

    def __init__(self) -> None:
        self._games: OrderedDict[bytes, Game] = OrderedDict()

    def find(self, names: Sequence[bytes]) -> tuple[int, Game | None]:
        """How many events of the record need not be played again, and the game there, to go on with."""
        for index in reversed(range(len(names))):
            game = self._games.get(names[index])
            if game is not None:
                self._games.move_to_end(names[index])
                return index, game.copy()
        return 0, None

    def keep(self, name: bytes, game: Game) -> None:
        if len(game.history) > _LONGEST:
            return
        self._games[name] = game.copy()
        self._games.move_to_end(name)
        if len(self._games) > _GAMES:
            self._games.popitem(last=False)


def names(message: pb.GameRecord, most: int | None) -> list[bytes]:
    """For every beginning of the record, the shortest first, what it alone is called."""
    begin = pb.GameRecord(options=message.options, stream=message.stream)
    if message.HasField("seed"):
        begin.seed = message.seed
    total = blake2b(begin.SerializeToString(deterministic=True), digest_size=16)
    found = [total.digest()]
    for event in message.events[:most]:
        data = event.SerializeToString()
        total.update(len(data).to_bytes(4, "little") + data)
        found.append(total.digest())
    return found
