"""Clients that want to hurt the others, one function for each way: `python -m load.hostile WAY ADDRESS HTTP_PORT TOKEN
SECONDS`.

Each prepares itself and says `ready`. Once it is told to, it goes on until its time is over, whatever it is answered,
and says how often the server answered it. What it sends is bounded by that time and by one process.
"""

import os
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count, permutations
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from saloon_client.v1 import bots_pb2 as bots
from saloon_client.v1 import bots_pb2_grpc, game_pb2, rules_pb2_grpc, seats_pb2_grpc, tables_pb2_grpc
from saloon_client.v1 import goldgraeber_pb2 as gold
from saloon_client.v1 import moon_river_pb2 as moon
from saloon_client.v1 import rules_pb2 as rules
from saloon_client.v1 import seats_pb2 as seats
from saloon_client.v1 import tables_pb2 as tables

from engine_cy import Game, Goldgraeber
from engine_cy.game import Happened
from load import hostile_http
from load.http2 import DATA, END_HEADERS, HEADERS, Wire, frame, header_block, wire
from wire.writing import Writer

_AT_ONCE = 16
_SEATS = 150  # of one channel
_CONNECTIONS, _FEW_CONNECTIONS, _LONG_SECONDS = 10_000, 500, 20
_A_SECOND = 400  # connections; how fast they come is for a proxy to bound, since a core takes some 700
_RECORDS = 30
_HEAR_SECONDS, _BUSY_SECONDS = 0.2, 20
_STREAMS = 200
_LARGE, _WINDOW, _FRAME = 500_000, 48_000, 16_000  # bytes
_NOT_BY_THE_SERVER = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)


class Hostile:
    """One client, and when it ends."""

    def __init__(self, address: str, http_port: int, token: str, seconds: float) -> None:
        self.address = address
        self.http_port = http_port
        self.port = int(address.rpartition(":")[2])
        self.token = token
        self.metadata = (("authorization", f"Bearer {token}"),)
        self.seconds = seconds
        self.until = 0.0
        self.answered = 0  # by the server, whatever it said
        self.channel = grpc.insecure_channel(address)
        self.bots = bots_pb2_grpc.BotsStub(self.channel)
        self.rules = rules_pb2_grpc.RulesStub(self.channel)
        self.seats = seats_pb2_grpc.SeatsStub(self.channel)
        self.tables = tables_pb2_grpc.TablesStub(self.channel)

    def begin(self) -> None:
        """All is prepared; once told so, it begins."""
        print("ready", flush=True)
        sys.stdin.readline()
        self.until = time.monotonic() + self.seconds

    @property
    def going_on(self) -> bool:
        return time.monotonic() < self.until

    def rest(self) -> None:
        while self.going_on:
            time.sleep(0.1)

    def wait(self, future: Any) -> None:
        try:
            future.result(max(0.01, self.until - time.monotonic()))
            self.answered += 1
        except grpc.FutureTimeoutError:
            pass
        except grpc.RpcError as error:  # refused, as it should be
            self.answered += error.code() not in _NOT_BY_THE_SERVER
            time.sleep(0.01)

    def sit(self, stream: Any) -> None:
        """A bot sits down, or is refused."""
        try:
            self.answered += next(stream).HasField("seated")
        except grpc.RpcError as error:
            self.answered += error.code() not in _NOT_BY_THE_SERVER

    def heard(self, noisy: Wire) -> None:
        """Count what the server says of calls; it may be busy with others."""
        noisy.socket.settimeout(_HEAR_SECONDS)
        until = time.monotonic() + _BUSY_SECONDS
        while not (heard := sum(kind == HEADERS for kind, *_ in noisy.frames())) and time.monotonic() < until:
            pass
        self.answered += heard

    def again_and_again(self, call: Callable[[int], Any], at_once: int = _AT_ONCE) -> None:
        """So many calls under way at any time."""
        self.begin()
        under_way: list[Any] = []
        for number in count():
            if not self.going_on:
                break
            under_way.append(call(number))
            if len(under_way) >= at_once:
                self.wait(under_way.pop(0))
        self.until += _BUSY_SECONDS  # the server may be busy with others
        for future in under_way:
            if self.answered:
                future.cancel()
            else:
                self.wait(future)

    def game(self, players: int = 4) -> game_pb2.GameRecord:
        options = game_pb2.Options(moon_river=moon.MoonRiverOptions(players=players))
        return self.rules.NewGame(rules.NewGameRequest(options=options, seed=1), metadata=self.metadata).record

    def question(self, **more: object) -> bots.SuggestRequest:
        return bots.SuggestRequest(situation=game_pb2.Situation(record=self.game()), **more)  # type: ignore[arg-type]


