"""What can go wrong with servers, the two PostgreSQLs they share, and the way there."""

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from random import Random

from load.postgres import Postgres
from saloon.health import check
from saloon.launching import NotStarted
from tests.service.between import Between
from tests.service.disks import Disk
from tests.service.pair import Pair
from tests.service.processes import Server

BACK_SECONDS = 600.0  # that a server or PostgreSQL may take to come back, on a machine that has much else to do


class Kept(Server):
    """Started again whenever it is gone, as what runs servers does."""

    def keep(self) -> None:
        self.up = False  # it has answered since it was begun
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._keeping = threading.Thread(target=self._keep, daemon=True)
        self._keeping.start()

    def _keep(self) -> None:
        while not self._ended.wait(0.05):
            if not self.alive:
                with suppress(NotStarted):  # its database is not there
                    self.start()
            elif not self.up and not check(self.address, timeout=1.0):
                with self._lock:
                    self.up = self.alive

    def end(self, how: int) -> None:
        """If it serves; it comes back by itself."""
        with self._lock:
            self.up = False
            self.process.send_signal(how)

    def let_go(self) -> None:
        self._ended.set()
        self._keeping.join(BACK_SECONDS)
        self.process.kill()
        self.process.wait(BACK_SECONDS)


class Faults:
    """One after the other, by chance, and how often each happened."""

    def __init__(
        self, servers: Sequence[Kept], pair: Pair, ways: Sequence[Between], disks: Sequence[Disk], random: Random
    ) -> None:
        """Ways are those to the databases of the pair; without disks of their own they are never full."""
        self.servers, self.pair, self.ways, self.random = servers, pair, ways, random
        self.disks = {id(each): disk for each, disk in zip(pair.both, disks, strict=False)}
        self.counted = Counter[str]()
        self._left: list[Callable[[], None]] = []
        self.kinds = [self.stop_server, self.freeze_server, self.cut_connections, self.kill_database,
                      self.restart_database, self.freeze_database, self.freeze_standby, self.fail_over,
                      self.cut_network, self.forget_connections, self.silence_network, self.slow_network]  # fmt: skip
        if disks:
            self.kinds.append(self.fill_disk)

    def next(self, kills: int) -> None:
        """So many kills of servers for each of anything else."""
        if not self._left:
            self._left = [kind for each in self.kinds for kind in (each, *[self.kill_server] * kills)]
            self.random.shuffle(self._left)
        fault = self._left.pop()
        self.counted[fault.__name__] += 1
        fault()

    # ---- Servers

    def _server(self) -> Kept:
        """One that serves; rarely the last one that does."""
        until = time.monotonic() + BACK_SECONDS
        while True:
            up = [each for each in self.servers if each.up]
            if len(up) > 1 or (up and self.random.random() < 0.02):
                return self.random.choice(up)
            assert time.monotonic() < until, [(each.alive, each.logged()[-300:]) for each in self.servers]
            time.sleep(0.05)

    def kill_server(self) -> None:
        self._server().end(signal.SIGKILL)

    def stop_server(self) -> None:
        self._server().end(signal.SIGTERM)

    def freeze_server(self) -> None:
        with self._server().frozen():
            time.sleep(self.random.uniform(0.5, 3))

    # ---- PostgreSQL

    def cut_connections(self) -> None:
        for _ in range(5):
            self.pair.primary.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^saloon( news)?$' "
                "AND random() < 0.5"
            )
            time.sleep(0.2)

    def kill_database(self) -> None:
        self.pair.primary.stop(signal.SIGKILL)
        time.sleep(self.random.uniform(0, 1))
        self.pair.primary.start()

    def restart_database(self) -> None:
        self.pair.primary.stop(signal.SIGINT)
        self.pair.primary.start()

    def freeze_database(self) -> None:
        self._freeze(self.pair.primary)

    def freeze_standby(self) -> None:
        """What is written waits for it."""
        self._freeze(self.pair.standby)

    def _freeze(self, postgres: Postgres) -> None:
        """For a moment, or for longer than servers wait for an answer."""
        found = postgres.sql("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        pids = [postgres.pid, *(pid for (pid,) in found)]
        seconds = self.random.choice([self.random.uniform(1, 4), 12.0])
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in pids:
                with suppress(ProcessLookupError):  # a connection was closed meanwhile
                    os.kill(pid, number)
            if number == signal.SIGSTOP:
                time.sleep(seconds)

    def fail_over(self) -> None:
        self.pair.fail_over()
        time.sleep(self.random.uniform(0, 2))
        self.pair.return_as_standby()

    def fill_disk(self) -> None:
        """PostgreSQL may end for lack of room, and is started again where there is some."""
        primary = self.pair.primary
        disk = self.disks[id(primary)]
        disk.fill()
        time.sleep(self.random.uniform(1, 4))
        disk.free()
        until = time.monotonic() + BACK_SECONDS
        while not primary.answers():
            if not primary.alive:
                primary.start()
            assert time.monotonic() < until, "PostgreSQL does not come back"
            time.sleep(0.05)

    # ---- The way there

    def cut_network(self) -> None:
        for _ in range(5):
            for way in self.ways:
                way.cut()
            time.sleep(0.2)

    def forget_connections(self) -> None:
        for way in self.ways:
            way.forget()

    def silence_network(self) -> None:
        with ExitStack() as stack:
            for way in self.ways:
                stack.enter_context(way.silent())
            time.sleep(self.random.choice([self.random.uniform(1, 4), 12.0]))

    def slow_network(self) -> None:
        with ExitStack() as stack:
            for way in self.ways:
                stack.enter_context(way.slow(self.random.uniform(0.01, 0.2)))
            time.sleep(3)
