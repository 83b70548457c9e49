# May know: basics.
"""A connection: how long it may say nothing, how much of what it sends and does not read is kept, and which HTTP it
speaks."""

import asyncio
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Protocol
from urllib.parse import quote
from uuid import uuid4

import structlog

from server.basics import limits
from server.web.exchange import Exchange
from server.web.pacing import Pacing

log = structlog.get_logger()

Answer = Callable[[Exchange], Awaitable[None]]
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_HEARTBEAT = ((socket.IPPROTO_TCP, "TCP_KEEPIDLE", 60), (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 5),
              (socket.IPPROTO_TCP, "TCP_KEEPCNT", 4), (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", 20_000))  # fmt: skip


class Http(Protocol):
    """One version of it, on one connection."""

    @property
    def busy(self) -> bool:
        """Whether something is asked or answered."""

    def received(self, data: bytes) -> None: ...
    def lost(self) -> None: ...
    def drain(self) -> None:
        """End the connection once nothing is under way; take nothing new."""


class Connections:
    """All of a process."""

    def __init__(self, answer: Answer, versions: tuple[Callable[["Connection"], Http], Callable[["Connection"], Http]]):
        self.answer = answer
        self.versions = versions
        self.open: set[Connection] = set()
        self.of_address: Counter[str] = Counter()
        self.pacing = Pacing()
        self.part = memoryview(bytearray(limits.PART_BYTES))  # what came last, until it is looked at
        self.draining = False

    def drain(self) -> None:
        self.draining = True
        for connection in list(self.open):
            connection.drain()

    def abort(self) -> None:
        for connection in list(self.open):
            connection.abort()


class Connection(asyncio.BufferedProtocol):
    """One of them."""

    transport: asyncio.Transport

    def __init__(self, all_of_them: Connections) -> None:
        self.all = all_of_them
        self.http: Http | None = None
        self.peer = "unix:"
        self.address = ""
        self._first = b""
        self._timer: asyncio.TimerHandle | None = None
        self._writable: asyncio.Future[None] | None = None
        self._paused = False  # by whoever speaks HTTP
        self._waits = False  # for what came to be looked at
        self._stuck = False  # what is sent is not read
        self.gone = False
        self._closing = False

    # ---- How it begins and ends

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        where: Any = transport.get_extra_info("peername")
        self.address = address_of(where)
        self.peer = (
            f"ipv6:{quote(f'[{where[0]}]')}:{where[1]}" if ":" in self.address else f"ipv4:{where[0]}:{where[1]}"
        )
        self.all.of_address[self.address] += 1
        self.all.open.add(self)
        if self.all.of_address[self.address] > limits.CONNECTIONS or self.all.draining:
            self.abort()
            return
        transport.set_write_buffer_limits(0)  # what waits here is what the kernel does not take
        bound: Any = getattr(transport, "set_read_buffer_limits", None)
        if bound is not None:  # of what is not decrypted yet
            bound(limits.WINDOW_BYTES)
        own: Any = transport.get_extra_info("socket")
        # An answer is written in parts: none waits for the other side to say that it has the one before.
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _notice_the_dead(own)
        self.within(limits.HEADER_SECONDS)
        secure: Any = transport.get_extra_info("ssl_object")
        if secure is not None and secure.selected_alpn_protocol() == "h2":
            self.http = self.all.versions[1](self)

    def connection_lost(self, _: Exception | None) -> None:
        self.gone = True
        self.all.open.discard(self)
        self.all.of_address[self.address] -= 1
        if not self.all.of_address[self.address]:
            del self.all.of_address[self.address]
        self.within(None)
        if self.http is not None:
            self.http.lost()
        self.resume_writing()

    def within(self, seconds: float | None) -> None:
        """It is ended unless this is said again, or None, within so many seconds."""
        if self._closing and not self.gone:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self.abort)

    def abort(self) -> None:
        self.transport.abort()

    def close(self) -> None:
        """Once what was written is sent, but not much later."""
        self.transport.close()
        self.within(limits.HEADER_SECONDS)
        self._closing = True

    def drain(self) -> None:
        if self.http is None:
            self.close()
        else:
            self.http.drain()

    async def answer(self, exchange: Exchange) -> None:
        await self.all.pacing.turn(self.address)
        await self.all.answer(exchange)

    # ---- What comes

    def get_buffer(self, _: int) -> memoryview:
        return self.all.part

    def buffer_updated(self, size: int) -> None:
        data = bytes(self.all.part[:size])
        self._waits = True
        self.all.pacing.take(self.address, lambda: self._take(data))
        self._look()

    def _take(self, data: bytes) -> None:
        self._waits = False
        try:
            if not self.gone and not self.transport.is_closing():
                self._received(data)
        except Exception as error:  # others of this address wait behind it
            log.error("internal error", number=uuid4().hex[:12], exc_info=error)
            self.abort()
        self._look()

    def _received(self, data: bytes) -> None:
        if self.http is None:
            self._first += data
            if len(self._first) < len(PREFACE) and PREFACE.startswith(self._first):
                return  # it may become either
            self.http = self.all.versions[self._first.startswith(PREFACE)](self)
            data, self._first = self._first, b""
        self.http.received(data)

    def eof_received(self) -> None:
        """Whoever ends its side is taken to be gone."""

    def pause(self, paused: bool) -> None:
        """Whether what is sent is to be left in the kernel."""
        self._paused = paused
        self._look()

    def _look(self) -> None:
        if self.gone or self.transport.is_closing():
            return
        if self._paused or self._stuck or self._waits:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    # ---- What goes

    def write(self, data: bytes) -> None:
        if data and not self.transport.is_closing():
            self.transport.write(data)

    async def written(self) -> None:
        """Until the kernel has taken everything; what is not taken in time ends the connection."""
        if self._writable is not None:
            await asyncio.shield(self._writable)
        if self.gone:
            raise asyncio.CancelledError

    def pause_writing(self) -> None:
        loop = asyncio.get_running_loop()
        self._writable = loop.create_future()
        self._late = loop.call_later(limits.WRITE_SECONDS, self.abort)
        self._stuck = self.transport.get_write_buffer_size() > limits.WINDOW_BYTES
        self._look()

    def resume_writing(self) -> None:
        if self._writable is not None:
            self._late.cancel()
            if not self._writable.done():
                self._writable.set_result(None)
            self._writable = None
        self._stuck = False
        self._look()


def address_of(where: Any) -> str:
    """One, however it came."""
    return str(where[0]).removeprefix("::ffff:")


def _notice_the_dead(own: socket.socket) -> None:
    """Of another machine that is gone, nothing is heard but by asking."""
    own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for level, name, value in _HEARTBEAT:
        if hasattr(socket, name):
            with suppress(OSError):
                own.setsockopt(level, getattr(socket, name), value)
