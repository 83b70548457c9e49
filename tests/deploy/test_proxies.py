"""The proxies' configurations, with real proxies and real servers: calls arrive, and a rolling restart loses none."""

import http.client
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from saloon_client.v1 import bots_pb2, tables_pb2

from load.http2 import END_HEADERS, END_STREAM, HEADERS, frame, header_block, wire
from saloon.ports import free_port
from tests.deploy.reading import DEPLOY, SERVER_PORT, WEB_PORT
from tests.service.at_tables import Stub, bot, create, play_to_end
from tests.service.games import Sitting, Stubs
from tests.service.postgres import cluster
from tests.service.processes import server, wait_until_serving
from tests.service.test_envoy import Callers, envoy_binary

BACKENDS = (50051, 50052, 50053)
WEB = (8080, 8081, 8082)
NGINX_WEB = 50080


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


def configured(source: Path, folder: Path, listen: int, servers: list[int], web: list[int] | None = None) -> Path:
    """A configuration with ports of this test's own. `web`: where nginx takes HTTP, then servers."""
    text = re.sub(r"\b50050\b", str(listen), source.read_text(encoding="utf-8"))
    own, *theirs = web or [free_port(), *[9] * 3]
    for known, port in zip((*BACKENDS, NGINX_WEB, *WEB), (*servers, own, *theirs), strict=True):
        text = re.sub(rf"\b{known}\b", str(port), text)
    file = folder / source.name
    file.write_text(text, encoding="utf-8")
    return file


def test_haproxy(tmp_path: Path) -> None:
    """Health is asked for, so that a rolling restart under load loses no call; streams and tables pass."""
    haproxy = binary("haproxy")
    flags, listen = ("--notice-seconds", "4", "--drain-seconds", "4"), free_port()
    with ExitStack() as stack:
        servers = [stack.enter_context(server(tmp_path, *flags)) for _ in BACKENDS]
        file = configured(DEPLOY / "haproxy" / "haproxy.cfg", tmp_path, listen, [each.port for each in servers])
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
                assert servers[number].stop() == 0
                servers[number].start()
        assert set(callers.codes) == {"OK"}
        assert callers.codes["OK"] > 50


def pointed(text: str, ports: Sequence[tuple[int, int]]) -> str:
    """Envoy's configuration for Kubernetes, with servers at these ports, for gRPC and HTTP, where the name stands."""
    lines = []
    for line in text.splitlines(keepends=True):
        for grpc_port, web in ports if "address: saloon, port_value" in line else [(SERVER_PORT, WEB_PORT)]:
            one = line.replace("address: saloon,", "address: 127.0.0.1,")
            one = one.replace(f"port_value: {SERVER_PORT}", f"port_value: {grpc_port}")
            lines.append(one.replace(f"port_value: {WEB_PORT}", f"port_value: {web}"))
    return "".join(lines)


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
    listen, nobody = free_port(), free_port()
    with ExitStack() as stack:
        servers = [stack.enter_context(server(tmp_path)) for _ in BACKENDS[:2]]
        ports = [*(each.port for each in servers), nobody]
        file = configured(DEPLOY / "nginx" / "nginx.conf", tmp_path, listen, ports)
        settings = ["-e", "stderr", "-c", str(file), "-g", f"daemon off; pid {tmp_path}/pid;"]
        command = [nginx, "-p", str(tmp_path), *settings]
        address = f"127.0.0.1:{listen}"
        master = stack.enter_context(running(command, address))
        with grpc.insecure_channel(address) as channel:
            play_of_bots(Stub(channel))
            ask_for_what_is_no_text(listen)
            servers[0].kill()
            stubs = Stubs(channel)
            for _ in range(20):
                assert stubs.bots.ListBots(bots_pb2.ListBotsRequest(), timeout=10).levels
        master.terminate()  # its workers with it
        master.wait(10)


def test_envoy_of_kubernetes_sends_tables_anywhere(tmp_path: Path) -> None:
    """Any call of any table may come to any server: they share a database."""
    envoy, listen, admin = envoy_binary(), free_port(), free_port()
    text = (DEPLOY / "kubernetes" / "envoy.yaml").read_text(encoding="utf-8")
    with cluster(fsync="off") as postgres, postgres.database() as name, ExitStack() as stack:
        servers = []
        for _ in range(2):
            web = free_port()
            flags = ("--database", postgres.url(name), "--http-port", str(web))
            servers.append((stack.enter_context(server(tmp_path, *flags)).port, web))
        text = pointed(text, servers)
        text = text.replace("port_value: 50050", f"port_value: {listen}").replace(
            "port_value: 9901", f"port_value: {admin}"
        )
        file = tmp_path / "envoy.yaml"
        file.write_text(text, encoding="utf-8")
        command = [envoy, "-c", str(file), "--log-level", "error", "--base-id", str(admin), "--concurrency", "1"]
        address = f"127.0.0.1:{listen}"
        stack.enter_context(running(command, address))
        time.sleep(1)  # for the first health checks
        ask_for_what_is_no_text(listen)
        with grpc.insecure_channel(address) as channel:
            made = {play_of_bots(Stub(channel)), created_over_http(listen)}
            for port, _ in servers:
                with grpc.insecure_channel(f"127.0.0.1:{port}") as direct:
                    listed = Stub(direct).ListTables(tables_pb2.ListTablesRequest())
                assert {table.table for table in listed.tables} == made
            assert Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest()).levels
            assert over_http(listen, "Bots/ListBots", {})["levels"]


def over_http(port: int, method: str, request: dict[str, Any], token: str = "") -> Any:
    """What a call by Connect is answered."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("POST", f"/saloon.v1.{method}", json.dumps(request), headers)
        response = connection.getresponse()
        data = response.read()
    assert response.status == 200, data
    return json.loads(data)


def created_over_http(port: int, token: str = "") -> str:
    """A hosted table that anybody may see."""
    asked = {"options": {"moonRiver": {"players": 2}}, "access": "ACCESS_PUBLIC"}
    table: str = over_http(port, "Tables/CreateTable", asked, token)["table"]["table"]
    return table
