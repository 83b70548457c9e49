"""Ports of this machine for what is about to listen there."""

import itertools
import os
import socket
from collections import deque

# Below those that systems give to whoever calls: one of these may be somebody's before what asked for it listens.
_PORTS = range(20_000, 30_000)
_KEPT = 64  # more than anybody asks for before something listens
# Of this process: sockets of UDP with the numbers of the ports it was given. Nothing of ours uses UDP: nobody is kept
# from listening, others who choose see by them what is taken, and they end with the process, however it ends.
_marks: deque[int] = deque()
_next = itertools.cycle(_PORTS)


def free_port(row: int = 1) -> int:
    """The first of so many in a row that nobody listens on and that no other process was given."""
    found = 0  # of the row, up to this port
    for port in itertools.islice(_next, len(_PORTS)):
        mark = _mark(port)
        if mark is None:
            found = 0
            continue
        _marks.append(mark)
        if len(_marks) > _KEPT:
            os.close(_marks.popleft())
        found = 1 if port == _PORTS.start else found + 1
        if found == row:
            return port - row + 1
    raise OSError(f"no {row} free ports in a row from {_PORTS.start} to {_PORTS.stop - 1}")


def _mark(port: int) -> int | None:
    """The socket that says it is taken; None if it is."""
    with socket.socket(type=socket.SOCK_DGRAM) as mark, socket.socket() as tried:
        try:
            mark.bind(("127.0.0.1", port))
            tried.bind(("", port))  # on all addresses, since some listen so
        except OSError:
            return None
        return mark.detach()
