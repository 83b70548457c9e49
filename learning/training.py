"""Training of a small network in numpy: what a seat is described by, to what it still gets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

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
    off = _off(weights, rows)
    return float((off * off).mean() ** 0.5)


def bias_of(weights: Weights, rows: Rows) -> float:
    """By how many points the sum is too high in the mean."""
    return float(_off(weights, rows).mean())


def _off(weights: Weights, rows: Rows) -> NDArray[np.float64]:
    parts = rows.gain.shape[1]
    off: NDArray[np.float64] = _said(weights, rows)[:, :parts].sum(1, dtype=np.float64)
    off -= rows.gain.sum(1, dtype=np.float64)
    return off


def _said(weights: Weights, rows: Rows) -> Array:
    pieces = np.array_split(rows.x, 1 + len(rows) // 4096)
    return np.concatenate([weights.points(x) for x in pieces])


def settled(weights: Weights, rows: Rows) -> Weights:
    """The same, with every output stretched and moved so that it is right in the mean: what is learned along the way
    stays behind play that gets better."""
    said = _said(weights, rows)
    stretch, move = np.ones(said.shape[1]), np.zeros(said.shape[1])
    parts = rows.gain.shape[1]
    for part in range(parts):
        if said[:, part].std() > 0:
            stretch[part], move[part] = np.polyfit(said[:, part], rows.gain[:, part], 1)
    told = (said[:, :parts] * stretch[:parts] + move[:parts]).sum(1)
    stretch[parts] = np.abs(told - rows.gain.sum(1)).mean() / said[:, parts].mean()
    w3, b3 = weights.w3 * stretch, weights.b3 * stretch + move / UNIT
    return replace(weights, w3=w3.astype(np.float32), b3=b3.astype(np.float32))
