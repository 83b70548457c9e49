"""`saloon serve` in a process of its own that things can be done to."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import grpc
from saloon_client.v1 import bots_pb2, game_pb2

from tests.service.games import Stubs, iterations, of
from tests.service.test_operations import free_port

QUICK = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 200)]
RESTART_SECONDS = 60


class Server:
    """One server; it can be begun again on the same port with the same database."""

    def __init__(self, folder: Path, *flags: str, environment: Mapping[str, str] | None = None) -> None:
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.database = folder / "tables.sqlite"
        self.command = [sys.executable, "-m", "saloon", "serve", "--port", str(self.port), "--slots", "1"]
        self.command += ["--database", str(self.database), "--log-level", "error", *flags]
        self.environment = {**os.environ, **(environment or {})}
        self.log = folder / "log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Comes back when it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stderr=log, env=self.environment)
        until = time.monotonic() + RESTART_SECONDS
        while not self.answers(0.2):
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
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

    @property
    def running(self) -> subprocess.Popen[bytes]:
        assert self.process is not None
        return self.process

    @property
    def alive(self) -> bool:
        return self.running.poll() is None

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
    made = Server(folder, *flags, environment=environment)
    try:
        made.start()
        yield made
    finally:
        if made.process is not None and made.alive:
            made.kill()


def question(stubs: Stubs, seed: int = 1, count: int = 30) -> bots_pb2.SuggestRequest:
    """One that has a single right answer."""
    bot = bots_pb2.BotSettings(seed=seed)
    return bots_pb2.SuggestRequest(situation=of(stubs.new_game(seed)), bot=bot, budget=iterations(count))


def essence(answer: bots_pb2.SuggestResponse) -> tuple[game_pb2.Decision, list[bots_pb2.Suggestion], int]:
    """What of an answer is the same every time."""
    return answer.answer.choice, list(answer.answer.suggestions), answer.answer.iterations
