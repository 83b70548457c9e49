"""Changes of plain data that keep its form, so that an input gets past the first check it meets."""

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.property.kinds import KINDS

WORDS = sorted({word for kind in KINDS.values() for word in kind.words})
NUMBERS = (-1, 0, 1, 2, 3, 5, 8, 15, 16, 31, 32, 63, 64, 65, 127, 128, 129, 200, 255, 256, 2**31, 2**32, 2**63, 2**64)
JUNK: tuple[Any, ...] = (None, True, False, [], {}, [[]], {"a": 1}, "", "\udc00", "\n", "x" * 200, 0.5, 1e308, -0.0)

Place = tuple[Any, Any]  # a table or list, and a key of it


def changed(data: Any, chance: Random) -> Any:
    """A copy after one to four changes; something else if nothing can be changed."""
    data = copy.deepcopy(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        places = list(_places(data))
        if not places:
            return chance.choice(JUNK)
        chance.choice(_CHANGES)(chance, places)
    return data


def number(old: int, chance: Random) -> int:
    """One that is near, or at the edge of something."""
    return chance.choice((old - 1, old + 1, chance.randrange(12), chance.choice(NUMBERS)))


def _places(data: Any) -> Iterator[Place]:
    keys: Any = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield data, key
        yield from _places(data[key])


def _replace(chance: Random, places: list[Place]) -> None:
    at, key = chance.choice(places)
    match at[key]:
        case bool() as old:
            at[key] = not old
        case int() as old:
            at[key] = number(old, chance)
        case str():
            at[key] = chance.choice(WORDS)
        case None:
            at[key] = chance.choice((chance.randrange(6), chance.choice(WORDS), [chance.randrange(5), 1]))
        case _:
            _copy(chance, places)


def _copy(chance: Random, places: list[Place]) -> None:
    (at, key), (other, place) = chance.choice(places), chance.choice(places)
    at[key] = copy.deepcopy(other[place])


def _swap(chance: Random, places: list[Place]) -> None:
    (at, key), (other, place) = chance.choice(places), chance.choice(places)
    at[key], other[place] = copy.deepcopy(other[place]), copy.deepcopy(at[key])


def _spoil(chance: Random, places: list[Place]) -> None:
    at, key = chance.choice(places)
    at[key] = copy.deepcopy(chance.choice(JUNK))


def _delete(chance: Random, places: list[Place]) -> None:
    at, key = chance.choice(places)
    del at[key]


def _repeat(chance: Random, places: list[Place]) -> None:
    at, key = chance.choice(places)
    if isinstance(at, list):
        at[key:key] = [copy.deepcopy(at[key]) for _ in range(chance.choice((1, 1, 1, 70)))]
    else:
        at[chance.choice((*WORDS, "x" * 2000, "\udc00", ""))] = copy.deepcopy(at[key])


def _cut(chance: Random, places: list[Place]) -> None:
    """The rest of a list goes."""
    at, key = chance.choice(places)
    if isinstance(at, list):
        del at[key:]


def _move(chance: Random, places: list[Place]) -> None:
    """A piece from one list to another, as when it is played."""
    lists = [at[key] for at, key in places if isinstance(at[key], list)]
    if lists:
        source, target = chance.choice(lists), chance.choice(lists)
        if source:
            target.append(copy.deepcopy(source.pop(chance.randrange(len(source)))))


_CHANGES: tuple[Callable[[Random, list[Place]], None], ...] = (
    _replace, _replace, _replace, _copy, _swap, _spoil, _delete, _repeat, _cut, _move, _move,
)  # fmt: skip
