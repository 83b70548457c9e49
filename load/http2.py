"""HTTP/2 by hand: what a client of good will never sends."""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
INITIAL_WINDOW_SIZE = 4
CANCEL = 8


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings(**values: int) -> bytes:
    known = {"initial_window_size": INITIAL_WINDOW_SIZE}
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", known[name], value) for name, value in values.items()))


def literal(name: bytes, value: bytes) -> bytes:
    """A header that is not kept in the table of headers."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


def header_block(path: str | bytes, token: str = "", kind: str = "application/grpc") -> bytes:
    """The headers of a call, by default gRPC's."""
    name = path.encode() if isinstance(path, str) else path
    fields = [(b":path", name), (b":authority", b"test"), (b"content-type", kind.encode())]
    fields.append((b"te", b"trailers"))  # codespell:ignore te
    if token:
        fields.append((b"authorization", f"Bearer {token}".encode()))
    return b"\x83\x86" + b"".join(literal(*field) for field in fields)  # POST, http


def message(data: bytes) -> bytes:
    """A message of gRPC."""
    return b"\x00" + struct.pack(">I", len(data)) + data


class Wire:
    """A connection."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(10)

    def send(self, *data: bytes) -> bool:
        """Whether the server still listens."""
        try:
            self.socket.sendall(b"".join(data))
            return True
        except OSError:
            return False

    def greet(self, **values: int) -> bool:
        return self.send(PREFACE, settings(**values))

    def call(self, stream: int, path: str, request: bytes, token: str = "") -> bool:
        """Begin a call and say all there is to say."""
        return self.send(
            frame(HEADERS, END_HEADERS, stream, header_block(path, token)),
            frame(DATA, END_STREAM, stream, message(request)),
        )

    def frames(self) -> Iterator[tuple[int, int, int, bytes]]:
        """What the server says, until it ends the connection or says nothing for a while."""
        rest = b""
        with suppress(OSError):
            while data := self.socket.recv(65536):
                rest += data
                while len(rest) >= 9 and len(rest) >= 9 + (size := int.from_bytes(rest[:3], "big")):
                    yield rest[3], rest[4], int.from_bytes(rest[5:9], "big"), rest[9 : 9 + size]
                    rest = rest[9 + size :]

    def drain(self) -> None:
        """Drop what came, without waiting."""
        self.socket.setblocking(False)
        with suppress(OSError):
            while self.socket.recv(1 << 20):
                pass
        self.socket.settimeout(10)


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    made = Wire(port)
    try:
        yield made
    finally:
        made.socket.close()
