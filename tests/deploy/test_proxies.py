"""The proxies' configurations, with real proxies and real servers: calls arrive, and a rolling restart loses none."""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import pytest
from saloon_client.v1 import bots_pb2, tables_pb2

from tests.chaos.http2 import END_HEADERS, END_STREAM, HEADERS, frame, header_block, wire
from tests.service.games import Sitting, Stubs
from tests.service.hosted import Stub, bot, create, play_to_end
from tests.service.test_envoy import Callers, envoy_binary
from tests.service.test_operations import free_port, started, wait_until_serving

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
BACKENDS = (50051, 50052, 50053)


@contextmanager
def running(command: list[str], address: str) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        wait_until_serving(address)
        yield child
    finally:
        child.kill()
        child.wait(10)


def binary(name: str, package: str = "") -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if found is None:
        pytest.skip(f"needs {name}: apt-get install {package or name}")
    return found


def configured(source: Path, folder: Path, listen: int, servers: list[int]) -> Path:
    """A configuration with ports of this test's own."""
    text = re.sub(r"\b50050\b", str(listen), source.read_text(encoding="utf-8"))
    for known, server in zip(BACKENDS, servers, strict=True):
        text = re.sub(rf"\b{known}\b", str(server), text)
    file = folder / source.name
    file.write_text(text, encoding="utf-8")
    return file


def test_haproxy(tmp_path: Path) -> None:
    """Health is asked for, so that a rolling restart under load loses no call; streams and tables pass."""
    haproxy = binary("haproxy")
    ports, listen = [free_port() for _ in BACKENDS], free_port()
    file = configured(DEPLOY / "haproxy" / "haproxy.cfg", tmp_path, listen, ports)
    flags = ("--notice-seconds", "1", "--drain-seconds", "2", "--log-level", "error")
    with ExitStack() as stack:
        servers = [stack.enter_context(started(tmp_path, *flags, port=port))[0] for port in ports]
        for port in ports:
            wait_until_serving(f"127.0.0.1:{port}")
        address = f"127.0.0.1:{listen}"
        stack.enter_context(running([haproxy, "-db", "-f", str(file)], address))
        with grpc.insecure_channel(address) as channel:
            play_of_bots(Stub(channel))
            sitting = Sitting(Stubs(channel), seat=0)
            sitting.next()
            sitting.hang_up()
        ask_for_what_is_no_text(listen)
        with Callers(address, clients=3) as callers:
            for number in range(2):
                time.sleep(0.5)
                servers[number].terminate()
                assert servers[number].wait(20) == 0
                servers[number] = stack.enter_context(started(tmp_path, *flags, port=ports[number]))[0]
                wait_until_serving(f"127.0.0.1:{ports[number]}")
        assert set(callers.codes) == {"OK"}
        assert callers.codes["OK"] > 50


def ask_for_what_is_no_text(port: int) -> None:
    """Call a method whose name is not UTF-8, which is refused; the rest of a test sees whether servers are left."""
    with wire(port) as noisy:
        noisy.greet()
        noisy.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, header_block(b"/saloon.v1.Bots/List\xc8")))
        noisy.socket.settimeout(2)
        assert any(kind == HEADERS for kind, _, _, _ in noisy.frames())


def play_of_bots(tables: Stub) -> str:
    """A hosted game of bots, watched to its end; the table."""
    table = create(tables, 2, [bot(0, level="1"), bot(1, level="1")]).table.table
    assert play_to_end(tables, table, {})
    return table


def test_nginx(tmp_path: Path) -> None:
    """Calls and streams pass, and go to another server when one is gone."""
    nginx = binary("nginx")
    ports, listen = [free_port() for _ in BACKENDS], free_port()
    file = configured(DEPLOY / "nginx" / "nginx.conf", tmp_path, listen, ports)
    command = [nginx, "-p", str(tmp_path), "-e", "stderr", "-c", str(file), "-g", f"daemon off; pid {tmp_path}/pid;"]
    with ExitStack() as stack:
        servers = [
            stack.enter_context(started(tmp_path, "--log-level", "error", port=port))[0] for port in ports[:2]
        ]  # the third one is not there at all
        for port in ports[:2]:
            wait_until_serving(f"127.0.0.1:{port}")
        address = f"127.0.0.1:{listen}"
        master = stack.enter_context(running(command, address))
        with grpc.insecure_channel(address) as channel:
            play_of_bots(Stub(channel))
            ask_for_what_is_no_text(listen)
            servers[0].kill()
            servers[0].wait(10)
            stubs = Stubs(channel)
            for _ in range(20):
                assert stubs.bots.ListBots(bots_pb2.ListBotsRequest(), timeout=10).levels
        master.terminate()  # its workers with it
        master.wait(10)


def test_envoy_of_kubernetes_keeps_tables_together(tmp_path: Path) -> None:
    """Hosted tables are at the one server that has their database, whatever the others are asked."""
    ports, listen, admin = [free_port() for _ in range(2)], free_port(), free_port()
    text = (DEPLOY / "kubernetes" / "envoy.yaml").read_text(encoding="utf-8")
    for name, port in zip(("saloon-tables", "saloon"), ports, strict=True):
        endpoint = f"address: {name}, port_value: 50051"
        assert endpoint in text
        text = text.replace(endpoint, f"address: 127.0.0.1, port_value: {port}")
    text = text.replace("port_value: 50050", f"port_value: {listen}").replace(
        "port_value: 9901", f"port_value: {admin}"
    )
    file = tmp_path / "envoy.yaml"
    file.write_text(text, encoding="utf-8")
    command = [envoy_binary(), "-c", str(file), "--log-level", "error", "--base-id", str(admin), "--concurrency", "1"]
    with ExitStack() as stack:
        for number, port in enumerate(ports):
            folder = tmp_path / str(number)
            folder.mkdir()
            stack.enter_context(started(folder, "--log-level", "error", port=port))
        for port in ports:
            wait_until_serving(f"127.0.0.1:{port}")
        address = f"127.0.0.1:{listen}"
        stack.enter_context(running(command, address))
        time.sleep(1)  # for the first health checks
        ask_for_what_is_no_text(listen)
        with grpc.insecure_channel(address) as channel, grpc.insecure_channel(f"127.0.0.1:{ports[0]}") as direct:
            made = {play_of_bots(Stub(channel)) for _ in range(2)}
            listed = Stub(direct).ListTables(tables_pb2.ListTablesRequest())
            assert {table.table for table in listed.tables} == made
            assert Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest()).levels
