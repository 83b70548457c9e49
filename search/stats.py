"""What a number of games says: intervals, Elo, and when a match may stop."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

_Z95 = 1.959964


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
    if spread * _Z95 < (high - low) / 4:
        return low, high
    return max(0.0, mean - _Z95 * spread), min(1.0, mean + _Z95 * spread)


def wilson(mean: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share seen in n games."""
    z2 = _Z95 * _Z95
    centre = (mean + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 / (1 + z2 / n) * math.sqrt(mean * (1 - mean) / n + z2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


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
