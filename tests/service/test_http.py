"""Over HTTP: what a shell and a browser send and get, bit by bit."""

import asyncio
import base64
import hashlib
import http.client
import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from saloon_client.v1 import bots_pb2, rules_pb2

from saloon.ports import free_port
from server.basics import limits
from server.basics.refusals import Overloaded
from server.basics.turns import LoopTurns
from server.process.service import Service
from tests.service.running import ended, serving, until

SUGGEST, ANALYZE, LIST = "/saloon.v1.Bots/Suggest", "/saloon.v1.Bots/Analyze", "/saloon.v1.Bots/ListBots"
NEW_GAME, WATCH = "/saloon.v1.Rules/NewGame", "/grpc.health.v1.Health/Watch"
JSON = {"content-type": "application/json"}
SITUATION = {"record": {"options": {"moonRiver": {"players": 3}}, "seed": "5"}}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with serving(tmp_path, http_port=free_port()) as service:
        yield service


class Answer:
    """What came back."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.data = response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.data)


def call(
    service: Service, path: str, body: bytes | dict[str, Any] = b"", method: str = "POST", **headers: str
) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection("127.0.0.1", service.web.port, timeout=20)) as connection:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, data, {**JSON, **named})
        return Answer(connection.getresponse())


def envelope(data: bytes, flags: int = 0) -> bytes:
    return struct.pack(">BI", flags, len(data)) + data


def envelopes(data: bytes) -> list[tuple[int, bytes]]:
    found = []
    while data:
        flags, size = struct.unpack(">BI", data[:5])
        found.append((flags, data[5 : 5 + size]))
        data = data[5 + size :]
    return found


# ---- Answers


def test_json(service: Service) -> None:
    asked = {"situation": SITUATION, "budget": {"iterations": "200"}, "bot": {"seed": "7"}}
    first, second = call(service, SUGGEST, asked), call(service, SUGGEST, asked)
    assert first.status == 200
    assert first.headers["content-type"] == "application/json"
    assert first.json["answer"]["choice"]["text"] == second.json["answer"]["choice"]["text"]
    assert ended(service, SUGGEST, "OK") == 2


def test_no_part_of_an_answer_waits_for_the_one_before(service: Service) -> None:
    """To be acknowledged, which others do after 40 ms; and who is gone is noticed."""
    with closing(http.client.HTTPConnection("127.0.0.1", service.web.port, timeout=20)) as connection:
        connection.request("POST", LIST, b"{}", JSON)
        connection.getresponse().read()
        (held,) = service.web.connections.open
        own = held.transport.get_extra_info("socket")
        assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert own.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def test_proto(service: Service) -> None:
    found = call(service, LIST, b"", content_type="application/proto")
    assert bots_pb2.ListBotsResponse.FromString(found.data).levels


def test_fields_that_nobody_knows_are_passed_over(service: Service) -> None:
    assert call(service, LIST, {"newer": [1, {"than": "this"}]}).status == 200


@pytest.mark.parametrize("text", [False, True])
def test_grpc_web(service: Service, text: bool) -> None:
    request = rules_pb2.NewGameRequest(seed=5)
    request.options.moon_river.players = 2
    data, kind = envelope(request.SerializeToString()), "application/grpc-web"
    if text:
        data, kind = base64.b64encode(data), "application/grpc-web-text"
    found = call(service, NEW_GAME, data, content_type=kind).data
    if text:  # each part is padded by itself
        found = b"".join(base64.b64decode(found[i : i + 4]) for i in range(0, len(found), 4))
    (none, message), (last, trailers) = envelopes(found)
    assert (none, last) == (0, 128)
    assert rules_pb2.NewGameResponse.FromString(message).record.seed == 5
    assert trailers == b"grpc-status: 0\r\n"


def test_a_stream(service: Service) -> None:
    asked = envelope(json.dumps({"situation": SITUATION, "budget": {"iterations": "2000"}}).encode())
    found = call(service, ANALYZE, asked, content_type="application/connect+json")
    *answers, (flags, end) = envelopes(found.data)
    assert [bool(json.loads(data).get("final")) for _, data in answers][-1]
    assert (flags, end) == (2, b"{}")


# ---- Errors


def test_errors_say_the_field(service: Service) -> None:
    found = call(service, NEW_GAME, {"options": {"moonRiver": {"players": 99}}})
    assert (found.status, found.json["code"]) == (400, "invalid_argument")
    (detail,) = found.json["details"]
    assert detail["type"] == "google.rpc.BadRequest"
    assert detail["debug"]["fieldViolations"][0]["field"] == "options.moon_river.players"


def test_errors_say_when_to_try_again(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(turns: LoopTurns, owner: str) -> None:
        raise Overloaded("full", 1.0)

    monkeypatch.setattr(LoopTurns, "look", full)
    found = call(service, LIST, {})
    assert (found.status, found.json["code"]) == (429, "resource_exhausted")
    (detail,) = found.json["details"]
    retry = RetryInfo.FromString(base64.b64decode(detail["value"] + "=="))
    assert retry.retry_delay.ToMilliseconds() >= 1000
    _, trailers = envelopes(call(service, LIST, envelope(b""), content_type="application/grpc-web+proto").data)[-1]
    assert b"grpc-status: 8\r\n" in trailers
    assert b"grpc-status-details-bin: " in trailers


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b"[" * 50_000, b'{"situation": 5}'])
def test_what_is_no_json_of_the_contract(service: Service, body: bytes) -> None:
    found = call(service, SUGGEST, body)
    assert (found.status, found.json["code"]) == (400, "invalid_argument")
    assert "Traceback" not in found.json["message"]


def test_an_error_nobody_expected_is_a_number(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(turns: LoopTurns, owner: str) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(LoopTurns, "look", broken)
    found = call(service, LIST, {})
    assert (found.status, found.json["code"]) == (500, "internal")
    assert "secret" not in found.data.decode()


@pytest.mark.parametrize(
    ("path", "method", "kind", "status"),
    [
        ("/nothing", "GET", "", 404),
        ("/saloon.v1.Bots/Nothing", "POST", "application/json", 404),
        (LIST, "GET", "", 405),
        (LIST, "HEAD", "", 405),
        (LIST, "POST", "text/plain", 415),
        (ANALYZE, "POST", "application/json", 415),
        (LIST, "POST", "application/connect+json", 415),
    ],
)
def test_what_is_no_call(service: Service, path: str, method: str, kind: str, status: int) -> None:
    assert call(service, path, b"{}", method, content_type=kind).status == status


def test_curl_needs_not_say_that_it_sends_json(service: Service) -> None:
    """Pages that send a form do: browsers ask nobody before they send one."""
    form = "application/x-www-form-urlencoded"
    found = call(service, LIST, b"{}", content_type=form)
    assert (found.status, found.headers["content-type"]) == (200, "application/json")
    assert call(service, LIST, b"{}", content_type=form, origin="http://localhost").status == 415
    assert call(service, ANALYZE, b"{}", content_type=form).status == 415


def test_both_ways_need_http_2(service: Service) -> None:
    found = call(service, "/saloon.v1.Seats/Sit", envelope(b"{}"), content_type="application/connect+json")
    assert json.loads(envelopes(found.data)[0][1])["error"]["code"] == "unimplemented"


def test_what_is_compressed_is_not_read(service: Service) -> None:
    assert call(service, LIST, b"{}", content_encoding="gzip").json["code"] == "unimplemented"
    found = call(service, ANALYZE, envelope(b"{}", 1), content_type="application/connect+json")
    assert json.loads(envelopes(found.data)[0][1])["error"]["code"] == "unimplemented"


# ---- Deadlines, and who goes away


def test_a_deadline(service: Service) -> None:
    asked = {"situation": SITUATION, "budget": {"time": "25s"}}
    begun = time.monotonic()
    found = call(service, SUGGEST, asked, connect_timeout_ms="2000")
    assert found.json["answer"]["iterations"]  # what could be found until then
    assert time.monotonic() - begun < 20
    found = call(service, SUGGEST, asked, connect_timeout_ms="1")
    assert (found.status, found.json["code"]) == (504, "deadline_exceeded")
    assert call(service, SUGGEST, asked, connect_timeout_ms="soon").status == 400


def test_a_stream_ends_at_its_deadline(service: Service) -> None:
    found = call(service, WATCH, envelope(b"{}"), content_type="application/connect+json", connect_timeout_ms="300")
    *_, (flags, end) = envelopes(found.data)
    assert flags == 2
    assert json.loads(end)["error"]["code"] == "deadline_exceeded"


def test_who_goes_away_ends_the_search(service: Service) -> None:
    asked = json.dumps({"situation": SITUATION, "budget": {"time": "25s"}}).encode()
    connection = http.client.HTTPConnection("127.0.0.1", service.web.port, timeout=20)
    connection.request("POST", ANALYZE, envelope(asked), {"content-type": "application/connect+json"})
    response = connection.getresponse()
    assert response.read(5)
    assert service.searches.admission.running
    response.close()
    connection.close()
    until(lambda: not service.searches.admission.running)
    assert ended(service, ANALYZE, "CANCELLED") == 1


# ---- Pages


@pytest.mark.parametrize(
    ("origin", "named", "allowed"),
    [
        ("http://localhost:5173", "", True),
        ("http://127.0.0.1:3000", "", True),
        ("http://[::1]:3000", "", True),
        ("https://localhost", "", True),
        ("http://localhost.evil.example", "", False),
        ("http://evil.example", "", False),
        ("null", "", False),
        ("https://games.example.org", "https://games.example.org, https://other.example.org", True),
        ("http://games.example.org", "https://games.example.org", False),
        ("http://evil.example", "*", True),
    ],
)
def test_pages(tmp_path: Path, origin: str, named: str, allowed: bool) -> None:
    with serving(tmp_path, http_port=free_port(), http_origins=named) as service:
        asked = {"access_control_request_method": "POST", "access_control_request_headers": "content-type"}
        preflight = call(service, LIST, b"", "OPTIONS", origin=origin, **asked)
        found = call(service, LIST, {}, origin=origin)
        assert preflight.status == (204 if allowed else 403)
        assert found.status == (200 if allowed else 403)
        for answer in (preflight, found):
            assert answer.headers.get("access-control-allow-origin") == (origin if allowed else None)
        if allowed:
            assert "content-type" in preflight.headers["access-control-allow-headers"]
            assert "grpc-status" in found.headers["access-control-expose-headers"]


# ---- Tokens and limits


def test_a_stranger_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(f'[good]\nsha256 = "{hashlib.sha256(b"GOOD").hexdigest()}"\n', encoding="utf-8")
    with serving(tmp_path, tokens=tokens, http_port=free_port()) as service:
        assert call(service, LIST, {}, authorization="Bearer GOOD").status == 200
        head = f"POST {LIST} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500000\r\n\r\n"
        with socket.create_connection(("127.0.0.1", service.web.port), 10) as stranger:
            stranger.sendall(head.encode() + b"{")
            told = b"".join(iter(lambda: stranger.recv(4096), b""))
        assert told.startswith(b"HTTP/1.1 401 ")
        assert b'"unauthenticated"' in told


def test_both_ways_in_are_one_client(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with grpc.insecure_channel(service.address) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        next(watch)
        monkeypatch.setattr(limits, "STREAMS", 1)
        found = call(service, WATCH, envelope(b"{}"), content_type="application/connect+json")
        assert json.loads(envelopes(found.data)[0][1])["error"]["code"] == "resource_exhausted"
        watch.cancel()


@pytest.mark.parametrize("chunked", [False, True])
def test_what_is_too_large_is_not_kept(service: Service, chunked: bool) -> None:
    size = service.settings.max_message_bytes + 1
    with closing(http.client.HTTPConnection("127.0.0.1", service.web.port, timeout=20)) as connection:
        parts = (b" " * 65536 for _ in range(size // 65536 + 1))
        length = {} if chunked else {"content-length": str(65536 * (size // 65536 + 1))}
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.request("POST", LIST, parts, {**JSON, **length}, encode_chunked=chunked)
        found = Answer(connection.getresponse())
    assert (found.status, found.json["code"]) == (429, "resource_exhausted")
    found = call(service, ANALYZE, struct.pack(">BI", 0, 1 << 31), content_type="application/connect+json")
    assert json.loads(envelopes(found.data)[0][1])["error"]["code"] == "resource_exhausted"


def test_what_does_not_come_is_not_waited_for(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READ_SECONDS", 0.2)
    with socket.create_connection(("127.0.0.1", service.web.port), 10) as slow:
        slow.sendall(
            f"POST {LIST} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{{".encode()
        )
        assert slow.recv(4096).startswith(b"HTTP/1.1 504 ")


def test_headers_that_do_not_come_or_are_too_long(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_connection(("127.0.0.1", service.web.port), 10) as long:
        long.sendall(b"POST / HTTP/1.1\r\nx: " + b"x" * (limits.HEADER_BYTES + 100))
        assert long.recv(4096).startswith(b"HTTP/1.1 431 ")
    monkeypatch.setattr(limits, "HEADER_SECONDS", 0.2)
    with socket.create_connection(("127.0.0.1", service.web.port), 10) as slow:
        slow.sendall(b"POST / HT")
        begun = time.monotonic()
        with suppress(ConnectionResetError):
            assert not slow.recv(4096)
        assert time.monotonic() - begun < 5


def test_an_address_has_so_many_connections(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS", 2)
    open_ones = [socket.create_connection(("127.0.0.1", service.web.port), 10) for _ in range(2)]
    until(lambda: len(service.web.connections.open) == 2)
    with pytest.raises(ConnectionError):
        call(service, LIST, {})
    open_ones.pop().close()
    until(lambda: len(service.web.connections.open) == 1)
    assert call(service, LIST, {}).status == 200
    open_ones.pop().close()


def test_json_is_counted_before_it_is_looked_at(service: Service) -> None:
    found = call(service, SUGGEST, b'{"evaluate": [' + b",".join([b"{}"] * 100_000) + b"]}")
    assert (found.status, found.json["code"]) == (400, "invalid_argument")


def test_small_parts_keep_nobody_waiting(service: Service) -> None:
    """Each has to be taken apart: `serving` measures the steps."""
    head = f"POST {LIST} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", service.web.port), 30) as fussy:
        fussy.sendall(head.encode() + b"1\r\n \r\n" * 20_000 + b"2\r\n{}\r\n0\r\n\r\n")
        assert fussy.recv(4096)[:13] in (b"HTTP/1.1 200 ", b"HTTP/1.1 504 ")  # it was late on a busy machine


def test_answers_that_are_not_read(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their connection is ended, and what was kept for them with it."""
    monkeypatch.setattr(limits, "WRITE_SECONDS", 0.5)
    head = (
        f"POST {LIST} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}".encode()
    )
    with socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.connect(("127.0.0.1", service.web.port))
        sending = threading.Thread(target=_send, args=(lazy, head * 5000))
        sending.start()
        until(lambda: not service.web.connections.open and ended(service, LIST, "OK"), 60)
        sending.join(10)


