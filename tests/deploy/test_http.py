"""Connect, gRPC-Web and the page behind the proxies: real ones, in front of two real servers."""

import base64
import http.client
import json
import select
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from saloon_client.v1 import rules_pb2

from saloon.ports import free_port
from tests.deploy.reading import DEPLOY
from tests.deploy.test_limits import LARGEST, padded
from tests.deploy.test_proxies import binary, configured, running
from tests.service.processes import server, wait_until_serving
from tests.service.running import until
from tests.service.test_envoy import proxied
from tests.service.test_http import ANALYZE, JSON, LIST, NEW_GAME, SITUATION, WATCH, Answer, envelope, envelopes
from tests.service.test_http2 import Client
from tests.service.test_http_seats import ATTEND, TELL, Page

Ports = list[int]


@contextmanager
def behind_envoy(folder: Path, grpc: Ports, web: Ports) -> Iterator[int]:
    admin = free_port()
    well = [f"127.0.0.1:{port}::health_flags::healthy" for port in grpc[:2] + web[:2]]
    with proxied(folder, grpc, web, admin, health_seconds=20) as address:
        wait_until_serving(address)

        def seen() -> bool:
            clusters = call(admin, "/clusters", method="GET").data.decode()
            return all(clusters.count(each) == 2 for each in well)

        # Each cluster finds out by itself who is well. A seat given before that would be looked for elsewhere after.
        until(seen)
        yield int(address.rpartition(":")[2])


@contextmanager
def behind_haproxy(folder: Path, grpc: Ports, web: Ports) -> Iterator[int]:
    listen = free_port()
    file = configured(DEPLOY / "haproxy" / "haproxy.cfg", folder, listen, grpc, [9, *web])
    with running([binary("haproxy"), "-db", "-f", str(file)], f"127.0.0.1:{listen}"):
        yield listen


@contextmanager
def behind_nginx(folder: Path, grpc: Ports, web: Ports) -> Iterator[int]:
    listen, other = free_port(), free_port()
    file = configured(DEPLOY / "nginx" / "nginx.conf", folder, other, grpc, [listen, *web])
    settings = ["-e", "stderr", "-c", str(file), "-g", f"daemon off; pid {folder}/pid;"]
    with running([binary("nginx"), "-p", str(folder), *settings], f"127.0.0.1:{other}") as master:
        yield listen
        master.terminate()  # its workers with it
        master.wait(10)


class Behind:
    """Two servers behind one of the proxies, and a third that is not there."""

    def __init__(self, name: str, port: int, servers: Ports) -> None:
        self.name, self.port, self.servers = name, port, servers

    def call(self, path: str, body: bytes | dict[str, Any] = b"", method: str = "POST", **headers: str) -> Answer:
        return call(self.port, path, body, method, **headers)


def call(port: int, path: str, body: bytes | dict[str, Any] = b"", method: str = "POST", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, data, {**JSON, **named})
        return Answer(connection.getresponse())


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ports, Ports]]:
    """Their ports for gRPC and for HTTP. They take twice as large requests, so it is the proxy that refuses."""
    with ExitStack() as stack:
        grpc, web = Ports(), [free_port(), free_port()]
        for port in web:
            flags = ("--http-port", str(port), "--max-message-bytes", str(2 * LARGEST))
            grpc.append(stack.enter_context(server(tmp_path_factory.mktemp("server"), *flags)).port)
        yield grpc, web


BEHIND: list[Callable[[Path, Ports, Ports], AbstractContextManager[int]]] = [behind_envoy, behind_haproxy, behind_nginx]


@pytest.fixture(scope="module", params=BEHIND, ids=lambda each: each.__name__)
def behind(
    request: pytest.FixtureRequest, servers: tuple[Ports, Ports], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Behind]:
    grpc, web = servers
    nobody = free_port()
    with request.param(tmp_path_factory.mktemp("proxy"), [*grpc, nobody], [*web, nobody]) as port:
        until = time.monotonic() + 10
        while call(port, LIST, {}).status != 200:  # for the first health checks
            assert time.monotonic() < until
            time.sleep(0.1)
        yield Behind(request.param.__name__.removeprefix("behind_"), port, web)


