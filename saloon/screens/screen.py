"""What the commands ask of a screen. As it stands here it shows any game, in the server's words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from saloon_client.v1 import game_pb2, rules_pb2

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

    def seat_style(self, seat: int) -> Style:
        return Style(color=SEATS[seat % len(SEATS)], bold=True)

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
