# May know: nothing else of Saloon.
"""What every client has used, over all workers: each writes a row of its own and reads all of them, so that no lock is
held by one that is killed."""

import fcntl
from array import array
from collections.abc import MutableSequence
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

MOST_CLIENTS = 1000
_PLACES = 2048


class SharedUse:
    """Calls made and calls under way, by worker and client. It is handed to the workers when they begin."""

    def __init__(self, workers: int = 1, context: BaseContext | None = None) -> None:
        self.workers = workers
        size = workers * _PLACES
        self._owners: MutableSequence[int] = _numbers(context, "Q", _PLACES)  # of places
        self._made: MutableSequence[float] = _numbers(context, "d", size)
        self._open: MutableSequence[float] = _numbers(context, "d", size)

    def begin(self, worker: int) -> None:
        """Whoever had this row before is gone, and its calls with it."""
        for place in range(worker * _PLACES, (worker + 1) * _PLACES):
            self._open[place] = 0

    def place_of(self, digest: str, tokens: Path) -> int:
        """Where this client's use is counted, alike in every worker; the file of tokens is locked meanwhile."""
        owner = int(digest[:16], 16) or 1
        with tokens.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            place = owner % _PLACES
            while self._owners[place] not in (0, owner):
                place = (place + 1) % _PLACES
            self._owners[place] = owner
        return place

    def made(self, place: int) -> float:
        """Calls of all workers so far."""
        return sum(self._made[place::_PLACES])

    def open(self, place: int) -> float:
        """Calls of all workers that are under way."""
        return sum(self._open[place::_PLACES])

    def count(self, worker: int, place: int, change: int) -> None:
        """One call begins (1) or ends (-1) here."""
        self._open[worker * _PLACES + place] += change
        if change > 0:
            self._made[worker * _PLACES + place] += change


def _numbers(context: BaseContext | None, kind: str, size: int) -> Any:
    """All 0; in memory that other processes can have if they are made in this context."""
    return array(kind, bytes(8 * size)) if context is None else context.RawArray(kind, size)
