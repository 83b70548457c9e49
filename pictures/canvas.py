"""What the pictures of Moon River are painted with: shapes, texts, icons, plots and rancheros."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from xml.sax.saxutils import escape

from engine_cy.moon_river.components import BonusTile, Plot
from pictures.moon_river.icons import CELL, SEATS, Theme, definitions, symbol

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_INK = "#3a2a20"

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


class Canvas:
    """Collects the elements of one picture. Nothing here knows the game but `plot`, `tile` and `ranchero`."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._parts: list[str] = []

    def document(self, width: float, height: float, title: str, description: str) -> str:
        w, h = number(width), number(height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
            f'font-family="{_FONT}"><title>{plain(title)}</title><desc>{plain(description)}</desc>'
            f'{self.definitions()}<rect width="{w}" height="{h}" fill="{self.theme.page}"/>'
            f"{''.join(self._parts)}</svg>\n"
        )

    # What another game's pictures define instead.

    def definitions(self) -> str:
        return definitions(self.theme)

    def symbol(self, name: str) -> str:
        """The id of what was defined by that name."""
        return symbol(self.theme, name)

    # ---- Shapes

    def add(self, element: str) -> None:
        self._parts.append(element)

    @contextmanager
    def group(self, x: float, y: float, scale: float = 1, **data: object) -> Iterator[None]:
        """What is painted within stands there; `data` become attributes for programs that read the picture."""
        names = "".join(f' data-{key}="{plain(str(value))}"' for key, value in data.items())
        size = "" if scale == 1 else f" scale({number(scale)})"
        self.add(f'<g transform="translate({number(x)} {number(y)}){size}"{names}>')
        yield
        self.add("</g>")

    def hint(self, words: str) -> None:
        """What a pointer resting on the group shows."""
        self.add(f"<title>{plain(words)}</title>")

    def rect(self, x: float, y: float, w: float, h: float, fill: str, radius: float = 0, more: str = "") -> None:
        corners = f' rx="{number(radius)}"' if radius else ""
        self.add(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"{corners} fill="{fill}"'
            f"{' ' * bool(more)}{more}/>"
        )

    def text(self, x: float, y: float, words: object, size: float = 13, fill: str = "", more: str = "") -> None:
        self.add(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill or self.theme.text}"'
            f"{' ' * bool(more)}{more}>{plain(str(words))}</text>"
        )

    def icon(self, name: str, x: float, y: float, size: float, more: str = "") -> None:
        where = f'x="{number(x)}" y="{number(y)}" width="{number(size)}" height="{number(size)}"'
        self.add(f'<use href="#{self.symbol(name)}" {where}{" " * bool(more)}{more}/>')

    def panel(self, x: float, y: float, w: float, h: float, edge: str = "") -> None:
        """A sheet with a shadow; with an edge of its own colour it stands out."""
        self.rect(x, y + 3, w, h, "#000", 16, 'opacity=".14"')
        width = 3 if edge else 1
        self.rect(x, y, w, h, self.theme.panel, 16, f'stroke="{edge or self.theme.edge}" stroke-width="{width}"')

    def pill(self, right: float, y: float, words: str, fill: str, size: float = 12) -> float:
        """White words on a colour, up to `right`; returns the width, ample since the font is not known."""
        width = len(words) * size * 0.6 + size * 1.2
        self.rect(right - width, y, width, size * 1.8, fill, size * 0.9)
        more = 'font-weight="700" text-anchor="middle"'
        self.text(right - width / 2, y + size * 1.26, words, size, "#fff", more)
        return width

    def ring(self, dashed: bool, width: float = CELL) -> None:
        """Around the cell of the group: dashed for what may be chosen, whole for what is being resolved."""
        under = f'stroke="{self.theme.panel}" stroke-width="5.5" stroke-opacity=".8"'
        over = f'stroke="{self.theme.accent}" stroke-width="3"' + ' stroke-dasharray="8 5"' * dashed
        for style in (under, over):  # to be seen on every landscape
            self.rect(3.5, 3.5, width - 7, CELL - 7, "none", 9, style)

    def slot(self) -> None:
        """An empty cell."""
        self.rect(3, 3, CELL - 6, CELL - 6, self.theme.slot, 9, f'stroke="{self.theme.edge}"')

    # ---- Pieces

    def plot(self, plot: Plot) -> None:
        """A plot that is not in a ranch: every symbol is still to take effect."""
        self.tile(plot.landscape, symbols(plot))

    def tile(self, landscape: str, chips: Sequence[Chip]) -> None:
        self.icon(landscape, 0, 0, CELL)
        self.chips(chips)

    def chips(self, chips: Sequence[Chip]) -> None:
        """Side by side on a plot, as large as their number allows."""
        if not chips:
            return
        size, places = _PLACES[len(chips)]
        for chip, (x, y) in zip(chips, places, strict=True):
            more = 'opacity=".45"' if chip.spent else ""
            left, top = x - size / 2, y - size / 2
            if chip.count > 1:
                self.icon(chip.icon, left + 3.5, top - 3.5, size, 'opacity=".6"')
            self.icon(chip.icon, left, top, size, more)
            if chip.count > 1:
                self._count(x + size * 0.3, y + size * 0.48, chip.count)

    def _count(self, x: float, y: float, count: int) -> None:
        width = 8 + 8 * len(str(count))
        self.rect(x - width / 2, y - 8.5, width, 17, _INK, 8.5, 'stroke="#fff" stroke-width="1.2"')
        self.text(x, y + 4.8, count, 13.5, "#fff", 'font-weight="700" text-anchor="middle"')

    def bonus_tile(self, tile: BonusTile) -> None:
        """Both sides, one beside the other."""
        for i, side in enumerate(tile.sides):
            with self.group(i * CELL, 0):
                self.tile(side, [Chip("circle")])

    def ranchero(self, seat: int, x: float, y: float, size: float) -> None:
        self.icon("ranchero", x, y, size, f'color="{SEATS[seat]}"')
        at = x + size / 2, y + size * 0.83
        self.text(*at, seat, size * 0.4, "#fff", 'font-weight="800" text-anchor="middle"')


def symbols(plot: Plot) -> list[Chip]:
    """What is printed on a plot."""
    counts = {"nugget": plot.nuggets, "beaver": plot.beavers, "cob": plot.cobs, "cow": plot.cows}
    counts |= {"skull": int(plot.skull), "circle": int(plot.circle)}
    return [Chip(icon, n) for icon, n in counts.items() if n]


def spoken(name: str) -> str:
    """A name of the rules as words, e.g. ``gold digger``."""
    return name.replace("_", " ")


def number(value: float) -> str:
    """As short as it can be without a visible difference."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def plain(words: str) -> str:
    """Any text, fit for XML: markup escaped, and a mark in place of characters that XML cannot hold."""
    return escape("".join(c if c.isprintable() else "\ufffd" for c in words), {'"': "&quot;"})


def shortened(words: str, limit: int) -> str:
    return words if len(words) <= limit else words[: limit - 1] + "…"
