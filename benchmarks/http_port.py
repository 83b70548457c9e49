"""What a call costs over HTTP beside gRPC: the same calls, one way after the other, again and again in one run.

python -m benchmarks.http_port [--calls 800]
"""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import grpc
from saloon_client.v1 import bots_pb2, bots_pb2_grpc, game_pb2, rules_pb2, rules_pb2_grpc

from saloon.launching import Server, serve
from saloon.ports import free_port

AT_A_TIME, ROUNDS, SUGGESTIONS = 8, 5, 200
AGAIN_SECONDS = 0.05  # after a refusal, which is not counted
PLAIN, JSON = "application/proto", "application/json"
Way = Callable[[int, list[float]], Awaitable[None]]  # so many calls; how long each took


def over_http(port: int, path: str, kind: str, body: bytes) -> Way:
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"

    async def call(count: int, times: list[float]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        done = 0
        while done < count:
            begun = perf_counter()
            writer.write(head.encode() + body)
            lines = (await reader.readuntil(b"\r\n\r\n")).lower()
            await reader.readexactly(int(lines.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
            if b" 429 " in lines:  # the machine has other work
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            if b" 200 " not in lines:
                raise SystemExit(lines)
            times.append(perf_counter() - begun)
            done += 1
        writer.close()

    return call


def over_grpc(method: Callable[..., Awaitable[object]], request: object) -> Way:
    async def call(count: int, times: list[float]) -> None:
        done = 0
        while done < count:
            begun = perf_counter()
            try:
                await method(request)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    raise
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            times.append(perf_counter() - begun)
            done += 1

    return call


async def compare(ways: dict[str, Way], calls: int, at_a_time: int, rounds: int) -> None:
    times: dict[str, list[float]] = {name: [] for name in ways}
    walls = dict.fromkeys(ways, 0.0)
    for _ in range(rounds):
        for name, way in ways.items():
            begun = perf_counter()
            await asyncio.gather(*(way(calls // at_a_time // rounds, times[name]) for _ in range(at_a_time)))
            walls[name] += perf_counter() - begun
    for name, found in times.items():
        found.sort()
        half, late = found[len(found) // 2] * 1000, found[len(found) * 99 // 100] * 1000
        print(f"{name:24} {len(found) / walls[name]:7.0f}/s   median {half:6.1f} ms   p99 {late:6.1f} ms")


async def measure(port: int, http_port: int, calls: int) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        bots: Any = bots_pb2_grpc.BotsStub(channel)
        rules: Any = rules_pb2_grpc.RulesStub(channel)
        new = rules_pb2.NewGameRequest(seed=5)
        new.options.moon_river.players = 3
        options = {"moonRiver": {"players": 3}}
        path = "/saloon.v1.Rules/NewGame"
        quick = {
            "ListBots, gRPC": over_grpc(bots.ListBots, bots_pb2.ListBotsRequest()),
            "ListBots, HTTP, binary": over_http(http_port, "/saloon.v1.Bots/ListBots", PLAIN, b""),
            "ListBots, HTTP, JSON": over_http(http_port, "/saloon.v1.Bots/ListBots", JSON, b"{}"),
            "NewGame, gRPC": over_grpc(rules.NewGame, new),
            "NewGame, HTTP, binary": over_http(http_port, path, PLAIN, new.SerializeToString()),
            "NewGame, HTTP, JSON": over_http(
                http_port, path, JSON, json.dumps({"options": options, "seed": 5}).encode()
            ),
        }
        await compare(quick, calls, AT_A_TIME, ROUNDS)
        request = bots_pb2.SuggestRequest(situation=game_pb2.Situation(record=(await rules.NewGame(new)).record))
        request.budget.time.nanos = 100_000_000
        asked = {"situation": {"record": {"options": options, "seed": 5}}, "budget": {"time": "0.1s"}}
        slow = {
            "Suggest 100 ms, gRPC": over_grpc(bots.Suggest, request),
            "Suggest 100 ms, JSON": over_http(http_port, "/saloon.v1.Bots/Suggest", JSON, json.dumps(asked).encode()),
        }
        await compare(slow, SUGGESTIONS, 1, ROUNDS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=4000, help="of each way")
    calls = parser.parse_args().calls
    with TemporaryDirectory() as folder:
        port, http_port = free_port(), free_port()
        command = serve(port, Path(folder) / "tables.sqlite", "--http-port", str(http_port))
        server = Server(command, port)
        server.start()
        try:
            asyncio.run(measure(port, http_port, calls))
        finally:
            server.kill()


if __name__ == "__main__":
    main()