def test_the_page_and_its_files(behind: Behind) -> None:
    page = behind.call("/", b"", "GET")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    script = page.data.decode().partition('src="')[2].partition('"')[0].removeprefix(".")
    found = behind.call("/" + script.lstrip("/"), b"", "GET")
    assert found.status == 200
    assert "javascript" in found.headers["content-type"]


def test_calls_in_every_form(behind: Behind) -> None:
    assert behind.call(LIST, {}).json["levels"]
    asked = rules_pb2.NewGameRequest(seed=5)
    asked.options.moon_river.players = 2
    data = asked.SerializeToString()
    found = behind.call(NEW_GAME, data, content_type="application/proto").data
    assert rules_pb2.NewGameResponse.FromString(found).record.seed == 5
    for kind, text in (("application/grpc-web", False), ("application/grpc-web-text", True)):
        body = base64.b64encode(envelope(data)) if text else envelope(data)
        answer = behind.call(NEW_GAME, body, content_type=kind).data
        if text:
            answer = b"".join(base64.b64decode(answer[i : i + 4]) for i in range(0, len(answer), 4))
        (_, message), (_, trailers) = envelopes(answer)
        assert rules_pb2.NewGameResponse.FromString(message).record.seed == 5
        assert trailers == b"grpc-status: 0\r\n"


def test_errors_are_the_servers(behind: Behind) -> None:
    found = behind.call(NEW_GAME, {"options": {"moonRiver": {"players": 9}}})
    assert (found.status, found.json["code"]) == (400, "invalid_argument")
    assert found.json["details"][0]["debug"]["fieldViolations"][0]["field"] == "options.moon_river.players"


def test_a_stream_comes_as_it_is_said(behind: Behind) -> None:
    """Nothing waits for its end."""
    with closing(http.client.HTTPConnection("127.0.0.1", behind.port, timeout=20)) as connection:
        asked = envelope(json.dumps({"situation": SITUATION, "budget": {"time": "1.5s"}}).encode())
        begun = time.monotonic()
        connection.request("POST", ANALYZE, asked, {"content-type": "application/connect+json"})
        stream = connection.getresponse()
        flags, size = struct.unpack(">BI", stream.read(5))
        assert flags == 0
        stream.read(size)
        assert time.monotonic() - begun < 1.2
        *_, (_, end) = envelopes(stream.read())
        assert end == b"{}"


def test_pages_are_asked_where_they_are_from_by_the_servers(behind: Behind) -> None:
    asked = behind.call(TELL, b"", "OPTIONS", origin="http://localhost:3000")
    assert asked.status == 204
    assert asked.headers["access-control-allow-origin"] == "http://localhost:3000"
    assert "saloon-seat" in asked.headers["access-control-allow-headers"]
    own = f"http://192.0.2.7:{behind.port}"
    assert behind.call(LIST, {}, origin=own, host=own.removeprefix("http://")).status == 200
    assert behind.call(LIST, {}, origin="https://elsewhere.example").status == 403


def test_seats_are_at_the_server_that_has_them(behind: Behind) -> None:
    """Whatever is told to a bot gets to it, whichever connection it comes by; and not all are at one server."""
    service: Any = SimpleNamespace(web=SimpleNamespace(port=behind.port))
    at = set[int]()
    for number in range(12):
        with closing(Page(service, {"saloon-seat": f"table-{number}"}, seat=0)) as page:
            assert page.session.startswith(f"table-{number}.")
            told = {"session": page.session, "decide": {"situation": SITUATION}}
            for _ in range(2):
                found = behind.call(TELL, told, saloon_seat=f"table-{number}")
                assert found.json["details"][0]["debug"]["fieldViolations"][0]["field"] == "decide.id"
            at |= {port for port in behind.servers if call(port, TELL, told).json["code"] != "not_found"}
            leave = {"session": page.session, "leave": {}}
            assert behind.call(TELL, leave, saloon_seat=f"table-{number}").status == 200
    assert at == set(behind.servers)


