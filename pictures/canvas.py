"""What the pictures of every game are painted with: shapes, texts, symbols, hints, and marks for programs."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import ClassVar
from xml.sax.saxutils import escape

from pictures.themes import Theme

ICON = 32  # an icon's width and height where it is defined
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


class Canvas(ABC):
    """Collects the elements of one picture. A game's own adds its symbols and its pieces."""

    prefix: ClassVar[str]  # of its symbols' ids
    ink: ClassVar[str]  # the outline of its icons

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._parts: list[str] = []

    def document(self, width: float, height: float, title: str, description: str) -> str:
        w, h = number(width), number(height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
            f'font-family="{_FONT}"><title>{plain(title)}</title><desc>{plain(description)}</desc>'
            f'<defs>{"".join(self.symbols())}</defs><rect width="{w}" height="{h}" fill="{self.theme.page}"/>'
            f"{''.join(self._parts)}</svg>\n"
        )

    # ---- Symbols: drawn once, used by name

    @abstractmethod
    def symbols(self) -> Iterable[str]:
        """The definitions of all."""

    def symbol(self, name: str) -> str:
        """The id of a symbol: one of this theme's, since a page may hold pictures of both."""
        return f"{self.prefix}-{self.theme.name}-{name}"

    def define(self, name: str, view: str, shapes: str, more: str = "") -> str:
        return f'<symbol id="{self.symbol(name)}" viewBox="{view}"{_also(more)}>{shapes}</symbol>'

    def define_icon(self, name: str, shapes: str) -> str:
        """Outlined in ink, unless a shape says otherwise."""
        group = f'<g stroke="{self.ink}" stroke-width="1.3" stroke-linejoin="round">{tight(shapes)}</g>'
        return self.define(name, f"0 0 {ICON} {ICON}", group)

    def icon(self, name: str, x: float, y: float, size: float, more: str = "") -> None:
        where = f'x="{number(x)}" y="{number(y)}" width="{number(size)}" height="{number(size)}"'
        self.add(f'<use href="#{self.symbol(name)}" {where}{_also(more)}/>')

    def piece(self, name: str, x: float, y: float, size: float, more: str = "") -> None:
        """An icon around its middle."""
        self.icon(name, x - size / 2, y - size / 2, size, more)

    # ---- Groups

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

    @contextmanager
    def part(self, name: str, x: float, y: float, w: float, h: float, **data: object) -> Iterator[None]:
        """A group that can also be shown by itself, since it says how large it is: `data-part` and `data-size`."""
        with self.group(x, y, 1, part=name, size=f"{number(w)} {number(h)}", **data):
            yield

    def hint(self, words: str) -> None:
        """What a pointer resting on the group shows."""
        self.add(f"<title>{plain(words)}</title>")

    # ---- Shapes and texts

    def rect(self, x: float, y: float, w: float, h: float, fill: str, radius: float = 0, more: str = "") -> None:
        corners = f' rx="{number(radius)}"' if radius else ""
        where = f'x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
        self.add(f'<rect {where}{corners} fill="{fill}"{_also(more)}/>')

    def line(self, path: str, colour: str, width: float, more: str = "") -> None:
        self.add(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}"{_also(more)}/>')

    def text(self, x: float, y: float, words: object, size: float = 13, fill: str = "", more: str = "") -> None:
        where = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
        self.add(f'<text {where} fill="{fill or self.theme.text}"{_also(more)}>{plain(str(words))}</text>')

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

    def disc(self, x: float, y: float, radius: float, words: object, fill: str, ink: str, more: str = "") -> None:
        """A small round badge."""
        where = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        self.add(f'<circle {where} fill="{fill}" stroke="{ink}" stroke-width="1"{_also(more)}/>')
        weight = 'font-weight="800" text-anchor="middle"'
        self.text(x, y + radius * 0.52, words, radius * 1.45, ink, weight + _also(more))

    def badge(self, x: float, y: float, words: str, size: float = 11) -> None:
        """Light words on ink, around a point."""
        width = size * (0.62 * len(words) + 0.7)
        edge = 'stroke="#fff" stroke-width=".9"'
        self.rect(x - width / 2, y - size * 0.7, width, size * 1.4, self.ink, size * 0.7, edge)
        self.text(x, y + size * 0.36, words, size, "#fff", 'font-weight="700" text-anchor="middle"')


def spread(x: float, y: float, width: float, height: float, count: int, rows: int) -> list[tuple[float, float]]:
    """Where so many entries stand in that room, column by column: the left end and the middle of each."""
    columns = -(-count // rows)
    return [(x + i // rows * width / columns, y + (i % rows + 0.5) * height / rows) for i in range(count)]


def spoken(name: str) -> str:
    """A name of the rules as words, e.g. ``gold digger``."""
    return name.replace("_", " ")


def shortened(words: str, limit: int) -> str:
    return words if len(words) <= limit else words[: limit - 1] + "…"


def number(value: float) -> str:
    """As short as it can be without a visible difference."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def plain(words: str) -> str:
    """Any text, fit for XML: markup escaped, and a mark in place of characters that XML cannot hold."""
    return escape("".join(c if c.isprintable() else "\ufffd" for c in words), {'"': "&quot;"})


def tight(shapes: str) -> str:
    """Elements without the line breaks between them."""
    return shapes.strip().replace("\n", " ").replace("> <", "><")


def _also(more: str) -> str:
    """Further attributes behind the first ones."""
    return f" {more}" if more else ""
