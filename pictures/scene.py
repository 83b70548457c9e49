"""What there is to draw: a state as plain data with names, and what pictures of every game say of it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from engine_cy.rules import GameRules, SeatScore
from engine_cy.state import State
from pictures.themes import COLOURS


class Scene(ABC):
    """A state looked at; a game's own adds what it says in words, and what can be chosen."""

    rules: GameRules
    scores: Sequence[SeatScore]

    def __init__(self, rules: GameRules, state: State) -> None:
        self.rules = rules
        self.position = rules.position(state)
        self.phase: str = self.position["phase"]
        self.turn: dict[str, Any] = self.position["turn"]
        self.over = self.phase == "over"
        self.scores = rules.scores(state)
        self.places: Sequence[int] = state.score()[1] if self.over else ()  # by seat, once the game is over
        self.seat = state.seat  # whose decision is due
        self.viewer = state.viewer
        self.decisions = [rules.decode(state.phase, code) for code in state.codes()]

    @abstractmethod
    def title(self) -> str:
        """The game, with what was chosen."""

    @abstractmethod
    def now(self) -> str:
        """Who has to do what, or what has to happen."""

    @abstractmethod
    def description(self) -> str:
        """The table in words, for those who do not see the picture."""

    @abstractmethod
    def seat_description(self, seat: int) -> str:
        """What lies in front of a seat, in words."""

    def points(self) -> str:
        return "Points: " + ", ".join(f"seat {score.seat} {score.total}" for score in self.scores)

    def active(self) -> int | None:
        """Who has to act."""
        return self.seat

    def tint(self, seat: int) -> str:
        return COLOURS[seat]
