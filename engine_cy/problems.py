"""Everything that does not fit in something from outside, not only the first."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from engine_cy.errors import InputError

T = TypeVar("T")
MOST = 20  # that are told: who has more has misunderstood something larger


class Problems:
    """Parts are read one after the other; those that are refused are kept, and raised together at the end."""

    def __init__(self) -> None:
        self._found: list[InputError] = []

    @contextmanager
    def part(self) -> Iterator[None]:
        """What is refused in here does not keep the next part from being read."""
        try:
            yield
        except InputError as error:
            self._found += [error, *error.more]

    def read(self, parts: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
        """The parts by name, without those that are refused."""
        values = {}
        for name, part in parts.items():
            with self.part():
                values[name] = part()
        return values

    def each(self, values: Iterable[T], read: Callable[[int, T], Any]) -> list[Any]:
        """What comes of every value, by its place, without those that are refused."""
        read_ones = []
        for index, value in enumerate(values):
            with self.part():
                read_ones.append(read(index, value))
        return read_ones

    def end(self) -> None:
        """Raise the first one, which carries the others; nothing if all fitted."""
        if self._found:
            first, *more = self._found
            first.more = tuple(more[: MOST - 1])
            raise first
