"""A table as a picture: one SVG document with everything that the text board shows, in a light and a dark theme.

The same state gives the same bytes, and hidden orders cannot show: of the pile and the stack only the sizes are used.
"""

from collections import Counter
from typing import Any

from engine_cy.moon_river import decisions
from engine_cy.moon_river.components import Cell
from engine_cy.moon_river.rules import MoonRiver
from engine_cy.state import State
from pictures.canvas import Canvas, spoken
from pictures.moon_river import ranch
from pictures.moon_river.icons import CELL, SEATS, THEMES

_MARGIN, _GAP, _HEAD, _MARKET = 20, 16, 64, 256
_NOBODY, _LAST = "#6f655a", "#b0174f"  # headlines when no seat has to decide, and in the last round
_NOW = {
    "scenario": "a scenario is drawn", "saloon": "the saloon is filled", "column": "a column is drawn",
    "ranchero": "a ranchero is drawn", "claim": "places a ranchero", "build": "builds", "discard": "discards two plots",
    "drought": "loses a cow to the drought", "recruit": "recruits a partner", "swap": "may swap a plot",
    "steal": "may take a cow", "bonus_tile": "chooses a bonus tile", "bonus_place": "places a bonus tile",
    "select": "selects from the next column",
}  # fmt: skip
_SCENARIOS = {
    "timber_rafting": ("forest", "Three forests or more,", "one of them at the river"),
    "gold_rush": ("nugget", "Three plots or more", "with nuggets"),
    "outlaws": ("desperado", "Three partners or more, one a", "desperado or cattle thief"),
    "moon_river_city": ("farm", "Three farms or more", ""),
}
_LEGEND = (
    ("nugget", "1 point each"), ("beaver", "1 point each"), ("cob", "1 point each"), ("cow", "scores its territory"),
    ("skull", "removes a cow"), ("circle", "room for a partner"), ("desperado", "swaps a plot"),
    ("cattle_thief", "takes a cow"), ("gold_digger", "1 point a nugget"), ("trapper", "1 point a beaver"),
    ("farmer", "1 point a cob"), ("cowboy", "herds for 3 steps"),
)  # fmt: skip


