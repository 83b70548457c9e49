"""The settings of a spec: KEY=VALUE, each read by the function for its key; OptionError names what does not fit."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine_cy.errors import OptionError

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


def real(key: str, text: str) -> float:
    return float(_number(key, text, float))


def whole(key: str, text: str) -> int:
    return int(_number(key, text, int))


def seconds(key: str, text: str) -> float:
    for unit, size in (("ms", 1e-3), ("s", 1.0)):
        if text.endswith(unit):
            return real(key, text.removesuffix(unit)) * size
    raise OptionError(key, "a number with its unit, such as 100ms or 2s", text)


def _number(key: str, text: str, kind: type[Any]) -> Any:
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not 0 <= value <= 1e9:
        raise OptionError(key, f"a number from 0 to 1e9 ({kind.__name__})", text)
    return value
