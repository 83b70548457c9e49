"""Lines over a logarithmic axis, as an SVG picture."""

from collections.abc import Mapping, Sequence
from math import floor, log10

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 640, 320, 56, 40, 110, 44
_COLOURS = ("#2a5d9c", "#b8502f", "#3f7f4f", "#7a4f9c")


def chart(title: str, xs: Sequence[int], x_name: str, lines: Mapping[str, Sequence[float]]) -> str:
    """One line for each entry, its value at each of `xs`, which double from one to the next."""
    most = _round_up(max(max(values) for values in lines.values()))

    def x(index: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * index / max(1, len(xs) - 1)

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - value / most)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="{_LEFT}" y="22" font-size="14">{title}</text>'
    ]
    for quarter in range(5):
        value = most * quarter / 4
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
            f'<text x="{_LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.3g}</text>'
        )
    for index, number in enumerate(xs):
        parts.append(f'<text x="{x(index):.1f}" y="{_HEIGHT - 24}" text-anchor="middle">{number}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle:.1f}" y="{_HEIGHT - 6}" text-anchor="middle">{x_name}</text>')
    for place, (name, values) in enumerate(lines.items()):
        colour = _COLOURS[place % len(_COLOURS)]
        points = " ".join(f"{x(i):.1f},{y(value):.1f}" for i, value in enumerate(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{_WIDTH - _RIGHT + 12}" y="{_TOP + 12 + 18 * place}" fill="{colour}">{name}</text>')
    return "".join(parts) + "</svg>\n"


def _round_up(value: float) -> float:
    """A round number that is not less, whose quarters are round too."""
    power = 10.0 ** floor(log10(max(value, 1e-9)))
    return next(power * step for step in (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 4.8, 6, 8, 10) if power * step >= value)
