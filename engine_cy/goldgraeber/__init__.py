"""Goldgräber, the hunt for gold around Golden City: its map, decisions as objects, and the rules."""

from engine_cy.goldgraeber.components import Field, GoldenMap, standard
from engine_cy.goldgraeber.decisions import Ferry, Prospect, Retreat, Roll, Walk

__all__ = ["Ferry", "Field", "GoldenMap", "Prospect", "Retreat", "Roll", "Walk", "standard"]
