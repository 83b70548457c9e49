"""Goldgräber behind the game interface: the table of functions, and the Python objects that carry its data."""

from collections.abc import Sequence
from typing import Self

from typing_extensions import disjoint_base

from engine_cy.network import Network
from engine_cy.state import Rules

@disjoint_base
class CompiledRules(Rules):
    """Options and map of one game. The values come checked from rules.py."""

    def __new__(
        cls,
        *,
        players: int,
        prospecting: bool,
        resting: bool,
        grounds: Sequence[int],
        neighbours: Sequence[Sequence[int]],
        houses: Sequence[int],
        rail: Sequence[int],
        holes: Sequence[int],
        chips: Sequence[int],
        lakes: Sequence[Sequence[int]],
        piers: Sequence[int],
        weights: Sequence[Sequence[float]],
        network: Network | None,
    ) -> Self:
        """Fields are numbers. grounds: by field, see state.pxd; neighbours: by field, all adjacent ones, of a house its
        door's alone; houses: of the seats; chips: kinds, ascending; lakes: the shore fields of each; weights: of
        worth.pyx, by seat; network: what was learned of such a table, or None."""
