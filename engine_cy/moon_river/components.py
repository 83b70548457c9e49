"""The component file: plots, partners, boards, bonus tiles. Loaded, checked, and given names."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine_cy.checks import Checker
from engine_cy.errors import ComponentError
from engine_cy.files import read_tables
from engine_cy.moon_river.state import (
    CAMP,
    COLUMNS,
    LANDSCAPE_NAMES,
    MAX_COLUMN,
    MAX_COWS,
    MAX_HAND,
    MAX_KINDS,
    MAX_PLOTS,
    MAX_SALOON,
    MAX_TILES,
    MAX_TOKENS,
    MIN_COLUMN,
    RIVER,
    ROWS,
    TOKEN_NAMES,
)

STANDARD = Path(__file__).parent.parent / "components" / "moon_river.toml"
LANDSCAPES = LANDSCAPE_NAMES
LETTERS = "abcde"  # of the columns
SPECIALISTS, COWBOY = TOKEN_NAMES[:-1], TOKEN_NAMES[-1]

check = Checker(ComponentError)


def members(bits: int) -> list[int]:
    """The numbers in a set."""
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


class Cell(NamedTuple):
    """A place in a ranch; row 0 touches the river. Written like a chess square: column letter, row from 1."""

    row: int
    column: int

    @property
    def flat(self) -> int:
        """The cell index of the rules and the engine."""
        return self.row * COLUMNS + self.column

    @classmethod
    def at(cls, index: int) -> "Cell":
        return cls(*divmod(index, COLUMNS))

    def __str__(self) -> str:
        return f"{LETTERS[self.column]}{self.row + 1}"


CAMP_CELL = Cell.at(CAMP)
PRINTED_RIVER = tuple(Cell.at(i) for i in members(RIVER))
_RANCH = tuple(Cell.at(i) for i in range(ROWS * COLUMNS) if i != CAMP)  # of the smaller one, which all boards fit


@dataclass(frozen=True, slots=True)
class Plot:
    """A kind of plot; plots of one kind are interchangeable."""

    id: int
    count: int
    number: int
    landscape: str
    nuggets: int = 0
    beavers: int = 0
    cobs: int = 0
    cows: int = 0
    skull: bool = False
    circle: bool = False

    def __str__(self) -> str:
        return f"{self.landscape}{self.symbols and '+' + self.symbols}"

    @property
    def symbols(self) -> str:
        """E.g. ``2 cows+circle``; empty for a bare plot."""
        return symbols_of(self)


def symbols_of(plot: Any) -> str:
    """The symbols of a plot, or of a message that has the same fields."""
    counts = {"nugget": plot.nuggets, "beaver": plot.beavers, "cob": plot.cobs, "cow": plot.cows}
    words = [name if n == 1 else f"{n} {name}s" for name, n in counts.items() if n]
    return "+".join(words + ["skull"] * plot.skull + ["circle"] * plot.circle)


@dataclass(frozen=True, slots=True)
class BonusTile:
    id: int
    sides: tuple[str, str]

    def __str__(self) -> str:
        return "/".join(self.sides)


@dataclass(frozen=True, slots=True)
class Board:
    name: str
    storage: int
    bridges: tuple[Cell, ...]


@dataclass(frozen=True)
class Components:
    """A checked component set."""

    name: str
    cows: int
    column_size: int
    saloon_size: int
    partners: Mapping[str, int]
    plots: tuple[Plot, ...]
    bonus_tiles: tuple[BonusTile, ...]
    boards: Mapping[str, Board]
    river: tuple[Cell, ...]  # that touch it
    digest: str = field(compare=False)
    tables: Mapping[str, Any] = field(compare=False, repr=False)  # of its file

    @classmethod
    def load(cls, path: str | Path) -> "Components":
        """Read a file; a wrong one raises ComponentError, a missing one OSError."""
        return cls.from_dict(read_tables(path))

    @classmethod
    def from_dict(cls, data: Any) -> "Components":
        """Check the tables of a component file, as tomllib gives them."""
        top = check.table(data, "", cls.keys(), ["bonus_tile", "river"])
        check.integer(top["format"], "format", 1, 1)
        river = PRINTED_RIVER
        if "river" in top:  # files of before it could be said mean what is printed
            river = tuple(sorted(_cells(top["river"], "river", _RANCH, "a cell of a ranch of 5 by 5")))
        column_size = check.integer(top["column_size"], "column_size", MIN_COLUMN, MAX_COLUMN)
        parts: dict[str, Any] = {
            "name": check.text(top["name"], "name"),
            "cows": check.integer(top["cows"], "cows", 0, MAX_COWS),
            "column_size": column_size,
            "saloon_size": check.integer(top["saloon_size"], "saloon_size", 0, MAX_SALOON),
            "partners": _partners(top["partners"]),
            "plots": _plots(top["plot"], column_size),
            "bonus_tiles": _bonus_tiles(top.get("bonus_tile", [])),
            "boards": _boards(top["board"], river),
            "river": river,
        }
        return cls(**parts, digest=_digest(parts), tables=top)

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """What a file must have at its top."""
        return "format", "name", "cows", "column_size", "saloon_size", "partners", "plot", "board"

    @property
    def plot_count(self) -> int:
        return sum(plot.count for plot in self.plots)

    @property
    def legends_boards(self) -> tuple[str, ...]:
        return tuple(name for name in self.boards if name != "camp")


@cache
def standard() -> Components:
    """The component set of the printed game."""
    return Components.load(STANDARD)


def _digest(parts: Mapping[str, Any]) -> str:
    """A hash over what the file says, however it is written. Sets that say nothing of the river, or what is printed,
    keep the hash they had before it could be said."""
    plain = {
        **{name: value for name, value in parts.items() if name != "river" or value != PRINTED_RIVER},
        "plots": [asdict(p) for p in parts["plots"]],
        "bonus_tiles": [asdict(t) for t in parts["bonus_tiles"]],
        "boards": [asdict(b) for b in parts["boards"].values()],
    }
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _partners(data: Any) -> dict[str, int]:
    table = check.table(data, "partners", SPECIALISTS)
    partners = {name: check.integer(table[name], f"partners.{name}", 0, MAX_TOKENS) for name in SPECIALISTS}
    check.integer(sum(partners.values()), "partners (all together)", 0, MAX_TOKENS)
    return partners


def _plots(data: Any, column_size: int) -> tuple[Plot, ...]:
    plots: list[Plot] = []
    seen: dict[tuple[Any, ...], int] = {}
    for i, entry in enumerate(check.items(data, "plot", 1, MAX_KINDS)):
        at = f"plot[{i}]"
        optional = ("nuggets", "beavers", "cobs", "cows", "skull", "circle")
        table = check.table(entry, at, ("count", "number", "landscape"), optional)
        plot = Plot(
            id=i,
            count=check.integer(table["count"], f"{at}.count", 1, MAX_PLOTS),
            number=check.integer(table["number"], f"{at}.number", 1, 6),
            landscape=check.choice(table["landscape"], f"{at}.landscape", LANDSCAPES),
            nuggets=check.integer(table.get("nuggets", 0), f"{at}.nuggets", 0, 9),
            beavers=check.integer(table.get("beavers", 0), f"{at}.beavers", 0, 9),
            cobs=check.integer(table.get("cobs", 0), f"{at}.cobs", 0, 9),
            cows=check.integer(table.get("cows", 0), f"{at}.cows", 0, 2),
            skull=check.boolean(table.get("skull", False), f"{at}.skull"),
            circle=check.boolean(table.get("circle", False), f"{at}.circle"),
        )
        if plot.landscape == "corn" and plot.cows:
            raise ComponentError(f"{at}.cows", "no cows on corn", plot.cows)
        kind = (plot.number, str(plot))
        if kind in seen:
            raise ComponentError(at, f"a kind of its own, not that of plot[{seen[kind]}] again", dict(table))
        seen[kind] = i
        plots.append(plot)
    total = check.integer(sum(p.count for p in plots), "plot (all counts together)", column_size, MAX_PLOTS)
    if total % column_size:
        raise ComponentError("plot (all counts together)", f"a multiple of column_size = {column_size}", total)
    return tuple(plots)


def _bonus_tiles(data: Any) -> tuple[BonusTile, ...]:
    tiles = []
    for i, entry in enumerate(check.items(data, "bonus_tile", 0, MAX_TILES)):
        at = f"bonus_tile[{i}]"
        names = check.items(check.table(entry, at, ["sides"])["sides"], f"{at}.sides", 2, 2)
        first, second = (check.choice(name, f"{at}.sides[{j}]", LANDSCAPES) for j, name in enumerate(names))
        if first == second:
            raise ComponentError(f"{at}.sides", "two different landscapes", names)
        tiles.append(BonusTile(i, (first, second)))
    return tuple(tiles)


def _cells(data: Any, at: str, known: Sequence[Cell], expected: str) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for i, pair in enumerate(check.items(data, at, 1, len(known))):
        row, column = check.items(pair, f"{at}[{i}]", 2, 2)
        if type(row) is not int or type(column) is not int or (row, column) not in known:
            raise ComponentError(f"{at}[{i}]", expected, pair)
        if (row, column) in cells:
            raise ComponentError(f"{at}[{i}]", "each cell once", pair)
        cells.append(Cell(row, column))
    return tuple(cells)


def _boards(data: Any, river: Sequence[Cell]) -> dict[str, Board]:
    boards: dict[str, Board] = {}
    for i, entry in enumerate(check.items(data, "board", 1, 16)):
        at = f"board[{i}]"
        table = check.table(entry, at, ("name", "storage", "bridges"))
        name = check.text(table["name"], f"{at}.name", 40)
        if name in boards:
            raise ComponentError(f"{at}.name", "a name no other board has", name)
        where = "a cell at the river: " + " ".join(str(list(cell)) for cell in river)
        bridges = _cells(table["bridges"], f"{at}.bridges", river, where)
        storage = check.integer(table["storage"], f"{at}.storage", 1, MAX_HAND - 1)
        boards[name] = Board(name, storage, bridges)
    if "camp" not in boards:
        raise ComponentError("board", 'one board named "camp", the base game\'s', sorted(boards))
    return boards
