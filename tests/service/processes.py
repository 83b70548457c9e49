"""Servers in processes of their own that things can be done to."""

import os
import resource
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import grpc
from saloon_client.v1 import bots_pb2

from saloon import launching
from saloon.launching import serve
from saloon.ports import free_port
from tests.service.games import Stubs

QUICK = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 200)]


def wait_until_serving(address: str) -> None:
    """Until somebody takes connections there, be it a proxy."""
    with grpc.insecure_channel(address) as channel:
        grpc.channel_ready_future(channel).result(30)


class Server(launching.Server):
    """One server with one slot; it can be begun again on the same port with the same database."""

    def __init__(self, folder: Path, *flags: str, environment: Mapping[str, str] | None = None) -> None:
        port = free_port()
        self.database = folder / "tables.sqlite"
        command = serve(port, self.database, "--slots", "1", *flags)
        environment = {**os.environ, **(environment or {})}
        super().__init__(command, port, environment=environment, log=folder / f"{port}.log")

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
        assert self.log is not None
        return self.log.read_text(encoding="utf-8")

    def workers(self, wanted: int) -> list[int]:
        """Its worker processes, once there are so many."""
        pid = self.process.pid
        until = time.monotonic() + 30
        while True:
            found = [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]
            workers = [p for p in found if b"spawn_main" in Path(f"/proc/{p}/cmdline").read_bytes()]
            if len(workers) == wanted:
                return workers
            assert time.monotonic() < until
            time.sleep(0.05)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        os.kill(self.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.process.pid, signal.SIGCONT)

    def limit_files(self, size: int | None) -> None:
        """No file may grow beyond this: what a process sees of a full disk. None: as before."""
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))

    @property
    def written_ahead(self) -> int:
        """Bytes of the database's log."""
        return self.database.with_name(self.database.name + "-wal").stat().st_size

    @property
    def memory(self) -> int:
        """Bytes in use."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="utf-8").split()[1])
        return pages * resource.getpagesize()

    @property
    def files(self) -> int:
        """Open files and connections."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


@contextmanager
def server(folder: Path, *flags: str, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server that answers, until the block ends."""
    made = Server(folder, *flags, environment=environment)
    try:
        made.start()
        yield made
    finally:
        if made.alive:
            made.kill()
