"""The proxies take no larger request than the servers do, and say so as the servers would; with real proxies."""

import re
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import grpc
import psutil
import pytest
from saloon_client.v1 import seats_pb2

from load import http2
from load.http2 import (
    ACK,
    DATA,
    END_HEADERS,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    SETTINGS,
    WINDOW_UPDATE,
    Wire,
    frame,
    header_block,
    wire,
)
from saloon.ports import free_port
from server.basics.settings import Settings
from tests.deploy.reading import DEPLOY, pods
from tests.deploy.test_proxies import binary, configured, running
from tests.service.processes import server, wait_until_serving
from tests.service.test_envoy import proxied

LARGEST: int = Settings.model_fields["max_message_bytes"].default
FRAME = 5  # bytes that gRPC puts before a message
IN_LETTERS = (LARGEST + FRAME + 2) // 3 * 4  # as base64
ENVOYS = [*DEPLOY.glob("*/envoy.yaml"), DEPLOY / "envoy" / "compose.yaml"]


def padded(message: bytes, size: int) -> bytes:
    """The same message for whoever skips unknown fields, with so many bytes."""
    field = b"\xfa\xff\xff\xff\x0f"  # number 2**29 - 1
    length = size - len(message) - len(field) - 3  # in three bytes
    return message + field + bytes([length & 127 | 128, length >> 7 & 127 | 128, length >> 14]) + b"a" * length


@contextmanager
def behind_envoy(folder: Path, port: int) -> Iterator[str]:
    with proxied(folder, [port] * 3) as address:
        wait_until_serving(address)
        time.sleep(1)  # for the first health checks
        yield address


@contextmanager
def behind_nginx(folder: Path, port: int) -> Iterator[str]:
    listen = free_port()
    file = configured(DEPLOY / "nginx" / "nginx.conf", folder, listen, [port] * 3)
    settings = ["-e", "stderr", "-c", str(file), "-g", f"daemon off; pid {folder}/pid;"]
    with running([binary("nginx"), "-p", str(folder), *settings], f"127.0.0.1:{listen}") as master:
        yield f"127.0.0.1:{listen}"
        master.terminate()  # its workers with it
        master.wait(10)


@contextmanager
def behind_haproxy(folder: Path, port: int) -> Iterator[str]:
    listen = free_port()
    file = configured(DEPLOY / "haproxy" / "haproxy.cfg", folder, listen, [port] * 3)
    with running([binary("haproxy"), "-db", "-f", str(file)], f"127.0.0.1:{listen}"):
        yield f"127.0.0.1:{listen}"


def code(channel: grpc.Channel, method: str, size: int) -> str:
    call: Any = channel.unary_unary(f"/saloon.v1.{method}")
    try:
        call(padded(b"", size), timeout=10)
    except grpc.RpcError as error:
        return str(error.code().name)
    return "OK"


@pytest.mark.parametrize("behind", [behind_envoy, behind_nginx, behind_haproxy])
def test_what_is_larger_than_servers_take_does_not_reach_them(
    behind: Callable[[Path, int], AbstractContextManager[str]], tmp_path: Path
) -> None:
    """The server takes twice as much here, so it is the proxy that refuses."""
    with (
        server(tmp_path, "--max-message-bytes", str(2 * LARGEST)) as target,
        behind(tmp_path, target.port) as address,
        grpc.insecure_channel(address) as channel,
        target.channel() as direct,
    ):
        for method in ("Bots/ListBots", "Rules/ListGames", "Tables/ListTables"):
            assert code(channel, method, LARGEST) == "OK", method
            # HAProxy resets the stream behind its answer, and then grpcio does not look at the answer.
            refused = "CANCELLED" if behind is behind_haproxy else "RESOURCE_EXHAUSTED"
            assert code(channel, method, LARGEST + 1) == refused, method
            assert code(direct, method, LARGEST + 1) == "OK", method
        # A seat's stream is as long as its game.
        sit: Any = channel.stream_stream("/saloon.v1.Seats/Sit")
        said = (seats_pb2.SitRequest(sit=seats_pb2.SitDown(seat=0)), seats_pb2.SitRequest(leave=seats_pb2.Leave()))
        answers = [
            seats_pb2.SitResponse.FromString(answer)
            for answer in sit((padded(each.SerializeToString(), LARGEST) for each in said), timeout=10)
        ]
        assert answers[0].WhichOneof("message") == "seated"


