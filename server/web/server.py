# May know: basics.
"""The port: HTTP/1.1 and HTTP/2 on one, beside gRPC on the same event loop."""

import asyncio
import socket
from time import monotonic

from server.basics.settings import ConfigError, Settings
from server.web.calls import Calls
from server.web.connection import Connection, Connections
from server.web.http1 import Http1
from server.web.http2 import Http2
from server.web.tls import certificates

_LOOK_SECONDS = 0.02
_BACKLOG = 1024
_HANDSHAKE_SECONDS = 10.0


class WebServer:
    """`start`, then `stop`."""

    def __init__(self, calls: Calls) -> None:
        self.connections = Connections(calls.answer, (Http1, Http2))
        self.port = 0
        self._server: asyncio.Server | None = None

    async def start(self, settings: Settings, shared: bool) -> None:
        """Listen; ConfigError if the port cannot be had. `shared`: with other processes."""
        host, port, secure = settings.host, settings.http_port, certificates(settings)
        try:
            self._server = await asyncio.get_running_loop().create_server(
                lambda: Connection(self.connections),
                sock=_listening(host.strip("[]"), port, shared),
                ssl=secure,
                backlog=_BACKLOG,
                ssl_handshake_timeout=None if secure is None else _HANDSHAKE_SECONDS,
                ssl_shutdown_timeout=None if secure is None else _HANDSHAKE_SECONDS,
            )
        except OSError as error:
            raise ConfigError(f"http_port: {host}:{port} cannot be listened on: {error.strerror}") from error
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self, grace: float) -> None:
        """Take no new calls; those under way may end within so many seconds."""
        if self._server is None:
            return
        self._server.close()
        self.connections.drain()
        until = monotonic() + grace
        while self.connections.open and monotonic() < until:
            await asyncio.sleep(min(_LOOK_SECONDS, max(0.0, until - monotonic())))
        self.connections.abort()
        await asyncio.sleep(0)
        await self._server.wait_closed()


def _listening(host: str, port: int, shared: bool) -> socket.socket:
    """As gRPC does: IPv4 comes in by ``[::]``, too."""
    if ":" in host:
        return socket.create_server((host, port), family=socket.AF_INET6, reuse_port=shared, dualstack_ipv6=True)
    return socket.create_server((host, port), reuse_port=shared)
