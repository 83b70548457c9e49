"""Everything that does not fit in something from outside, not only the first."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from engine_cy.errors import InputError

T = TypeVar("T")
MOST = 20  # that are told: who has more has misunderstood something larger


def each(values: Iterable[T], read: Callable[[int, T], Any]) -> list[Any]:
    """What comes of every value, given with its place. Those that are refused do not keep the others from being read;
    in the end the first one is raised, which carries the rest."""
    found, problems = [], list[InputError]()
    for index, value in enumerate(values):
        try:
            found.append(read(index, value))
        except InputError as error:
            problems += error.all
    if problems:
        first, *more = problems
        first.more = tuple(more[: MOST - 1])
        raise first
    return found


def by_name(parts: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """What comes of every part; refused together, as `each`."""
    return dict(zip(parts, each(parts.values(), lambda _, part: part()), strict=True))