def _send(lazy: socket.socket, data: bytes) -> None:
    with suppress(OSError):
        lazy.sendall(data)


# ---- Its end


def test_drain(tmp_path: Path) -> None:
    """What is under way may end, whoever says nothing is let go."""
    with serving(tmp_path, http_port=free_port()) as service:
        idle = socket.create_connection(("127.0.0.1", service.web.port), 10)
        until(lambda: len(service.web.connections.open) == 1)
        answers = list[Answer]()
        asked = {"situation": SITUATION, "budget": {"time": "1s"}}
        thread = threading.Thread(target=lambda: answers.append(call(service, SUGGEST, asked)))
        thread.start()
        until(lambda: bool(service.searches.admission.running))
        loop = service.web._server.get_loop()  # type: ignore[union-attr]
        asyncio.run_coroutine_threadsafe(service.web.stop(10), loop).result(20)
        thread.join(10)
        assert answers[0].status == 200
        assert idle.recv(10) == b""
        idle.close()
        with pytest.raises(ConnectionRefusedError):
            call(service, LIST, {})


# ---- What a request may cost

LARGE = {
    "objects": b'{"evaluate": [' + b",".join([b'{"text":"a"}'] * 19_900) + b"]}",
    "unknown objects": b'{"x": [' + b",".join([b"{}"] * 19_900) + b"]}",
    "numbers": b'{"situation": {"position": {"goldgraeber": {"options": {"colours": [' + b"1," * 59_000 + b"1]}}}}}",
    "text": b'{"bot": {"level": "' + b"a" * 500_000 + b'"}}',
    "escapes": b'{"bot": {"level": "' + b"\\u00e4" * 80_000 + b'"}}',
    "a long number": b'{"count": ' + b"1" * 4_000 + b"}",
    "deep": b'{"x":' * 9_000 + b"1" + b"}" * 9_000,
    "white": b"{" + b" " * 500_000 + b"}",
    "just short": b'{"evaluate": [' + b",".join([b"{}"] * 1_300) + b"]}",
}


@pytest.mark.parametrize("name", LARGE)
def test_json_is_read_beside_the_event_loop(tmp_path: Path, name: str) -> None:
    with serving(tmp_path, http_port=free_port()) as service:
        call(service, LIST, {})
        begun = time.process_time()
        assert call(service, SUGGEST, LARGE[name]).status == 400
        assert time.process_time() - begun < 3


def test_long_answers_are_written_beside_the_event_loop(tmp_path: Path) -> None:
    with serving(tmp_path, http_port=free_port()) as service:
        asked = {"situation": SITUATION, "budget": {"iterations": "3000"}, "count": 10_000}
        assert call(service, SUGGEST, asked).status == 200
        assert len(call(service, "/saloon.v1.Rules/ListGames", {}).data) > 10_000