def test_the_limits_are_the_servers() -> None:
    for path in ENVOYS:
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"max_request_bytes: (\d+)", text) == [str(LARGEST + FRAME), str(IN_LETTERS)], path
    nginx = (DEPLOY / "nginx" / "nginx.conf").read_text(encoding="utf-8")
    assert re.findall(r"client_max_body_size (\d+);", nginx) == [str(LARGEST + FRAME), "0", str(IN_LETTERS)]
    haproxy = (DEPLOY / "haproxy" / "haproxy.cfg").read_text(encoding="utf-8")
    assert re.findall(r"req.body,bytes\(1,4\),hex,hex2i gt (\d+)", haproxy) == [str(LARGEST)]
    assert re.findall(r"hdr\(content-length\) -m int gt (\d+)", haproxy) == [str(IN_LETTERS)]


def unfinished(flood: Wire, requests: int) -> None:
    """Begin so many large requests on a connection, as fast as the other side lets it, and end none; or until that ends
    the connection."""
    windows: dict[int, int] = {0: 65535}
    agreed = Event()

    def listen() -> None:
        for kind, flags, stream, payload in flood.frames():
            if kind == SETTINGS and not flags & ACK:
                for at in range(0, len(payload), 6):
                    key, value = struct.unpack(">HI", payload[at : at + 6])
                    if key == INITIAL_WINDOW_SIZE:
                        assert value > LARGEST
                flood.send(frame(SETTINGS, ACK, 0))
                agreed.set()
            if kind == WINDOW_UPDATE and stream == 0:
                windows[0] += int.from_bytes(payload, "big")

    listening = Thread(target=listen, daemon=True)
    listening.start()
    assert agreed.wait(10)
    body = frame(DATA, 0, 0, http2.message(b"a" * LARGEST)[:16384])
    for stream in range(1, 2 * requests, 2):
        number = struct.pack(">I", stream)
        flood.send(frame(HEADERS, END_HEADERS, stream, header_block("/saloon.v1.Bots/ListBots")))
        for _ in range(LARGEST // 16384 - 1):
            until = time.monotonic() + 5
            while windows[0] < 16384 and listening.is_alive() and time.monotonic() < until:
                time.sleep(0.001)
            windows[0] -= 16384
            if not flood.send(body[:5] + number + body[9:]):
                return


def test_requests_that_are_never_whole_do_not_fill_envoy(tmp_path: Path) -> None:
    """700 MB of them, on one connection: Envoy stays below what its pod may have, the server hears nothing of them,
    others are answered."""
    with server(tmp_path) as target, behind_envoy(tmp_path, target.port) as address:
        before = target.memory
        with wire(int(address.partition(":")[2])) as flood, grpc.insecure_channel(address) as channel:
            flood.greet()
            unfinished(flood, 1400)
            assert code(channel, "Bots/ListBots", 100) == "OK"
            (envoy,) = [each for each in psutil.Process().children() if "envoy" in each.name()]
            assert envoy.memory_info().rss < 450 << 20
        assert target.memory - before < 20 << 20


def test_envoy_s_memory_ends_before_its_pod_s() -> None:
    (limit,) = [each["resources"]["limits"]["memory"] for each in pods()["saloon-envoy"]["containers"]]
    for path in ENVOYS:
        (known,) = re.findall(r"max_heap_size_bytes: (\d+)", path.read_text(encoding="utf-8"))
        assert int(known) <= (int(limit.removesuffix("Mi")) << 20) * 3 / 4, path


def test_reflection_passes_envoy(tmp_path: Path) -> None:
    """Its stream is answered before it ends: nobody waits for the whole of it."""
    with (
        server(tmp_path) as target,
        behind_envoy(tmp_path, target.port) as address,
        grpc.insecure_channel(address) as channel,
    ):
        call: Any = channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
        ended = Event()
        answers = call(asked(ended), timeout=10)
        assert b"saloon.v1.Bots" in next(answers)
        ended.set()


def asked(ended: Event) -> Iterator[bytes]:
    """Which services are there, and then nothing for a while."""
    yield b"\x3a\0"  # list_services: ""
    ended.wait(10)
