"""What the pictures of Goldgräber are painted with beside the common canvas: hexes, chips, diggers and dice."""

from collections.abc import Iterable, Sequence

from pictures.canvas import ICON, Canvas, number, tight
from pictures.goldgraeber.icons import HEX, HIGH, INK, PALETTES, PIECES, RINGS, TEXTURES, WIDE
from pictures.themes import Theme

_VIEW = f"{-WIDE / 2:g} {-HIGH / 2:g} {WIDE} {HIGH}"
_BOLD = 'font-weight="800" text-anchor="middle"'
_PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}  # the places a to i, row by row


class Painter(Canvas):
    """A canvas with the pieces of Goldgräber: each stands around the point it is given."""

    prefix = "gg"
    ink = INK

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.palette = PALETTES[theme]

    def symbols(self) -> Iterable[str]:
        yield from map(self._texture, TEXTURES)
        for name, shapes in PIECES.items():
            yield self.define_icon(name, shapes)
        yield from map(self._ring, RINGS)

    def _texture(self, name: str) -> str:
        colour, texture = self.palette.grounds[name]
        ground = f'<path d="{HEX}" fill="{colour}" stroke="{self.palette.line}" stroke-opacity=".35"/>'
        shapes = tight(TEXTURES[name]).replace('"D"', f'"{texture}"')
        return self.define(name, _VIEW, ground + shapes, 'overflow="visible"')

    def _ring(self, name: str) -> str:
        ring = f'<path d="{HEX}" transform="scale(.87)" fill='
        under = f'{ring}"currentColor" fill-opacity=".16" stroke="{self.palette.halo}" stroke-width="5.5"/>'
        over = f'{ring}"none" stroke="currentColor" stroke-width="3.6" {RINGS[name]}/>'
        return self.define(name, _VIEW, under + over, 'overflow="visible"')

    # ---- Hexes

    def ground(self, name: str, x: float, y: float, hint: str, field: object) -> None:
        """A hex of the map, with what a pointer resting on it shows."""
        self.add(f'{self._hex(name, x, y)} data-field="{field}">')
        self.hint(hint)
        self.add("</use>")

    def outline(self, name: str, x: float, y: float, tint: str, field: object) -> None:
        """Around a hex that can be chosen; `name` is that of the attribute too."""
        self.add(f'{self._hex(name, x, y)} color="{tint}" data-{name}="{field}"/>')

    def hexagon(self, name: str, tint: str) -> None:
        """A ground or an outline that is no field."""
        self.add(f'{self._hex(name, 0, 0)} color="{tint}"/>')

    def _hex(self, name: str, x: float, y: float) -> str:
        where = f'x="{number(x - WIDE / 2)}" y="{number(y - HIGH / 2)}" width="{WIDE}" height="{HIGH}"'
        return f'<use href="#{self.symbol(name)}" {where}'

    # ---- Pieces

    def marks(self, tints: Sequence[str], places: Sequence[tuple[float, float]]) -> None:
        """Defines the seats' marks, each with its place, for pictures that need many: see `mark`."""
        self.add("<defs>")
        for seat, (tint, (x, y)) in enumerate(zip(tints, places, strict=False)):
            self.add(f'<g id="{self.symbol(f"mark{seat}")}">')
            self.disc(x, y, 5.4, seat, tint, "#fff")
            self.add("</g>")
        self.add("</defs>")

    def mark(self, seat: int) -> None:
        self.add(f'<use href="#{self.symbol(f"mark{seat}")}"/>')

    def digger(self, seat: int, tint: str, x: float, y: float, size: float) -> None:
        self.piece("digger", x, y, size, f'color="{tint}"')
        self.text(x, y + size * 0.29, seat, size * 0.38, "#fff", _BOLD)

    def chip(
        self,
        kind: str,
        value: int,
        x: float,
        y: float,
        size: float,
        more: str = "",
        at: tuple[float, float] = (0.32, -0.3),
    ) -> None:
        """Gold or a robber, with its value or strength; that stands `at` this part of its size beside its middle."""
        self.piece(kind, x, y, size, more)
        if kind == "gold":
            self.text(x, y + size * 0.2, value, size * 0.55, self.ink, f"{_BOLD} {more}".rstrip())
        else:
            self.disc(x + size * at[0], y + size * at[1], size * 0.24, value, "#fff6e0", self.ink, more)

    def die(self, rolled: int, x: float, y: float, size: float) -> None:
        """The face of a number; around its middle."""
        with self.group(x - size / 2, y - size / 2, size / ICON, die=rolled):
            self.rect(1, 2.5, 30, 30, "#000", 7, 'opacity=".2"')
            self.rect(1, 1, 30, 30, "#fffdf6", 7, f'stroke="{self.ink}" stroke-width="1.4"')
            for place in _PIPS[rolled]:
                row, column = divmod(ord(place) - ord("a"), 3)
                self.add(f'<circle cx="{8 + 8 * column}" cy="{8 + 8 * row}" r="2.9" fill="{self.ink}"/>')
