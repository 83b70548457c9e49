"""Why no domino can be built somewhere (MR-11, MR-12), from what lies there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from saloon_client.v1 import moon_river_pb2

from engine_cy.moon_river.components import CAMP_CELL, LETTERS, Cell
from engine_cy.moon_river.state import ROWS, ROWS_OF_TWO

Placed = moon_river_pb2.MoonRiverPlaced


class Names(Protocol):
    """What the screen knows of plots."""

    def plot(self, kind: int) -> str:
        """One in hand, as decisions name it."""

    def ground(self, placed: Placed) -> str:
        """The landscape of one that lies in a ranch."""


def why_no_domino(
    words: Sequence[str],
    here: moon_river_pb2.MoonRiverPosition,
    seat: int,
    names: Names,
    board: moon_river_pb2.MoonRiverBoard,
) -> list[str]:
    """Of the cells that the words name, or of the whole hand; nothing if the words name none."""
    rows = ROWS_OF_TWO if len(here.ranches) == 2 else ROWS
    ranch = _Ranch(here, seat, names, board, rows)
    named = {word: cell for word in words if (cell := _cell(word)) is not None}
    cells = [cell for cell in named.values() if cell.row < rows and cell.column < len(LETTERS)]
    outside = [word for word, cell in named.items() if cell not in cells]
    found = list(ranch.hand())
    found += [f"{word} is not on your ranch: columns a to {LETTERS[-1]}, rows 1 to {rows}" for word in outside]
    if len(cells) == 2 and cells[1] not in _around(cells[0], rows):
        found.append(f"{cells[0]} and {cells[1]} are not next to each other")
    return found + [line for cell in cells for line in ranch.at(cell)]


class _Ranch:
    """A ranch, and what its owner may build with."""

    def __init__(
        self,
        here: moon_river_pb2.MoonRiverPosition,
        seat: int,
        names: Names,
        board: moon_river_pb2.MoonRiverBoard,
        rows: int,
    ) -> None:
        self.names, self.rows = names, rows
        self.lies: Mapping[Cell, str] = {
            Cell(p.cell.row, p.cell.column): names.ground(p) for p in here.ranches[seat].plots
        }
        self.bridges = {Cell(cell.row, cell.column) for cell in board.bridges}
        self.plots = [names.plot(kind) for kind in here.hands[seat].plots]
        self.grounds = {plot.partition("+")[0] for plot in self.plots}

    def hand(self) -> Iterator[str]:
        if len(self.plots) < 2:
            held = self.plots[0] if self.plots else "no plot"
            yield f"a domino takes two plots: you have {held}" + " alone" * bool(self.plots)
        else:
            yield f"you have {', '.join(self.plots)}"

    def at(self, cell: Cell) -> Iterator[str]:
        if cell == CAMP_CELL:
            yield f"{cell} is your camp"
        elif cell in self.lies:
            yield f"{cell} is taken: {self.lies[cell]} lies there"
        elif not self.free(cell):
            yield f"{cell} has no free cell next to it for the other half"
        else:
            known = list(self.reach(cell))
            yield "; ".join(known) or f"neither {cell} nor a free cell next to it is at a bridge or at a plot of yours"

    def free(self, cell: Cell) -> list[Cell]:
        return [near for near in _around(cell, self.rows) if near not in self.lies and near != CAMP_CELL]

    def reach(self, cell: Cell) -> Iterator[str]:
        """What either half would touch: on this cell, or on a free one next to it."""
        for at in (cell, *self.free(cell)):
            if at in self.bridges:
                yield f"{at} is a bridge cell, where any plot connects"
                continue
            near = sorted({self.lies[other] for other in _around(at, self.rows) if other in self.lies})
            if near:
                fits = "you have it" if set(near) & self.grounds else "which you do not have"
                yield f"{at} touches {' and '.join(near)}, {fits}"


def _cell(word: str) -> Cell | None:
    found = re.fullmatch(r"([a-z])([1-9][0-9]?)", word)
    return Cell(int(found[2]) - 1, ord(found[1]) - ord("a")) if found else None


def _around(cell: Cell, rows: int) -> list[Cell]:
    beside = ((cell.row + a, cell.column + b) for a, b in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    return [Cell(row, column) for row, column in beside if 0 <= row < rows and 0 <= column < len(LETTERS)]
