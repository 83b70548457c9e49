"""What pictures of Goldgräber say of a table, and what can be chosen there."""

from collections.abc import Collection, Sequence
from typing import Any

from engine_cy.goldgraeber import decisions
from engine_cy.goldgraeber.components import Field
from engine_cy.goldgraeber.rules import Goldgraeber, Score
from engine_cy.goldgraeber.state import ROBBER_POINTS
from engine_cy.rules import GameRules
from engine_cy.state import State
from pictures.scene import Scene
from pictures.themes import COLOURS


class GoldgraeberScene(Scene):
    rules: Goldgraeber
    scores: Sequence[Score]

    def __init__(self, rules: GameRules, state: State) -> None:
        super().__init__(rules, state)
        self.diggers = [Field(*place) for place in self.position["diggers"]]
        self.targets: set[Field] = set()  # where the decision due may end
        self.looks: set[Field] = set()  # what it may look at (GG-20)
        self._find_targets()

    def _find_targets(self) -> None:
        for decision in self.decisions:
            match decision:
                case decisions.Walk(field=field) | decisions.Ferry(field=field) | decisions.Retreat(field=field):
                    self.targets.add(field)
                case decisions.Prospect():
                    here = self.diggers[self.seat or 0]  # without a seat there are no decisions
                    down = {Field(*entry["field"]) for entry in self.position["chips"]}
                    self.looks = down.intersection(self.rules.components.neighbours(here))

    def tint(self, seat: int) -> str:
        return COLOURS[self.rules.colours[seat]]

    def steps_left(self) -> int:
        """How far the locomotive is from the city."""
        rail = self.rules.components.rail
        return len(rail) - 1 - rail.index(Field(*self.position["locomotive"]))

    def title(self) -> str:
        return "Goldgräber" + (", with prospecting" if self.rules.prospecting else "")

    def active(self) -> int | None:
        """Whose move or roll it is."""
        turn, phase = self.turn, self.phase
        if phase in ("first", "over"):
            return None
        if self.seat is not None:
            return self.seat
        names = {"defence": "defender", "away": "walker"}
        seat: int = turn[names.get(turn["fight"], "seat")]
        return seat

    def _due(self) -> str:
        """What is due, as words that follow a seat."""
        turn, phase = self.turn, self.phase
        if phase == "roll":
            return {
                "robber": f"fights a robber of strength {self._robber()}",
                "attack": f"attacks seat {turn['defender']}",
                "defence": f"defends against seat {turn['seat']}'s {turn['attack']}",
                "away": "has won and rolls to walk away",
            }[turn["fight"]]
        fields = f"{turn['steps']} field{'s' * (turn['steps'] != 1)}"
        looks = "looks at the chips around" if turn["looking"] else "turns up a chip"
        return {
            "first": "The first player is drawn", "die": "rolls the die", "chip": looks,
            "prospect": "rolls, or looks at the chips around", "walk": f"walks {fields}",
            "ferry": "takes the raft", "retreat": f"walks away {fields}", "over": self._end(),
        }[phase]  # fmt: skip

    def _robber(self) -> int | None:
        here = self.diggers[self.turn["seat"]]
        return next((entry["strength"] for entry in self.position["robbers"] if Field(*entry["field"]) == here), None)

    def _end(self) -> str:
        return "The game is over: " + ("few chips are left" if self.steps_left() else "the locomotive has arrived")

    def now(self) -> str:
        who = self.active()
        return self._due() if who is None else f"Seat {who} {self._due()}"

    def description(self) -> str:
        p = self.position
        diggers = ", ".join(f"seat {seat} {field}" for seat, field in enumerate(self.diggers))
        return (
            f"{self.now()}. {self.points()}. Diggers: {diggers}. {len(p['chips'])} chips face down, "
            f"{len(p['robbers'])} robbers revealed, the locomotive {self.steps_left()} fields from the city. "
            f"Map: {self.rules.map}."
        )

    def seat_description(self, seat: int) -> str:
        opened = len(self.position["open"][seat])
        return f"Seat {seat}: {self.scores[seat].total} points banked, {opened} chips open."


def worth(chips: Collection[dict[str, Any]]) -> int:
    """What chips would count if they were banked (GG-19)."""
    return sum(chip["value"] if chip["kind"] == "gold" else ROBBER_POINTS for chip in chips)
