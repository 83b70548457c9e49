"""Goldgräber's decisions as objects, and their two other forms: the list form of records and the engine's codes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine_cy.decision import Decision
from engine_cy.goldgraeber.components import Field, GoldenMap
from engine_cy.goldgraeber.state import PHASES, TO_LOOK, TO_ROLL, pack, unpack


@dataclass(frozen=True, slots=True)
class Prospect(Decision):
    """Look at the face-down chips around instead of walking (GG-20)."""

    kind, words = "prospect", "prospect"


@dataclass(frozen=True, slots=True)
class Roll(Decision):
    """Roll the die (GG-20)."""

    kind, words = "roll", "roll the die"


@dataclass(frozen=True, slots=True)
class Walk(Decision):
    """Walk to a field (GG-6 to GG-8)."""

    kind, words = "walk", "walk to {0.field}"
    field: Field


@dataclass(frozen=True, slots=True)
class Ferry(Decision):
    """Take the raft to a shore field of the lake (GG-8)."""

    kind, words = "ferry", "take the raft to {0.field}"
    field: Field


@dataclass(frozen=True, slots=True)
class Retreat(Decision):
    """Walk away from a fight (GG-13, GG-15)."""

    kind, words = "retreat", "walk away to {0.field}"
    field: Field


def decision_of(golden: GoldenMap, phase: str, code: int) -> Decision:
    """The decision of a code the engine gave while it waited in `phase`."""
    number = unpack(code)
    match phase:
        case "prospect":
            return Prospect() if number == TO_LOOK else Roll()
        case "walk":
            return Walk(golden.fields[number])
        case "ferry":
            return Ferry(golden.fields[number])
        case "retreat":
            return Retreat(golden.fields[number])
        case other:
            raise AssertionError(f"the engine gave a decision of phase {other}")


def code_of(numbers: dict[Field, int], phase: str, option: Sequence[Any]) -> int:
    """The code of a list form; ValueError, TypeError or LookupError if it cannot be one of the options in `phase`.
    `numbers` are those of the fields."""
    match phase, *option:
        case "prospect", "prospect" | "roll" as name:
            return pack(PHASES.index(phase), TO_LOOK if name == "prospect" else TO_ROLL)
        case "walk" | "ferry" | "retreat", name, place if name == phase:
            return pack(PHASES.index(phase), numbers[field_of(place)])
    raise ValueError


def field_of(place: Any) -> Field:
    """The field of [row, column]; ValueError or TypeError if it is none."""
    if not isinstance(place, list | tuple):
        raise TypeError
    row, column = place
    if type(row) is not int or type(column) is not int:
        raise TypeError
    return Field(row, column)
