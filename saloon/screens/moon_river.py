"""Moon River in a terminal: colours for landscapes, and words and letters enough to do without them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from saloon_client.v1 import game_pb2, moon_river_pb2

from engine_cy.moon_river.components import CAMP_CELL, LETTERS, Cell, symbols_of
from engine_cy.moon_river.state import COLUMNS, ROWS, ROWS_OF_TWO
from engine_cy.moon_river.text import PARTNERS, partners_legend
from saloon.screens.no_domino import why_no_domino
from saloon.screens.ranch_story import OVER, Story, at_cell
from saloon.screens.screen import Choice, Screen

_CELL = 6
_PANEL = 4 + COLUMNS * (_CELL + 1)
_GROUND = {
    "desert": "#e9d49b", "corn": "#f3c548", "farm": "#b9a9cf", "canyon": "#d98250", "meadow": "#a9d275",
    "forest": "#3f7d57",
}  # fmt: skip

_DUE = {
    "claim": "place your ranchero", "discard": "discard two plots", "drought": "lose a cow",
    "recruit": "recruit a partner", "swap": "swap a plot", "steal": "take a cow", "bonus_tile": "choose a bonus tile",
    "bonus_place": "place the bonus tile", "select": "choose from the next column",
}  # fmt: skip


@dataclass(frozen=True)
class _Signs:
    """What stands for things."""

    cow: str
    nugget: str
    circle: str


_FINE = _Signs("●", "◆", "○")
_PLAIN = _Signs("o", "n", "*")


def landscape(value: moon_river_pb2.MoonRiverLandscape.ValueType) -> str:
    return moon_river_pb2.MoonRiverLandscape.Name(value).removeprefix("MOON_RIVER_LANDSCAPE_").lower()


def partner(value: moon_river_pb2.MoonRiverPartner.ValueType) -> str:
    return moon_river_pb2.MoonRiverPartner.Name(value).removeprefix("MOON_RIVER_PARTNER_").lower().replace("_", " ")


def scenario(value: moon_river_pb2.MoonRiverScenario.ValueType) -> str:
    return moon_river_pb2.MoonRiverScenario.Name(value).removeprefix("MOON_RIVER_SCENARIO_").lower().replace("_", " ")


class MoonRiverScreen(Screen):
    """Columns, saloon and ranches."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.components = self.info.components.moon_river
        self.signs = _FINE if self.fine else _PLAIN
        self.gap = " " if self.coloured else "|"
        self.teller = Story(self.name, self.me, self.components, self.plot, partner)

    # ---- Words

    def plot(self, kind: int) -> str:
        """A plot as decisions name it: ``farm+2 cows+circle``."""
        plot = self.components.plots[kind]
        return "+".join(filter(None, (landscape(plot.landscape), symbols_of(plot))))

    def at_turn(self, position: game_pb2.Position) -> int | None:
        here = position.moon_river
        return here.turn.seat if here.phase >= moon_river_pb2.MOON_RIVER_PHASE_BUILD and here.phase != OVER else None

    def ground(self, placed: moon_river_pb2.MoonRiverPlaced) -> str:
        """The landscape of what lies in a ranch."""
        if placed.WhichOneof("plot") == "bonus":
            return landscape(self.components.bonus_tiles[placed.bonus.tile].sides[placed.bonus.side])
        return landscape(self.components.plots[placed.kind].landscape)

    def chance(self, event: game_pb2.Chance) -> str:
        drawn = event.moon_river
        match drawn.WhichOneof("event"):
            case "scenario":
                return "drawn: the scenario: " + scenario(drawn.scenario)
            case "saloon":
                return "drawn: to the saloon: " + (", ".join(partner(p) for p in drawn.saloon.partners) or "nobody")
            case "column":
                return "drawn: a column: " + ", ".join(self.plot(kind) for kind in drawn.column.plots)
            case "ranchero":
                return f"drawn: the ranchero of {self.name(drawn.ranchero)}"
        return super().chance(event)

    def story(self, event: game_pb2.Event, before: game_pb2.Position, after: game_pb2.Position) -> Sequence[Text]:
        told = self.teller.lines(event, before.moon_river, after.moon_river)
        return [*super().story(event, before, after), *told]

    def decision(self, decision: game_pb2.Decision, position: game_pb2.Position) -> str:
        """Of a place in a column, also what lies there."""
        where = decision.moon_river
        here = position.moon_river
        match where.WhichOneof("decision"):
            case "claim":
                return decision.text + self._lies(here.current, where.claim.position)
            case "select":
                return decision.text + self._lies(here.next, where.select.position)
            case "bonus_place" if here.turn.HasField("tile"):
                tile = self.components.bonus_tiles[here.turn.tile]
                up = landscape(tile.sides[where.bonus_place.side])
                return f"place the bonus tile, {up} up, on {at_cell(where.bonus_place.cell)}"
            case "bonus_tile":
                tile = self.components.bonus_tiles[where.bonus_tile.tile]
                return "take the bonus tile " + "/".join(landscape(side) for side in tile.sides)
            case "swap":
                give, take = self.plot(where.swap.plot), self.plot(where.swap.other_plot)
                return f"swap {give} for {self.whose(where.swap.seat)} {take}"
            case "steal":
                return f"steal {self.whose(where.steal.seat)} cow on {at_cell(where.steal.cell)}"
        return decision.text

    def due(self, status: game_pb2.Status, position: game_pb2.Position) -> str:
        steps = position.moon_river.turn.steps
        if status.phase == "herd":
            return f"herd cows, {steps} step{'s' * (steps != 1)} left"
        return _DUE.get(status.phase) or super().due(status, position)

    def introduction(self, position: game_pb2.Position) -> Sequence[str]:
        here = position.moon_river
        return self.about_scenario(here.scenario) if here.HasField("scenario") else []

    def about_scenario(self, value: moon_river_pb2.MoonRiverScenario.ValueType) -> list[str]:
        """What it counts."""
        legends = self.rules.section("legends")
        lines = legends.text if legends else ()
        named = [line for line in lines if line.lower().startswith(scenario(value) + ":")]
        return [*named, *lines[:1]]

    def why(
        self, words: Sequence[str], status: game_pb2.Status, position: game_pb2.Position, ways: Sequence[Choice]
    ) -> list[str]:
        if status.phase in ("build", "select") and self.me is not None:
            found = why_no_domino(words, position.moon_river, self.me, self, self._board(position.moon_river, self.me))
            known = super().why(words, status, position, ways)
            return known if known and known[0].startswith("you can") else [*found, *known]
        return super().why(words, status, position, ways)

    def choices(self, decisions: Iterable[game_pb2.Decision], position: game_pb2.Position) -> list[Choice]:
        """Builds first, those of a pair of plots together: ``desert on b2, farm on c2`` is of ``desert and farm``."""
        builds, rest = [], []
        for decision in decisions:
            text = self.decision(decision, position)
            short = text.removeprefix("build ")
            if decision.moon_river.HasField("build"):
                pair = sorted(re.sub(r" on \w+", "", short).split(", "))
                builds.append(Choice(decision, text, short, " and ".join(pair)))
            else:
                rest.append(Choice(decision, text, short))
        return sorted(builds, key=lambda choice: choice.group) + rest

    def _lies(self, column: Sequence[moon_river_pb2.MoonRiverSlot], place: int) -> str:
        known = place < len(column) and column[place].HasField("plot")
        return f": {self.plot(column[place].plot)}" if known else ""

    # ---- Pictures

    def table(
        self,
        position: game_pb2.Position,
        scores: Iterable[game_pb2.SeatScore],
        legal: Sequence[game_pb2.Decision] = (),
    ) -> RenderableType:
        del legal
        here = position.moon_river
        totals = {score.seat: score.total for score in scores}
        seats = range(len(here.ranches))
        abreast = max(1, min(len(seats), (self.console.width + 2) // (_PANEL + 2), 2 if len(seats) == 4 else 3))
        grid = Table.grid(padding=(0, 2, 0, 0))
        for first in range(0, len(seats), abreast):
            grid.add_row(*(self.ranch(position, seat, totals) for seat in seats[first : first + abreast]))
            grid.add_row()
        return Group(self.middle(position), Text(), grid, self.legend())

    def middle(self, position: game_pb2.Position) -> RenderableType:
        """Both columns, saloon and supply."""
        here = position.moon_river
        grid = Table.grid(padding=(0, 2, 0, 0))
        columns = [("current column", here.current), ("next column", here.next)]
        grid.add_row(*(Text(name, style="bold") for name, column in columns if column))
        for place in range(max((len(column) for _, column in columns), default=0)):
            grid.add_row(*(self._slot(place, column[place]) for _, column in columns if column))
        saloon = ", ".join(partner(p) for p in here.saloon) or "nobody"
        facts = f"{here.supply} cows in supply, {len(here.pile)} plots and {len(here.stack)} partners hidden"
        lines: list[RenderableType] = [grid, Text.assemble(("saloon  ", "bold"), saloon), Text(facts, style="dim")]
        if here.bonus_tiles:
            tiles = ("/".join(landscape(s) for s in self.components.bonus_tiles[t].sides) for t in here.bonus_tiles)
            lines.append(Text.assemble(("bonus   ", "bold"), "   ".join(tiles)))
        return Group(self._headline(here), *lines)

    def _headline(self, here: moon_river_pb2.MoonRiverPosition) -> Text:
        name = "Moon River" + (", Legends of the West" if here.options.legends else "")
        if here.HasField("scenario"):
            name += ": " + scenario(here.scenario)
        return Text(name + (", the last round" if here.last_round else ""), style="bold")

    def _slot(self, place: int, slot: moon_river_pb2.MoonRiverSlot) -> Text:
        text = Text(f" {place + 1} ")
        if not slot.HasField("plot"):
            text.append("-", style="dim")
        else:
            plot = self.components.plots[slot.plot]
            ground = landscape(plot.landscape)
            text.append(f" {ground:<{_CELL}} ", style=_on(ground))
            text.append(self.plot(slot.plot).removeprefix(ground).replace("+", " ", 1) + f" ({plot.number})")
        if slot.HasField("seat"):
            text.append(f" <{self.name(slot.seat)}>", style=self.seat_style(slot.seat))
        return text

    def own(self, position: game_pb2.Position, seat: int, scores: Iterable[game_pb2.SeatScore]) -> RenderableType:
        return self.ranch(position, seat, {score.seat: score.total for score in scores})

    def ranch(self, position: game_pb2.Position, seat: int, totals: Mapping[int, int]) -> RenderableType:
        """What lies in front of a seat."""
        here = position.moon_river
        cells = {Cell(p.cell.row, p.cell.column): p for p in here.ranches[seat].plots}
        rows = ROWS_OF_TWO if len(here.ranches) == 2 else ROWS
        shown = min(rows, max((row for row, _ in cells), default=0) + 3)  # as far as the next domino can reach
        head = Text(f"{self.name(seat)}", style=self.seat_style(seat))
        board = self._board(here, seat)
        if here.options.legends:
            head.append(f" ({board.name.replace('_', ' ')})", style="not bold")
        points = f"{totals[seat]} points" if seat in totals else ""
        head.append(" " * max(1, _PANEL - head.cell_len - len(points)) + points)
        lines = [head, Text("   " + "".join(f" {c:^{_CELL}}" for c in LETTERS), style="dim")]
        bridges = {Cell(cell.row, cell.column) for cell in board.bridges}
        for row in range(shown):
            upper, lower = Text.assemble((f"{row + 1:>2} ", "dim")), Text("   ")
            for cell in (Cell(row, column) for column in range(COLUMNS)):
                a, b, style = self._cell(cells.get(cell), cell, bridges, seat)
                upper.append(self.gap).append(f"{a:<{_CELL}}", style=style)
                lower.append(self.gap).append(f"{b:<{_CELL}}", style=style)
            lines += [upper.append(self.gap.strip()), lower.append(self.gap.strip())]
        if shown < rows:
            lines.append(Text(f"   ... to row {rows}", style="dim"))
        hand = here.hands[seat].plots
        stored = ", ".join(self.plot(kind) for kind in hand) or "-"
        lines.append(Text(f"storage {len(hand)}/{board.storage}: {stored}"))
        for line in lines:
            line.no_wrap = line is not lines[-1]
        grid = Table.grid()
        grid.add_column(width=_PANEL)
        for line in lines:
            grid.add_row(line)
        return grid

    def _board(self, here: moon_river_pb2.MoonRiverPosition, seat: int) -> moon_river_pb2.MoonRiverBoard:
        name = here.options.boards[seat] if seat < len(here.options.boards) else ""
        known = {board.name: board for board in self.components.boards}
        return known.get(name) or self.components.boards[0]

    def _cell(
        self,
        placed: moon_river_pb2.MoonRiverPlaced | None,
        at: Cell,
        bridges: set[Cell],
        seat: int,
    ) -> tuple[str, str, Style]:
        """Two lines of a cell and their style."""
        if at == CAMP_CELL:
            return " CAMP", "", self.seat_style(seat) + Style(reverse=self.gap == " ")
        if placed is None:
            return f"  {at}", "bridge" if at in bridges else "", Style(dim=True)
        signs, circle, resources, ground = self.signs, True, "", self.ground(placed)
        if placed.WhichOneof("plot") == "kind":
            plot = self.components.plots[placed.kind]
            circle = plot.circle
            for sign, n in ((signs.nugget, plot.nuggets), ("b", plot.beavers), ("k", plot.cobs)):
                resources += f"{n if n > 1 else ''}{sign}" if n else ""
        cows = signs.cow * placed.cows if placed.cows <= 2 else f"{placed.cows}{signs.cow}"
        has = placed.HasField("partner")
        token = PARTNERS.get(partner(placed.partner).replace(" ", "_"), "") if has else signs.circle * circle
        if has and len(cows + resources + token) > _CELL:
            token = token[:2]
        return ground, (cows + resources)[: _CELL - len(token)] + token, _on(ground)

    def legend(self) -> Text:
        s = self.signs
        text = f"{s.cow} cow  {s.nugget} nugget  b beaver  k cob  {s.circle} circle without a partner  "
        text += partners_legend() + "  (two letters where there is no room)"
        return Text(text, style="dim")


def _on(ground: str) -> Style:
    return Style(color="#ffffff" if ground == "forest" else "#20180f", bgcolor=_GROUND[ground])
