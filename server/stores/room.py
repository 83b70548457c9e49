# May know: nothing else of Saloon.
"""Whether there is room for another table, by what was counted lately.

To count 100,000 tables takes long, so it is not done for every new one: as long as the last count, with what this
process has made since, leaves room, there is some. What others made meanwhile the next count finds. No old count says
that it is full.
"""

from math import inf
from time import monotonic

from server.stores.tables import Limits

_SECONDS = 5.0  # for which a count is good enough
_MOST_OWNERS = 10_000


class Room:
    """Of one process."""

    def __init__(self) -> None:
        self._all = (-inf, 0)  # when they were counted, and how many they are with those made since
        self._own: dict[str, tuple[float, int]] = {}  # the same of an owner

    def known(self, owner: str, limits: Limits) -> bool:
        """Whether there is some, as far as was counted lately."""
        (at, tables), (at_own, own) = self._all, self._own.get(owner, (-inf, 0))
        return monotonic() - min(at, at_own) < _SECONDS and tables < limits.tables and own < limits.of_owner

    def counted(self, owner: str, own: int, tables: int) -> None:
        if len(self._own) >= _MOST_OWNERS:
            self._own.clear()
        self._all = monotonic(), tables
        self._own[owner] = monotonic(), own

    def made(self, owner: str) -> None:
        """A table of theirs."""
        at, tables = self._all
        self._all = at, tables + 1
        if owner in self._own:
            at, own = self._own[owner]
            self._own[owner] = at, own + 1
