"""What one client may have under way: what it does not send, does not read or asks too often is its own matter."""

import asyncio
import hashlib
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from saloon_client.v1 import bots_pb2, game_pb2, rules_pb2

from load.http2 import DATA, END_HEADERS, HEADERS, Wire, frame, header_block, wire
from server.basics import limits
from server.basics.caller import CALLER
from server.basics.places import Places
from server.basics.refusals import Overloaded, Refused
from server.basics.turns import LoopTurns, Turns
from server.calls.callers import Caller
from server.calls.reading import Requests
from server.process.service import Service
from tests.service import at_tables
from tests.service.at_tables import create, join, options
from tests.service.games import Sitting, Stubs, details
from tests.service.running import ended, serving, until

SUGGEST, SIT, RENDER = "/saloon.v1.Bots/Suggest", "/saloon.v1.Seats/Sit", "/saloon.v1.Rules/Render"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with serving(tmp_path) as service:
        yield service


@pytest.fixture
def stubs(service: Service) -> Iterator[Stubs]:
    with grpc.insecure_channel(service.address) as channel:
        yield Stubs(channel)


def begin(noisy: Wire, path: str, first: int, count: int, body: bytes = b"") -> None:
    """Calls whose message is announced as half a megabyte and never ends."""
    announced = b"\0" + (500_000).to_bytes(4, "big") + body
    for number in range(first, first + 2 * count, 2):
        noisy.send(frame(HEADERS, END_HEADERS, number, header_block(path)), frame(DATA, 0, number, announced))


# ---- What does not come


def test_a_stranger_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    """Though what was sent never ends."""
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(f'[good]\nsha256 = "{hashlib.sha256(b"GOOD").hexdigest()}"\n', encoding="utf-8")
    with serving(tmp_path, tokens=tokens) as service, wire(service.port) as noisy:
        noisy.greet()
        for path in (SUGGEST, SIT):
            begin(noisy, path, 1 if path is SUGGEST else 201, 100, b"x" * 200)
            until(lambda path=path: ended(service, path, "UNAUTHENTICATED") == 100)


