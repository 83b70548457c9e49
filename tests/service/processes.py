"""`saloon serve` in processes of its own that things can be done to."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import grpc
from saloon_client.v1 import bots_pb2

from tests.service.games import Stubs

QUICK = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 200)]
START_SECONDS = 60


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def wait_until_serving(address: str) -> None:
    """Until somebody takes connections there, be it a proxy."""
    with grpc.insecure_channel(address) as channel:
        grpc.channel_ready_future(channel).result(30)


class Server:
    """One server; it can be begun again on the same port with the same database. Later flags go before earlier ones."""

    def __init__(self, folder: Path, *flags: str, environment: Mapping[str, str] | None = None) -> None:
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.database = folder / "tables.sqlite"
        self.command = [sys.executable, "-m", "saloon", "serve", "--port", str(self.port), "--slots", "1"]
        self.command += ["--database", str(self.database), "--log-level", "error", *flags]
        self.environment = {**os.environ, **(environment or {})}
        self.log = folder / f"{self.port}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Comes back when it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stderr=log, env=self.environment)
        until = time.monotonic() + START_SECONDS
        while not self.answers(0.2):
            assert self.process.poll() is None, self.logged()
            assert time.monotonic() < until

    def answers(self, seconds: float = 5) -> bool:
        """Whether somebody who comes now is served."""
        with self.channel() as channel:
            try:
                grpc.channel_ready_future(channel).result(timeout=seconds)
                return bool(Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest(), timeout=seconds).levels)
            except (grpc.RpcError, grpc.FutureTimeoutError):
                return False

    def channel(self) -> grpc.Channel:
        return grpc.insecure_channel(self.address, QUICK)

    def logged(self) -> str:
        """What it has written to its log so far."""
        return self.log.read_text(encoding="utf-8")

    @property
    def running(self) -> subprocess.Popen[bytes]:
        assert self.process is not None
        return self.process

    @property
    def alive(self) -> bool:
        return self.running.poll() is None

    def workers(self, wanted: int) -> list[int]:
        """Its worker processes, once there are so many."""
        pid = self.running.pid
        until = time.monotonic() + 30
        while True:
            found = [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]
            workers = [p for p in found if b"spawn_main" in Path(f"/proc/{p}/cmdline").read_bytes()]
            if len(workers) == wanted:
                return workers
            assert time.monotonic() < until
            time.sleep(0.05)

    def kill(self) -> None:
        self.running.kill()
        self.running.wait(10)

    def stop(self) -> int:
        """As an operator does; its exit code."""
        self.running.terminate()
        return self.running.wait(30)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        os.kill(self.running.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.running.pid, signal.SIGCONT)

    def limit_files(self, size: int | None) -> None:
        """No file may grow beyond this: what a process sees of a full disk. None: as before."""
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(self.running.pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))

    @property
    def written_ahead(self) -> int:
        """Bytes of the database's log."""
        return self.database.with_name(self.database.name + "-wal").stat().st_size

    @property
    def memory(self) -> int:
        """Bytes in use."""
        pages = int(Path(f"/proc/{self.running.pid}/statm").read_text(encoding="utf-8").split()[1])
        return pages * resource.getpagesize()

    @property
    def files(self) -> int:
        """Open files and connections."""
        return len(list(Path(f"/proc/{self.running.pid}/fd").iterdir()))


@contextmanager
def server(folder: Path, *flags: str, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server that answers, until the block ends."""
    made = Server(folder, *flags, environment=environment)
    try:
        made.start()
        yield made
    finally:
        if made.process is not None and made.alive:
            made.kill()
