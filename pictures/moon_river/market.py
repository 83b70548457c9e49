"""What all seats of Moon River share, in a picture: columns, saloon, bonus tiles, scenario and supply."""

from collections import Counter
from typing import Any

from pictures.canvas import spoken
from pictures.moon_river.icons import CELL
from pictures.moon_river.painter import Painter
from pictures.moon_river.scene import MoonRiverScene

WIDTH = 256
_SLOT, _SUPPLY = 78, 92  # from plot to plot in a column; the height of the last part
_SCENARIOS: dict[str, tuple[str, ...]] = {
    "timber_rafting": ("forest", "Three forests or more,", "one of them at the river"),
    "gold_rush": ("nugget", "Three plots or more", "with nuggets"),
    "outlaws": ("desperado", "Three partners or more, one a", "desperado or cattle thief"),
    "moon_river_city": ("farm", "Three farms or more"),
}


class Market:
    """The panel beside the ranches."""

    def __init__(self, canvas: Painter, scene: MoonRiverScene) -> None:
        self.canvas = canvas
        self.scene = scene
        self.components = scene.rules.components
        self.position = scene.position

    def least_height(self) -> float:
        """Room for all that may ever stand here."""
        height: float = 60 + _SLOT * self.components.column_size + 36 + 36 * 5 + _SUPPLY
        if self.scene.rules.players == 2:
            height += 36 + 56 * len(self.components.bonus_tiles)
        return height + (104 if self.scene.rules.legends else 0)

    def draw(self, x: float, y: float, height: float) -> None:
        canvas = self.canvas
        with canvas.part("market", x, y, WIDTH, height):
            canvas.panel(0, 0, WIDTH, height)
            top = 26.0
            for i, name in enumerate(("current", "next")):
                self._column(name, 38 + i * 116, top)
            top += 44 + _SLOT * self.components.column_size
            top = self._saloon(top)
            if self.scene.rules.players == 2:
                top = self._bonus_tiles(top)
            if self.scene.rules.legends:
                top = self._scenario(top)
            self._supply(max(top, height - _SUPPLY))

    def _caption(self, x: float, y: float, words: str) -> None:
        self.canvas.text(x, y, words, 13, self.canvas.theme.faint, 'font-weight="700"')

    def _column(self, name: str, x: float, y: float) -> None:
        canvas, slots = self.canvas, self.position[name]
        self._caption(x + 4, y, name.capitalize())
        # Before a column is laid its places are there, but nothing on them.
        slots = slots or [{"plot": None, "seat": None}] * self.components.column_size
        upcoming = self.scene.phase == "select"
        for i, slot in enumerate(slots):
            at = y + 10 + _SLOT * i
            canvas.text(x - 12, at + 26, i + 1, 13, canvas.theme.faint, 'text-anchor="middle"')
            with canvas.group(x, at, column=name, position=i + 1):
                self._slot(slot, offered=i in self.scene.slots and upcoming == (name == "next"))
                if slot["seat"] is not None:
                    canvas.ranchero(slot["seat"], 50, 30, 42)

    def _slot(self, slot: dict[str, Any], offered: bool) -> None:
        canvas = self.canvas
        if slot["plot"] is None:
            canvas.slot()
            return
        plot = self.components.plots[slot["plot"]]
        canvas.hint(f"({plot.number}) {plot}")
        canvas.plot(plot)
        if offered:
            canvas.ring(dashed=True)
        canvas.number(plot.number, -21, 38)

    def _saloon(self, y: float) -> float:
        canvas, tokens = self.canvas, Counter(self.position["saloon"])
        self._caption(20, y, "Saloon")
        y += 10
        for name, count in tokens.items():
            with canvas.group(20, y, token=name):
                canvas.icon(name, 0, 0, 32)
                canvas.text(40, 21, spoken(name).capitalize(), 14)
                if count > 1:
                    canvas.text(WIDTH - 40, 21, f"× {count}", 14, more='text-anchor="end" font-weight="700"')
            y += 36
        if not tokens:
            canvas.text(20, y + 18, "empty", 13, canvas.theme.faint)
            y += 24
        return y + 30

    def _bonus_tiles(self, y: float) -> float:
        canvas, placing = self.canvas, self.scene.turn["tile"]
        self._caption(20, y, "Bonus tiles")
        y += 8
        there = {placing, *self.position["bonus_tiles"]}
        tiles = [tile for tile in self.components.bonus_tiles if tile.id in there]
        if not tiles:
            canvas.text(20, y + 18, "none left", 13, canvas.theme.faint)
        for tile in tiles:
            with canvas.group(20, y, 0.7, bonus=tile.id):
                canvas.bonus_tile(tile)
                if tile.id == placing:
                    canvas.ring(dashed=False, width=2 * CELL)
            y += 56
        return y + 28

    def _scenario(self, y: float) -> float:
        canvas, name = self.canvas, self.position["scenario"]
        self._caption(20, y, "Scenario")
        if name is None:
            canvas.text(20, y + 24, "not drawn yet", 13, canvas.theme.faint)
            return y + 90
        icon, *words = _SCENARIOS[name]
        canvas.icon(icon, 18, y + 14, 40)
        canvas.text(66, y + 28, spoken(name).title(), 14, more='font-weight="700"')
        for i, line in enumerate([*words, "10, and 10 for each more"]):
            canvas.text(66, y + 44 + 14 * i, line, 11, canvas.theme.faint)
        return y + 108

    def _supply(self, y: float) -> None:
        """Cows, and how much is hidden in the pile and the stack."""
        canvas, p = self.canvas, self.position
        self._caption(20, y, "Supply")
        entries = (("cow", p["supply"], "cows"), ("", len(p["pile"]), "plots"), ("circle", len(p["stack"]), "tokens"))
        for i, (icon, count, words) in enumerate(entries):
            with canvas.group(18 + i * 74, y, supply=words):
                canvas.hint(f"the supply: {count} {words}")
                if icon:
                    canvas.icon(icon, 0, 14, 34)
                else:  # the backs of plots
                    for shift in (6, 3, 0):
                        style = f'stroke="{canvas.theme.faint}" stroke-width="1.3"'
                        canvas.rect(2 + shift, 20 - shift, 26, 26, canvas.theme.slot, 5, style)
                canvas.text(38, 33, count, 16, more='font-weight="700"')
                canvas.text(38, 48, words, 10.5, canvas.theme.faint)
