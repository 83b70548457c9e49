"""What a review says of seats and decisions, the same in the terminal and on its page."""

from collections.abc import Iterator, Sequence

from engine_cy.decision import Decision
from engine_cy.game import Event, Game, View
from engine_cy.rules import GameRules
from saloon.screens.screen import Screen
from search.judging import UNJUDGED, WORSE, Judged
from search.review import Fell, Review, Sum
from wire.reasons import in_words, reasons
from wire.writing import Writer, position_message

SEAT_COLUMNS = ("accuracy", "gave away", "points", "expected", "luck", "decisions", "result")
NOT_JUDGED = "Not judged: this record does not say what the seat had seen."
MARKS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def seat_figures(seat: Sum, over: bool) -> tuple[str, ...]:
    """One for each of `SEAT_COLUMNS`."""
    return (
        "" if seat.accuracy is None else f"{seat.accuracy:.0%}",
        f"{seat.given:.2f}", f"{seat.points:.1f}", f"{seat.expected:.0%}", f"{seat.luck:+.0%}",
        f"{seat.lost:+.0%}", f"{seat.result:.0%}" + ("" if over else " so far"),
    )  # fmt: skip


def replayed(game: Game, parts: Sequence[Judged | Fell]) -> Iterator[tuple[Judged | Fell, Event, Game]]:
    """Every part with its event, and the game as it stood before it."""
    stands = Game(game.rules)
    for part, event in zip(parts, game.history, strict=True):
        yield part, event, stands
        stands.play(event)


def view_before(part: Judged, game: Game) -> View:
    """What the seat saw; what everybody did where that is not known."""
    return game.spectate() if part.kind == UNJUDGED else game.observe(part.seat)


def worth_a_word(part: Judged | Fell, whole: Review) -> bool:
    """Something was given away, or the game turned."""
    if part.event in whole.turning_points:
        return True
    return isinstance(part, Judged) and part.kind in WORSE


def whose(part: Judged | Fell) -> int:
    """Who decided, or whom chance moved most."""
    if isinstance(part, Judged):
        return part.seat
    return max(range(len(part.luck)), key=lambda seat: abs(part.luck[seat]))


def why(rules: GameRules, part: Judged) -> str:
    """Why what was best would have been better; nothing if nothing is known of that."""
    return in_words(reasons(rules, part.seat, *part.ends))


def decisions_in_words(screen: Screen, writer: Writer, view: View, *decisions: Decision) -> tuple[str, ...]:
    """As the seat that decides would read them in its menu."""
    position = position_message(view.rules, view.state)
    return tuple(screen.choices([writer.decision(view.rules, decision)], position)[0].short for decision in decisions)
