"""Rules and state of every game: a compiled core, and a small typed API on top of it."""

from engine_cy.decision import Decision
from engine_cy.errors import (
    ComponentError,
    IllegalDecision,
    ImpossibleOutcome,
    InputError,
    OptionError,
    PositionError,
    RecordError,
)
from engine_cy.game import Chosen, Event, Game, Happened, View
from engine_cy.goldgraeber.components import GoldenMap
from engine_cy.goldgraeber.rules import Goldgraeber
from engine_cy.moon_river.components import Components as MoonRiverComponents
from engine_cy.moon_river.rules import MoonRiver
from engine_cy.records import Record
from engine_cy.rules import GameRules
from engine_cy.state import Generator

__all__ = [
    "Chosen",
    "ComponentError",
    "Decision",
    "Event",
    "Game",
    "GameRules",
    "Generator",
    "GoldenMap",
    "Goldgraeber",
    "Happened",
    "IllegalDecision",
    "ImpossibleOutcome",
    "InputError",
    "MoonRiver",
    "MoonRiverComponents",
    "OptionError",
    "PositionError",
    "Record",
    "RecordError",
    "View",
]
