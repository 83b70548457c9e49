"""Whether the figures of answers are true: what was said of a decision beside what came of it (docs/strength.md)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import pi, sqrt
from typing import Any

from search.plot import Diagram
from search.stats import Z95, Mean, mean_by_game

_BINS = 10


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of the decision that was taken, and how the game ended for the seat."""

    game: int
    third: int  # of the game, from 1
    win: float
    points: float
    won: float  # its part of the win
    scored: int
    off: float | None = None  # from what other seeds say, in standard errors that the answers name; None: not asked


@dataclass(frozen=True, slots=True)
class Bin:
    """Decisions of which about the same was said."""

    said: float
    came: Mean
    decisions: int


def bins(rows: Sequence[Said]) -> list[Bin]:
    """By what was said of winning, as many decisions in each."""
    ordered = sorted(rows, key=lambda row: row.win)
    cuts = [len(ordered) * i // _BINS for i in range(_BINS + 1)]
    parts = [ordered[low:high] for low, high in pairwise(cuts) if high > low]
    return [
        Bin(sum(row.win for row in part) / len(part), _mean(part, lambda row: row.won), len(part)) for part in parts
    ]


def _mean(rows: Sequence[Said], value: Callable[[Said], float]) -> Mean:
    return mean_by_game((row.game, 1.0, value(row)) for row in rows)


def report(rows: Sequence[Said]) -> dict[str, Any]:
    """All figures. `win_error` is the expected calibration error; figures that are right to the last digit would show
    `win_error_by_luck` of it, since games end by luck."""
    found = bins(rows)
    asked = [abs(row.off) <= Z95 for row in rows if row.off is not None]
    luck = sum(each.decisions * (each.came.half or 0.0) / Z95 * sqrt(2 / pi) for each in found) / len(rows)
    return {
        "decisions": len(rows),
        "games": len({row.game for row in rows}),
        "win_error": round(sum(each.decisions * abs(each.said - each.came.mean) for each in found) / len(rows), 4),
        "win_error_by_luck": round(luck, 4),
        "points_too_high": _mean(rows, lambda row: row.points - row.scored).plain(),
        "points_too_high_by_third": {
            str(third): _mean([row for row in rows if row.third == third], lambda row: row.points - row.scored).plain()
            for third in sorted({row.third for row in rows})
        },
        "intervals": len(asked),
        "intervals_that_cover": round(sum(asked) / len(asked), 3) if asked else None,
        "win": [
            {"said": round(each.said, 3), "came": each.came.plain(), "decisions": each.decisions} for each in found
        ],
    }


def picture(rows: Sequence[Said], title: str, of: str = "decisions") -> str:
    """How often those won of whom it was said, as an SVG."""
    diagram = Diagram(title)
    diagram.dashed([(0, 0), (1, 1)])
    for share in (0, 0.25, 0.5, 0.75, 1):
        diagram.mark(share, f"{share:.0%}")
    for each in bins(rows):
        half = each.came.half or 0.0
        diagram.dot(each.said, each.came.mean, max(0.0, each.came.mean - half), min(1.0, each.came.mean + half))
    return diagram.svg(f"across: the win as it was said; up: how often it came; {len(rows)} {of}")
