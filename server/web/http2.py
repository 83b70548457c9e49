# May know: basics.
"""HTTP/2: many requests at a time, each a stream."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings

from server.basics import limits
from server.web.connection import Connection
from server.web.exchange import Exchange, Headers


class Http2:
    """See `Http`."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.http = h2.connection.H2Connection(config)
        codes = h2.settings.SettingCodes
        self.http.local_settings = h2.settings.Settings(
            client=False,
            initial_values={
                codes.MAX_CONCURRENT_STREAMS: limits.STREAMS_OF_CONNECTION,
                codes.MAX_HEADER_LIST_SIZE: limits.HEADER_BYTES,
                codes.INITIAL_WINDOW_SIZE: limits.WINDOW_BYTES - 1,
                codes.ENABLE_CONNECT_PROTOCOL: 0,
            },
        )
        self.http.decoder.max_header_list_size = limits.HEADER_BYTES
        self.http.initiate_connection()
        # Each stream has a window of its own; that of the connection holds all of them, so that none stops the others.
        self.http.increment_flow_control_window(limits.STREAMS_OF_CONNECTION * limits.WINDOW_BYTES)
        self.streams: dict[int, _Exchange] = {}
        self.resets = 0
        self.flush()

    @property
    def busy(self) -> bool:
        return bool(self.streams)

    def flush(self) -> None:
        self.connection.write(self.http.data_to_send())

    def lost(self) -> None:
        for stream in list(self.streams.values()):
            stream.cancel()
            stream.open_window()

    def drain(self) -> None:
        if not self.streams:
            self.end()

    def end(self, error: h2.errors.ErrorCodes = h2.errors.ErrorCodes.NO_ERROR) -> None:
        with suppress(h2.exceptions.ProtocolError):
            self.http.close_connection(error)
        self.flush()
        self.connection.close()

    def received(self, data: bytes) -> None:
        try:
            events = self.http.receive_data(data)
        except Exception:  # whatever a parser may raise at bytes from outside; it has said why already
            self.flush()
            self.connection.close()
            self.lost()
            return
        opened = False
        for event in events:
            self._take(event)
            opened |= isinstance(event, (h2.events.WindowUpdated, h2.events.RemoteSettingsChanged))
        if opened:  # once, however often it was said
            for stream in list(self.streams.values()):
                stream.open_window()
        self.flush()

    def _take(self, event: h2.events.Event) -> None:
        match event:
            case h2.events.RequestReceived():
                self._begin(event)
            case h2.events.DataReceived():
                stream = self.streams.get(event.stream_id or 0)
                padding = event.flow_controlled_length - len(event.data)
                if stream is None:
                    self.taken(event.stream_id or 0, event.flow_controlled_length)  # nobody reads it any more
                else:
                    stream.feed(event.data)
                    self.taken(event.stream_id or 0, padding)
            case h2.events.StreamEnded() if event.stream_id in self.streams:
                self.streams[event.stream_id].feed_end()
            case h2.events.StreamReset():
                self._reset(event.stream_id or 0)
            case h2.events.ConnectionTerminated():
                self.connection.close()
                self.lost()

    def _begin(self, event: h2.events.RequestReceived) -> None:
        number = event.stream_id
        pairs = [(str(name), str(value)) for name, value in event.headers or ()]
        found = dict(pairs)
        headers = [pair for pair in pairs if not pair[0].startswith(":")]
        if ":authority" in found:
            headers.append(("host", found[":authority"]))
        exchange = _Exchange(self, number, found.get(":method", ""), found.get(":path", ""), headers)
        if self.connection.all.draining:
            self.http.reset_stream(number, h2.errors.ErrorCodes.REFUSED_STREAM)
            return
        self.connection.within(None)
        self.streams[number] = exchange
        exchange.task = asyncio.create_task(self._answer(exchange))

    def _reset(self, number: int) -> None:
        """Given up by whoever began it; whoever does nothing else is told to go."""
        self.resets += 1
        stream = self.streams.get(number)
        if stream is not None:
            stream.cancel()
            stream.open_window()
        if self.resets > limits.RESETS:
            self.end(h2.errors.ErrorCodes.ENHANCE_YOUR_CALM)

    async def _answer(self, exchange: "_Exchange") -> None:
        try:
            await self.connection.answer(exchange)
        finally:
            self._done(exchange)

    def _done(self, exchange: "_Exchange") -> None:
        self.streams.pop(exchange.number, None)
        if self.connection.gone:
            return
        if exchange.whole:
            self.resets = max(0, self.resets - 1)
        with suppress(h2.exceptions.ProtocolError, KeyError):
            if not exchange.whole:
                self.http.reset_stream(exchange.number, h2.errors.ErrorCodes.CANCEL)
            elif not exchange.ended:  # the rest of the request is not wanted
                self.http.reset_stream(exchange.number, h2.errors.ErrorCodes.NO_ERROR)
        self.taken(exchange.number, exchange.unread)
        self.flush()
        if not self.streams:
            if self.connection.all.draining:
                self.end()
            else:
                self.connection.within(limits.IDLE_SECONDS)

    def taken(self, number: int, size: int) -> None:
        """So many bytes were read or thrown away: as many more may come."""
        if size > 0:
            with suppress(h2.exceptions.ProtocolError, KeyError):
                self.http.acknowledge_received_data(size, number)


