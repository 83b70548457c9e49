"""What the commands ask of a screen. As it stands here it shows any game, in the server's words."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from saloon_client.v1 import game_pb2, rules_pb2, tables_pb2

from engine_cy.in_short import InShort, in_short

FIELD = re.compile(r"[a-z]{1,2}[1-9][0-9]?")
SEATS = ("#4a90d9", "#e0563c", "#d09a1b", "#2bab92", "#9b72cf", "#d9639c")


@dataclass(frozen=True)
class Choice:
    """A decision as the menu shows it."""

    decision: game_pb2.Decision
    text: str  # what is said once it is taken
    short: str  # its line in the menu
    group: str = ""  # a line it shares with others of the group while the menu is long


class Screen:
    """Draws positions of a game, and tells in words what happens."""

    def __init__(
        self,
        console: Console,
        info: rules_pb2.GameInfo,
        options: game_pb2.Options,
        names: Sequence[str] = (),
        me: int | None = None,
        plain: Callable[[game_pb2.Position], str] = str,
    ) -> None:
        self.console, self.info, self.options = console, info, options
        self.names, self.me, self.plain = names, me, plain
        self.fine = (console.encoding or "").lower().startswith("utf")
        self.coloured = console.color_system is not None and not console.no_color
        self.title = info.title if self.fine else info.name.replace("_", " ").title()

    # ---- Words

    def name(self, seat: int) -> str:
        if seat == self.me:
            return "you"
        return self.names[seat] if seat < len(self.names) else f"seat {seat}"

    def whose(self, seat: int) -> str:
        return "your" if seat == self.me else f"{self.name(seat)}'s"

    def seat_style(self, seat: int) -> Style:
        return Style(color=SEATS[seat % len(SEATS)], bold=True)

    def at_turn(self, position: game_pb2.Position) -> int | None:
        """Whose turn it is; None before the first and after the last one, and where that is not known."""
        del position
        return None

    def chance(self, event: game_pb2.Chance) -> str:
        """What came, to somebody who sees nothing but the event."""
        game = event.WhichOneof("game")
        what = getattr(event, game).WhichOneof("event") if game else None
        return f"drawn: {what or 'something'}".replace("_", " ")

    def story(self, event: game_pb2.Event, before: game_pb2.Position, after: game_pb2.Position) -> Sequence[Text]:
        """What an event brought, in lines; a decision itself was told before. The positions are as one seat sees them,
        and nothing else may be told."""
        del before, after
        return [Text(self.chance(event.chance), style="dim")] if event.HasField("chance") else []

    def decision(self, decision: game_pb2.Decision, position: game_pb2.Position) -> str:
        """A decision in words, taken where the game stands so."""
        del position
        return decision.text

    def choices(self, decisions: Iterable[game_pb2.Decision], position: game_pb2.Position) -> list[Choice]:
        """What may be chosen, in the order of the menu."""
        words = ((decision, self.decision(decision, position)) for decision in decisions)
        return [Choice(decision, text, text) for decision, text in words]

    def due(self, status: game_pb2.Status, position: game_pb2.Position) -> str:
        """What has to be decided, in words."""
        del position
        return status.phase.replace("_", " ")

    # ---- The rules

    @property
    def rules(self) -> InShort:
        return in_short(self.info.name)

    def introduction(self, position: game_pb2.Position) -> Sequence[str]:
        """What one should know of this table before it begins."""
        del position
        return []

    def why(
        self, words: Sequence[str], status: game_pb2.Status, position: game_pb2.Position, ways: Sequence[Choice]
    ) -> list[str]:
        """Why something cannot be chosen now: the words name fields, or nothing."""
        del position
        said = self.rules.why_not.get(status.phase)
        if words:
            found = [way for way in ways if all(word in fields_of(way.text) for word in words)]
            if found:
                return [f"you can: {len(found)} way{'s' * (len(found) > 1)}, such as: {found[0].text}"]
        return [said] if said and words else []

    # ---- Pictures

    def table(
        self,
        position: game_pb2.Position,
        scores: Iterable[game_pb2.SeatScore],
        legal: Sequence[game_pb2.Decision] = (),
    ) -> RenderableType:
        """Everything on the table; where the decisions lead may be marked."""
        del scores, legal
        return Text(self.plain(position))

    def own(self, position: game_pb2.Position, seat: int, scores: Iterable[game_pb2.SeatScore]) -> RenderableType:
        """What a seat wants to see in the middle of its turn."""
        del seat
        return self.table(position, scores)

    def turn_played(
        self, position: game_pb2.Position, seat: int, scores: Iterable[game_pb2.SeatScore]
    ) -> RenderableType:
        """What those who watch want to see after a seat's turn."""
        return self.own(position, seat, scores)


def names_apart(seats: Sequence[tables_pb2.Seat]) -> list[str]:
    """What the seats of a hosted table are called: with their number where several have the same name, or none."""
    names = Counter(seat.name for seat in seats)
    return [
        seat.name + (f" #{seat.seat}" if names[seat.name] > 1 else "") if seat.name else f"seat {seat.seat}"
        for seat in seats
    ]


def fields_of(text: str) -> set[str]:
    """The fields that a text names."""
    return {word for word in re.findall(r"\w+", text.lower()) if FIELD.fullmatch(word)}


def time_is_out(screen: Screen, out: tables_pb2.TimedOut) -> str:
    """What becomes of a seat of a hosted table that took too long."""
    what = "takes the seat" if out.then == tables_pb2.TIME_OUT_SEAT else "decides this turn"
    return f"the time of {screen.name(out.seat)} has run out: {out.bot} {what}"


def score_table(screen: Screen, scores: Sequence[game_pb2.SeatScore], over: bool) -> Table:
    """Everybody's points and where they come from."""
    table = Table(title="The game is over" if over else "If the game ended now", title_justify="left", box=None)
    parts = [getattr(score, score.WhichOneof("breakdown") or "") for score in scores]
    names = [field.name for field in parts[0].DESCRIPTOR.fields] if parts else []
    for name in ("", "", "total", *names):
        table.add_column(name.replace("_", " "), justify="right" if name else "left")
    for score, part in sorted(zip(scores, parts, strict=True), key=lambda pair: (pair[0].place, pair[0].seat)):
        table.add_row(
            f"{score.place}.",
            Text(screen.name(score.seat), style=screen.seat_style(score.seat)),
            Text(str(score.total), style="bold"),
            *(str(getattr(part, name)) for name in names),
        )
    return table


def listed(items: Sequence[str]) -> RenderableType:
    """A numbered list, in as many columns as there is room for."""
    lines = [Text.assemble((f"{i:>3} ", "bold"), item) for i, item in enumerate(items, 1)]
    if len(lines) <= 8:
        return Group(*lines)
    return Columns(lines, padding=(0, 2), column_first=True, width=max(line.cell_len for line in lines))
