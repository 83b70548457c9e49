"""Training of a small network in numpy: what a seat is described by, to what it still gets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from learning.network import MOST, UNIT, Array, Weights

_BATCH = 512
_LARGEST = np.float32(15.9)  # a weight has two bytes


@dataclass(frozen=True)
class Rows:
    """What seats saw, and the points, by part, that they got after."""

    x: NDArray[np.uint8]
    gain: Array

    def __len__(self) -> int:
        return len(self.x)

    @classmethod
    def joined(cls, parts: Sequence["Rows"]) -> "Rows":
        return cls(np.concatenate([part.x for part in parts]), np.concatenate([part.gain for part in parts]))


@dataclass
class Adam:
    """Kingma and Ba 2014."""

    weights: Weights
    rate: float
    steps: int = 0
    mean: dict[str, Array] = field(default_factory=dict)
    square: dict[str, Array] = field(default_factory=dict)

    def step(self, slopes: dict[str, Array]) -> None:
        self.steps += 1
        rate = np.float32(self.rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps))
        for name, slope in slopes.items():
            weight = getattr(self.weights, name)
            mean = self.mean.setdefault(name, np.zeros_like(weight))
            square = self.square.setdefault(name, np.zeros_like(weight))
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            weight -= rate * mean / (np.sqrt(square) + np.float32(1e-8))
            np.clip(weight, -_LARGEST, _LARGEST, out=weight)


def slopes_of(weights: Weights, x: Array, y: Array) -> dict[str, Array]:
    """The slope of the loss, which is the square of every part's error and, twice as heavy, of the sum's; and of how
    far off the error itself was thought to be."""
    first, second, out = weights.forward(x)
    n, parts = np.float32(len(x)), y.shape[1]
    error = out[:, :parts] - y
    total = error.sum(1, keepdims=True)
    d_out = np.empty_like(out)
    d_out[:, :parts] = (np.float32(0.5) * error + total) / n
    d_out[:, parts] = np.float32(0.25) * (out[:, parts] - np.abs(total[:, 0])) / n
    d_second = (d_out @ weights.w3.T) * ((second > 0) & (second < MOST))
    d_first = (d_second @ weights.w2.T) * ((first > 0) & (first < MOST))
    return {
        "w3": second.T @ d_out,
        "b3": d_out.sum(0),
        "w2": first.T @ d_second,
        "b2": d_second.sum(0),
        "w1": x.T @ d_first,
        "b1": d_first.sum(0),
    }


def train(weights: Weights, rows: Rows, *, epochs: int, rate: float, seed: int) -> None:
    """The rate falls to a tenth in a straight line."""
    draw = np.random.default_rng(seed)
    adam = Adam(weights, rate)
    steps = max(1, epochs * (len(rows) // _BATCH))
    for _ in range(epochs):
        for chosen in _batches(len(rows), draw):
            adam.rate = rate * (1 - 0.9 * adam.steps / steps)
            adam.step(slopes_of(weights, rows.x[chosen].astype(np.float32), rows.gain[chosen] / UNIT))


def _batches(n: int, draw: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    order = draw.permutation(n)
    for begin in range(0, n - _BATCH + 1, _BATCH):
        yield order[begin : begin + _BATCH]


def error_of(weights: Weights, rows: Rows) -> float:
    """The root of the mean square of the error of the sum, in points."""
    square = 0.0
    for begin in range(0, len(rows), 4096):
        gain = rows.gain[begin : begin + 4096]
        off = weights.points(rows.x[begin : begin + 4096])[:, : gain.shape[1]].sum(1) - gain.sum(1)
        square += float((off * off).sum())
    return float((square / max(1, len(rows))) ** 0.5)
