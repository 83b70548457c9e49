"""Ports for what is about to listen."""

import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from saloon.ports import free_port

_TWENTY = "from saloon.ports import free_port; print(*(free_port() for _ in range(20)), flush=True); input()"
_CHOOSE = [sys.executable, "-c", _TWENTY]


def given() -> list[int]:
    """What another process was given, which has ended."""
    return [int(port) for port in subprocess.run(_CHOOSE, input="\n", capture_output=True, text=True).stdout.split()]


def test_nobody_else_is_given_a_port_before_something_listens_there() -> None:
    """Nor while what listens there is started again."""
    with ExitStack() as stack:
        chosen = [free_port() for _ in range(20)]
        for _ in range(3):
            other = subprocess.Popen(_CHOOSE, stdin=-1, stdout=-1, text=True)
            stack.callback(other.communicate, "\n")
            assert other.stdout is not None
            chosen += map(int, other.stdout.readline().split())
        assert len(chosen) == len(set(chosen)) == 80


def test_in_a_row_and_free_on_all_addresses() -> None:
    first = free_port(3)
    with ExitStack() as stack:
        for port in range(first, first + 3):
            stack.enter_context(socket.socket()).bind(("", port))


def test_no_port_that_something_listens_on() -> None:
    """Whoever chose it."""
    chosen = given()
    with socket.socket() as listening:
        with suppress(OSError):  # then something else listens already
            listening.bind(("127.0.0.1", chosen[0]))
        assert chosen[0] not in given()


def test_no_port_that_a_caller_may_have() -> None:
    """As the system gives them on Linux."""
    callers = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()
    assert free_port() < int(callers[0])
