"""A ranch in a picture: its cells, river, bridges and camp, and beside them the storage and the points."""

from typing import Any

from engine_cy.moon_river.components import CAMP_CELL, LETTERS, BonusTile, Cell, Plot
from engine_cy.moon_river.state import BONUS_ROW, COLUMNS, ROWS
from pictures.canvas import shortened, spoken
from pictures.moon_river.icons import CELL
from pictures.moon_river.painter import Chip, Painter, symbols
from pictures.moon_river.scene import MoonRiverScene
from pictures.page import SeatPanel

_GRID_X, _GRID_Y = 40, 90  # the corner of the first cell in its panel
_SIDE_X, _SIDE = _GRID_X + COLUMNS * CELL + 16, 112  # the part beside the cells
_STORED = 0.72  # how large plots in storage are


class RanchPanel(SeatPanel):
    """One seat's ranch."""

    canvas: Painter
    scene: MoonRiverScene
    width = _SIDE_X + _SIDE + 18

    def __init__(self, canvas: Painter, scene: MoonRiverScene, seat: int) -> None:
        super().__init__(canvas, scene, seat)
        rules = scene.rules
        self.position = scene.position
        self.components = rules.components
        self.board = rules.components.boards[rules.boards[seat]]
        self.rows = rules.rows
        self.height = _GRID_Y + self.rows * CELL + 20
        self.targets = scene.cells[seat]
        self.cells = {Cell(*entry["cell"]): entry for entry in scene.position["ranches"][seat]}
        turn = scene.turn
        pending = [*turn["skulls"], *turn["circles"], *([turn["thief"]] if turn["thief"] else [])]
        self.pending = {Cell(*cell) for cell in pending} if turn["seat"] == seat else set()

    def head(self) -> None:
        right = self.width - 20
        self.canvas.ranchero(self.seat, 14, 11, 40)
        self.title(62, 31, shortened(spoken(self.board.name).title(), 32), right, 34)
        if self.place is not None:
            if self.place == 1:
                self.canvas.icon("trophy", right - 206, 18, 34)
            self.place_pill(self.place, right - 120, 24)

    def body(self) -> None:
        with self.canvas.group(_GRID_X, _GRID_Y):
            self._grid()
        with self.canvas.group(_SIDE_X, _GRID_Y):
            self._points(self._storage())

    # ---- The cells

    def _grid(self) -> None:
        canvas = self.canvas
        for column, letter in enumerate(LETTERS):
            self._label((column + 0.5) * CELL, -19, letter)
        for row in range(self.rows):
            self._label(-16, (row + 0.5) * CELL + 4, row + 1)
        if self.rows > ROWS:  # the second board of two players
            style = f'stroke="{canvas.theme.faint}" stroke-width="1.5" stroke-dasharray="2 6" stroke-linecap="round"'
            canvas.add(f'<path d="M4 {ROWS * CELL}H{COLUMNS * CELL - 4}" {style}/>')
        cells = [Cell(row, column) for row in range(self.rows) for column in range(COLUMNS)]
        for cell in cells:
            if cell not in self.cells and cell != CAMP_CELL:
                self._free(cell)
        for cell in self.cells:
            canvas.icon(self._landscape(cell), cell.column * CELL, cell.row * CELL, CELL)
        for cell in self.cells:
            self._join(cell)
        self._river()
        for cell, entry in self.cells.items():
            self._pieces(cell, entry)

    def _label(self, x: float, y: float, words: object) -> None:
        self.canvas.text(x, y, words, 12, self.canvas.theme.faint, 'text-anchor="middle"')

    def _free(self, cell: Cell) -> None:
        with self.canvas.group(cell.column * CELL, cell.row * CELL, free=cell):
            self.canvas.slot()
            to_come = self.position["bonus_tiles"] and not self.position["bonus_taken"][self.seat]
            if cell.row == BONUS_ROW and to_come:
                self.canvas.icon("circle", 22, 22, 28, 'opacity=".3"')
            if cell in self.targets:
                self.canvas.ring(dashed=True)

    def _landscape(self, cell: Cell) -> str:
        """Empty where no plot lies."""
        if cell not in self.cells:
            return ""
        plot = self.cells[cell]["plot"]
        if isinstance(plot, dict):
            tile: BonusTile = self.components.bonus_tiles[plot["tile"]]
            return tile.sides[1] if plot["side"] else tile.sides[0]
        kind: Plot = self.components.plots[plot]
        return kind.landscape

    def _join(self, cell: Cell) -> None:
        """Bridges the gap to the next plots of the same landscape, so that one sees the territories."""
        name = self._landscape(cell)
        ground = self.canvas.palette.landscapes[name][0]
        x, y = cell.column * CELL, cell.row * CELL
        if cell.column < COLUMNS - 1 and self._landscape(Cell(cell.row, cell.column + 1)) == name:
            self.canvas.rect(x + CELL - 4.5, y + 14, 9, CELL - 28, ground)
        if self._landscape(Cell(cell.row + 1, cell.column)) == name:
            self.canvas.rect(x + 14, y + CELL - 4.5, CELL - 28, 9, ground)

    def _pieces(self, cell: Cell, entry: dict[str, Any]) -> None:
        """What lies on a plot; the attributes and the hint say everything about it."""
        plot, chips = entry["plot"], self._chips(cell, entry)
        kind = f"{plot['tile']}/{plot['side']}" if isinstance(plot, dict) else plot
        data = {"cell": cell, "plot": kind, "cows": entry["cows"], "partner": entry["partner"] or ""}
        with self.canvas.group(cell.column * CELL, cell.row * CELL, **data):
            self.canvas.hint(self._hint(cell, chips))
            self.canvas.chips(chips)
            if cell in self.pending or cell in self.targets:
                self.canvas.ring(dashed=cell not in self.pending)

    def _chips(self, cell: Cell, entry: dict[str, Any]) -> list[Chip]:
        plot, cows = entry["plot"], entry["cows"]
        chips = [Chip("cow", cows)] if cows else []
        for chip in [Chip("circle")] if isinstance(plot, dict) else symbols(self.components.plots[plot]):
            if chip.icon == "circle":
                chips.append(Chip(entry["partner"] or "circle"))
            elif chip.icon == "skull":  # it has acted, unless it is pending
                chips.append(Chip("skull", spent=cell not in self.pending))
            elif chip.icon != "cow":  # printed cows are in the ranch by now, or they never came
                chips.append(chip)
        return chips

    def _hint(self, cell: Cell, chips: list[Chip]) -> str:
        words = [f"{chip.count} {chip.icon}s" if chip.count > 1 else spoken(chip.icon) for chip in chips]
        return f"{cell}: " + ", ".join([self._landscape(cell), *words])

    # ---- The board

    def _river(self) -> None:
        """Along row 0 and around the camp, with the bridges over it, each at the upper edge of its cell."""
        palette, x = self.canvas.palette, CAMP_CELL.column * CELL
        self.canvas.rect(x + 4, -2, CELL - 8, CELL, self.canvas.theme.page)
        bank = f"M-4-2H{2 * CELL - 1}V{CELL}q0 2 2 2H{3 * CELL - 1}q2 0 2-2V-2H{COLUMNS * CELL + 4}"
        ends = 'stroke-linecap="round" stroke-linejoin="round"'
        self.canvas.line(bank, palette.river, 9, ends)
        self.canvas.line(bank, palette.foam, 1.6, f'{ends} stroke-dasharray="10 8"')
        for cell in self.board.bridges:
            with self.canvas.group(cell.column * CELL + 23, cell.row * CELL - 14, bridge=cell):
                self.canvas.icon("bridge", 0, 0, 26)
        self.canvas.icon("camp", x + 12, 6, 48, f'color="{self.tint}"')

    # ---- Beside the cells

    def _storage(self) -> float:
        """Draws the slots, two in a row; returns the height."""
        canvas, hand, pitch = self.canvas, self.position["hands"][self.seat], CELL * _STORED + 4
        canvas.text(0, -19, "Storage", 12, canvas.theme.faint, 'font-weight="700"')
        share = f"{len(hand)}/{self.board.storage}"
        colour = canvas.theme.faint if len(hand) <= self.board.storage else canvas.theme.accent  # too much to keep
        canvas.text(_SIDE, -19, share, 12, colour, 'text-anchor="end" font-weight="700"')
        slots = max(len(hand), self.board.storage)
        for i in range(slots):
            data = {"stored": hand[i]} if i < len(hand) else {}
            with canvas.group(i % 2 * pitch, i // 2 * pitch, _STORED, **data):
                if i >= len(hand):
                    canvas.slot()
                    continue
                plot = self.components.plots[hand[i]]
                canvas.hint(str(plot))
                canvas.plot(plot)
        return (slots + 1) // 2 * pitch

    def _points(self, top: float) -> None:
        canvas, faint, score = self.canvas, self.canvas.theme.faint, self.scene.scores[self.seat]
        lines = [("Territories", score.territories), ("Resources", score.resources), ("Partners", score.partners)]
        lines += [("Scenario", score.scenario)] * bool(self.position["scenario"])
        y = top + 22
        for name, points in lines:
            canvas.text(0, y, name, 12.5)
            canvas.text(_SIDE, y, points, 12.5, more='text-anchor="end" font-weight="700"')
            y += 19
        canvas.add(f'<path d="M0 {y - 10:g}H{_SIDE}" stroke="{canvas.theme.edge}"/>')
        for name, count in (("Largest territory", score.largest_territory), ("Cows", score.cows)):
            y += 10 if name != "Cows" else 18
            canvas.text(0, y, name, 11, faint)
            canvas.text(_SIDE, y, count, 11, faint, 'text-anchor="end"')
