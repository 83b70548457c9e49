"""A learned judgement: a small network of integers, the same answer to the last bit on every machine."""

from typing import Any, Self

from typing_extensions import disjoint_base

from engine_cy.state import State

@disjoint_base
class Network:
    """The weights, from the bytes of a file."""

    def __new__(cls, data: bytes) -> Self: ...
    @property
    def made(self) -> dict[str, Any]: ...
    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """(inputs, first layer, second layer, outputs)."""

def expected(state: State) -> list[tuple[float, float]] | None:
    """By seat, how the state's game is thought to end: (points, how far off they are in the mean). None if nothing
    learned is known of the game."""

def leads(state: State) -> list[tuple[int, float]]:
    """The legal decisions with the lead over the average of the others that each is thought to bring the seat that
    decides: [(code, points)]."""

def described(state: State, seat: int) -> tuple[bytes, list[int]]:
    """What a learned judgement sees of the seat: (counts, points it has by part)."""

def divided(state: State) -> list[list[float]]:
    """By seat, what the points that it has in the first part are made of."""
