"""Over HTTP/2: many calls on one connection, and both sides at a time."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import h2.connection
import h2.events
import pytest
from saloon_client.v1 import seats_pb2

from saloon.ports import free_port
from server.basics import limits
from server.process.service import Service
from tests.service.running import ended, serving, until
from tests.service.test_http import JSON, LIST, SITUATION, SUGGEST, envelope, envelopes


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with serving(tmp_path, http_port=free_port()) as service:
        yield service


class Client:
    """What comes is kept by stream."""

    def __init__(self, service: Service) -> None:
        self.socket = socket.create_connection(("127.0.0.1", service.web.port), 10)
        self.http = h2.connection.H2Connection()
        self.http.initiate_connection()
        self.data: dict[int, bytes] = {}
        self.status: dict[int, str] = {}
        self.over = set[int]()
        self.gone = False

    def close(self) -> None:
        self.socket.close()

    def begin(self, path: str, **headers: str) -> int:
        number = self.http.get_next_available_stream_id()
        lines = [(":method", "POST"), (":scheme", "http"), (":authority", "localhost"), (":path", path)]
        named = {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.http.send_headers(number, [*lines, *named.items()])
        self.data[number] = b""
        return number

    def send(self, number: int, data: bytes, end: bool = True) -> None:
        self.http.send_data(number, data, end_stream=end)
        self.flush()

    def flush(self) -> None:
        try:
            self.socket.sendall(self.http.data_to_send())
        except OSError:
            self.gone = True

    def until(self, true: Callable[[], Any]) -> None:
        while not true():
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                data = b""
            if not data:
                self.gone = True
                assert true()
                return
            for event in self.http.receive_data(data):
                self._take(event)
            self.flush()

    def _take(self, event: Any) -> None:
        match event:
            case h2.events.ResponseReceived():
                self.status[event.stream_id] = str(dict(event.headers)[b":status"], "ascii")
            case h2.events.DataReceived():
                self.data[event.stream_id] += event.data
                self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            case h2.events.StreamEnded() | h2.events.StreamReset():
                self.over.add(event.stream_id)
            case h2.events.ConnectionTerminated():
                self.gone = True


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with closing(Client(service)) as client:
        yield client


def test_many_calls_at_a_time(client: Client) -> None:
    numbers = [client.begin(LIST) for _ in range(50)]
    for number in reversed(numbers):
        client.send(number, b"{}")
    client.until(lambda: client.over >= {*numbers})
    assert {*client.status.values()} <= {"200", "429"}  # refused where the machine is busy
    assert all(json.loads(client.data[number])["levels"] for number in numbers if client.status[number] == "200")


def test_a_seat_speaks_both_ways(client: Client) -> None:
    number = client.begin("/saloon.v1.Seats/Sit", content_type="application/connect+proto")

    def say(**message: Any) -> None:
        client.send(number, envelope(seats_pb2.SitRequest(**message).SerializeToString()), end=False)

    def heard(count: int) -> seats_pb2.SitResponse:
        client.until(lambda: len(envelopes(client.data[number])) >= count)
        return seats_pb2.SitResponse.FromString(envelopes(client.data[number])[count - 1][1])

    say(sit=seats_pb2.SitDown(seat=0))
    assert heard(1).seated.session
    say(leave=seats_pb2.Leave())
    assert heard(2).HasField("goodbye")
    client.until(lambda: number in client.over)
    assert envelopes(client.data[number])[-1] == (2, b"{}")


def test_a_stream_that_is_given_up_ends_its_search(service: Service, client: Client) -> None:
    number = client.begin(SUGGEST)
    client.send(number, json.dumps({"situation": SITUATION, "budget": {"time": "25s"}}).encode())
    until(lambda: bool(service.searches.admission.running))
    client.http.reset_stream(number)
    client.flush()
    until(lambda: not service.searches.admission.running)
    assert ended(service, SUGGEST, "CANCELLED") == 1


def test_who_only_begins_and_gives_up_has_to_go(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RESETS", 20)
    for _ in range(25):
        number = client.begin(LIST)
        client.http.reset_stream(number)
    client.flush()
    client.until(lambda: client.gone)


def test_bodies_that_nobody_asked_for_are_not_taken(service: Service, client: Client) -> None:
    """No more than a window of each, and they do not keep others waiting."""
    numbers = [client.begin("/saloon.v1.Bots/Nothing") for _ in range(3)]
    for number in numbers:
        client.send(number, b"x" * 10_000, end=False)
    client.until(lambda: client.over >= {*numbers})
    assert {client.status[number] for number in numbers} == {"404"}
    number = client.begin(LIST)
    client.send(number, b"{}")
    client.until(lambda: number in client.over)


def test_an_answer_that_is_not_read_waits_at_its_window(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WRITE_SECONDS", 0.3)
    client.http.update_settings({4: 10})  # INITIAL_WINDOW_SIZE
    client.flush()
    client.until(lambda: client.http.remote_settings.max_concurrent_streams == limits.STREAMS_OF_CONNECTION)
    number = client.begin(LIST)
    client.http.acknowledge_received_data = lambda *_: None  # type: ignore[method-assign]
    client.send(number, b"{}")
    begun = time.monotonic()
    client.until(lambda: number in client.over)
    assert 0.2 < time.monotonic() - begun < 5
    assert len(client.data[number]) == 10
