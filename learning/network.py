"""A small network in numpy: what it is while it is trained, and the same in whole numbers as games use it."""

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine_cy.network import Network

Array = NDArray[np.float32]
MOST = 15.99  # activations are clipped there, as inside the network of integers
UNIT = np.float32(8.0)  # points: outputs are learnt in this unit
_ONE, _WEIGHT_ONE = 128, 256  # as in engine_cy/network.pxd


@dataclass
class Weights:
    """From counts through two layers to what is still to come, by part, and how far off the sum of it may be."""

    w1: Array
    b1: Array
    w2: Array
    b2: Array
    w3: Array
    b3: Array

    @classmethod
    def fresh(cls, inputs: int, first: int, second: int, outputs: int, seed: int) -> "Weights":
        draw = np.random.default_rng(seed)

        def normal(rows: int, columns: int, spread: float) -> Array:
            return (draw.standard_normal((rows, columns)) * spread).astype(np.float32)

        return cls(
            normal(inputs, first, 0.12),
            np.full(first, 0.2, np.float32),
            normal(first, second, (2 / first) ** 0.5),
            np.full(second, 0.1, np.float32),
            normal(second, outputs, (1 / second) ** 0.5),
            np.zeros(outputs, np.float32),
        )

    def forward(self, x: Array) -> tuple[Array, Array, Array]:
        """Both layers and the outputs, in units."""
        first = np.clip(x @ self.w1 + self.b1, 0, MOST)
        second = np.clip(first @ self.w2 + self.b2, 0, MOST)
        return first, second, second @ self.w3 + self.b3

    def points(self, x: NDArray[np.uint8]) -> Array:
        """What is still to come, by part, then how far off the sum of it may be."""
        return self.forward(x.astype(np.float32))[2] * UNIT

    def save(self, file: Any) -> None:
        np.savez_compressed(file, **asdict(self))

    @classmethod
    def load(cls, file: Any) -> "Weights":
        with np.load(file, allow_pickle=False) as arrays:
            return cls(**{name: arrays[name] for name in cls.__dataclass_fields__})

    def integers(self, made: dict[str, Any]) -> bytes:
        """The file of the network of integers, with how it was made."""
        sizes = [*self.w1.shape, self.w2.shape[1], self.w3.shape[1]]
        layers = [
            _whole(np.concatenate([self.w1, self.b1[None]]), _ONE, "<i2"),
            _whole(self.w2.T, _WEIGHT_ONE, "<i2"),
            _whole(self.b2, _ONE * _WEIGHT_ONE, "<i4"),
            _whole(self.w3.T * UNIT, _WEIGHT_ONE, "<i2"),
            _whole(self.b3 * UNIT, _ONE * _WEIGHT_ONE, "<i4"),
        ]
        return json.dumps({"sizes": sizes, "made": made}).encode() + b"\n" + b"".join(layers)

    def network(self, made: dict[str, Any] | None = None) -> Network:
        return Network(self.integers(made or {}))


def _whole(a: Array, scale: float, kind: str) -> bytes:
    limits = np.iinfo(kind)
    return np.clip(np.rint(a.astype(np.float64) * scale), limits.min, limits.max).astype(kind).tobytes()
