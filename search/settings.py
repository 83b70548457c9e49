"""The settings of a spec: KEY=VALUE, each read by the function for its key; OptionError names what does not fit."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine_cy.errors import OptionError

_TIME = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(ms|s|m|min)?")
_UNITS = {None: 1.0, "s": 1.0, "ms": 0.001, "m": 60.0, "min": 60.0}

Reader = Callable[[str, str], Any]  # of a key and its value


def read(bot: str, items: Iterable[str], known: Mapping[str, Reader]) -> dict[str, Any]:
    found = {}
    for item in items:
        key, _, value = item.partition("=")
        if key not in known:
            raise OptionError(f"bot {bot}", "settings among " + ", ".join(known), key)
        found[key] = known[key](key, value)
    return found


def word(_: str, text: str) -> str:
    return text


def whole(key: str, text: str) -> int:
    return int(_number(key, text, int))


def real(key: str, text: str) -> float:
    return float(_number(key, text, float))


def within(low: float, high: float, kind: type[float] | type[int] = float) -> Reader:
    """Reads a number between these."""

    def read_it(key: str, text: str) -> Any:
        value = _number(key, text, kind)
        if not low <= value <= high:
            raise OptionError(key, f"a number from {low:g} to {high:g}", text)
        return value

    return read_it


def seconds(key: str, text: str) -> float:
    """A time as commands take it, but with its unit: nobody would know what a bare number of a spec means."""
    found = parse_time(text)
    if found is None or text.strip()[-1:].isdigit() or found > 1e9:
        raise OptionError(key, "a number with its unit, such as 100ms, 2s or 1min", text)
    return found


def parse_time(text: str) -> float | None:
    """`500ms`, `1s`, `1.5`, `2min` in seconds; None if it is no time."""
    found = _TIME.fullmatch(text.strip().lower())
    return None if found is None else float(found[1]) * _UNITS[found[2]]


def _number(key: str, text: str, kind: type[Any]) -> Any:
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not 0 <= value <= 1e9:
        raise OptionError(key, f"a number from 0 to 1e9 ({kind.__name__})", text)
    return value
