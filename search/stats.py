"""What a number of games says: intervals, Elo, and when a match may stop."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev, variance
from typing import Any

Z95 = 1.959964
_FEW = 5  # games: fewer have no interval


def interval(shares: Sequence[float], group: int = 1) -> tuple[float, float]:
    """The 95 % interval of the mean share of wins.

    Games of one deal are not independent, so `group` games at a time count as one observation. With few observations,
    or all alike, Wilson's interval is used instead of the normal one.
    """
    n = len(shares)
    if n == 0:
        return 0.0, 1.0
    mean = sum(shares) / n
    blocks = [sum(shares[i : i + group]) / len(shares[i : i + group]) for i in range(0, n, group)]
    low, high = wilson(mean, n)
    if len(blocks) < 10:
        return low, high
    spread = math.sqrt(sum((b - mean) ** 2 for b in blocks) / (len(blocks) - 1) / len(blocks))
    if spread * Z95 < (high - low) / 4:
        return low, high
    return max(0.0, mean - Z95 * spread), min(1.0, mean + Z95 * spread)


def wilson(mean: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share seen in n games."""
    z2 = Z95 * Z95
    centre = (mean + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * math.sqrt(mean * (1 - mean) / n + z2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, and how far its 95 % interval goes to either side."""

    mean: float
    half: float | None

    def plain(self) -> dict[str, Any]:
        half = self.half
        interval = None if half is None else [round(self.mean - half, 4), round(self.mean + half, 4)]
        return {"mean": round(self.mean, 4), "ci95": interval}


def mean_by_game(values: Iterable[tuple[int, float, float]]) -> Mean:
    """Of values, each as (game, weight, value). Those of one game count together, since they are not independent."""
    rows = list(values)
    weight = sum(weight for _, weight, _ in rows)
    mean = sum(weight * value for _, weight, value in rows) / weight
    by_game: dict[int, float] = defaultdict(float)
    for game, own, value in rows:
        by_game[game] += own * (value - mean)
    n = len(by_game)
    if n < _FEW:
        return Mean(mean, None)
    return Mean(mean, Z95 * math.sqrt(sum(off * off for off in by_game.values()) * n / (n - 1)) / weight)


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A mean without luck, its 95 % interval, and how many times fewer games say as much."""

    mean: float
    low: float
    high: float
    fewer: float


def adjusted(values: Sequence[float], luck: Sequence[float], group: int) -> Adjusted | None:
    """Each group of games (a deal) less as much of its luck as the other groups say is best. What is taken off a group
    does not depend on it, so that the mean stays right: luck is nothing on average. Of whole groups only; None if these
    are fewer than ten."""
    n = len(values) // group
    if n < 10:
        return None
    raw, lucky = ([sum(row[i * group : (i + 1) * group]) / group for i in range(n)] for row in (values, luck))
    together = [sum(own * by for own, by in zip(of, lucky, strict=True)) for of in (raw, lucky)]
    totals = sum(raw), sum(lucky)
    left = []
    for value, chance in zip(raw, lucky, strict=True):
        rest_value, rest_chance = ((total - own) / (n - 1) for total, own in zip(totals, (value, chance), strict=True))
        both = (together[0] - value * chance) / (n - 1) - rest_value * rest_chance
        square = (together[1] - chance * chance) / (n - 1) - rest_chance * rest_chance
        left.append(value - (both / square if square > 0 else 0.0) * chance)
    half = Z95 * stdev(left) / math.sqrt(n)
    spread = variance(left)
    return Adjusted(fmean(left), fmean(left) - half, fmean(left) + half, variance(raw) / spread if spread else 1.0)


def elo(share: float, seats: int = 2) -> float | None:
    """The difference in Elo that explains the share: each other seat is an equal opponent. None if it is infinite."""
    if not 0 < share < 1:
        return None
    return 400 * math.log10(share * (seats - 1) / (1 - share))


def expected_share(difference: float, seats: int = 2) -> float:
    """The share of wins against seats - 1 equal opponents that a difference in Elo predicts."""
    strength = 10 ** (difference / 400)
    return strength / (strength + seats - 1)


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test on the share of wins: is it `low` or less, or `high` or more? 5 % error either way."""

    low: float
    high: float
    error: float = 0.05

    def verdict(self, shares: Sequence[float]) -> str | None:
        """``high``, ``low``, or None while it is open. A shared win counts by its part."""
        won = sum(shares)
        lost = len(shares) - won
        ratio = won * math.log(self.high / self.low) + lost * math.log((1 - self.high) / (1 - self.low))
        bound = math.log((1 - self.error) / self.error)
        return "high" if ratio >= bound else "low" if ratio <= -bound else None
