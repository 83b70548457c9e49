# May know: basics.
"""The port: HTTP/1.1 and HTTP/2 on one, beside gRPC on the same event loop."""

import asyncio
import socket
import ssl
from time import monotonic

import structlog

from server.basics.settings import ConfigError, Settings
from server.web.connection import Answer, Connection, Connections
from server.web.handshakes import Handshakes
from server.web.http1 import Http1
from server.web.http2 import Http2
from server.web.tls import certificates

log = structlog.get_logger()

_LOOK_SECONDS = 0.02
_BACKLOG = 1024


class WebServer:
    """`bind`, `start`, then `stop`."""

    def __init__(self, answer: Answer) -> None:
        self.connections = Connections(answer, (Http1, Http2))
        self.port = 0
        self._socket: socket.socket | None = None
        self._secure: ssl.SSLContext | None = None
        self._server: asyncio.Server | None = None
        self.handshakes: Handshakes | None = None

    def bind(self, settings: Settings, shared: bool) -> None:
        """Have the port, so that connections wait until `start`; ConfigError if it cannot be had. `shared`: with other
        processes. A port that nobody chose is done without where something else has it, such as another server."""
        if not settings.http_port:
            return
        self._secure = certificates(settings)
        try:
            self._socket = listening(settings.host.strip("[]"), settings.http_port, shared)
        except OSError as error:
            missing(settings, error)
            return
        self.port = self._socket.getsockname()[1]

    async def start(self) -> None:
        if self._socket is None:
            return
        if self._secure is not None:
            self.handshakes = Handshakes(self.connections, self._socket, self._secure)
            self.handshakes.start()
            return
        self._server = await asyncio.get_running_loop().create_server(
            lambda: Connection(self.connections), sock=self._socket, backlog=_BACKLOG
        )

    async def stop(self, grace: float) -> None:
        """Take no new calls; those under way may end within so many seconds."""
        if self._server is None and self.handshakes is None:
            if self._socket is not None:
                self._socket.close()
            return
        if self._server is not None:
            self._server.close()
        if self.handshakes is not None:
            self.handshakes.stop()
        self.connections.drain()
        until = monotonic() + grace
        while self.connections.open and monotonic() < until:
            await asyncio.sleep(min(_LOOK_SECONDS, max(0.0, until - monotonic())))
        self.connections.abort()
        await asyncio.sleep(0)
        if self._server is not None:
            await self._server.wait_closed()


def missing(settings: Settings, error: OSError) -> None:
    """The HTTP port cannot be had: ConfigError if somebody wants it, else a word in the log."""
    where = f"{settings.host}:{settings.http_port}"
    if "http_port" in settings.model_fields_set:
        raise ConfigError(f"http_port: {where} cannot be listened on: {error.strerror}") from error
    log.warning("no HTTP; --http-port chooses another port", address=where, reason=error.strerror)


def listening(host: str, port: int, shared: bool) -> socket.socket:
    """As gRPC does: IPv4 comes in by ``[::]``, too."""
    if ":" in host:
        return socket.create_server(
            (host, port), family=socket.AF_INET6, backlog=_BACKLOG, reuse_port=shared, dualstack_ipv6=True
        )
    return socket.create_server((host, port), backlog=_BACKLOG, reuse_port=shared)
