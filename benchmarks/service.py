"""What the service promises, measured from outside: `python -m benchmarks.service [PART ...]`.

Server and clients share this machine; on few cores they share those too. Parts: calls, alone, overload, cancel, seats.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
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

from saloon.launching import own_server
from saloon.ports import free_port

_ECHO = """
import asyncio, sys
import grpc
async def echo(request, context):
    return request
async def main():
    server = grpc.aio.server()
    handlers = {"Echo": grpc.unary_unary_rpc_method_handler(echo)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bare.Echo", handlers),))
    server.add_insecure_port(sys.argv[1])
    await server.start()
    await server.wait_for_termination()
asyncio.run(main())
"""


def budget(ms: int) -> bots_pb2.Budget:
    return bots_pb2.Budget(time=Duration(nanos=ms % 1000 * 1_000_000, seconds=ms // 1000))


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


@contextmanager
def echo_server(port: int) -> Iterator[str]:
    """A bare server in a process of its own; gives its address."""
    address = f"127.0.0.1:{port}"
    child = subprocess.Popen([sys.executable, "-c", _ECHO, address], stderr=subprocess.DEVNULL)
    try:
        yield address
    finally:
        child.terminate()
        child.wait(30)


async def rate(call: Callable[[], Awaitable[Any]], at_a_time: int, seconds: float) -> tuple[float, list[float]]:
    """Calls a second, and how long each took."""
    times: list[float] = []
    end = time.perf_counter() + seconds

    async def client() -> None:
        while (begun := time.perf_counter()) < end:
            await call()
            times.append(time.perf_counter() - begun)

    await asyncio.gather(*(client() for _ in range(at_a_time)))
    return len(times) / seconds, times


async def calls(seconds: float) -> dict[str, Any]:
    """A call that searches nothing, against a bare echo server, in turns."""
    rows: dict[str, list[tuple[float, list[float]]]] = {"echo": [], "list_bots": []}
    with echo_server(free_port()) as echo_address, own_server() as server:
        async with (
            grpc.aio.insecure_channel(echo_address) as bare,
            grpc.aio.insecure_channel(server.address) as channel,
        ):
            await asyncio.wait_for(bare.channel_ready(), 30)
            echo: Any = bare.unary_unary("/bare.Echo/Echo")
            bots: Any = bots_pb2_grpc.BotsStub(channel)
            for _ in range(3):
                rows["echo"].append(await rate(lambda: echo(b"hello"), 64, seconds))
                rows["list_bots"].append(await rate(lambda: bots.ListBots(bots_pb2.ListBotsRequest()), 64, seconds))
    best = {name: max(each for each, _ in found) for name, found in rows.items()}
    times = [t for _, found in rows["list_bots"] for t in found]
    return {
        "echo_per_s": round(best["echo"]),
        "list_bots_per_s": round(best["list_bots"]),
        "ratio": round(best["list_bots"] / best["echo"], 2),
        "p99_ms": round(percentile(times, 0.99) * 1000, 1),
    }


async def _game(channel: grpc.aio.Channel, turns: int = 9) -> game_pb2.Situation:
    rules: Any = rules_pb2_grpc.RulesStub(channel)
    bots: Any = bots_pb2_grpc.BotsStub(channel)
    options = game_pb2.Options(moon_river=moon_river_pb2.MoonRiverOptions(players=4))
    new = await rules.NewGame(rules_pb2.NewGameRequest(options=options, seed=1))
    situation = game_pb2.Situation(record=new.record)
    for _ in range(turns):
        turn = await bots.PlayTurn(bots_pb2.PlayTurnRequest(situation=situation, budget=bots_pb2.Budget(iterations=50)))
        events = [game_pb2.Event(chosen=game_pb2.Chosen(seat=a.seat, decision=a.choice)) for a in turn.answers]
        situation = (await rules.Apply(rules_pb2.ApplyRequest(situation=situation, events=events))).situation
    return situation


async def alone(count: int) -> dict[str, Any]:
    """Suggestions with a budget of 100 ms, one at a time, each with a deadline of 130 ms."""
    times, failed = [], Counter[str]()
    with own_server() as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            bots: Any = bots_pb2_grpc.BotsStub(channel)
            request = bots_pb2.SuggestRequest(situation=await _game(channel), budget=budget(100))
            for _ in range(count):
                begun = time.perf_counter()
                try:
                    await bots.Suggest(request, timeout=0.13)
                except grpc.aio.AioRpcError as error:
                    failed[error.code().name] += 1
                times.append((time.perf_counter() - begun) * 1000)
    return {
        "calls": count,
        "failed": dict(failed),
        **{f"p{p:g}_ms": round(percentile(times, p / 100), 2) for p in (50, 99, 99.9, 100)},
    }


async def overload(seconds: float, clients: int = 100) -> dict[str, Any]:
    """Clients that ask again at once, so that there is about ten times more work than fits: those that are admitted
    are answered in time, the others at once. They try again when they are told to, or at once if they are rude."""
    served, refused, codes, unhealthy = [], [], Counter[str](), 0
    with own_server() as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            bots: Any = bots_pb2_grpc.BotsStub(channel)
            health: Any = health_pb2_grpc.HealthStub(channel)
            request = bots_pb2.SuggestRequest(situation=await _game(channel), budget=budget(100))
            slots = max(1, (os.cpu_count() or 1) - 1)
            end = time.perf_counter() + seconds

            async def client(number: int) -> None:
                # Together about ten times what fits, each at its own pace.
                pause, rng = clients / (10 * slots / 0.1), random.Random(number)
                await asyncio.sleep(rng.random() * pause)
                while (begun := time.perf_counter()) < end:
                    try:
                        await bots.Suggest(request, timeout=0.6)
                        served.append((time.perf_counter() - begun) * 1000)
                        codes["OK"] += 1
                    except grpc.aio.AioRpcError as error:
                        codes[error.code().name] += 1
                        if error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED:
                            refused.append((time.perf_counter() - begun) * 1000)
                            status = rpc_status.from_call(error)  # type: ignore[arg-type]
                            if not any(detail.Is(RetryInfo.DESCRIPTOR) for detail in status.details):
                                codes["no RetryInfo"] += 1
                    await asyncio.sleep(max(0.0, pause * (0.5 + rng.random()) - (time.perf_counter() - begun)))

            async def watch() -> None:
                nonlocal unhealthy
                while time.perf_counter() < end:
                    answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=1)
                    unhealthy += answer.status != health_pb2.HealthCheckResponse.SERVING
                    await asyncio.sleep(0.05)

            await asyncio.gather(watch(), *(client(i) for i in range(clients)))
    return {
        "codes": dict(codes),
        "served_p99_ms": round(percentile(served, 0.99), 1),
        "served_longest_ms": round(max(served), 1),
        "refused_p50_ms": round(percentile(refused, 0.5), 1),
        "refused_p99_ms": round(percentile(refused, 0.99), 1),
        "unhealthy": unhealthy,
    }


def _memory(pid: int) -> tuple[int, int]:
    """Resident memory in KiB, and threads."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines())
    return int(lines["VmRSS"].split()[0]), int(lines["Threads"])


async def _until_admitted(bots: Any, request: bots_pb2.SuggestRequest) -> None:
    while True:
        try:
            await bots.Suggest(request)
            return
        except grpc.aio.AioRpcError as error:
            if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise


async def cancel(count: int) -> dict[str, Any]:
    """Calls that are given up at random moments leave nothing behind, and what they searched ends at once."""
    rng, waits = random.Random(1), []
    with own_server() as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            bots: Any = bots_pb2_grpc.BotsStub(channel)
            situation = await _game(channel)
            long = bots_pb2.SuggestRequest(situation=situation, budget=budget(10_000))
            short = bots_pb2.SuggestRequest(situation=situation, budget=bots_pb2.Budget(iterations=1))
            for number in range(count):
                if number == count // 10:
                    before = _memory(server.process.pid)
                call = bots.Suggest(long)
                await asyncio.sleep(rng.random() * 0.01)
                call.cancel()
                if number % 100 == 0:  # the only slot is free again as soon as the search has ended
                    begun = time.perf_counter()
                    await _until_admitted(bots, short)
                    waits.append((time.perf_counter() - begun) * 1000)
            await _until_admitted(bots, short)
            after = _memory(server.process.pid)
    return {
        "calls": count,
        "memory_kib": [before[0], after[0]],
        "threads": [before[1], after[1]],
        "next_search_p99_ms": round(percentile(waits, 0.99), 1),
    }


async def seats(open_seats: int, moving: int, rounds: int) -> dict[str, Any]:
    """Many seats open at once, bots moving in some of them."""
    times: list[float] = []
    with own_server() as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            stub: Any = seats_pb2_grpc.SeatsStub(channel)
            situation = await _game(channel)
            rules: Any = rules_pb2_grpc.RulesStub(channel)
            seat = (await rules.LegalDecisions(rules_pb2.LegalDecisionsRequest(situation=situation))).status.seat
            done = asyncio.Event()

            async def sit(number: int) -> None:
                async def say() -> AsyncIterator[seats_pb2.SitRequest]:
                    yield seats_pb2.SitRequest(sit=seats_pb2.SitDown(seat=seat, budget=budget(20)))
                    while not done.is_set():
                        yield await requests.get()

                requests: asyncio.Queue[seats_pb2.SitRequest] = asyncio.Queue()
                call = stub.Sit(say())
                await call.read()
                seated.release()
                await begin.wait()
                if number < moving:
                    for i in range(rounds):
                        began = time.perf_counter()
                        decide = seats_pb2.Decide(id=str(i), situation=situation)
                        await requests.put(seats_pb2.SitRequest(decide=decide))
                        answer = await call.read()
                        assert answer.WhichOneof("message") == "decided", answer
                        times.append((time.perf_counter() - began) * 1000)
                else:
                    await done.wait()
                call.cancel()

            seated, begin = asyncio.Semaphore(0), asyncio.Event()
            tasks = [asyncio.create_task(sit(i)) for i in range(open_seats)]
            for _ in range(open_seats):
                await seated.acquire()
            memory = _memory(server.process.pid)
            begin.set()
            await asyncio.gather(*tasks[:moving])
            done.set()
            await asyncio.gather(*tasks)
    return {
        "seats": open_seats,
        "decisions": len(times),
        "p50_ms": round(percentile(times, 0.5), 1),
        "p99_ms": round(percentile(times, 0.99), 1),
        "memory_kib": memory[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="calls, alone, overload, cancel, seats; all if none is given")
    parser.add_argument("--short", action="store_true", help="a tenth of everything")
    arguments = parser.parse_args()
    size = 0.1 if arguments.short else 1.0
    parts: dict[str, Callable[[], Any]] = {
        "calls": lambda: calls(10 * size),
        "alone": lambda: alone(int(10_000 * size)),
        "overload": lambda: overload(60 * size),
        "cancel": lambda: cancel(int(10_000 * size)),
        "seats": lambda: seats(int(1000 * size), 20, 10),
    }
    for name in arguments.parts or parts:
        print(json.dumps({name: asyncio.run(parts[name]())}), flush=True)


if __name__ == "__main__":
    main()