class MoonRiverPage:
    """One picture."""

    def __init__(self, rules: MoonRiver, state: State, theme: str) -> None:
        self.rules = rules
        self.state = state
        self.position = rules.position(state)
        self.scores = rules.scores(state)
        self.canvas = Canvas(THEMES[theme])
        self.panel_height: float = ranch.height(10 if rules.players == 2 else 5)
        self.cells: list[set[Cell]] = [set() for _ in range(rules.players)]  # what decisions of now may name, by seat
        self.slots: set[int] = set()
        self._find_targets()

    def _find_targets(self) -> None:
        own = self.state.seat or 0  # without a seat there are no codes
        for code in self.state.codes():
            match self.rules.decode(self.state.phase, code):
                case decisions.Claim(position=slot) | decisions.Select(position=slot):
                    self.slots.add(slot)
                case decisions.Build(cell=cell, other_cell=other):
                    self.cells[own] |= {cell, other}
                case decisions.Steal(seat=seat, cell=cell):
                    self.cells[seat].add(cell)
                case (
                    decisions.Drought(cell=cell)
                    | decisions.Recruit(cell=cell)
                    | decisions.PlaceTile(cell=cell)
                    | decisions.Herd(origin=cell)
                ):
                    self.cells[own].add(cell)

    # ---- The two pictures

    def seat(self, seat: int) -> str:
        """One seat's ranch, storage and points."""
        self._panel(seat, _MARGIN, _MARGIN)
        size = ranch.WIDTH + 2 * _MARGIN, self.panel_height + 2 * _MARGIN
        points = f"{self.scores[seat].total} points, {len(self.position['ranches'][seat])} plots"
        return self.canvas.document(*size, f"{self._name()}: seat {seat}", f"The ranch of seat {seat}: {points}.")

    def table(self) -> str:
        """Columns, saloon, supply, and every seat's ranch, storage and points."""
        right, top = _MARGIN + _MARKET + _GAP, _MARGIN + _HEAD
        if self.rules.players == 2:  # one row of panels, as high as the market beside them
            self.panel_height = max(self.panel_height, self._market_height())
        width = right + 2 * ranch.WIDTH + _GAP + _MARGIN
        places = [(right + i % 2 * (ranch.WIDTH + _GAP), i // 2 * (self.panel_height + _GAP)) for i in range(4)]
        for seat in range(self.rules.players):
            self._panel(seat, places[seat][0], top + places[seat][1])
        end = top + places[self.rules.players - 1][1] + self.panel_height
        bottom = max(end, top + self._market_height())
        if self.rules.players == 3:  # the legend takes the fourth ranch's room
            x, y = places[3]
            self._legend(x, top + y, ranch.WIDTH, self.panel_height, 6)
        self._headline(width)
        self._market(_MARGIN, top, bottom - top)
        if self.rules.players != 3:
            self._legend(_MARGIN, bottom + _GAP, width - 2 * _MARGIN, 108, 2)
            bottom += _GAP + 108
        return self.canvas.document(width, bottom + _MARGIN, self._name(), self._description())

    # ---- Around the ranches

    def _name(self) -> str:
        name = "Moon River" + (", Legends of the West" if self.rules.legends else "")
        scenario = self.position["scenario"]
        return name + (f": {spoken(scenario).title()}" if scenario else "")

    def _now(self) -> str:
        phase, steps = self.position["phase"], self.position["turn"]["steps"]
        if phase == "herd":
            return f"may move cows, {steps} step{'s' * (steps > 1)} left"
        return _NOW[phase]

    def _description(self) -> str:
        p, seat = self.position, self.state.seat
        points = ", ".join(f"seat {score.seat} {score.total}" for score in self.scores)
        who = "The game is over" if p["phase"] == "over" else "Chance" if seat is None else f"Seat {seat}"
        return (
            f"{who}{'' if p['phase'] == 'over' else ': ' + self._now()}. Points: {points}. Saloon: "
            f"{', '.join(map(spoken, p['saloon'])) or 'empty'}. Supply: {p['supply']} cows; hidden: {len(p['pile'])} "
            f"plots, {len(p['stack'])} tokens. Components: {self.rules.component_name}."
        )

    def _panel(self, seat: int, x: float, y: float) -> None:
        place = self.state.score()[1][seat] if self.position["phase"] == "over" else None
        panel = ranch.RanchPanel(self.canvas, self.rules, self.position, seat, self.cells[seat])
        panel.draw(x, y, self.panel_height, self.scores[seat], place, deciding=seat == self.state.seat)

    def _headline(self, width: float) -> None:
        canvas, seat = self.canvas, self.state.seat
        canvas.text(_MARGIN + 4, _MARGIN + 33, self._name(), 27, more='font-weight="800"')
        right, colour = width - _MARGIN, _NOBODY if seat is None else SEATS[seat]
        if self.position["phase"] == "over":
            words = "The game is over"
        else:
            words = f"Seat {seat} {self._now()}" if seat is not None else self._now().capitalize()
        right -= canvas.pill(right, _MARGIN + 7, words, colour, 17) + 12
        if self.position["last_round"] and self.position["phase"] != "over":
            canvas.pill(right, _MARGIN + 7, "Last round", _LAST, 17)

    def _legend(self, x: float, y: float, width: float, height: float, rows: int) -> None:
        """What every picture means, in so many rows."""
        canvas, plots = self.canvas, self.rules.components.plots
        canvas.panel(x, y, width, height)
        entries = [
            (name, f"{sum(p.count for p in plots if p.landscape == name)} plots{', no cows' * (name == 'corn')}")
            for name in canvas.theme.landscapes
        ]
        entries += _LEGEND
        columns = -(-len(entries) // rows)
        for i, (name, words) in enumerate(entries):
            left = x + 16 + i // rows * (width - 16) / columns
            top = y + 10 + i % rows * (height - 20) / rows + ((height - 20) / rows - 34) / 2
            canvas.icon(name, left, top, 34)
            canvas.text(left + 40, top + 15, spoken(name).capitalize(), 13, more='font-weight="600"')
            canvas.text(left + 40, top + 30, words, 10.5, canvas.theme.faint)

    # ---- The market: what all seats share

    def _market_height(self) -> float:
        height: float = 60 + 78 * self.rules.components.column_size + 36 + 36 * 5 + 92
        if self.rules.players == 2:
            height += 36 + 56 * len(self.rules.components.bonus_tiles)
        return height + (104 if self.rules.legends else 0)

    def _market(self, x: float, y: float, height: float) -> None:
        canvas = self.canvas
        with canvas.group(x, y):
            canvas.panel(0, 0, _MARKET, height)
            top = 26.0
            for i, name in enumerate(("current", "next")):
                self._column(name, 38 + i * 116, top)
            top += 44 + 78 * self.rules.components.column_size
            top = self._saloon(top)
            if self.rules.players == 2:
                top = self._bonus_tiles(top)
            if self.rules.legends:
                top = self._scenario(top)
            self._supply(max(top, height - 92))

    def _caption(self, x: float, y: float, words: str) -> None:
        self.canvas.text(x, y, words, 13, self.canvas.theme.faint, 'font-weight="700"')

    def _column(self, name: str, x: float, y: float) -> None:
        canvas, slots = self.canvas, self.position[name]
        self._caption(x + 4, y, f"{name.capitalize()}")
        # Before a column is laid its places are there, but nothing on them.
        slots = slots or [{"plot": None, "seat": None}] * self.rules.components.column_size
        upcoming = self.position["phase"] == "select"
        for i, slot in enumerate(slots):
            at = y + 10 + 78 * i
            canvas.text(x - 12, at + 26, i + 1, 13, canvas.theme.faint, 'text-anchor="middle"')
            with canvas.group(x, at, column=name, position=i + 1):
                self._slot(slot, offered=i in self.slots and upcoming == (name == "next"))
                if slot["seat"] is not None:
                    canvas.ranchero(slot["seat"], 50, 30, 42)

    def _slot(self, slot: dict[str, Any], offered: bool) -> None:
        canvas = self.canvas
        if slot["plot"] is None:
            canvas.slot()
            return
        plot = self.rules.components.plots[slot["plot"]]
        canvas.hint(f"({plot.number}) {plot}")
        canvas.plot(plot)
        if offered:
            canvas.ring(dashed=True)
        canvas.rect(-21, 38, 18, 18, canvas.theme.slot, 4, f'stroke="{canvas.theme.faint}"')  # its back
        canvas.text(-12, 51.5, plot.number, 12.5, more='text-anchor="middle" font-weight="700"')

    def _saloon(self, y: float) -> float:
        canvas, tokens = self.canvas, Counter(self.position["saloon"])
        self._caption(20, y, "Saloon")
        y += 10
        for name, count in tokens.items():
            canvas.icon(name, 20, y, 32)
            canvas.text(60, y + 21, spoken(name).capitalize(), 14)
            if count > 1:
                canvas.text(_MARKET - 20, y + 21, f"× {count}", 14, more='text-anchor="end" font-weight="700"')
            y += 36
        if not tokens:
            canvas.text(20, y + 18, "empty", 13, canvas.theme.faint)
            y += 24
        return y + 30

    def _bonus_tiles(self, y: float) -> float:
        canvas, placing = self.canvas, self.position["turn"]["tile"]
        self._caption(20, y, "Bonus tiles")
        y += 8
        there = {placing, *self.position["bonus_tiles"]}
        tiles = [tile for tile in self.rules.components.bonus_tiles if tile.id in there]
        if not tiles:
            canvas.text(20, y + 18, "none left", 13, canvas.theme.faint)
        for tile in tiles:
            with canvas.group(20, y, 0.7, bonus=tile.id):
                canvas.bonus_tile(tile)
                if tile.id == placing:
                    canvas.ring(dashed=False, width=2 * CELL)
            y += 56
        return y + 28

    def _scenario(self, y: float) -> float:
        canvas, name = self.canvas, self.position["scenario"]
        self._caption(20, y, "Scenario")
        if name is None:
            canvas.text(20, y + 24, "not drawn yet", 13, canvas.theme.faint)
            return y + 90
        icon, *words = _SCENARIOS[name]
        canvas.icon(icon, 18, y + 14, 40)
        canvas.text(66, y + 28, spoken(name).title(), 14, more='font-weight="700"')
        for i, line in enumerate([*filter(None, words), "10, and 10 for each more"]):
            canvas.text(66, y + 44 + 14 * i, line, 11, canvas.theme.faint)
        return y + 108

    def _supply(self, y: float) -> None:
        """Cows, and how much is hidden in the pile and the stack."""
        canvas, p = self.canvas, self.position
        self._caption(20, y, "Supply")
        entries = (("cow", p["supply"], "cows"), ("", len(p["pile"]), "plots"), ("circle", len(p["stack"]), "tokens"))
        for i, (icon, count, words) in enumerate(entries):
            x = 18 + i * 74
            if icon:
                canvas.icon(icon, x, y + 14, 34)
            else:  # the backs of plots
                for shift in (6, 3, 0):
                    style = f'stroke="{canvas.theme.faint}" stroke-width="1.3"'
                    canvas.rect(x + 2 + shift, y + 20 - shift, 26, 26, canvas.theme.slot, 5, style)
            canvas.text(x + 38, y + 33, count, 16, more='font-weight="700"')
            canvas.text(x + 38, y + 48, words, 10.5, canvas.theme.faint)
