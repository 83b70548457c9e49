"""What lies in front of a seat of Goldgräber, in a picture: open and banked chips, and where its digger is."""

from collections import Counter
from typing import Any

from engine_cy.goldgraeber.components import HOUSES
from engine_cy.goldgraeber.state import ROBBER_POINTS
from pictures.goldgraeber.painter import Painter
from pictures.goldgraeber.scene import GoldgraeberScene, worth
from pictures.page import SeatPanel

WIDTH, HEIGHT = 430, 150
_CHIPS_X, _PITCH, _CHIP = 98, 29, 28  # the kinds of chips in a row


class ChipPanel(SeatPanel):
    """One seat's chips."""

    canvas: Painter
    scene: GoldgraeberScene
    width, height = WIDTH, HEIGHT

    def head(self) -> None:
        canvas, right = self.canvas, WIDTH - 18
        canvas.digger(self.seat, self.tint, 36, 31, 42)
        self.title(66, 28, self._whereabouts(), right, 32)
        if self.place is not None:
            width = self.place_pill(self.place, right - 96, 12)
            if self.place == 1:
                canvas.icon("trophy", right - 100 - width - 32, 7, 32)
        elif self.scene.turn["seat"] == self.seat and self.scene.phase != "first":
            canvas.pill(right - 96, 12, "turn", self.tint, 11)

    def body(self) -> None:
        for i, name in enumerate(("open", "banked")):
            self._row(name, self.scene.position[name][self.seat], 58 + 44 * i)

    def _whereabouts(self) -> str:
        """Where the digger is, whether it rested (GG-20a), and how many of the chips face down its seat has seen."""
        golden, field = self.scene.rules.components, self.scene.diggers[self.seat]
        match golden.kind(field):
            case "house":
                words = f"at home, house {HOUSES[self.scene.rules.colours[self.seat]]}"
            case "shore":
                words = f"on a raft at {field}"
            case "city":
                words = f"in the city at {field}"
            case _:
                words = f"at {field}"
        words += ", on the line" * (field in golden.rail)
        seen = sum(self.seat in entry["looked"] for entry in self.scene.position["chips"])
        words += "; rested" * (self.seat in self.scene.position["rested"])
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
    return f"gold worth {value}" if kind == "gold" else f"a captured robber of strength {value}, worth {ROBBER_POINTS}"
