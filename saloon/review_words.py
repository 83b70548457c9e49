"""What a review says of seats and decisions, the same in the terminal and on its page."""

from engine_cy.decision import Decision
from engine_cy.game import Game
from engine_cy.rules import GameRules
from saloon.screens.screen import Screen
from search.review import Judged, Sum
from wire.reasons import in_words, reasons
from wire.writing import Writer, position_message

SEAT_COLUMNS = ("accuracy", "gave away", "points", "expected", "luck", "decisions", "result")
MARKS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def seat_figures(seat: Sum, over: bool) -> tuple[str, ...]:
    """One for each of `SEAT_COLUMNS`."""
    return (
        "" if seat.accuracy is None else f"{seat.accuracy:.0%}",
        f"{seat.given:.2f}", f"{seat.points:.1f}", f"{seat.expected:.0%}", f"{seat.luck:+.0%}",
        f"{seat.lost:+.0%}", f"{seat.result:.0%}" + ("" if over else " so far"),
    )  # fmt: skip


def why(rules: GameRules, part: Judged) -> str:
    """Why what was best would have been better; nothing if nothing is known of that."""
    return in_words(reasons(rules, part.seat, *part.ends))


def decisions_in_words(
    screen: Screen, writer: Writer, before: Game, part: Judged, *decisions: Decision
) -> tuple[str, ...]:
    """As the seat that decided would read them in its menu."""
    position = position_message(before.rules, before.observe(part.seat).state)
    return tuple(screen.choices([writer.decision(before.rules, decision)], position)[0].short for decision in decisions)
