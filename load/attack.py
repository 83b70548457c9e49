"""Hostile clients beside good ones: `python -m load.attack` says whether the good ones kept their time and whether the
memory stayed bounded and came back. Exit code 0 if so, 1 if not.

The server has a core, the good client, and the hostile ones at the lowest priority, have another.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from saloon_client import Client, Overloaded, SaloonError, TooLate, moon_river
from saloon_client.v1 import game_pb2

from load.hostile import WAYS
from saloon.launching import Server, own_server
from saloon.ports import free_port

_GOOD, _BAD = "good-token", "bad-token"
_THINK = 0.05  # seconds that the good client asks for
_MOST_MEMORY = 400 << 20  # bytes more than before
_MOST_KEPT = 300 << 20  # ... once they have gone; what 10,000 connections took is kept for the next ones
_END_SECONDS = 60.0
_LEAST_SERVED = 0.5  # of the calls of the good client


@dataclass
class Good:
    """How a client fared that does nothing wrong."""

    served: int = 0
    refused: int = 0
    late: int = 0
    failed: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def ask(self, client: Client, game: game_pb2.GameRecord, deadline: float) -> None:
        begun = time.monotonic()
        try:
            client.suggest(game, time=_THINK, timeout=deadline)
            self.served += 1
            self.slowest = max(self.slowest, time.monotonic() - begun)
        except Overloaded:
            self.refused += 1
        except TooLate:
            self.late += 1
        except SaloonError as error:
            self.failed.append(str(error))


def tokens(folder: Path) -> Path:
    path = folder / "tokens.toml"
    names = {"good": _GOOD, "bad": _BAD}
    rows = [f'[{name}]\nsha256 = "{hashlib.sha256(token.encode()).hexdigest()}"\n' for name, token in names.items()]
    path.write_text("".join(rows), encoding="utf-8")
    return path


def memory(server: Server) -> int:
    return int(Path(f"/proc/{server.process.pid}/statm").read_text(encoding="utf-8").split()[1]) << 12


class Attacker:
    """A hostile client in a process of its own."""

    def __init__(self, server: Server, http_port: int, way: str, seconds: float) -> None:
        self.way = way
        command = [sys.executable, "-m", "load.hostile", way, server.address, str(http_port), _BAD, str(seconds)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.nice(19)
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n", f"{way} could not prepare itself"

    def begin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("begin\n")
        self.process.stdin.flush()

    def end(self) -> int:
        """How often the server answered it; it ends by itself."""
        try:
            said, _ = self.process.communicate(timeout=_END_SECONDS)
            return int(said or 0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return 0


def attack(
    server: Server, http_port: int, ways: Sequence[str], seconds: float, deadline: float
) -> tuple[Good, int, list[str]]:
    """The good client while these go on; how it fared, the most memory that was used, and who attacked nothing."""
    hostile: list[Attacker] = []
    good, most = Good(), 0
    try:
        with Client(server.address, token=_GOOD, retries=0) as client:
            game = client.new_game(moon_river(players=4), seed=3)
            for way in ways:
                hostile.append(Attacker(server, http_port, way, seconds))
            for one in hostile:
                one.begin()
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                good.ask(client, game, deadline)
                most = max(most, memory(server))
                time.sleep(0.02)
    finally:
        idle = [one.way for one in hostile if not one.end()]
    return good, most, idle


def broken(good: Good, more: int, kept: int, idle: Sequence[str]) -> list[str]:
    """What did not hold."""
    problems = []
    calls = good.served + good.refused + good.late + len(good.failed)
    if good.late or good.failed:
        problems.append(f"{good.late} late, {len(good.failed)} failed ({', '.join(good.failed[:1])})")
    if good.served < _LEAST_SERVED * calls:
        problems.append(f"only {good.served} of {calls} calls served")
    if more > _MOST_MEMORY:
        problems.append(f"{more >> 20} MB more memory")
    if kept > _MOST_KEPT:
        problems.append(f"{kept >> 20} MB were kept")
    if idle:
        problems.append(f"attacked nothing: {', '.join(idle)}")
    return problems


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=25.0, help="for each way")
    parser.add_argument("--deadline", type=float, default=1.0, help="seconds that a good call may take")
    parser.add_argument("--ways", nargs="*", choices=WAYS, default=list(WAYS))
    parser.add_argument("--together", action="store_true", help="all at the same time")
    arguments = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    failed = False
    with TemporaryDirectory() as folder:
        http_port = free_port()
        flags = [
            "--slots",
            "1",
            "--http-port",
            str(http_port),
            "--tokens",
            str(tokens(Path(folder))),
            "--log-level",
            "error",
        ]
        with own_server(*flags) as server:
            os.sched_setaffinity(server.process.pid, cores[:1])
            os.sched_setaffinity(0, cores[-1:])
            for ways in [arguments.ways] if arguments.together else [[way] for way in arguments.ways]:
                before = memory(server)
                good, most, idle = attack(server, http_port, ways, arguments.seconds, arguments.deadline)
                time.sleep(2)
                problems = broken(good, most - before, memory(server) - before, idle)
                failed |= bool(problems)
                print(
                    f"{'+'.join(ways):14} served {good.served}, refused {good.refused}, late {good.late}, "
                    f"slowest {good.slowest * 1000:.0f} ms, memory {(most - before) >> 20:+} MB, "
                    f"after {(memory(server) - before) >> 20:+} MB  {'; '.join(problems) or 'held'}",
                    flush=True,
                )
    sys.exit(failed)


if __name__ == "__main__":
    main()