def big(client: Hostile) -> None:
    """Hundreds of thousands of empty plots."""
    request = bots.SuggestRequest()
    plots = request.situation.position.moon_river.ranches.add().plots
    for _ in range(200_000):
        plots.add()
    client.again_and_again(lambda _: client.bots.Suggest.future(request, metadata=client.metadata))


def long_records(client: Hostile) -> None:
    """Games to their end, whose dice the sender says; the server knows none of them from before."""
    records = [Writer().record(played(number)) for number in range(_RECORDS)]

    def call(number: int) -> Any:
        record = records[number % len(records)]
        record.stream = number
        situation = game_pb2.Situation(record=record)
        return client.rules.Score.future(rules.ScoreRequest(situation=situation), metadata=client.metadata)

    client.again_and_again(call)


def played(number: int) -> Game:
    """A whole game at random, without a seed."""
    luck, game = random.Random(number), Game(Goldgraeber(players=5))
    while not game.over:
        if game.chance is None:
            game.decide(luck.choice(game.decisions()).to_list())
        else:
            chance = game.spectate().determinize(luck.randrange(2**60)).history[0]
            assert isinstance(chance, Happened)
            game.reveal(chance.what, chance.outcome)
    return game


def compiling(client: Hostile) -> None:
    """As many tables as there are ways to choose colours, a hundred at once: each has its own rules."""
    ways = [(p, b) for b in (False, True) for p in permutations(range(6), 4)]

    def call(number: int) -> Any:
        colours, prospecting = ways[number % len(ways)]
        options = gold.GoldgraeberOptions(players=4, colours=colours, prospecting=prospecting)
        request = rules.NewGameRequest(options=game_pb2.Options(goldgraeber=options))
        return client.rules.NewGame.future(request, metadata=client.metadata)

    client.again_and_again(call, 150)


def drawing(client: Hostile) -> None:
    """Pictures, a hundred at once."""
    request = rules.RenderRequest(situation=game_pb2.Situation(record=client.game()))
    client.again_and_again(lambda _: client.rules.Render.future(request, metadata=client.metadata), 150)


def unfinished(client: Hostile) -> None:
    """Requests of which the last byte never comes, without a token and with it."""
    body = b"\0" + (_LARGE + 1).to_bytes(4, "big") + bytes(_LARGE)
    client.begin()
    with ExitStack() as stack:
        for token in ("", client.token):
            noisy = stack.enter_context(wire(client.port))
            noisy.greet()
            for stream in range(1, 2 * _STREAMS, 2):
                if not client.going_on:
                    break
                noisy.send(frame(HEADERS, END_HEADERS, stream, header_block("/saloon.v1.Bots/Suggest", token)))
                for part in range(0, _WINDOW, _FRAME):  # the server takes no more of it before it asks for it
                    noisy.send(frame(DATA, 0, stream, body[part : part + _FRAME]))
            client.heard(noisy)
        client.rest()


def watched_health(client: Hostile) -> None:
    """Names as long as messages may be, asked for by whoever comes."""
    stub: Any = health_pb2_grpc.HealthStub(client.channel)
    client.begin()
    for number in count():
        if not client.going_on:
            break
        request = health_pb2.HealthCheckRequest(service=f"{number}" + "n" * _LARGE)
        try:
            next(stub.Watch(request, timeout=5))
            client.answered += 1
        except grpc.RpcError as error:
            client.answered += error.code() not in _NOT_BY_THE_SERVER


def not_read(client: Hostile) -> None:
    """Pictures that are never taken."""
    request = rules.RenderRequest(situation=game_pb2.Situation(record=client.game())).SerializeToString()
    client.begin()
    with ExitStack() as stack:
        while client.going_on:
            noisy = stack.enter_context(wire(client.port))
            noisy.greet(initial_window_size=0)
            for stream in range(1, 2 * _STREAMS, 2):
                noisy.call(stream, "/saloon.v1.Rules/Render", request, client.token)
            client.heard(noisy)
            time.sleep(1)


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
    client.answered += 1  # the searches go on for longer than anybody waits
    client.again_and_again(lambda _: client.bots.Suggest.future(request, metadata=client.metadata))


