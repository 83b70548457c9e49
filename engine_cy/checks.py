"""Small validators for data from outside: each returns the value as its type or raises the caller's error."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine_cy.errors import InputError, short

_LONGEST_KEY = 40


class Checker:
    """Validates with one kind of error, e.g. ``Checker(ComponentError)``."""

    def __init__(self, error: type[InputError]) -> None:
        self.error = error

    def integer(self, value: Any, field: str, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            raise self.error(field, f"an integer from {low} to {high}", value)
        return value

    def boolean(self, value: Any, field: str) -> bool:
        if type(value) is not bool:
            raise self.error(field, "true or false", value)
        return value

    def text(self, value: Any, field: str, limit: int = 100) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= limit:
            raise self.error(field, f"a text of 1 to {limit} characters", value)
        return value

    def choice(self, value: Any, field: str, choices: Iterable[str]) -> str:
        allowed = list(choices)
        if not isinstance(value, str) or value not in allowed:
            raise self.error(field, "one of " + ", ".join(allowed), value)
        return value

    def items(self, value: Any, field: str, low: int, high: int) -> Sequence[Any]:
        if not isinstance(value, list | tuple) or not low <= len(value) <= high:
            size = f"{low}" if low == high else f"{low} to {high}"
            raise self.error(field, f"a list of {size} entries", value)
        return value

    def table(self, value: Any, field: str, required: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, Any]:
        """A table with all of the required keys and none but the known ones."""
        if not isinstance(value, Mapping):
            raise self.error(field or "top level", "a table", value)
        needed, known = list(required), {*required, *optional}
        for key in needed:
            if key not in value:
                raise self.error(join(field, key), "a value", None)
        for key in value:
            if not isinstance(key, str):
                raise self.error(field or "key", "names as keys", key)
            if key not in known:
                raise self.error(
                    join(field, shown(key)), "no such key; known are " + ", ".join(sorted(known)), value[key]
                )
        return value


def join(field: str, key: str) -> str:
    return f"{field}.{key}" if field else key


def shown(key: str) -> str:
    """A key that somebody made up, as a part of a field's name: in one short line that can be written anywhere."""
    return key if key.isprintable() and 0 < len(key) <= _LONGEST_KEY else short(key, _LONGEST_KEY)
