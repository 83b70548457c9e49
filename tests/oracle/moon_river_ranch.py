"""Moon River oracle, part 1: plots and the grid of one ranch (sections 1 and 4 of the rules)."""

from __future__ import annotations

from dataclasses import dataclass, field

Cell = tuple[int, int]  # (row, column); row 0 touches the river
PlotName = int | tuple[str, int, int]  # a kind number, or ("bonus", tile, side)

COLUMNS = 5
CAMP: Cell = (0, 2)  # filled by the player's board, never free (MR-11)
PRINTED_RIVER = frozenset({(0, 0), (0, 1), (0, 3), (0, 4), (1, 2)})
CORN = "corn"


def cell_index(cell: Cell) -> int:
    """The number of a cell: row * 5 + column."""
    row, column = cell
    return row * COLUMNS + column


def touching(cell: Cell) -> list[Cell]:
    """The four orthogonal neighbours, whether or not they lie on a grid."""
    row, column = cell
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def connected_groups(cells: set[Cell]) -> list[set[Cell]]:
    """Split a set of cells into its orthogonally connected groups."""
    groups: list[set[Cell]] = []
    ungrouped = set(cells)

    def spread(cell: Cell, group: set[Cell]) -> None:
        if cell in ungrouped:
            ungrouped.remove(cell)
            group.add(cell)
            for neighbour in touching(cell):
                spread(neighbour, group)

    for cell in sorted(cells):
        if cell in ungrouped:
            group: set[Cell] = set()
            spread(cell, group)
            groups.append(group)
    return groups


@dataclass(frozen=True)
class Plot:
    """One kind of plot, or one side of a bonus tile (MR-26b: a plot with a landscape and a circle)."""

    name: PlotName
    landscape: str
    number: int = 0
    nuggets: int = 0
    beavers: int = 0
    cobs: int = 0
    cows: int = 0
    skull: bool = False
    circle: bool = False


@dataclass
class Ranch:
    """What lies in front of one player, storage excepted."""

    rows: int
    capacity: int  # storage slots of the player's board
    bridges: set[Cell]
    plots: dict[Cell, Plot] = field(default_factory=dict)
    cows: dict[Cell, int] = field(default_factory=dict)  # only cells where at least one cow stands
    partners: dict[Cell, str] = field(default_factory=dict)  # the visible side of each token
    reached_last_row: bool = False  # has a domino covered a cell of row 9 yet? (MR-26)

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The orthogonal neighbours inside the grid; the camp is no cell to build on or walk to."""
        return [
            (row, column)
            for row, column in touching(cell)
            if 0 <= row < self.rows and 0 <= column < COLUMNS and (row, column) != CAMP
        ]

    def free_cells(self) -> list[Cell]:
        """MR-11: every cell of the grid without a plot; the camp's cell is never free."""
        grid = [(row, column) for row in range(self.rows) for column in range(COLUMNS)]
        return [cell for cell in grid if cell != CAMP and cell not in self.plots]

    def connects(self, cell: Cell, landscape: str) -> bool:
        """MR-12 for one plot on a free cell: on a bridge cell, or beside the same landscape in the ranch.

        MR-13a needs no code of its own: plots go on free cells only, so a covered bridge is never met.
        """
        if cell in self.bridges:
            return True
        return any(
            neighbour in self.plots and self.plots[neighbour].landscape == landscape
            for neighbour in self.neighbours(cell)
        )

    def territories(self) -> list[set[Cell]]:
        """Section 1: connected plots of one landscape, as large as possible."""
        found: list[set[Cell]] = []
        for landscape in sorted({plot.landscape for plot in self.plots.values()}):
            found += connected_groups({c for c, plot in self.plots.items() if plot.landscape == landscape})
        return found

    def territory_of(self, cell: Cell) -> set[Cell]:
        """The territory that the plot on this cell belongs to."""
        [territory] = [t for t in self.territories() if cell in t]
        return territory

    def is_protected(self, cell: Cell) -> bool:
        """MR-21: a cow is protected if its territory holds at least one partner, on whichever side."""
        return any(member in self.partners for member in self.territory_of(cell))

    def add_cow(self, cell: Cell) -> None:
        self.cows[cell] = self.cows.get(cell, 0) + 1

    def remove_cow(self, cell: Cell) -> None:
        self.cows[cell] -= 1
        if self.cows[cell] == 0:
            del self.cows[cell]
