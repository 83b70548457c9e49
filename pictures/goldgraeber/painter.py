"""What the pictures of Goldgräber are painted with: grounds, chips, diggers and dice, over Moon River's canvas."""

from collections.abc import Sequence

from pictures.canvas import Canvas, number, plain
from pictures.goldgraeber.icons import COLOURS, HIGH, ICON, PALETTES, WIDE, definitions, symbol
from pictures.moon_river.icons import THEMES as SHEETS

_INK = "#33261c"
_BOLD = 'font-weight="800" text-anchor="middle"'
_PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}  # the places a to i, row by row


class Painter(Canvas):
    """Collects the elements of one picture: pieces stand around the point they are given."""

    def __init__(self, theme: str) -> None:
        super().__init__(SHEETS[theme])
        self.palette = PALETTES[theme]

    def definitions(self) -> str:
        return definitions(self.palette.name)

    def symbol(self, name: str) -> str:
        return symbol(name, self.palette.name)

    def piece(self, name: str, x: float, y: float, size: float, more: str = "") -> None:
        """An icon; unlike shapes it stands around its middle."""
        self.icon(name, x - size / 2, y - size / 2, size, more)

    def ground(self, name: str, x: float, y: float, hint: str, field: object) -> None:
        """A hex of the map, with what a pointer resting on it shows."""
        self.add(f'{self._hex(name, x, y)} data-field="{field}"><title>{plain(hint)}</title></use>')

    def outline(self, name: str, x: float, y: float, tint: str, field: object) -> None:
        """Around a hex that can be chosen; `name` is that of the attribute too."""
        self.add(f'{self._hex(name, x, y)} color="{tint}" data-{name}="{field}"/>')

    def hexagon(self, name: str, tint: str) -> None:
        """A ground or an outline that is no field."""
        self.add(f'{self._hex(name, 0, 0)} color="{tint}"/>')

    def _hex(self, name: str, x: float, y: float) -> str:
        where = f'x="{number(x - WIDE / 2)}" y="{number(y - HIGH / 2)}" width="{WIDE}" height="{HIGH}"'
        return f'<use href="#{self.symbol(name)}" {where}'

    def line(self, path: str, colour: str, width: float, more: str = "") -> None:
        style = f'fill="none" stroke="{colour}" stroke-width="{number(width)}"'
        self.add(f'<path d="{path}" {style}{" " * bool(more)}{more}/>')

    # ---- Pieces

    def marks(self, colours: Sequence[int], places: Sequence[tuple[float, float]]) -> None:
        """Defines the seats' marks, each with its place, for pictures that need many: see `mark`."""
        self.add("<defs>")
        for seat, (colour, (x, y)) in enumerate(zip(colours, places, strict=False)):
            self.add(f'<g id="{self.symbol(f"mark{seat}")}">')
            self.disc(x, y, 5.4, seat, COLOURS[colour], "#fff")
            self.add("</g>")
        self.add("</defs>")

    def mark(self, seat: int) -> None:
        self.add(f'<use href="#{self.symbol(f"mark{seat}")}"/>')

    def digger(self, seat: int, colour: int, x: float, y: float, size: float) -> None:
        self.piece("digger", x, y, size, f'color="{COLOURS[colour]}"')
        self.text(x, y + size * 0.29, seat, size * 0.38, "#fff", _BOLD)

    def chip(self, kind: str, value: int, x: float, y: float, size: float, more: str = "") -> None:
        """Gold or a robber, with its value or strength."""
        self.piece(kind, x, y, size, more)
        if kind == "gold":
            self.text(x, y + size * 0.2, value, size * 0.55, _INK, f"{_BOLD}{' ' * bool(more)}{more}")
        else:
            self.disc(x + size * 0.32, y - size * 0.3, size * 0.24, value, "#fff6e0", _INK, more)

    def disc(self, x: float, y: float, radius: float, words: object, fill: str, ink: str, more: str = "") -> None:
        """A small round badge."""
        gap = " " * bool(more)
        where = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        self.add(f'<circle {where} fill="{fill}" stroke="{ink}" stroke-width="1"{gap}{more}/>')
        self.text(x, y + radius * 0.52, words, radius * 1.45, ink, f"{_BOLD}{gap}{more}")

    def badge(self, x: float, y: float, words: str, size: float = 11) -> None:
        """Light words on ink, around a point."""
        width = size * (0.62 * len(words) + 0.7)
        self.rect(x - width / 2, y - size * 0.7, width, size * 1.4, _INK, size * 0.7, 'stroke="#fff" stroke-width=".9"')
        self.text(x, y + size * 0.36, words, size, "#fff", 'font-weight="700" text-anchor="middle"')

    def die(self, rolled: int, x: float, y: float, size: float) -> None:
        """The face of a number; around its middle."""
        with self.group(x - size / 2, y - size / 2, size / ICON, die=rolled):
            self.rect(1, 2.5, 30, 30, "#000", 7, 'opacity=".2"')
            self.rect(1, 1, 30, 30, "#fffdf6", 7, f'stroke="{_INK}" stroke-width="1.4"')
            for place in _PIPS[rolled]:
                row, column = divmod(ord(place) - ord("a"), 3)
                self.add(f'<circle cx="{8 + 8 * column}" cy="{8 + 8 * row}" r="2.9" fill="{_INK}"/>')
