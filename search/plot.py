"""Figures as SVG pictures: the course of a match, whether what was said came, how levels climb."""

from collections.abc import Mapping, Sequence

from search.stats import interval

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 360, 56, 40, 16, 40
_INK, _PALE = "#2a5d9c", "#4a7ebb"
_INKS = ("#2a5d9c", "#c2571a", "#3d7a3d", "#8a3d8a", "#111111", "#a08020", "#b03050")
_DASHES = ("none", "8 3", "2 3", "10 3 2 3", "5 5", "12 4", "1 4")

Pairs = Sequence[tuple[float, float]]


class Diagram:
    """One picture; x goes from 0 to `width`, y from 0 to `height`, which is written as `unit` says."""

    def __init__(self, title: str, width: float = 1, height: float = 1, unit: str = ".0%") -> None:
        self._width, self._height = width, height
        self._parts = [f'<text x="{_LEFT}" y="22" font-size="14">{_escaped(title)}</text>']
        for quarter in range(5):
            value = height * quarter / 4
            y = self._y(value)
            self._parts.append(
                f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
                f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:{unit}}</text>'
            )

    def _x(self, value: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * value / self._width

    def _y(self, value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - value / self._height)

    def _points(self, pairs: Pairs) -> str:
        return " ".join(f"{self._x(x):.1f},{self._y(y):.1f}" for x, y in pairs)

    def line(self, pairs: Pairs, ink: str = _INK, dashes: str = "none") -> None:
        self._parts.append(
            f'<polyline points="{self._points(pairs)}" fill="none" stroke="{ink}" stroke-width="2" '
            f'stroke-dasharray="{dashes}"/>'
        )

    def name(self, row: int, text: str, ink: str, dashes: str, left: int = _LEFT) -> None:
        """What a line stands for, at the top, from there."""
        y = _TOP + 14 + 18 * row
        self._parts.append(
            f'<line x1="{left + 12}" x2="{left + 48}" y1="{y}" y2="{y}" stroke="{ink}" stroke-width="2" '
            f'stroke-dasharray="{dashes}"/><text x="{left + 56}" y="{y + 4}">{_escaped(text)}</text>'
        )

    def dashed(self, pairs: Pairs) -> None:
        """What would be expected."""
        self._parts.append(
            f'<polyline points="{self._points(pairs)}" fill="none" stroke="#888" stroke-dasharray="4 4"/>'
        )

    def band(self, low: Pairs, high: Pairs) -> None:
        around = [*high, *reversed(low)]
        self._parts.append(f'<polygon points="{self._points(around)}" fill="{_PALE}" fill-opacity="0.25"/>')

    def dot(self, x: float, y: float, low: float, high: float) -> None:
        """With its interval."""
        self.line([(x, low), (x, high)])
        self._parts.append(f'<circle cx="{self._x(x):.1f}" cy="{self._y(y):.1f}" r="4" fill="{_INK}"/>')

    def mark(self, x: float, text: str) -> None:
        """On the axis below."""
        self._parts.append(
            f'<text x="{self._x(x):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{_escaped(text)}</text>'
        )

    def svg(self, note: str) -> str:
        """`note`: what stands in the corner."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
            f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
            f"{''.join(self._parts)}"
            f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 6}" text-anchor="end">{_escaped(note)}</text></svg>\n'
        )


def course(shares: Sequence[float], parity: float, title: str) -> str:
    """Running share of wins with its 95 % interval; the dashed line is what equal bots would reach."""
    n = len(shares)
    steps = sorted({max(1, round(n * i / 200)) for i in range(1, 201)}) if n else []
    rows = [(k, sum(shares[:k]) / k, *interval(shares[:k])) for k in steps]
    diagram = Diagram(title, max(1, n))
    diagram.dashed([(0, parity), (n, parity)])
    diagram.band([(k, low) for k, _, low, _ in rows], [(k, high) for k, _, _, high in rows])
    diagram.line([(k, share) for k, share, _, _ in rows])
    return diagram.svg(f"{n} games")


def climbs(
    lines: Mapping[str, Sequence[float]], steps: Sequence[str], title: str, scale: float = 200, unit: str = ".0f"
) -> str:
    """Some figures that change step by step, each a line of its own colour and dashes, up to a multiple of `scale`."""
    most = max(value for values in lines.values() for value in values)
    diagram = Diagram(title, len(steps) - 1, scale * (int(most / scale) + 1), unit)
    for x, step in enumerate(steps):
        diagram.mark(x, step)
    for row, (name, values) in enumerate(lines.items()):
        ink, dashes = _INKS[row % len(_INKS)], _DASHES[row % len(_DASHES)]
        diagram.line(list(enumerate(values)), ink, dashes)
        diagram.name(row, name, ink, dashes, _LEFT if values[0] < values[-1] else _WIDTH - 200)  # where no line is
    return diagram.svg("levels")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
