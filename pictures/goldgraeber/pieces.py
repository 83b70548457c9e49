"""What lies and stands on the map in a picture: chips, robbers, rafts, the locomotive, diggers and marks."""

from typing import Any

from engine_cy.goldgraeber.components import Field
from pictures.canvas import ICON
from pictures.goldgraeber.map import Layout
from pictures.goldgraeber.painter import Painter
from pictures.goldgraeber.scene import GoldgraeberScene, worth

_LOOKS = ((-19.0, 0.0), (-15.4, 11.2), (-5.9, 18.1), (5.9, 18.1), (15.4, 11.2), (19.0, 0.0))  # a half circle, by seat
_RIGHT, _LEFT = (0.32, -0.3), (-0.36, 0.06)  # where a robber's strength stands, in parts of its size
_NAME = (
    -15,
    -19,
)  # of a field that may be chosen: clear of what lies there, and of what hangs down from the fields above
_SIZES = (40, 34, 28)  # of one digger, two, and more of them


class Pieces:
    """Paints what moves. Only a view may show what the chips face down are that its seat has looked at."""

    def __init__(self, canvas: Painter, scene: GoldgraeberScene, layout: Layout) -> None:
        self.canvas = canvas
        self.scene = scene
        self.position = scene.position
        self.layout = layout
        self.known = scene.viewer is not None
        self.chips = {Field(*entry["field"]): entry for entry in scene.position["chips"]}
        self.robbers = {Field(*entry["field"]): entry for entry in scene.position["robbers"]}
        self.choices = sorted(scene.targets | scene.looks)

    def draw(self) -> None:
        self._rings()
        rules = self.scene.rules
        if rules.prospecting:
            self.canvas.marks([self.scene.tint(seat) for seat in range(rules.players)], _LOOKS)
        for field, entry in self.chips.items():
            self._chip(field, entry)
        for field, entry in self.robbers.items():
            self._robber(field, entry)
        for raft in self.position["rafts"]:
            field = Field(*raft)
            with self.canvas.group(*self.layout.middle(field), raft=field):
                self.canvas.hint(f"{field}: a raft")
                self.canvas.piece("raft", 0, 4, 44)
        self._locomotive()
        self._diggers()
        self._fight()
        self._names()

    # ---- Chips and robbers

    def _chip(self, field: Field, entry: dict[str, Any]) -> None:
        chip, looked = entry["chip"] if self.known else None, entry["looked"]
        data: dict[str, Any] = {"down": field} | ({"looked": " ".join(map(str, looked))} if looked else {})
        if chip is not None:
            data["known"] = f"{chip['kind']} {chip['value']}"
        with self.canvas.group(*self._aside(field), 1, **data):
            self.canvas.hint(_chip_hint(field, chip, looked))
            self.canvas.piece("back", 0, 0, 38)
            if chip is not None:
                self.canvas.chip(chip["kind"], chip["value"], 0, 0, 30, 'opacity=".72"')
            for seat in looked:
                self.canvas.mark(seat)

    def _aside(self, field: Field) -> tuple[float, float]:
        """Where a chip or a robber lies: in the middle, but for a digger who stands there too."""
        x, y = self.layout.middle(field)
        return (x - 9, y + 4) if field in self.scene.diggers else (x, y)

    def _robber(self, field: Field, entry: dict[str, Any]) -> None:
        loot, strength = entry["loot"], entry["strength"]
        points = worth(loot)
        with self.canvas.group(*self._aside(field), robber=field, strength=strength, loot=points):
            under = f"{len(loot)} chip{'s' * (len(loot) > 1)} worth {points}" if loot else "nothing"
            self.canvas.hint(f"{field}: a robber of strength {strength}, {under} under it")
            if loot:
                self.canvas.piece("gold", -15, 12, 22)
                self.canvas.piece("gold", -9, 17, 22)
            beside = field in self.scene.diggers  # who stands over its right half
            self.canvas.chip("robber", strength, 0, -3, 42, at=_LEFT if beside else _RIGHT)
            if loot:
                self.canvas.badge(8, 14 if beside else 18, f"{len(loot)}: {points}", 10)

    # ---- Diggers and the locomotive

    def _locomotive(self) -> None:
        rail, field = self.scene.rules.components.rail, Field(*self.position["locomotive"])
        (x, y), index = self.layout.middle(field), rail.index(field)
        if index + 1 < len(rail):
            right = self.layout.middle(rail[index + 1])[0] > x
        else:
            right = x > self.layout.middle(rail[index - 1])[0]
        with self.canvas.group(x, y, locomotive=field):
            self.canvas.hint(f"{field}: the locomotive")
            self.canvas.add(f'<g transform="scale({-1 if right else 1} 1)">')
            self.canvas.piece("locomotive", 0, -3, 48)
            self.canvas.add("</g>")

    def _diggers(self) -> None:
        """Side by side, up to three in a row; beside what lies there."""
        places = self.scene.diggers
        for field in sorted(set(places)):
            seats = [seat for seat, place in enumerate(places) if place == field]
            size = _SIZES[min(len(seats), 3) - 1]
            (x, y), (dx, dy) = self.layout.middle(field), self._shift(field)
            rows = [seats[i : i + 3] for i in range(0, len(seats), 3)]
            for i, row in enumerate(rows):
                for j, seat in enumerate(row):
                    left = x + dx + (j - (len(row) - 1) / 2) * size * 0.72
                    self._digger(seat, field, left, y + dy + (i - (len(rows) - 1) / 2) * 22, size)

    def _shift(self, field: Field) -> tuple[float, float]:
        if field in self.chips or field in self.robbers:
            return 13, -10
        match self.scene.rules.components.kind(field):
            case "house":
                return 3, 10
            case "shore":
                return 0, -6
        return 0, 0

    def _digger(self, seat: int, field: Field, x: float, y: float, size: float) -> None:
        with self.canvas.group(x, y, digger=seat, at=field):
            self.canvas.hint(f"{field}: seat {seat}")
            self.canvas.digger(seat, self.scene.tint(seat), 0, 0, size)

    def _fight(self) -> None:
        """Crossed swords where one goes on."""
        turn = self.scene.turn
        if turn["fight"] in ("robber", "attack", "defence"):
            x, y = self.layout.middle(self.scene.diggers[turn["seat"]])
            self.canvas.piece("swords", x - 16, y - 18, 22)

    # ---- What can be done

    def _rings(self) -> None:
        """Dashed around the ends of walks, dotted around what may be looked at; under the pieces."""
        tint = self.scene.tint(self.scene.seat or 0)  # without a seat there are no choices
        for field in self.choices:
            name = "target" if field in self.scene.targets else "look"
            self.canvas.outline(name, *self.layout.middle(field), tint, field)

    def _names(self) -> None:
        """Over the pieces: what a walk to a field is called, an eye where one may look."""
        for field in self.choices:
            x, y = self.layout.middle(field)
            if field in self.scene.targets:
                self.canvas.badge(x + _NAME[0], y + _NAME[1], str(field), 9)
            else:
                self.canvas.piece("eye", x, y - 23, ICON * 0.62)


def _chip_hint(field: Field, chip: dict[str, Any] | None, looked: list[int]) -> str:
    words = f"{field}: a chip face down"
    if looked:
        words += f", seen by seat{'s' * (len(looked) > 1)} {', '.join(map(str, looked))}"
    return words if chip is None else f"{words}: {chip['kind']} {chip['value']}"