def test_without_a_name_the_client_s_address_does(behind: Behind) -> None:
    service: Any = SimpleNamespace(web=SimpleNamespace(port=behind.port))
    for _ in range(4):
        with closing(Page(service, seat=0)) as page:
            assert behind.call(TELL, {"session": page.session, "leave": {}}).json == {"goodbye": {}}


def test_both_sides_speak_at_a_time(behind: Behind) -> None:
    """Seats.Sit by Connect, over HTTP/2."""
    if behind.name == "nginx":
        pytest.skip("it speaks HTTP/1.1 to servers; docs/deployment.md says so")
    service: Any = SimpleNamespace(web=SimpleNamespace(port=behind.port))
    with closing(Client(service)) as client:
        number = client.begin("/saloon.v1.Seats/Sit", content_type="application/connect+json")
        client.send(number, envelope(json.dumps({"sit": {"seat": 0}}).encode()), end=False)
        client.until(lambda: client.data[number])
        ((_, said),) = envelopes(client.data[number])
        assert json.loads(said)["seated"]["session"]
        client.send(number, envelope(json.dumps({"leave": {}}).encode()))
        client.until(lambda: number in client.over)
        assert [json.loads(said) for _, said in envelopes(client.data[number])][1:] == [{"goodbye": {}}, {}]


def test_what_is_larger_than_servers_take_does_not_reach_them(behind: Behind) -> None:
    """Somewhat more may, since gRPC-Web's text is longer than what it says: servers look at the rest."""
    assert behind.call(LIST, padded(b"", LARGEST), content_type="application/proto").status == 200
    text = base64.b64encode(envelope(padded(b"", LARGEST)))
    assert base64.b64decode(behind.call(LIST, text, content_type="application/grpc-web-text").data[:4])[0] == 0
    much = padded(b"", LARGEST * 3 // 2)
    for method in (LIST, "/saloon.v1.Tables/ListTables", TELL, ATTEND):
        found = refused(behind, method, much, "application/proto")
        assert found is None or (found.status, found.json["code"]) == (429, "resource_exhausted"), method
    assert call(behind.servers[0], LIST, much, content_type="application/proto").status == 200


def test_too_large_a_request_of_grpc_web(behind: Behind) -> None:
    found = refused(behind, LIST, envelope(padded(b"", LARGEST * 3 // 2)), "application/grpc-web")
    if behind.name == "envoy":
        assert found is not None
        assert (found.status, found.headers["grpc-status"]) == (200, "8")
    else:  # clients take that for UNAVAILABLE
        assert found is None or found.status == 429


def refused(behind: Behind, method: str, body: bytes, kind: str) -> Answer | None:
    """The answer. HAProxy ends the connection behind it, which may overtake it: then None."""
    try:
        return behind.call(method, body, content_type=kind)
    except ConnectionError:
        assert behind.name == "haproxy"
        return None


def watching(port: int) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    """A stream that has said something and goes on."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", WATCH, envelope(b"{}"), {"content-type": "application/connect+json"})
    stream = connection.getresponse()
    assert b"SERVING" in stream.read(struct.unpack(">BI", stream.read(5))[1])
    return connection, stream


def test_whoever_breaks_off_many_calls_ends_nobody_else_s(behind: Behind) -> None:
    """A server ends a connection on which 200 were; others' streams are on connections of their own."""
    patient = [watching(behind.port) for _ in range(6)]
    for _ in range(600):
        connection, stream = watching(behind.port)
        stream.close()
        connection.close()
    assert behind.call(LIST, {}).status == 200
    sockets = [connection.sock for connection, _ in patient]
    assert select.select(sockets, [], [], 0.2)[0] == []  # nothing was said, nor was one ended
    for connection, stream in patient:
        stream.close()
        connection.close()
