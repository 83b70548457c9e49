"""What lies in front of a seat in a picture: open and banked chips, points, and where its digger is."""

from collections import Counter
from typing import Any

from engine_cy.goldgraeber.components import HOUSES, Field
from engine_cy.goldgraeber.rules import Goldgraeber, Score
from pictures.goldgraeber.icons import COLOURS
from pictures.goldgraeber.painter import Painter
from pictures.goldgraeber.pieces import worth

WIDTH, HEIGHT = 430, 150
_CHIPS_X, _PITCH, _CHIP = 98, 29, 28  # the kinds of chips in a row
_PLACES = ("1st", "2nd", "3rd", "4th", "5th", "6th")


class SeatPanel:
    """One seat's panel."""

    def __init__(self, canvas: Painter, rules: Goldgraeber, position: dict[str, Any], seat: int) -> None:
        self.canvas = canvas
        self.rules = rules
        self.position = position
        self.seat = seat
        self.colour = rules.colours[seat]

    def draw(self, x: float, y: float, score: Score, place: int | None, *, deciding: bool) -> None:
        """With the seat's place if the game is over, and with a wide edge if the seat has to decide."""
        tint = COLOURS[self.colour]
        with self.canvas.group(x, y, seat=self.seat):
            self.canvas.panel(0, 0, WIDTH, HEIGHT, tint if deciding else "")
            self._headline(score, place)
            chips = self.position["open"][self.seat], self.position["banked"][self.seat]
            for i, (name, own) in enumerate(zip(("open", "banked"), chips, strict=True)):
                self._row(name, own, 58 + 44 * i)

    def _headline(self, score: Score, place: int | None) -> None:
        canvas, faint, tint = self.canvas, self.canvas.theme.faint, COLOURS[self.colour]
        canvas.digger(self.seat, self.colour, 36, 31, 42)
        canvas.text(66, 28, f"Seat {self.seat}", 18, more='font-weight="700"')
        canvas.text(66, 45, self.whereabouts(), 12, faint)
        right = WIDTH - 18
        canvas.text(right, 45, "points", 12, faint, 'text-anchor="end"')
        more = f'font-weight="800" text-anchor="end" data-points="{score.total}"'
        canvas.text(right - 42, 45, score.total, 32, more=more)
        if place is not None:
            width = canvas.pill(right - 96, 12, _PLACES[place - 1], tint, 13)
            if place == 1:
                canvas.icon("trophy", right - 100 - width - 32, 7, 32)
        elif self.position["turn"]["seat"] == self.seat and self.position["phase"] != "first":
            canvas.pill(right - 96, 12, "turn", tint, 11)

    def whereabouts(self) -> str:
        """Where the digger is, and how many of the chips face down its seat has seen."""
        golden, field = self.rules.components, Field(*self.position["diggers"][self.seat])
        match golden.kind(field):
            case "house":
                words = f"at home, house {HOUSES[self.colour]}"
            case "shore":
                words = f"on a raft at {field}"
            case "city":
                words = f"in the city at {field}"
            case _:
                words = f"at {field}"
        words += ", on the line" * (field in golden.rail)
        seen = sum(self.seat in entry["looked"] for entry in self.position["chips"])
        return words + (f"; has seen {seen}" if seen else "")

    def _row(self, name: str, chips: list[dict[str, Any]], y: float) -> None:
        """The kinds of chips with their numbers, and what they count together."""
        canvas, faint = self.canvas, self.canvas.theme.faint
        kinds = sorted(Counter((chip["kind"], chip["value"]) for chip in chips).items())
        with canvas.group(0, y, row=name):
            canvas.rect(12, 0, WIDTH - 24, 40, canvas.theme.slot, 10)
            canvas.text(24, 25, name.capitalize(), 13, faint, 'font-weight="700"')
            if not chips:
                canvas.text(_CHIPS_X - 6, 25, "nothing", 12, faint)
            for i, ((kind, value), count) in enumerate(kinds):
                with canvas.group(_CHIPS_X + 6 + i * _PITCH, 19, chip=f"{kind} {value}", count=count):
                    canvas.hint(f"{count} × {_called(kind, value)}")
                    self._stack(kind, value, count)
            if chips:
                more = f'font-weight="700" text-anchor="end" data-{name}="{worth(chips)}"'
                canvas.text(WIDTH - 24, 26, worth(chips), 17, faint if name == "open" else "", more)

    def _stack(self, kind: str, value: int, count: int) -> None:
        if count > 1:
            self.canvas.piece(kind, 2.5, -2.5, _CHIP, 'opacity=".6"')
        self.canvas.chip(kind, value, 0, 0, _CHIP)
        if count > 1:
            self.canvas.badge(7, 13, f"×{count}", 9)


def _called(kind: str, value: int) -> str:
    return f"gold worth {value}" if kind == "gold" else f"a captured robber of strength {value}, worth 2"
