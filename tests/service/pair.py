"""Two PostgreSQLs, of which one follows the other: what is acknowledged is at both."""

import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

from load.postgres import Disk, Postgres
from tests.service.postgres import place


class Pair:
    """The one that writes and the one that follows; which is which changes."""

    def __init__(self, folder: Path, disks: Sequence[Disk | None] = (None, None), **settings: str) -> None:
        self.both: list[Postgres] = []
        for name, disk in zip(("a", "b"), disks, strict=True):
            where = folder / name
            where.mkdir()
            primary = self.both[0] if self.both else None
            self.both.append(Postgres(where, None, settings, disk=disk, primary=primary))
            if primary is None:
                self.both[0].start()
        self.primary, self.standby = self.both

    def join(self) -> None:
        """The standby runs, and nothing is acknowledged that it has not written."""
        if not self.standby.alive:
            self.standby.start()
        until = time.monotonic() + 60
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.sql("SELECT pg_reload_conf()")
        while self.primary.sql("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'") != [("sync",)]:
            assert time.monotonic() < until
            time.sleep(0.05)

    def fail_over(self, how: int = signal.SIGKILL) -> None:
        """The primary is gone, the standby takes its place. It waits for nobody, until another one follows it."""
        if self.primary.alive:
            self.primary.stop(how)
        self.promote()

    def promote(self) -> None:
        self.primary, self.standby = self.standby, self.primary
        assert self.primary.sql("SELECT pg_promote()") == [(True,)]
        self.primary.sql("ALTER SYSTEM RESET synchronous_standby_names")
        self.primary.sql("SELECT pg_reload_conf()")

    def return_as_standby(self) -> None:
        """The former primary is made a copy of the new one, which it follows."""
        self.standby.follow(self.primary)
        self.join()

    def url(self, database: str, ports: Sequence[int] = ()) -> str:
        """That finds whichever writes; by way of proxies at these ports, if there are any."""
        hosts = ["127.0.0.1"] * len(ports) if ports else [quote(str(each.folder), safe="") for each in self.both]
        where = ports or [each.port for each in self.both]
        addresses = ",".join(f"{host}:{port}" for host, port in zip(hosts, where, strict=True))
        return f"postgresql://saloon@{addresses}/{database}?target_session_attrs=read-write"


@contextmanager
def pair(disks: Sequence[Disk | None] = (None, None), **settings: str) -> Iterator[Pair]:
    """Both run, until the block ends."""
    with ExitStack() as stack:
        folder = stack.enter_context(place())
        made = Pair(folder, disks, **settings)
        for each in made.both:
            stack.callback(_end, each)
        made.join()
        yield made


def _end(one: Postgres) -> None:
    if one.alive:
        one.stop(signal.SIGQUIT)