@pytest.mark.parametrize("path", [SUGGEST, SIT])
def test_what_does_not_come_is_not_waited_for(service: Service, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READ_SECONDS", 0.2)
    with wire(service.port) as noisy:
        noisy.greet()
        begin(noisy, path, 1, 3, b"x" * 200)
        noisy.send(frame(HEADERS, END_HEADERS, 7, header_block(path)))  # nothing at all
        until(lambda: ended(service, path, "DEADLINE_EXCEEDED") == 4)


def test_one_who_says_nothing_does_not_keep_others_of_its_address_waiting(
    service: Service, stubs: Stubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that is whole is read at once; where many are not, they have less time."""
    monkeypatch.setattr(limits, "BODIES", 2)
    waited_for = service.metrics.open.labels(SUGGEST)._value
    with wire(service.port) as noisy:
        noisy.greet()
        begin(noisy, SUGGEST, 1, 50)  # all before another asks, or its request counts among the two, or puts some off
        until(lambda: waited_for.get() + ended(service, SUGGEST, "DEADLINE_EXCEEDED") == 50)
        begun = time.monotonic()
        until(lambda: code(lambda: stubs.bots.ListBots(bots_pb2.ListBotsRequest())) == "OK")
        assert time.monotonic() - begun < 3
        until(lambda: ended(service, SUGGEST, "DEADLINE_EXCEEDED") == 48)


# ---- What is not read, and what is too much


def test_answers_that_are_not_read_count_as_calls(
    service: Service, stubs: Stubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing more is begun for whoever does not read."""
    monkeypatch.setattr(limits, "CALLS", 3)
    record = stubs.rules.NewGame(rules_pb2.NewGameRequest(options=options())).record
    request = rules_pb2.RenderRequest(situation=game_pb2.Situation(record=record))
    with wire(service.port) as lazy:
        lazy.greet(initial_window_size=0)
        for number in range(3):
            lazy.call(2 * number + 1, RENDER, request.SerializeToString())
        until(lambda: ended(service, RENDER, "OK") == 3)
        with pytest.raises(grpc.RpcError) as caught:
            stubs.rules.Render(request)
        assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert details(caught.value, RetryInfo).retry_delay.ToMilliseconds() > 0
    until(lambda: code(lambda: stubs.rules.Render(request)) == "OK")


def test_many_bytes_that_are_not_read(service: Service, stubs: Stubs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNREAD_BYTES", 10_000)
    record = stubs.rules.NewGame(rules_pb2.NewGameRequest(options=options())).record
    request = rules_pb2.RenderRequest(situation=game_pb2.Situation(record=record))
    with wire(service.port) as lazy:
        lazy.greet(initial_window_size=0)
        lazy.call(1, RENDER, request.SerializeToString())
        until(lambda: ended(service, RENDER, "OK") == 1)
        assert code(lambda: stubs.rules.Render(request)) == "RESOURCE_EXHAUSTED"


def test_a_client_has_so_many_streams(stubs: Stubs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAMS", 1)
    first = Sitting(stubs, seat=0)
    assert first.next().seated.session
    second = Sitting(stubs, seat=1)
    assert code(second.next) == "RESOURCE_EXHAUSTED"
    first.hang_up()
    second.hang_up()


def code(call: Any) -> str:
    try:
        call()
    except grpc.RpcError as error:
        return error.code().name
    return "OK"


# ---- Health


def test_health_of_what_there_is(stubs: Stubs) -> None:
    health: Any = health_pb2_grpc.HealthStub(stubs.channel)
    for name, expected in (("nobody", "NOT_FOUND"), ("n" * 100_000, "INVALID_ARGUMENT")):
        request = health_pb2.HealthCheckRequest(service=name)
        assert code(lambda request=request: health.Check(request)) == expected
        assert code(lambda request=request: next(health.Watch(request))) == expected
    watch = health.Watch(health_pb2.HealthCheckRequest(service="saloon.v1.Bots"))
    assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
    watch.cancel()


def test_nobody_keeps_others_from_watching_health(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client has some of these streams, and who has most makes room for the others."""
    monkeypatch.setattr(limits, "HEALTH_WATCHES", 3)
    monkeypatch.setattr(limits, "ALL_HEALTH_WATCHES", 4)
    path = "/grpc.health.v1.Health/Watch"
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        watches = [health.Watch(health_pb2.HealthCheckRequest()) for _ in range(3)]
        for watch in watches:
            next(watch)
        assert code(lambda: next(health.Watch(health_pb2.HealthCheckRequest()))) == "RESOURCE_EXHAUSTED"
        other = Wire.__new__(Wire)
        other.socket = socket.create_connection(("127.0.0.1", service.port), source_address=("127.0.0.2", 0))
        other.greet()
        other.call(1, path, b"")
        other.call(3, path, b"")
        until(lambda: ended(service, path, "RESOURCE_EXHAUSTED") == 2)
        until(lambda: service.metrics.open.labels(path)._value.get() == 4)
        for watch in watches:
            watch.cancel()
        other.socket.close()


# ---- Turns


def test_clients_come_one_after_the_other() -> None:
    """However many want a turn; of one client, what costs least comes first."""

    async def work() -> None:
        turns, log = Turns(), list[str]()

        async def one(owner: str, name: str, cost: float = 0) -> None:
            async with turns.turn(owner, cost):
                log.append(name)
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(one("hog", f"hog {i}")) for i in range(4)]
        tasks.append(asyncio.create_task(one("hog", "hog cheap", -1)))
        tasks.append(asyncio.create_task(one("other", "other")))
        await asyncio.gather(*tasks)
        assert log == ["hog 0", "hog cheap", "other", "hog 1", "hog 2", "hog 3"]

    asyncio.run(work())


def test_no_turn_is_lost_by_who_goes_away() -> None:
    async def work() -> None:
        turns = Turns(1, 2)
        await turns.begin("first")
        waiting = [asyncio.create_task(turns.begin("second")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refused):
            await turns.begin("second")
        waiting[0].cancel()
        await asyncio.sleep(0)
        turns.end()  # the next one has it now ...
        waiting[1].cancel()  # ... and goes away before it knows
        await asyncio.gather(*waiting, return_exceptions=True)
        assert turns.free == 1
        assert not turns.waiting

    asyncio.run(work())


@pytest.mark.parametrize(("come", "least"), [(True, 0.17), (False, 0.1)])
def test_a_turn_on_the_loop_ends_by_itself(come: bool, least: float) -> None:
    """As much again is left to others, so that new calls come in, as long as there are any."""

    async def work() -> None:
        turns, begun = LoopTurns(), time.thread_time()

        async def one(owner: str) -> None:
            await turns.take(owner)
            until = time.thread_time() + 0.02
            while time.thread_time() < until:
                pass

        async def newcomers() -> None:
            while come:
                turns.look("b")
                await asyncio.sleep(0)

        new = asyncio.create_task(newcomers())
        await asyncio.gather(*(one("a") for _ in range(5)))
        assert least < time.thread_time() - begun < (1 if come else 0.17)
        new.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                while not turns.free:
                    await asyncio.sleep(0.01)
        assert turns.free == 1

    asyncio.run(work())


def test_who_would_wait_long_for_the_loop_is_told_at_once() -> None:
    """With the time to try again; a message of a stream that is open waits, since its stream would end."""

    async def work() -> None:
        turns = LoopTurns()
        turns.usual = 0.1
        await turns.begin("a")
        waiting = [asyncio.create_task(turns.begin("a")) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Overloaded) as refused:
            await turns.take("a")
        assert refused.value.retry_seconds == pytest.approx(0.3)
        others = [asyncio.create_task(turns.take("b")), asyncio.create_task(turns.take("a", patient=True))]
        for _ in waiting:
            turns.end()
        turns.end()
        await asyncio.gather(*waiting, *others)

    asyncio.run(work())


def test_those_who_are_refused_come_again_one_after_the_other() -> None:
    caller = Caller("a")
    again = [caller.again(0.5) for _ in range(3)]
    for seconds, expected in zip(again, (0.5, 0.504, 0.508), strict=True):
        assert seconds == pytest.approx(expected, abs=0.003)
    assert caller.again(5) == pytest.approx(5, abs=0.003)
    assert max(caller.again(1) for _ in range(3000)) < 10.01


def test_refusals_over_the_wire_say_different_times(
    service: Service, stubs: Stubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(turns: LoopTurns, owner: str) -> None:
        raise Overloaded("full", 1.0)

    health: Any = health_pb2_grpc.HealthStub(stubs.channel)
    watch = health.Watch(health_pb2.HealthCheckRequest())
    next(watch)  # who has nothing under way is forgotten
    monkeypatch.setattr(LoopTurns, "look", full)
    monkeypatch.setattr(limits, "APART_SECONDS", 5.0)
    calls = [stubs.bots.ListBots.future(bots_pb2.ListBotsRequest()) for _ in range(4)]
    seconds = []
    for call in calls:
        with pytest.raises(grpc.RpcError) as refused:
            call.result()
        seconds.append(details(refused.value, RetryInfo).retry_delay.ToTimedelta().total_seconds())
    assert max(seconds) > min(seconds) + 1
    watch.cancel()


def test_requests_are_read_as_far_as_they_are_understood(stubs: Stubs) -> None:
    call: Any = stubs.channel.unary_unary("/saloon.v1.Bots/ListBots")
    unknown = b"\xfa\x3f\x03abc"
    assert bots_pb2.ListBotsResponse.FromString(call(unknown)).levels


# ---- Beside the event loop


def test_what_takes_long_is_done_in_turns() -> None:
    """A client who asks for much is refused some of it, and nobody else waits behind it."""

    async def work() -> None:
        requests, log = Requests(), list[str]()
        CALLER.set("hog")
        hogs = [asyncio.create_task(requests.beside(time.sleep, 0.01)) for _ in range(limits.BESIDE + 3)]
        for hog in hogs:
            hog.add_done_callback(lambda _: log.append("hog"))
        await asyncio.sleep(0)
        CALLER.set("other")
        await requests.beside(log.append, "other")
        assert log.index("other") <= 4  # two of them refused, one that was done, one that was begun
        assert sum(isinstance(one, Overloaded) for one in await asyncio.gather(*hogs, return_exceptions=True)) == 2
        requests.close()

    asyncio.run(work())


def test_the_thread_is_busy_though_nobody_waits_for_it() -> None:
    async def work() -> None:
        requests = Requests()
        gone = asyncio.create_task(requests.beside(time.sleep, 0.2))
        await asyncio.sleep(0.01)
        gone.cancel()
        begun = time.monotonic()
        await requests.beside(time.sleep, 0)
        assert time.monotonic() - begun > 0.1
        requests.close()

    asyncio.run(work())


# ---- Places


def test_who_has_most_places_makes_room_for_others() -> None:
    places, lost = Places(3, 4), list[str]()
    with ExitStack() as stack:

        def take(owner: str) -> None:
            stack.enter_context(places.taken(owner, lambda _: lost.append(owner)))

        for _ in range(3):
            take("hog")
        with pytest.raises(Overloaded):
            take("hog")
        take("other")
        take("other")
        assert lost == ["hog"]
        with pytest.raises(Overloaded):  # both have as many
            take("hog")
        take("third")
        assert lost == ["hog", "hog"]
    take("hog")


def test_a_table_has_so_many_watchers(stubs: Stubs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHES", 1)
    tables = at_tables.Stub(stubs.channel)
    name = create(tables).table.table
    first = at_tables.watch(tables, name)
    next(first)
    assert code(lambda: next(at_tables.watch(tables, name))) == "RESOURCE_EXHAUSTED"
    assert code(lambda: next(at_tables.watch(tables, create(tables).table.table))) == "OK"
    assert join(tables, name).token
    assert next(first).table.seats[0].name == "Ann"


# ---- What an operator sees


def test_what_calls_wait_is_measured(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a caller has it: the event loop itself is in time for everything."""

    async def long(turns: LoopTurns, owner: str, patient: bool) -> None:
        await asyncio.sleep(0.3)

    def late() -> float:
        value = service.metrics.registry.get_sample_value
        name = "saloon_loop_delay_seconds"
        return (value(f"{name}_count") or 0) - (value(f"{name}_bucket", {"le": "0.2"}) or 0)

    before = late()
    monkeypatch.setattr(LoopTurns, "take", long)
    until(lambda: late() > before)
