"""What pictures of Moon River say of a table, and what can be chosen there."""

from collections.abc import Sequence

from engine_cy.moon_river import decisions
from engine_cy.moon_river.components import Cell
from engine_cy.moon_river.rules import MoonRiver, Score
from engine_cy.rules import GameRules
from engine_cy.state import State
from pictures.canvas import spoken
from pictures.scene import Scene

_NOW = {
    "scenario": "a scenario is drawn", "saloon": "the saloon is filled", "column": "a column is drawn",
    "ranchero": "a ranchero is drawn", "claim": "places a ranchero", "build": "builds", "discard": "discards two plots",
    "drought": "loses a cow to the drought", "recruit": "recruits a partner", "swap": "may swap a plot",
    "steal": "may take a cow", "bonus_tile": "chooses a bonus tile", "bonus_place": "places a bonus tile",
    "select": "selects from the next column",
}  # fmt: skip


class MoonRiverScene(Scene):
    rules: MoonRiver
    scores: Sequence[Score]

    def __init__(self, rules: GameRules, state: State) -> None:
        super().__init__(rules, state)
        self.cells: list[set[Cell]] = [set() for _ in range(rules.players)]  # what decisions of now may name, by seat
        self.slots: set[int] = set()
        self._find_targets()

    def _find_targets(self) -> None:
        own = self.seat or 0  # without a seat there are no decisions
        for decision in self.decisions:
            match decision:
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

    def title(self) -> str:
        name = "Moon River" + (", Legends of the West" if self.rules.legends else "")
        scenario = self.position["scenario"]
        return name + (f": {spoken(scenario).title()}" if scenario else "")

    def now(self) -> str:
        if self.over:
            return "The game is over"
        return self._due().capitalize() if self.seat is None else f"Seat {self.seat} {self._due()}"

    def _due(self) -> str:
        steps = self.turn["steps"]
        return f"may move cows, {steps} step{'s' * (steps > 1)} left" if self.phase == "herd" else _NOW[self.phase]

    def description(self) -> str:
        p = self.position
        who = "Chance" if self.seat is None else f"Seat {self.seat}"
        return (
            f"{'The game is over' if self.over else f'{who}: {self._due()}'}. {self.points()}. Saloon: "
            f"{', '.join(map(spoken, p['saloon'])) or 'empty'}. Supply: {p['supply']} cows; hidden: {len(p['pile'])} "
            f"plots, {len(p['stack'])} tokens. Components: {self.rules.component_name}."
        )

    def seat_description(self, seat: int) -> str:
        plots = len(self.position["ranches"][seat])
        return f"The ranch of seat {seat}: {self.scores[seat].total} points, {plots} plots."
