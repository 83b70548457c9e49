"""Ways to hurt others by the HTTP port. `load/hostile.py` runs them."""

import socket
import time
from contextlib import ExitStack, suppress
from itertools import count
from typing import Protocol

from load.http2 import CANCEL, DATA, END_HEADERS, HEADERS, PREFACE, RST_STREAM, SETTINGS, frame, header_block, settings

_LIST, _SUGGEST, _GAMES = "/saloon.v1.Bots/ListBots", "/saloon.v1.Bots/Suggest", "/saloon.v1.Rules/ListGames"
_JSON = "application/json"
_CONNECTIONS, _FEW = 900, 8
_BODY, _SMALL = 500_000, 2_000  # bytes; parts of one byte
_OBJECTS = 19_900  # nearly as many as are read
_WAIT_SECONDS = 20.0


class Client(Protocol):
    """What is needed of the one in `load/hostile.py`."""

    http_port: int
    token: str
    answered: int

    @property
    def going_on(self) -> bool: ...
    def begin(self) -> None: ...
    def rest(self) -> None: ...


def _connected(client: Client, stack: ExitStack) -> socket.socket:
    made = stack.enter_context(socket.create_connection(("127.0.0.1", client.http_port), _WAIT_SECONDS))
    made.settimeout(_WAIT_SECONDS)
    return made


def _head(client: Client, path: str, length: str) -> bytes:
    lines = (
        f"POST {path} HTTP/1.1",
        "host: x",
        f"authorization: Bearer {client.token}",
        f"content-type: {_JSON}",
        length,
    )
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _heard(client: Client, connection: socket.socket) -> None:
    with suppress(OSError):
        client.answered += bool(connection.recv(65536))


def web_unsent(client: Client) -> None:
    """Headers that never end, and bodies that are announced and never come, by as many connections as there may be."""
    head = _head(client, _SUGGEST, f"content-length: {_BODY}")
    client.begin()
    with ExitStack() as stack:
        for number in range(_CONNECTIONS):
            if not client.going_on:
                break
            with suppress(OSError):
                last = _connected(client, stack)
                last.sendall(head[:-4] if number % 2 else head + b"{")
                if not number:
                    first = last
        client.rest()
        _heard(client, first)


def web_small(client: Client) -> None:
    """Requests in parts of one byte, each of which has to be taken apart."""
    one = _head(client, _LIST, "transfer-encoding: chunked") + b"1\r\n \r\n" * _SMALL + b"2\r\n{}\r\n0\r\n\r\n"
    begun = frame(HEADERS, END_HEADERS, 1, header_block(_LIST, client.token, _JSON))
    two = PREFACE + settings() + begun + (frame(DATA, 0, 1, b" ") + frame(SETTINGS, 0, 0)) * _SMALL
    client.begin()
    while client.going_on:
        with ExitStack() as stack:
            connections = [_connected(client, stack) for _ in range(_FEW)]
            for number, connection in enumerate(connections):
                with suppress(OSError):
                    connection.sendall(two if number % 2 else one)
            _heard(client, connections[0])


def web_json(client: Client) -> None:
    """As much JSON as is read."""
    body = b'{"evaluate":[' + b",".join([b'{"text":"a"}'] * _OBJECTS) + b"]}"
    request = _head(client, _SUGGEST, f"content-length: {len(body)}") + body
    client.begin()
    while client.going_on:
        with ExitStack() as stack, suppress(OSError):
            connections = [_connected(client, stack) for _ in range(_FEW)]
            for connection in connections:
                connection.sendall(request)
            for connection in connections:
                _heard(client, connection)


def web_unread(client: Client) -> None:
    """Questions one after the other, whose long answers are never read."""
    request = _head(client, _GAMES, "content-length: 2") + b"{}"
    client.begin()
    with ExitStack() as stack:
        connections = [_connected(client, stack) for _ in range(20 * _FEW)]
        while client.going_on:
            for connection in connections:
                connection.setblocking(False)
                with suppress(OSError):
                    connection.send(request * 20)
            time.sleep(0.1)
        for connection in connections:
            connection.settimeout(_WAIT_SECONDS / len(connections))
            _heard(client, connection)


def web_resets(client: Client) -> None:
    """Streams that are begun and given up, as fast as can be."""
    block = header_block(_LIST, client.token, _JSON)
    client.begin()
    while client.going_on:
        with ExitStack() as stack, suppress(OSError):
            connection = _connected(client, stack)
            connection.sendall(PREFACE + settings())
            for stream in count(1, 2):
                code = CANCEL.to_bytes(4, "big")
                connection.sendall(frame(HEADERS, END_HEADERS, stream, block) + frame(RST_STREAM, 0, stream, code))
                if stream > 1000 or not client.going_on:
                    break
            _heard(client, connection)


WAYS = (web_unsent, web_small, web_json, web_unread, web_resets)
