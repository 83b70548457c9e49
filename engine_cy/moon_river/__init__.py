"""Moon River: component sets, decisions as objects, and the rules that tie them to the compiled core."""

from engine_cy.moon_river.components import Board, BonusTile, Cell, Components, Plot
from engine_cy.moon_river.decisions import (
    Build,
    Claim,
    Decline,
    Discard,
    Done,
    Drought,
    Herd,
    PlaceTile,
    Recruit,
    Select,
    Steal,
    Stop,
    Swap,
    TakeTile,
)

__all__ = [
    "Board",
    "BonusTile",
    "Build",
    "Cell",
    "Claim",
    "Components",
    "Decline",
    "Discard",
    "Done",
    "Drought",
    "Herd",
    "PlaceTile",
    "Plot",
    "Recruit",
    "Select",
    "Steal",
    "Stop",
    "Swap",
    "TakeTile",
]
