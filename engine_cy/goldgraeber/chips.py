"""Chips: the engine's kinds (state.pxd), the pairs of records, and the tables of positions."""

from typing import Any

from engine_cy.goldgraeber.components import GoldenMap
from engine_cy.goldgraeber.state import VALUES


def chip_list(kind: int) -> list[Any]:
    """E.g. ``["gold", 4]`` or ``["robber", 5]``."""
    return ["gold", kind + 1] if kind < VALUES else ["robber", kind - VALUES + 1]


def kind_of_list(chip: Any) -> int:
    """Back; ValueError or TypeError if it is no chip."""
    if not isinstance(chip, list | tuple):
        raise TypeError
    name, value = chip
    return _kind(name, value)


def chip_table(kind: int) -> dict[str, Any]:
    """E.g. ``{"kind": "gold", "value": 4}``; the value of a robber is its strength."""
    name, value = chip_list(kind)
    return {"kind": name, "value": value}


def _kind(name: Any, value: Any) -> int:
    if type(value) is not int or not 1 <= value <= VALUES or name not in ("gold", "robber"):
        raise ValueError
    return value - 1 if name == "gold" else value - 1 + VALUES


def kind_of_table(chip: dict[str, Any]) -> int:
    """Back, of a checked table."""
    return _kind(chip["kind"], chip["value"])


def all_chips(golden: GoldenMap) -> list[int]:
    """The kinds of all chips of a map, ascending (GG-2)."""
    gold = [value - 1 for value, count in golden.gold for _ in range(count)]
    return gold + [strength - 1 + VALUES for strength, count in golden.robbers for _ in range(count)]
