"""Moon River's decisions as objects, and their two other forms: the list form of records and the engine's codes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine_cy.decision import Decision
from engine_cy.moon_river.components import COWBOY, SPECIALISTS, BonusTile, Cell, Components, Plot
from engine_cy.moon_river.state import (
    COLUMNS,
    DIRECTIONS,
    DOWN,
    MAX_KINDS,
    PHASES,
    RIGHT,
    ROWS_OF_TWO,
    SEATS,
    TILE_SIDES,
    neighbour,
    pack,
    unpack,
)


@dataclass(frozen=True, slots=True)
class Claim(Decision):
    """Place a ranchero on a plot of the first column (MR-3, MR-4)."""

    kind: ClassVar[str] = "claim"
    position: int

    def __str__(self) -> str:
        return f"claim position {self.position + 1}"


@dataclass(frozen=True, slots=True)
class Build(Decision):
    """Join two plots into a domino and place it (MR-9); `cell` is the half on the lower cell index."""

    kind, words = "build", "build {0.plot} on {0.cell}, {0.other_plot} on {0.other_cell}"
    plot: Plot
    cell: Cell
    other_plot: Plot
    other_cell: Cell


@dataclass(frozen=True, slots=True)
class Stop(Decision):
    """Stop building (MR-9)."""

    kind, words = "stop", "stop building"


@dataclass(frozen=True, slots=True)
class Done(Decision):
    """Move no more cows (MR-19)."""

    kind, words = "done", "stop herding"


@dataclass(frozen=True, slots=True)
class Decline(Decision):
    """Do without a swap or a theft (MR-20, MR-21)."""

    kind, words = "decline", "decline"


@dataclass(frozen=True, slots=True)
class Discard(Decision):
    """Discard two plots from the game (MR-10)."""

    kind, words = "discard", "discard {0.plot} and {0.other_plot}"
    plot: Plot
    other_plot: Plot


@dataclass(frozen=True, slots=True)
class Drought(Decision):
    """The cow that a skull removes (MR-15)."""

    kind, words = "drought", "lose the cow on {0.cell}"
    cell: Cell


@dataclass(frozen=True, slots=True)
class Recruit(Decision):
    """Put a token from the saloon on a circle, one side up (MR-16)."""

    kind: ClassVar[str] = "recruit"
    cell: Cell
    specialist: str
    as_cowboy: bool

    def to_list(self) -> list[Any]:
        return ["recruit", list(self.cell), self.specialist, "cowboy" if self.as_cowboy else "specialist"]

    def __str__(self) -> str:
        name = self.specialist.replace("_", " ")
        return f"recruit {'a cowboy (from ' + name + ')' if self.as_cowboy else name} on {self.cell}"


@dataclass(frozen=True, slots=True)
class Herd(Decision):
    """Move a cow by one plot (MR-19)."""

    kind, words = "herd", "move a cow from {0.origin} to {0.target}"
    origin: Cell
    target: Cell


@dataclass(frozen=True, slots=True)
class Swap(Decision):
    """Swap a plot of the own hand for one in another storage (MR-20)."""

    kind, words = "swap", "swap {0.plot} for seat {0.seat}'s {0.other_plot}"
    plot: Plot
    seat: int
    other_plot: Plot


@dataclass(frozen=True, slots=True)
class Steal(Decision):
    """Take an unprotected cow (MR-21)."""

    kind, words = "steal", "steal seat {0.seat}'s cow on {0.cell}"
    seat: int
    cell: Cell


@dataclass(frozen=True, slots=True)
class TakeTile(Decision):
    """Choose a bonus tile (MR-26)."""

    kind, words = "bonus_tile", "take the bonus tile {0.tile}"
    tile: BonusTile


@dataclass(frozen=True, slots=True)
class PlaceTile(Decision):
    """Place the bonus tile, one side up (MR-26)."""

    kind: ClassVar[str] = "bonus_place"
    side: int
    cell: Cell

    def __str__(self) -> str:
        """Which tile it is stands in the position; whoever has that names the landscape."""
        return f"place the bonus tile, its {('first', 'second')[self.side]} side up, on {self.cell}"


@dataclass(frozen=True, slots=True)
class Select(Decision):
    """Place the ranchero on a plot of the next column (MR-17)."""

    kind: ClassVar[str] = "select"
    position: int

    def __str__(self) -> str:
        return f"select position {self.position + 1}"


# How a phase is passed.
_PASSES: dict[str, type[Decision]] = {"build": Stop, "herd": Done, "swap": Decline, "steal": Decline}


def decision_of(components: Components, phase: str, code: int) -> Decision:
    """The decision of a code the engine gave while it waited in `phase`."""
    number, bit, a, b, c = unpack(code)
    cell = Cell.at(bit)
    match PHASES[number]:
        case "pass":
            return _PASSES[phase]()
        case "claim":
            return Claim(bit)
        case "select":
            return Select(bit)
        case "build":
            return Build(components.plots[a], cell, components.plots[b], Cell.at(neighbour(bit, c)))
        case "discard":
            return Discard(components.plots[a], components.plots[bit])
        case "drought":
            return Drought(cell)
        case "recruit":
            return Recruit(Cell.at(a), SPECIALISTS[bit // 2], bool(bit % 2))
        case "herd":
            return Herd(cell, Cell.at(neighbour(bit, c)))
        case "swap":
            return Swap(components.plots[a], c, components.plots[bit])
        case "steal":
            return Steal(c, cell)
        case "bonus_tile":
            return TakeTile(components.bonus_tiles[bit])
        case "bonus_place":
            return PlaceTile(c, cell)
        case other:
            raise AssertionError(f"the engine gave a decision of phase {other}")


def code_of(phase: str, option: Sequence[Any]) -> int:
    """The code of a list form; ValueError, TypeError or LookupError if it cannot be one of the options in `phase`."""
    name, *args = option
    if phase in _PASSES and [name] == [_PASSES[phase].kind] and not args:
        return _code("pass")
    if name != phase:
        raise ValueError
    match name, args:
        case (("claim" | "select" | "bonus_tile"), [position]):
            return _code(name, _small(position))
        case "build", [plot, cell, other_plot, other_cell]:
            low, high = _cell(cell), _cell(other_cell)
            c = [neighbour(low, direction) for direction in (RIGHT, DOWN)].index(high)
            return _code(name, low, _small(plot), _small(other_plot), c)
        case "discard", [plot, other_plot]:
            return _code(name, _small(other_plot), _small(plot))
        case "drought", [cell]:
            return _code(name, _cell(cell))
        case "recruit", [cell, specialist, side]:
            return _code(name, 2 * SPECIALISTS.index(specialist) + ("specialist", COWBOY).index(side), _cell(cell))
        case "herd", [origin, target]:
            start, end = _cell(origin), _cell(target)
            return _code(name, start, c=[neighbour(start, direction) for direction in range(DIRECTIONS)].index(end))
        case "swap", [plot, seat, other_plot]:
            return _code(name, _small(other_plot), _small(plot), c=_small(seat, SEATS))
        case "steal", [seat, cell]:
            return _code(name, _cell(cell), c=_small(seat, SEATS))
        case "bonus_place", [side, cell]:
            return _code(name, _cell(cell), c=_small(side, TILE_SIDES))
    raise ValueError


def _code(phase: str, bit: int = 0, a: int = 0, b: int = 0, c: int = 0) -> int:
    return pack(PHASES.index(phase), bit, a, b, c)


def _small(value: Any, limit: int = MAX_KINDS) -> int:
    if type(value) is not int or not 0 <= value < limit:
        raise ValueError
    return value


def _cell(value: Any) -> int:
    if not isinstance(value, list | tuple):
        raise TypeError
    row, column = value
    return Cell(_small(row, ROWS_OF_TWO), _small(column, COLUMNS)).flat
