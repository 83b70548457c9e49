"""`saloon serve` in a process of its own: started, waited for until it answers, stopped."""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from saloon.health import check
from saloon.ports import free_port

SALOON = (sys.executable, "-m", "saloon")
_START_SECONDS = 60.0
_STOP_SECONDS = 60.0  # longer than servers drain


class NotStarted(Exception):
    """A server ended before it answered, or does not answer at all."""


def serve(port: int, database: Path | str, *flags: str) -> list[str]:
    """The command of a quiet server. Later flags go before earlier ones."""
    where = ["--port", str(port), "--http-port", "0", "--database", str(database)]
    return [*SALOON, "serve", *where, "--log-level", "error", *flags]


class Server:
    """One server; after it has ended it can be started again."""

    def __init__(
        self,
        command: Sequence[str],
        port: int,
        *,
        environment: Mapping[str, str] | None = None,
        log: Path | None = None,
        own_session: bool = False,
    ) -> None:
        """`log` is where its errors go, if not where ours go; Ctrl-C does not reach it in a session of its own."""
        self.command, self.port, self.address = command, port, f"127.0.0.1:{port}"
        self.environment, self.log, self.own_session = environment, log, own_session
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "not started"
        return self._process

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Comes back when it answers."""
        with self.log.open("ab") if self.log else nullcontext() as log:
            self._process = subprocess.Popen(  # noqa: S603
                self.command, env=self.environment, stderr=log, start_new_session=self.own_session
            )
        until = time.monotonic() + _START_SECONDS
        while problem := check(self.address, timeout=1.0):
            if not self.alive:
                raise self._not_started(f"it ended with {self.process.returncode}")
            if time.monotonic() > until:
                raise self._not_started(problem)
            time.sleep(0.1)

    def _not_started(self, why: str) -> NotStarted:
        """With the last it wrote, if that did not go where our errors go."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines() if self.log else []
        return NotStarted("\n".join([f"the server at {self.address} did not start: {why}", *lines[-3:]]))

    def stop(self) -> int:
        """As an operator does; its exit code."""
        self.process.terminate()
        try:
            return self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)


@contextmanager
def own_server(*flags: str, port: int | None = None, own_session: bool = False) -> Iterator[Server]:
    """A server with an empty database of its own, as long as the block lasts."""
    with TemporaryDirectory(prefix="saloon-") as folder:
        chosen = port or free_port()
        command = serve(chosen, Path(folder) / "tables.sqlite", *flags)
        server = Server(command, chosen, own_session=own_session)
        try:
            server.start()
            yield server
        finally:
            if server.alive:
                server.stop()
