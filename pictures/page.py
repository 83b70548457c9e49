"""One picture as a document, of the whole table or of what lies in front of one seat, and the panel of a seat in it.

The same state gives the same bytes, and what is hidden cannot show.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

from engine_cy.rules import GameRules
from engine_cy.state import State
from pictures.canvas import Canvas
from pictures.scene import Scene
from pictures.themes import NOBODY, Theme

MARGIN = 20
_PLACES = ("1st", "2nd", "3rd", "4th", "5th", "6th")


class SeatPanel(ABC):
    """One seat's panel, in the seat's colour."""

    canvas: Canvas
    scene: Scene
    width: float
    height: float

    def __init__(self, canvas: Canvas, scene: Scene, seat: int) -> None:
        self.canvas = canvas
        self.scene = scene
        self.seat = seat
        self.tint = scene.tint(seat)
        self.place = scene.places[seat] if scene.over else None

    def draw(self, x: float, y: float) -> None:
        """With a wide edge if the seat has to act."""
        with self.canvas.part("seat", x, y, self.width, self.height, seat=self.seat):
            self.canvas.panel(0, 0, self.width, self.height, self.tint if self.seat == self.scene.active() else "")
            self.head()
            self.body()

    @abstractmethod
    def head(self) -> None:
        """The seat's piece, `title`, and the place if the game is over."""

    @abstractmethod
    def body(self) -> None:
        """What the seat has."""

    def title(self, x: float, y: float, words: str, right: float, size: float) -> None:
        """The seat with some words below, and on the right its points, that large."""
        canvas, faint, total = self.canvas, self.canvas.theme.faint, self.scene.scores[self.seat].total
        canvas.text(x, y, f"Seat {self.seat}", 18, more='font-weight="700"')
        canvas.text(x, y + 17, words, 12, faint)
        canvas.text(right, y + 17, "points", 12, faint, 'text-anchor="end"')
        more = f'font-weight="800" text-anchor="end" data-points="{total}"'
        canvas.text(right - size - 10, y + 17, total, size, more=more)

    def place_pill(self, place: int, right: float, y: float) -> float:
        return self.canvas.pill(right, y, _PLACES[place - 1], self.tint, 13)


class Page(ABC):
    """A picture being drawn. A game's own says with what, and where everything stands."""

    scene_of: ClassVar[type[Scene]]
    canvas_of: ClassVar[type[Canvas]]
    scene: Scene
    canvas: Canvas

    def __init__(self, rules: GameRules, state: State, theme: Theme) -> None:
        self.scene = self.scene_of(rules, state)
        self.canvas = self.canvas_of(theme)

    @abstractmethod
    def table(self) -> str:
        """All that everybody sees."""

    @abstractmethod
    def panel(self, seat: int) -> SeatPanel:
        """What lies in front of a seat, to be drawn."""

    def seat(self, seat: int) -> str:
        """What lies in front of one seat, alone."""
        panel = self.panel(seat)
        panel.draw(MARGIN, MARGIN)
        size = panel.width + 2 * MARGIN, panel.height + 2 * MARGIN
        return self.canvas.document(*size, f"{self.scene.title()}: seat {seat}", self.scene.seat_description(seat))

    def now_pill(self, right: float, y: float) -> float:
        """What is due, in the colour of who has to act; returns how far right there is still room."""
        who = self.scene.active()
        colour = NOBODY if who is None else self.scene.tint(who)
        return right - self.canvas.pill(right, y, self.scene.now(), colour, 17) - 12
