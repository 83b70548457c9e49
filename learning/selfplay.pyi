"""Games to learn from: seats decide by what they think each decision leads to, with noise. What they saw is kept with
how it went on."""

import numpy as np
from numpy.typing import NDArray

from engine_cy.network import Network
from engine_cy.state import Generator, State

def play(
    first: State,
    generator: Generator,
    network: Network | None,
    games: int,
    trust: float,
    x: NDArray[np.uint8],
    gain: NDArray[np.float32],
    *,
    glance: bool = False,
    tried: int = 20,
    noise: float = 0.5,
    kept: int = 12,
) -> int:
    """Play games in which all decide by the network, or at a glance; one in `tried` decisions with so much noise, in
    temperatures of the game. Of one in `kept` fills `x` with what seats saw, and `gain` with the points, by part, that
    came after; returns how many rows, at most as many as there is room for."""

def duel(
    first: State, generator: Generator, a: Network | None, b: Network | None, games: int
) -> tuple[float, float, float]:
    """One seat decides by a, each in turn, the others by b (None: at a glance): the share of wins of a, its points, and
    those of the others, in the mean."""
