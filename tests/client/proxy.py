"""A wire between client and server that can be cut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Proxy:
    """Passes bytes on, unless it is told to swallow what the server says."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self.target = (host, int(port))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.open: list[socket.socket] = []
        self.silent = False
        self.connections = 0
        self.threads = [threading.Thread(target=self._accept)]
        self.threads[0].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.create_connection(self.target)
                self.connections += 1
                self.open += [client, server]
                for source, sink, answers in ((client, server, False), (server, client, True)):
                    self.threads.append(threading.Thread(target=self._pass_on, args=(source, sink, answers)))
                    self.threads[-1].start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not (answers and self.silent):
                    sink.sendall(data)

    def cut(self) -> None:
        """All connections end. New ones can be made."""
        sockets, self.open = self.open, []
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


@contextmanager
def proxy(target: str) -> Iterator[Proxy]:
    wire = Proxy(target)
    try:
        yield wire
    finally:
        with suppress(OSError):
            wire.listener.shutdown(socket.SHUT_RDWR)
        wire.listener.close()
        wire.cut()
        for thread in wire.threads:
            thread.join(5)
