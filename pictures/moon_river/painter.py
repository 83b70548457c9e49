"""What the pictures of Moon River are painted with beside the common canvas: plots, chips and rancheros."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine_cy.moon_river.components import BonusTile, Plot
from pictures.canvas import Canvas, tight
from pictures.moon_river.icons import CELL, ICONS, INK, MOTIFS, PALETTES
from pictures.themes import COLOURS, Theme

# Where the chips of a plot stand, by their number: their size, and their middles.
_PLACES: dict[int, tuple[int, list[tuple[int, int]]]] = {
    1: (38, [(36, 38)]),
    2: (32, [(21, 38), (51, 38)]),
    3: (28, [(20, 22), (52, 22), (36, 51)]),
    4: (28, [(20, 21), (52, 21), (20, 52), (52, 52)]),
    5: (22, [(15, 22), (36, 22), (57, 22), (24, 50), (48, 50)]),
    6: (22, [(15, 22), (36, 22), (57, 22), (15, 50), (36, 50), (57, 50)]),
}


@dataclass(frozen=True, slots=True)
class Chip:
    """A symbol of a plot, or what stands there; so many of it. A spent one is pale."""

    icon: str
    count: int = 1
    spent: bool = False


class Painter(Canvas):
    """A canvas with the pieces of Moon River; cells and plots fill a square of CELL."""

    prefix = "mr"
    ink = INK

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.palette = PALETTES[theme]

    def symbols(self) -> Iterable[str]:
        yield from map(self._landscape, MOTIFS)
        for name, shapes in ICONS.items():
            yield self.define_icon(name, shapes)

    def _landscape(self, name: str) -> str:
        ground, dark, bright = self.palette.landscapes[name]
        motif = tight(MOTIFS[name]).replace('"D"', f'"{dark}"').replace('"B"', f'"{bright}"')
        tile = (
            '<rect x="2" y="4" width="68" height="68" rx="10" opacity=".22"/>'
            f'<rect x="2" y="2" width="68" height="68" rx="10" fill="{ground}"/>{motif}'
            '<rect x="2.75" y="2.75" width="66.5" height="66.5" rx="9.5" fill="none" '
            f'stroke="{dark}" stroke-width="1.5"/>'
        )
        return self.define(name, f"0 0 {CELL} {CELL}", tile)

    # ---- Cells

    def slot(self) -> None:
        """An empty cell."""
        self.rect(3, 3, CELL - 6, CELL - 6, self.theme.slot, 9, f'stroke="{self.theme.edge}"')

    def ring(self, dashed: bool, width: float = CELL) -> None:
        """Around the cell of the group: dashed for what may be chosen, whole for what is being resolved."""
        under = f'stroke="{self.theme.panel}" stroke-width="5.5" stroke-opacity=".8"'
        over = f'stroke="{self.theme.accent}" stroke-width="3"' + ' stroke-dasharray="8 5"' * dashed
        for style in (under, over):  # to be seen on every landscape
            self.rect(3.5, 3.5, width - 7, CELL - 7, "none", 9, style)

    # ---- Pieces

    def plot(self, plot: Plot) -> None:
        """A plot that is not in a ranch: every symbol is still to take effect."""
        self._tile(plot.landscape, symbols(plot))

    def number(self, number: int, x: float, y: float) -> None:
        """That of a plot's back."""
        self.rect(x, y, 18, 18, self.theme.slot, 4, f'stroke="{self.theme.faint}"')
        self.text(x + 9, y + 13.5, number, 12.5, more='text-anchor="middle" font-weight="700"')

    def bonus_tile(self, tile: BonusTile) -> None:
        """Both sides, one beside the other."""
        for i, side in enumerate(tile.sides):
            with self.group(i * CELL, 0):
                self._tile(side, [Chip("circle")])

    def _tile(self, landscape: str, chips: Sequence[Chip]) -> None:
        self.icon(landscape, 0, 0, CELL)
        self.chips(chips)

    def chips(self, chips: Sequence[Chip]) -> None:
        """Side by side on a plot, as large as their number allows."""
        if not chips:
            return
        size, places = _PLACES[len(chips)]
        for chip, (x, y) in zip(chips, places, strict=True):
            left, top = x - size / 2, y - size / 2
            if chip.count > 1:
                self.icon(chip.icon, left + 3.5, top - 3.5, size, 'opacity=".6"')
            self.icon(chip.icon, left, top, size, 'opacity=".72"' if chip.spent else "")
            if chip.count > 1:
                self._count(x + size * 0.3, y + size * 0.48, chip.count)

    def _count(self, x: float, y: float, count: int) -> None:
        width = 8 + 8 * len(str(count))
        self.rect(x - width / 2, y - 8.5, width, 17, self.ink, 8.5, 'stroke="#fff" stroke-width="1.2"')
        self.text(x, y + 4.8, count, 13.5, "#fff", 'font-weight="700" text-anchor="middle"')

    def ranchero(self, seat: int, x: float, y: float, size: float) -> None:
        self.icon("ranchero", x, y, size, f'color="{COLOURS[seat]}"')
        at = x + size / 2, y + size * 0.83
        self.text(*at, seat, size * 0.4, "#fff", 'font-weight="800" text-anchor="middle"')


def symbols(plot: Plot) -> list[Chip]:
    """What is printed on a plot."""
    counts = {"nugget": plot.nuggets, "beaver": plot.beavers, "cob": plot.cobs, "cow": plot.cows}
    counts |= {"skull": int(plot.skull), "circle": int(plot.circle)}
    return [Chip(icon, n) for icon, n in counts.items() if n]
