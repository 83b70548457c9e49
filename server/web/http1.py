# May know: basics.
"""HTTP/1.1: one request after the other."""

import asyncio
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import h11

from server.basics import limits
from server.web.connection import Connection
from server.web.exchange import Exchange, Headers

_PHRASES = frozenset(HTTPStatus)


class Http1:
    """See `Http`."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.http = h11.Connection(h11.SERVER, limits.HEADER_BYTES)
        self.exchange: _Exchange | None = None
        self.lingering = False
        self.idle = False  # since an answer, and nothing has come yet

    @property
    def busy(self) -> bool:
        return self.exchange is not None

    def received(self, data: bytes) -> None:
        if self.lingering:
            return  # it was refused unread
        if self.idle:
            self.idle = False
            self.connection.within(limits.HEADER_SECONDS)
        self.http.receive_data(data)
        self.go_on()

    def lost(self) -> None:
        if self.exchange is not None:
            self.exchange.cancel()

    def drain(self) -> None:
        if self.exchange is None:
            self.connection.close()

    def go_on(self) -> None:
        """Take what has come, as far as it is due."""
        try:
            while not self.connection.gone and not (self.exchange is not None and self.exchange.full):
                event = self.http.next_event()
                if event is h11.NEED_DATA or event is h11.PAUSED:
                    break
                self._take(event)
        except h11.RemoteProtocolError as error:
            self._refuse(error.error_status_hint)
        more = bool(self.http.trailing_data[0])  # the next request, before this one is answered
        self.connection.pause(self.exchange is not None and (self.exchange.full or more))

    def _take(self, event: Any) -> None:
        match event:
            case h11.Request():
                self.connection.within(None)
                headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in event.headers]
                method, target = event.method.decode("latin-1"), event.target.decode("latin-1")
                self.exchange = _Exchange(self, method, target, headers)
                self.exchange.task = asyncio.create_task(self._answer(self.exchange))
            case h11.Data() if self.exchange is not None:
                self.exchange.feed(bytes(event.data))
            case h11.EndOfMessage() if self.exchange is not None:
                self.exchange.feed_end()
            case h11.ConnectionClosed():
                self.connection.close()

    async def _answer(self, exchange: "_Exchange") -> None:
        try:
            await self.connection.answer(exchange)
        finally:
            self._done(exchange)

    def _done(self, exchange: "_Exchange") -> None:
        """The next request may come on this connection, if this one and its answer are whole."""
        self.exchange = None
        if self.connection.gone:
            return
        if exchange.ended and self.http.our_state is h11.DONE and self.http.their_state is h11.DONE:
            if self.connection.all.draining:
                self.connection.close()
                return
            self.http.start_next_cycle()
            begun = bool(self.http.trailing_data[0])
            self.idle = not begun
            self.connection.within(limits.HEADER_SECONDS if begun else limits.IDLE_SECONDS)
            self.go_on()
        elif self.http.our_state in (h11.DONE, h11.MUST_CLOSE):
            self._linger()
        else:
            self.connection.abort()  # so that a part is not taken for the whole

    def _linger(self) -> None:
        """What was not read is thrown away for a moment, else the kernel would throw the answer away with it."""
        self.lingering = True
        self.connection.pause(False)
        self.connection.within(limits.LINGER_SECONDS)
        if not self.connection.transport.can_write_eof():
            self.connection.close()
            return
        with suppress(OSError, RuntimeError):
            self.connection.transport.write_eof()

    def _refuse(self, status: int) -> None:
        """What came is no HTTP."""
        if self.exchange is not None:
            self.exchange.cancel()
            self.connection.abort()
            return
        with suppress(h11.LocalProtocolError):
            headers = [("content-length", "0"), ("connection", "close")]
            self.connection.write(self.http.send(h11.Response(status_code=status, headers=headers)) or b"")
            self.connection.write(self.http.send(h11.EndOfMessage()) or b"")
        self._linger()


class _Exchange(Exchange):
    """One request of it."""

    def __init__(self, http1: Http1, method: str, path: str, headers: Headers) -> None:
        super().__init__(http1.connection.peer, method, path, headers)
        self.http1 = http1

    def wanted(self) -> None:
        http = self.http1.http
        if http.they_are_waiting_for_100_continue and http.our_state is h11.SEND_RESPONSE:
            self._say(h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue"))

    def taken(self, size: int) -> None:
        if not self.full:
            self.http1.go_on()

    def _say(self, event: Any) -> None:
        try:
            self.http1.connection.write(self.http1.http.send(event) or b"")
        except h11.LocalProtocolError:
            raise asyncio.CancelledError from None  # the other side broke it off meanwhile

    async def begin(self, status: int, headers: Headers) -> None:
        end = [] if self.ended and not self.http1.connection.all.draining else [("connection", "close")]
        self._say(h11.Response(status_code=status, headers=[*headers, *end], reason=_reason(status)))

    async def send(self, data: bytes) -> None:
        self._say(h11.Data(data=data))
        await self.http1.connection.written()

    async def finish(self) -> None:
        self._say(h11.EndOfMessage())
        await self.http1.connection.written()

    def give_up(self) -> None:
        self.http1.connection.abort()


def _reason(status: int) -> bytes:
    return HTTPStatus(status).phrase.encode() if status in _PHRASES else b""
