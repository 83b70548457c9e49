"""What service tests need again and again: games over the wire."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from queue import Queue
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from grpc_status import rpc_status
from saloon_client.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    game_pb2,
    moon_river_pb2,
    rules_pb2,
    rules_pb2_grpc,
    seats_pb2,
    seats_pb2_grpc,
)


@dataclass
class Stubs:
    """Every service on one channel."""

    channel: grpc.Channel

    def __post_init__(self) -> None:
        self.bots = bots_pb2_grpc.BotsStub(self.channel)
        self.rules = rules_pb2_grpc.RulesStub(self.channel)
        self.seats = seats_pb2_grpc.SeatsStub(self.channel)

    def new_game(self, seed: int | None = 5, **options: Any) -> game_pb2.GameRecord:
        wanted = game_pb2.Options(moon_river=moon_river_pb2.MoonRiverOptions(**{"players": 4, **options}))
        return self.rules.NewGame(rules_pb2.NewGameRequest(options=wanted, seed=seed)).record

    def after(self, record: game_pb2.GameRecord, *answers: bots_pb2.Answer) -> rules_pb2.ApplyResponse:
        """The game after a bot's decisions."""
        events = [game_pb2.Event(chosen=game_pb2.Chosen(seat=a.seat, decision=a.choice)) for a in answers]
        situation = game_pb2.Situation(record=record)
        return self.rules.Apply(rules_pb2.ApplyRequest(situation=situation, events=events))

    def played(self, turns: int, seed: int = 5, **options: Any) -> game_pb2.GameRecord:
        """A game in which bots have played some turns."""
        record = self.new_game(seed, **options)
        for turn in range(turns):
            record = self.after(record, *self.turn(record, turn)).situation.record
        return record

    def turn(self, record: game_pb2.GameRecord, seed: int, looks: int = 10) -> Sequence[bots_pb2.Answer]:
        """What a bot does next: the same every time."""
        how = bots_pb2.BotSettings(seed=seed)
        return self.bots.PlayTurn(
            bots_pb2.PlayTurnRequest(situation=of(record), bot=how, budget=iterations(looks))
        ).answers


def of(record: game_pb2.GameRecord) -> game_pb2.Situation:
    return game_pb2.Situation(record=record)


def milliseconds(n: int) -> bots_pb2.Budget:
    return bots_pb2.Budget(time=Duration(seconds=n // 1000, nanos=n % 1000 * 1_000_000))


def iterations(n: int) -> bots_pb2.Budget:
    return bots_pb2.Budget(iterations=n)


def details(error: grpc.RpcError, kind: Any) -> Any:
    """The detail of this type in the error's status."""
    assert isinstance(error, grpc.Call)
    status = rpc_status.from_call(error)
    assert status is not None, error
    found = kind()
    assert status.details[0].Unpack(found), status.details
    return found


class Sitting:
    """A front end's side of a bot seat."""

    def __init__(self, stubs: Stubs, *, metadata: tuple[tuple[str, str], ...] = (), **sit: Any) -> None:
        self.outgoing: Queue[seats_pb2.SitRequest | None] = Queue()
        self.call = stubs.seats.Sit(iter(self.outgoing.get, None), metadata=metadata)
        self.send(sit=seats_pb2.SitDown(**sit))

    def send(self, **message: Any) -> None:
        self.outgoing.put(seats_pb2.SitRequest(**message))

    def next(self) -> seats_pb2.SitResponse:
        response: seats_pb2.SitResponse = next(self.call)
        return response

    def rest(self) -> Iterator[seats_pb2.SitResponse]:
        yield from self.call

    def hang_up(self) -> None:
        """Close this side, as a front end that ends properly."""
        self.outgoing.put(None)

    def drop(self) -> None:
        """As a connection that breaks."""
        self.call.cancel()
        self.outgoing.put(None)
