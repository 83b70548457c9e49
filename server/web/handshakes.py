# May know: basics.
"""Connections that are to be encrypted: each counts for its address from the moment it is taken, before it is known
whether whoever opened it ever ends the handshake."""

import asyncio
import socket
import ssl
from collections import Counter
from contextlib import suppress

import structlog

from server.basics import limits
from server.web.connection import Connection, Connections, address_of

log = structlog.get_logger()

HANDSHAKE_SECONDS = 10.0
_PAUSE_SECONDS = 0.5  # when there is no room for another connection at all


class Handshakes:
    """From `start` to `stop` on a socket that listens."""

    def __init__(self, connections: Connections, listening: socket.socket, context: ssl.SSLContext) -> None:
        self._connections = connections
        self._listening = listening
        self._context = context
        self.of_address: Counter[str] = Counter()  # that have not ended
        self._under_way: set[asyncio.Task[None]] = set()
        self._taking: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._listening.setblocking(False)
        self._taking = asyncio.create_task(self._take())

    def stop(self) -> None:
        """Take no more, and give up those that have not ended."""
        if self._taking is not None:
            self._taking.cancel()
        for task in self._under_way:
            task.cancel()
        self._listening.close()

    async def _take(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                own, where = await loop.sock_accept(self._listening)
            except ConnectionError:
                continue  # who was there is gone already
            except OSError as error:  # too many files
                log.error("no connection can be taken", reason=str(error))
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            address = address_of(where)
            if self.of_address[address] + self._connections.of_address[address] >= limits.CONNECTIONS:
                own.close()
                continue
            self.of_address[address] += 1
            task = asyncio.create_task(self._shake(own, address))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _shake(self, own: socket.socket, address: str) -> None:
        try:
            with suppress(OSError):  # it was none, or took too long (SSLError and TimeoutError are such, too)
                await asyncio.get_running_loop().connect_accepted_socket(
                    lambda: Connection(self._connections),
                    own,
                    ssl=self._context,
                    ssl_handshake_timeout=HANDSHAKE_SECONDS,
                    ssl_shutdown_timeout=HANDSHAKE_SECONDS,
                )
        finally:
            self.of_address[address] -= 1
            if not self.of_address[address]:
                del self.of_address[address]
