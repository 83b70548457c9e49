# May know: nothing else of Saloon.
"""Places that all clients share: each may have some, and when all are taken, who has most of them loses one."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.basics import limits
from server.basics.refusals import Overloaded


class Places:
    """`each`: of one client; `most`: of all."""

    def __init__(self, each: int, most: int) -> None:
        self.each = each
        self.most = most
        self._taken: dict[object, tuple[str, Callable[[Overloaded], None]]] = {}  # longest ago first

    @contextmanager
    def taken(self, owner: str, lose: Callable[[Overloaded], None]) -> Iterator[None]:
        """One of them, until the block ends; `lose` is told if it is lost before. Overloaded if there is none."""
        self._make_room(owner)
        mine = object()
        self._taken[mine] = owner, lose
        try:
            yield
        finally:
            self._taken.pop(mine, None)

    def _make_room(self, owner: str) -> None:
        have = Counter(other for other, _ in self._taken.values())
        if have[owner] >= self.each:
            raise Overloaded(f"one client has no more than {self.each} of these streams", limits.AGAIN_SECONDS)
        if len(self._taken) < self.most:
            return
        most, count = have.most_common(1)[0]
        if count <= have[owner] + 1:
            raise Overloaded(f"there are no more than {self.most} of these streams", limits.AGAIN_SECONDS)
        mine = next(mine for mine, (other, _) in self._taken.items() if other == most)
        _, lose = self._taken.pop(mine)
        lose(Overloaded("others wait who have fewer of these streams", limits.AGAIN_SECONDS))
