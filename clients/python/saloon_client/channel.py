"""How a server is reached: plaintext on this machine, TLS everywhere else."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Generic, TypeVar

import grpc

from saloon_client.calls import Call
from saloon_client.errors import SaloonError

C = TypeVar("C", grpc.Channel, grpc.aio.Channel)
PORT = 50051
# A server lets a connection have 200, and counts some that have ended already; beyond that it resets calls unseen.
CALLS_OF_CHANNEL = 100
Pem = bytes | str | os.PathLike[str]


@dataclass(frozen=True)
class Connection:
    """Where a server is and how to speak to it."""

    address: str
    credentials: grpc.ChannelCredentials | None
    metadata: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, Any], ...]


def connection(
    address: str,
    token: str | None = None,
    tls: bool | None = None,
    root_certificates: Pem | None = None,
    client_certificate: Pem | None = None,
    client_key: Pem | None = None,
    insecure: bool = False,
) -> Connection:
    """ValueError if what is asked for would send everything in the clear, or does not fit together."""
    if (client_certificate is None) != (client_key is None):
        raise ValueError("client_certificate and client_key: expected both or neither")
    host, target = _host_and_target(address)
    local = _is_local(address, host)
    certificates = root_certificates is not None or client_certificate is not None
    if tls is None:
        tls = certificates or not (local or insecure)
    if not tls and certificates:
        raise ValueError("tls: expected True with certificates, got False")
    if not tls and not (local or insecure):
        raise ValueError(f"tls: {address} is not on this machine: expected TLS, or insecure=True to do without")
    options: list[tuple[str, Any]] = [
        # A client has a connection of its own: shared, as gRPC would have it, all would end up with one of the server's
        # processes.
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2_000),
    ]
    if local:
        options.append(("grpc.enable_http_proxy", 0))
    return Connection(
        address=target,
        credentials=grpc.ssl_channel_credentials(_pem(root_certificates), _pem(client_key), _pem(client_certificate))
        if tls
        else None,
        metadata=(("authorization", f"Bearer {token}"),) if token else (),
        options=tuple(options),
    )


@dataclass(eq=False)
class Line(Generic[C]):
    """A connection, and the calls that it has under way."""

    channel: C
    calls: int = 0


class Lines(Generic[C]):
    """As many connections to a server as the calls under way need. The first one does for most clients."""

    def __init__(self, open: Callable[[Connection], C], to: Connection) -> None:
        self._open: Callable[[Connection], C] = open
        self._to = to
        self._lock = threading.Lock()
        self._lines: list[Line[C]] = [Line(open(to))]
        self._closed = False

    @property
    def channels(self) -> list[C]:
        return [line.channel for line in self._lines]

    def close(self) -> list[C]:
        """No call begins any more; the channels are to be closed by the caller."""
        with self._lock:
            self._closed = True
            return [line.channel for line in self._lines]

    def take(self) -> Line[C]:
        """A connection that has room for a call; to be given back when that has ended."""
        with self._lock:
            if self._closed:
                raise SaloonError("this client is closed; make another one", grpc.StatusCode.CANCELLED)
            line = next((line for line in self._lines if line.calls < CALLS_OF_CHANNEL), None)
            if line is None:
                line = Line(self._open(self._to))
                self._lines.append(line)
            line.calls += 1
            return line

    def give_back(self, line: Line[C]) -> None:
        with self._lock:
            line.calls -= 1

    @contextmanager
    def channel(self) -> Iterator[C]:
        """For a call that ends with the block."""
        line = self.take()
        try:
            yield line.channel
        finally:
            self.give_back(line)

    @contextmanager
    def streaming(self, call: Call[Any], timeout: float | None) -> Iterator[Any]:
        """The answers of a call that ends with the block."""
        with self.channel() as channel:
            method = channel.unary_stream(call.method, type(call.request).SerializeToString, call.answer.FromString)
            stream = method(call.request, timeout=timeout, metadata=self._to.metadata)
            try:
                yield stream
            finally:
                stream.cancel()


def open_channel(to: Connection) -> grpc.Channel:
    if to.credentials is None:
        return grpc.insecure_channel(to.address, to.options)
    return grpc.secure_channel(to.address, to.credentials, to.options)


def open_async_channel(to: Connection) -> grpc.aio.Channel:
    if to.credentials is None:
        return grpc.aio.insecure_channel(to.address, to.options)
    return grpc.aio.secure_channel(to.address, to.credentials, to.options)


def _host_and_target(address: str) -> tuple[str, str]:
    """The host of an address, and the address with a port."""
    bare = address.removeprefix("dns:").lstrip("/")
    try:
        return bare, f"[{bare}]:{PORT}" if ip_address(bare).version == 6 else f"{bare}:{PORT}"
    except ValueError:
        pass
    if bare.startswith("["):
        host, _, port = bare[1:].partition("]")
    else:
        host, _, port = bare.partition(":")
    return host, address if port or address.startswith("unix:") else f"{address}:{PORT}"


def _is_local(address: str, host: str) -> bool:
    if address.startswith("unix:") or host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _pem(given: Pem | None) -> bytes | None:
    """A certificate or key, given as bytes or as the file it is in."""
    return given if given is None or isinstance(given, bytes) else Path(given).read_bytes()
