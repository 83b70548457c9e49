"""A proxy of bytes that does to connections what networks and proxies do to them."""

import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class _Pair:
    """A connection and what is behind it."""

    def __init__(self, client: socket.socket, behind: socket.socket) -> None:
        self.client, self.behind = client, behind
        self.forgotten = False  # what comes is taken, and goes nowhere
        self.ways = 2  # that are not at their end

    def end(self, *which: socket.socket) -> None:
        for each in which or (self.client, self.behind):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


class Between:
    """Passes bytes on, on a port of its own, until it is told to do something else."""

    def __init__(self, target: int | Path, chance: random.Random | None = None, most: int = 0) -> None:
        """To a port of this machine or a Unix socket. With `most`, each way of a connection is cut after a random
        number of bytes, that many on average."""
        self.target, self.chance, self.most = target, chance or random.Random(0), most
        self.delay = 0.0  # seconds that bytes are late, each way
        self.cuts = 0
        self._passes = threading.Event()
        self._passes.set()
        self._closed = False
        self._lock = threading.Lock()
        self._pairs: list[_Pair] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    # ---- What it does to connections

    def cut(self) -> None:
        """All that there are end, on both sides, whatever is under way."""
        for pair in [*self._pairs]:
            self.cuts += 1
            pair.end()

    def forget(self) -> None:
        """As a firewall that was restarted: what is behind is gone, and clients are not told; new ones come through."""
        for pair in [*self._pairs]:
            pair.forgotten = True
            pair.end(pair.behind)

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Nothing passes meanwhile, also of what is new, and nobody is told; then all does, late."""
        self._passes.clear()
        try:
            yield
        finally:
            self._passes.set()

    @contextmanager
    def slow(self, seconds: float) -> Iterator[None]:
        self.delay = seconds
        try:
            yield
        finally:
            self.delay = 0.0

    def close(self) -> None:
        self._closed = True
        self._passes.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._threads[0].join(5)
        for pair in [*self._pairs]:
            pair.end()
        for thread in self._threads:
            thread.join(5)
        self._listener.close()

    # ---- Threads: one that accepts, two for each connection

    def _accept(self) -> None:
        while not self._closed:
            try:
                client, _ = self._listener.accept()
            except OSError:
                continue
            try:
                pair = _Pair(client, self._connected())
            except OSError:
                client.close()
                continue
            self._pairs.append(pair)
            for way in ((pair.client, pair.behind), (pair.behind, pair.client)):
                left = int(self.chance.expovariate(1 / self.most)) if self.most else None
                thread = threading.Thread(target=self._pass_on, args=(pair, *way, left), daemon=True)
                self._threads = [*(each for each in self._threads if each.is_alive()), thread]
                thread.start()

    def _connected(self) -> socket.socket:
        if isinstance(self.target, int):
            return socket.create_connection(("127.0.0.1", self.target))
        made = socket.socket(socket.AF_UNIX)
        try:
            made.connect(str(self.target))
        except OSError:
            made.close()
            raise
        return made

    def _pass_on(self, pair: _Pair, source: socket.socket, sink: socket.socket, left: int | None) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self._passes.wait()
                time.sleep(self.delay)
                if pair.forgotten:
                    continue
                try:
                    sink.sendall(data if left is None else data[:left])
                except OSError:
                    if pair.forgotten:  # since it was looked
                        continue
                    raise
                if left is not None:
                    left -= len(data)
                    if left < 0:
                        self.cuts += 1
                        break
        if not (pair.forgotten and source is pair.behind):  # else the client is not told
            self._passes.wait()
            pair.end()
        self._ended(pair)

    def _ended(self, pair: _Pair) -> None:
        with self._lock:
            pair.ways -= 1
            if pair.ways == 0:
                self._pairs.remove(pair)
                pair.client.close()
                pair.behind.close()


@contextmanager
def between(target: int | Path, chance: random.Random | None = None, most: int = 0) -> Iterator[Between]:
    made = Between(target, chance, most)
    try:
        yield made
    finally:
        made.close()
