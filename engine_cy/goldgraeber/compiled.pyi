"""Goldgräber behind the game interface: the table of functions, and the Python objects that carry its data."""

from collections.abc import Sequence
from typing import Any, Self

from typing_extensions import disjoint_base

from engine_cy.state import Rules, State

@disjoint_base
class CompiledRules(Rules):
    """Options and map of one game. The values come checked from rules.py."""

    def __new__(
        cls,
        *,
        players: int,
        prospecting: bool,
        grounds: Sequence[int],
        neighbours: Sequence[Sequence[int]],
        houses: Sequence[int],
        rail: Sequence[int],
        holes: Sequence[int],
        chips: Sequence[int],
        lakes: Sequence[Sequence[int]],
        piers: Sequence[int],
        weights: Sequence[Sequence[float]],
    ) -> Self:
        """Fields are numbers. grounds: by field, see state.pxd; neighbours: by field, all adjacent ones, of a house its
        door's alone; houses: of the seats; chips: kinds, ascending; lakes: the shore fields of each; weights: of
        worth.pyx, by seat."""

    def points(self, state: State) -> list[dict[str, int]]:
        """By seat: the points by rule, with their names (scoring.pxd)."""

    def fields(self, state: State) -> dict[str, Any]:
        """Everything the state holds, as numbers; `restore` reads it back."""

    def restore(self, fields: dict[str, Any]) -> State:
        """A state from its fields. They come checked from position.py; the game goes on from their phase."""
