"""The course of a match as an SVG picture: the share so far, and how sure it is."""

from collections.abc import Sequence

from search.stats import interval

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 360, 56, 40, 16, 40


def svg(shares: Sequence[float], parity: float, title: str) -> str:
    """Running share of wins with its 95 % interval; the dashed line is what equal bots would reach."""
    n = len(shares)
    steps = sorted({max(1, round(n * i / 200)) for i in range(1, 201)}) if n else []
    rows = [(k, sum(shares[:k]) / k, *interval(shares[:k])) for k in steps]

    def x(games: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * games / max(1, n)

    def y(share: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)

    def points(pairs: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{x(g):.1f},{y(s):.1f}" for g, s in pairs)

    band = [(k, high) for k, _, _, high in rows] + [(k, low) for k, _, low, _ in reversed(rows)]
    grid = "".join(
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(s):.1f}" y2="{y(s):.1f}" stroke="#ddd"/>'
        f'<text x="{_LEFT - 8}" y="{y(s) + 4:.1f}" text-anchor="end">{s:.0%}</text>'
        for s in (0, 0.25, 0.5, 0.75, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="#fff"/>{grid}'
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(parity):.1f}" y2="{y(parity):.1f}" stroke="#888" '
        f'stroke-dasharray="4 4"/>'
        f'<polygon points="{points(band)}" fill="#4a7ebb" fill-opacity="0.25"/>'
        f'<polyline points="{points([(k, s) for k, s, _, _ in rows])}" fill="none" stroke="#2a5d9c" stroke-width="2"/>'
        f'<text x="{_LEFT}" y="22" font-size="14">{_escaped(title)}</text>'
        f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 12}" text-anchor="end">{n} games</text></svg>\n'
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
