"""Moon River behind the game interface: the table of functions, and the Python objects that carry its data."""

from collections.abc import Iterable, Sequence
from typing import Self

from typing_extensions import disjoint_base

from engine_cy.network import Network
from engine_cy.state import Rules

@disjoint_base
class CompiledRules(Rules):
    """Options and components of one game. The values come checked from rules.py."""

    def __new__(
        cls,
        *,
        players: int,
        scenario: int,
        boards: Sequence[tuple[int, Sequence[int]]],
        river: Iterable[int],
        kinds: Sequence[tuple[int, int, int, int, int, int, bool, bool]],
        counts: Sequence[int],
        tiles: Sequence[Sequence[int]],
        tokens: Sequence[int],
        cows: int,
        column_size: int,
        saloon_size: int,
        weights: Sequence[Sequence[float]],
        network: Network | None,
    ) -> Self:
        """boards: (capacity, bridge cells) by seat; river: cells; kinds: (number, landscape, nuggets, beavers, cobs,
        cows, skull, circle); tiles: pairs of landscapes; tokens: how many of each specialist; weights: of worth.pyx, by
        seat; network: what was learned of such a table, or None."""