def cancels(client: Hostile) -> None:
    """Searches that nobody wants a moment later."""
    request = client.question()
    request.budget.time.seconds = 20
    client.begin()
    while client.going_on:
        future = client.bots.Suggest.future(request, metadata=client.metadata)
        time.sleep(0.005)
        if not future.cancel():
            client.answered += 1
    client.until += _BUSY_SECONDS
    while not client.answered and client.going_on:  # so did the others
        client.wait(client.bots.ListBots.future(bots.ListBotsRequest(), metadata=client.metadata))


def ponderers(client: Hostile) -> None:
    """Bots that think ahead on as many seats as can be had."""
    game = game_pb2.Situation(record=client.game())
    streams = []

    def talk(seat: int) -> Iterator[seats.SitRequest]:
        yield seats.SitRequest(sit=seats.SitDown(seat=seat % 4, ponder=True))
        yield seats.SitRequest(watch=seats.Watch(situation=game))
        while client.going_on:
            time.sleep(0.2)

    client.begin()
    for seat in range(_SEATS):
        if client.going_on:
            streams.append(client.seats.Sit(talk(seat), metadata=client.metadata))
            client.sit(streams[-1])
    client.rest()


def unread(client: Hostile) -> None:
    """Questions to seats and tables whose answers are never read."""
    game = game_pb2.Situation(record=client.game())
    decide = seats.Decide(id="a", situation=game, budget=bots.Budget(iterations=1))

    def talk(seat: int) -> Iterator[seats.SitRequest]:
        yield seats.SitRequest(sit=seats.SitDown(seat=seat))
        while client.going_on:
            yield seats.SitRequest(decide=decide)

    client.begin()
    streams = [client.seats.Sit(talk(seat), metadata=client.metadata) for seat in range(4)]
    for stream in streams:
        client.sit(stream)  # nothing is read after that
    client.rest()


def many_tables(client: Hostile) -> None:
    """Tables that nobody will ever play at, in as many ways as there are colours."""
    luck = random.Random(2)

    def call(_: int) -> Any:
        colours = luck.sample(range(6), 4)
        options = game_pb2.Options(goldgraeber=gold.GoldgraeberOptions(players=4, colours=colours))
        return client.tables.CreateTable.future(tables.CreateTableRequest(options=options), metadata=client.metadata)

    client.again_and_again(call)


def connections(client: Hostile) -> None:
    """Connections, as many as there can be, each with a stream of a table that says nothing."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    options = game_pb2.Options(moon_river=moon.MoonRiverOptions(players=4))
    request = tables.CreateTableRequest(options=options)
    names = [client.tables.CreateTable(request, metadata=client.metadata).table.table for _ in range(20)]
    client.begin()
    with ExitStack() as stack:
        wanted = _CONNECTIONS if client.seconds >= _LONG_SECONDS else _FEW_CONNECTIONS
        for number in range(min(wanted, most - 500)):
            if not client.going_on:
                break
            if number % 20 == 0:
                time.sleep(20 / _A_SECOND)
            noisy = stack.enter_context(wire(client.port))
            noisy.greet()
            watch = tables.WatchTableRequest(table=names[number % len(names)]).SerializeToString()
            noisy.call(1, "/saloon.v1.Tables/WatchTable", watch, client.token)
        client.heard(noisy)
        client.rest()


WAYS: dict[str, Callable[[Hostile], None]] = {
    way.__name__: way
    for way in (
        big, unfinished, watched_health, not_read, compiling, drawing, long_records, hogs, cancels, ponderers, unread,
        many_tables, connections, *hostile_http.WAYS,
    )
}  # fmt: skip


if __name__ == "__main__":
    way, address, http_port, token, seconds = sys.argv[1:]
    client = Hostile(address, int(http_port), token, float(seconds))
    WAYS[way](client)
    print(client.answered, flush=True)
    os._exit(0)  # streams that never end need not be waited for
