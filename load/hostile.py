"""Clients that want to hurt the others, one function for each way: `python -m load.hostile WAY ADDRESS TOKEN SECONDS`.

Each goes on until its time is over, whatever it is answered; what it sends is bounded by that time and by one process.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

import grpc
from saloon_client.v1 import bots_pb2 as bots
from saloon_client.v1 import bots_pb2_grpc, game_pb2, rules_pb2_grpc, seats_pb2_grpc, tables_pb2_grpc
from saloon_client.v1 import goldgraeber_pb2 as gold
from saloon_client.v1 import moon_river_pb2 as moon
from saloon_client.v1 import rules_pb2 as rules
from saloon_client.v1 import seats_pb2 as seats
from saloon_client.v1 import tables_pb2 as tables

_AT_ONCE = 16
_SEATS = 500
_CONNECTIONS = 500


class Hostile:
    """One client, and when it ends."""

    def __init__(self, address: str, token: str, seconds: float) -> None:
        self.address = address
        self.metadata = (("authorization", f"Bearer {token}"),)
        self.until = time.monotonic() + seconds
        self.channel = grpc.insecure_channel(address)
        self.bots = bots_pb2_grpc.BotsStub(self.channel)
        self.rules = rules_pb2_grpc.RulesStub(self.channel)
        self.seats = seats_pb2_grpc.SeatsStub(self.channel)
        self.tables = tables_pb2_grpc.TablesStub(self.channel)

    @property
    def going_on(self) -> bool:
        return time.monotonic() < self.until

    def again_and_again(self, call: Callable[[int], Any]) -> None:
        """So many calls under way at any time."""
        under_way: list[Any] = []
        for number in count():
            if not self.going_on:
                break
            under_way.append(call(number))
            if len(under_way) >= _AT_ONCE:
                wait(under_way.pop(0), self.until)
        for future in under_way:
            future.cancel()

    def game(self, players: int = 4) -> game_pb2.GameRecord:
        options = game_pb2.Options(moon_river=moon.MoonRiverOptions(players=players))
        return self.rules.NewGame(rules.NewGameRequest(options=options, seed=1), metadata=self.metadata).record

    def question(self, **more: object) -> bots.SuggestRequest:
        return bots.SuggestRequest(situation=game_pb2.Situation(record=self.game()), **more)  # type: ignore[arg-type]


def wait(future: Any, until: float) -> None:
    try:
        future.result(max(0.01, until - time.monotonic()))
    except (grpc.RpcError, grpc.FutureTimeoutError):
        time.sleep(0.001)  # refused, as it should be


def big(client: Hostile) -> None:
    """Hundreds of thousands of empty plots."""
    request = bots.SuggestRequest()
    plots = request.situation.position.moon_river.ranches.add().plots
    for _ in range(200_000):
        plots.add()
    client.again_and_again(lambda _: client.bots.Suggest.future(request, metadata=client.metadata))


def long_records(client: Hostile) -> None:
    """A game whose dice never end it, as long as a record may be, another each time."""
    options = game_pb2.Options(goldgraeber=gold.GoldgraeberOptions(players=3))
    luck = random.Random(1)

    def call(number: int) -> Any:
        record = game_pb2.GameRecord(options=options, stream=number)
        for _ in range(2000):
            record.events.add().chance.goldgraeber.die = luck.randrange(2, 7)
        situation = game_pb2.Situation(record=record)
        return client.rules.Score.future(rules.ScoreRequest(situation=situation), metadata=client.metadata)

    client.again_and_again(call)


def hogs(client: Hostile) -> None:
    """Searches as long as they come, also by decisions asked for by name and by bots at tables."""
    request = client.question()
    request.budget.iterations = 10**8
    legal = client.rules.LegalDecisions(
        rules.LegalDecisionsRequest(situation=request.situation), metadata=client.metadata
    )
    request.evaluate.extend(legal.decisions[:4])
    table = tables.CreateTableRequest(options=request.situation.record.options)
    for seat in range(4):
        bot = table.bots.add(seat=seat)
        bot.budget.time.seconds = 86_400
    client.tables.CreateTable(table, metadata=client.metadata)
    client.again_and_again(lambda _: client.bots.Suggest.future(request, metadata=client.metadata))


def cancels(client: Hostile) -> None:
    """Searches that nobody wants a moment later."""
    request = client.question()
    request.budget.time.seconds = 20
    while client.going_on:
        future = client.bots.Suggest.future(request, metadata=client.metadata)
        time.sleep(0.005)
        future.cancel()


def ponderers(client: Hostile) -> None:
    """Bots that think ahead on as many seats as can be had."""
    game = game_pb2.Situation(record=client.game())
    streams = []

    def talk(seat: int) -> Iterator[seats.SitRequest]:
        yield seats.SitRequest(sit=seats.SitDown(seat=seat % 4, ponder=True))
        yield seats.SitRequest(watch=seats.Watch(situation=game))
        while client.going_on:
            time.sleep(0.2)

    for seat in range(_SEATS):
        if client.going_on:
            streams.append(client.seats.Sit(talk(seat), metadata=client.metadata))
    while client.going_on:
        time.sleep(0.1)


def unread(client: Hostile) -> None:
    """Questions to seats and tables whose answers are never read."""
    game = game_pb2.Situation(record=client.game())
    decide = seats.Decide(id="a", situation=game, budget=bots.Budget(iterations=1))

    def talk(seat: int) -> Iterator[seats.SitRequest]:
        yield seats.SitRequest(sit=seats.SitDown(seat=seat))
        while client.going_on:
            yield seats.SitRequest(decide=decide)

    streams = [client.seats.Sit(talk(seat), metadata=client.metadata) for seat in range(4)]
    for stream in streams:
        next(stream)  # begins it; nothing is read after that
    while client.going_on:
        time.sleep(0.1)


def many_tables(client: Hostile) -> None:
    """Tables that nobody will ever play at, in as many ways as there are colours."""
    luck = random.Random(2)

    def call(_: int) -> Any:
        colours = luck.sample(range(6), 4)
        options = game_pb2.Options(goldgraeber=gold.GoldgraeberOptions(players=4, colours=colours))
        return client.tables.CreateTable.future(tables.CreateTableRequest(options=options), metadata=client.metadata)

    client.again_and_again(call)


def connections(client: Hostile) -> None:
    """Connections with a stream each that says nothing."""
    quiet = [("grpc.use_local_subchannel_pool", 1)]
    channels, streams = [], []
    for number in islice(count(), _CONNECTIONS):
        if not client.going_on:
            break
        channels.append(grpc.insecure_channel(client.address, quiet))
        streams.append(
            tables_pb2_grpc.TablesStub(channels[-1]).WatchTable(
                tables.WatchTableRequest(table=f"{number}"), metadata=client.metadata
            )
        )
    while client.going_on:
        time.sleep(0.1)
    for channel in channels:
        channel.close()


WAYS: dict[str, Callable[[Hostile], None]] = {
    way.__name__: way for way in (big, long_records, hogs, cancels, ponderers, unread, many_tables, connections)
}


if __name__ == "__main__":
    way, address, token, seconds = sys.argv[1:]
    WAYS[way](Hostile(address, token, float(seconds)))
