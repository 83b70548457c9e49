"""Moon River behind the game interface: the table of functions, and the Python objects that carry its data."""

from collections.abc import Sequence
from typing import Any, Self

from typing_extensions import disjoint_base

from engine_cy.state import Rules, State

@disjoint_base
class CompiledRules(Rules):
    """Options and components of one game. The values come checked from rules.py."""

    def __new__(
        cls,
        *,
        players: int,
        scenario: int,
        boards: Sequence[tuple[int, Sequence[int]]],
        kinds: Sequence[tuple[int, int, int, int, int, int, bool, bool]],
        counts: Sequence[int],
        tiles: Sequence[Sequence[int]],
        tokens: Sequence[int],
        cows: int,
        column_size: int,
        saloon_size: int,
        weights: Sequence[Sequence[float]],
    ) -> Self:
        """boards: (capacity, bridge cells) by seat; kinds: (number, landscape, nuggets, beavers, cobs, cows, skull,
        circle); tiles: pairs of landscapes; tokens: how many of each specialist; weights: of worth.pyx, by seat."""

    def points(self, state: State) -> list[dict[str, int]]:
        """By seat: the points by rule, with their names (scoring.pxd)."""

    def fields(self, state: State) -> dict[str, Any]:
        """Everything the state holds, as numbers; `restore` reads it back."""

    def restore(self, fields: dict[str, Any]) -> State:
        """A state from its fields. They come checked from position.py; the game goes on from their phase."""