class _Exchange(Exchange):
    """One stream of it."""

    def __init__(self, http2: Http2, number: int, method: str, path: str, headers: Headers) -> None:
        super().__init__(http2.connection.peer, method, path, headers)
        self.http2 = http2
        self.number = number
        self.both_ways = True
        self.whole = False
        self._opened: asyncio.Future[None] | None = None

    @property
    def unread(self) -> int:
        return len(self._have)

    def wanted(self) -> None:
        if any(name == "expect" for name, _ in self.headers) and not self._have and not self.ended:
            self.headers = [pair for pair in self.headers if pair[0] != "expect"]
            with suppress(h2.exceptions.ProtocolError):
                self.http2.http.send_headers(self.number, [(":status", "100")])
                self.http2.flush()

    def taken(self, size: int) -> None:
        self.http2.taken(self.number, size)
        self.http2.flush()

    def open_window(self) -> None:
        """More may be sent."""
        if self._opened is not None and not self._opened.done():
            self._opened.set_result(None)

    async def begin(self, status: int, headers: Headers) -> None:
        self._say(lambda: self.http2.http.send_headers(self.number, [(":status", str(status)), *headers]))

    async def send(self, data: bytes) -> None:
        while data:
            room = await self._room()
            part, data = data[:room], data[room:]
            self._say(partial(self.http2.http.send_data, self.number, part))
            await self.http2.connection.written()

    async def _room(self) -> int:
        """How much may be sent now, once that is something; what is not taken in time is given up."""
        http = self.http2.http
        try:
            async with asyncio.timeout(limits.WRITE_SECONDS):
                while not (room := min(http.local_flow_control_window(self.number), http.max_outbound_frame_size)) > 0:
                    self._opened = asyncio.get_running_loop().create_future()
                    await self._opened
        except (TimeoutError, h2.exceptions.ProtocolError):
            raise asyncio.CancelledError from None
        return room

    async def finish(self) -> None:
        self._say(lambda: self.http2.http.end_stream(self.number))
        self.whole = True
        await self.http2.connection.written()

    def _say(self, what: Callable[[], None]) -> None:
        if self.http2.connection.gone:
            raise asyncio.CancelledError
        try:
            what()
        except h2.exceptions.ProtocolError:
            raise asyncio.CancelledError from None  # the other side broke it off meanwhile
        self.http2.flush()

    def give_up(self) -> None:
        self.whole = False
