"""The hexes of Goldgräber in characters: four for each field, odd rows shoved by two."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from saloon_client.v1 import common_pb2, game_pb2, goldgraeber_pb2

from engine_cy.goldgraeber.components import HOUSES, Field
from pictures.goldgraeber.icons import PALETTES
from pictures.themes import LIGHT

WIDTH = 76  # of the map with its margins, with 17 columns as the standard one has
_FIELD = 4
_INK = "#33261c"
_LAND, _CITY = goldgraeber_pb2.GOLDGRAEBER_GROUND_LAND, goldgraeber_pb2.GOLDGRAEBER_GROUND_CITY
_SHORE, _WATER = goldgraeber_pb2.GOLDGRAEBER_GROUND_SHORE, goldgraeber_pb2.GOLDGRAEBER_GROUND_WATER
_PALETTE = PALETTES[LIGHT]  # on any terminal: fields bring their own background
_MARKED = "#ffe14d"


@dataclass(frozen=True)
class Signs:
    """What stands for things."""

    chip: str
    hole: str
    rail: str
    raft: str


FINE = Signs("●", "○", "═", "∪")
PLAIN = Signs("o", ",", "=", "u")
GOLD, ROBBER = goldgraeber_pb2.GOLDGRAEBER_CHIP_KIND_GOLD, goldgraeber_pb2.GOLDGRAEBER_CHIP_KIND_ROBBER


def place(cell: common_pb2.Cell) -> Field:
    """The field of a cell; as text it has its name, like ``f5``."""
    return Field(cell.row, cell.column)


def destination(decision: game_pb2.Decision) -> Field | None:
    """The field that a decision leads to."""
    what = decision.goldgraeber.WhichOneof("decision")
    return place(getattr(decision.goldgraeber, what).field) if what in ("walk", "ferry", "retreat") else None


class MapDrawing:
    """The map of a table; `owners` are the seats by their house, `colours` what the seats are painted in."""

    def __init__(
        self,
        components: goldgraeber_pb2.GoldgraeberComponents,
        owners: Mapping[int, int],
        colours: Sequence[str],
        signs: Signs,
    ) -> None:
        self.components, self.owners, self.colours, self.signs = components, owners, colours, signs
        self.kinds = {place(field.field): field.kind for field in components.fields}
        self.holes = {place(cell) for cell in components.holes}
        self.rail = [place(cell) for cell in components.rail]
        self.houses = [place(cell) for cell in components.houses]
        self.doors = [place(cell) for cell in components.doors]

    def steps_home(self, seat: int) -> Mapping[Field, int]:
        """How far it is on foot from any field to the house of a seat, the locomotive put aside."""
        colour = next(colour for colour, owner in self.owners.items() if owner == seat)
        return self._steps({self.doors[colour]: 1})

    def steps_between(self, start: Field, end: Field) -> int | None:
        """The fewest steps from one field to another, the locomotive put aside; None where no way leads."""
        if start in self.houses:
            steps = self._steps({self.doors[self.houses.index(start)]: 1})
        else:
            steps = self._steps({start: 0})
        if end in self.houses:
            door = steps.get(self.doors[self.houses.index(end)])
            return None if door is None else door + 1
        known = [steps[near] + 1 for near in end.around if near in steps]
        return steps.get(end, min(known, default=None))

    def _steps(self, steps: dict[Field, int]) -> dict[Field, int]:
        """From fields that so many steps lead to, on over land and streets."""
        todo = list(steps)
        for field in todo:
            for near in field.around:
                if near not in steps and self.kinds.get(near) in (_LAND, _CITY):
                    steps[near] = steps[field] + 1
                    todo.append(near)
        return steps

    def lines(self, here: goldgraeber_pb2.GoldgraeberPosition, marked: Collection[Field] = ()) -> list[Text]:
        """The map, row by row; where the locomotive, diggers and chips are, and the marked fields."""
        things = self._things(here)
        diggers: dict[Field, list[int]] = {}
        for seat, cell in enumerate(here.diggers):
            diggers.setdefault(place(cell), []).append(seat)
        columns = len(self.components.rows[0])
        header = "   " + "".join(f" {str(Field(0, column))[:-1]:<{_FIELD - 1}}" for column in range(columns))
        lines = [Text(header.rstrip(), style="dim", no_wrap=True)]
        for row in range(len(self.components.rows)):
            line = Text.assemble((f"{row + 1:>2} ", "dim"), no_wrap=True)
            line.append(" " * (_FIELD // 2 * (row % 2)))
            for column in range(columns):
                field = Field(row, column)
                if field in self.kinds:
                    thing = things.get(field) or self._ground(field)
                    line.append_text(self._cell(field, thing, diggers.get(field, ()), field in marked))
                else:
                    line.append(" " * _FIELD)
            line.append(" " * (_FIELD // 2 * (1 - row % 2)))
            lines.append(line.append(f" {row + 1}", style="dim"))
        return lines

    def _things(self, here: goldgraeber_pb2.GoldgraeberPosition) -> dict[Field, tuple[str, str]]:
        """What lies on fields, and its style."""
        things = {place(raft): (self.signs.raft, "bold") for raft in here.rafts}
        for chip in here.chips:
            known = f"{'g' if chip.chip.kind == GOLD else 'r'}{chip.chip.value}" if chip.HasField("chip") else ""
            things[place(chip.field)] = (known or self.signs.chip, "bold")
        for robber in here.robbers:
            things[place(robber.field)] = (f"R{robber.strength}", "bold #b00020")
        things[place(here.locomotive)] = ("L", "bold #ffffff on #26221f")
        return things

    def _ground(self, field: Field) -> tuple[str, str]:
        """What a field is, as long as nothing lies there."""
        if field in self.houses:
            return HOUSES[self.houses.index(field)], "bold"
        doors = [colour for colour, door in enumerate(self.doors) if door == field and colour in self.owners]
        if doors:
            return HOUSES[doors[0]].lower(), ""
        if field in self.rail:
            return self.signs.rail, ""
        if field in self.holes:
            return self.signs.hole, ""
        return {_LAND: ".", _CITY: ":", _SHORE: "-", _WATER: "~"}.get(self.kinds[field], ""), ""

    def _cell(self, field: Field, thing: tuple[str, str], seats: Sequence[int], marked: bool) -> Text:
        """Who stands there, what lies there, and a star if it is marked."""
        text = Text(style=self._style(field, marked))
        shown = "" if seats and len(thing[0]) == 1 and thing[0] != self.signs.chip else thing[0]
        if len(seats) + len(shown) < _FIELD - 1:
            text.append(" ")
        for seat in seats[: 3 if len(seats) == 3 else 2]:
            text.append(str(seat), style=f"bold #ffffff on {self.colours[seat]}")
        if len(seats) > 3:
            text.append("+")
        text.append(shown[: _FIELD - 1 - len(text)], style=thing[1])
        text.append("*" if marked else "")
        text.append(" " * (_FIELD - len(text)))
        return text

    def _style(self, field: Field, marked: bool) -> Style:
        if marked:
            return Style(color=_INK, bgcolor=_MARKED, bold=True)
        if field in self.houses:
            owner = self.owners.get(self.houses.index(field))
            if owner is None:
                return Style(color="#ffffff", bgcolor=_PALETTE.quay)
            return Style(color="#ffffff", bgcolor=self.colours[owner])
        ground = {_CITY: "street", _SHORE: "shore", _WATER: "water"}.get(self.kinds[field], "grass")
        if field in self.rail:
            return Style(color=_INK, bgcolor=_PALETTE.ballast)
        return Style(color=_INK, bgcolor=_PALETTE.grounds["dig" if field in self.holes else ground][0])


def sum_of(chips: Iterable[goldgraeber_pb2.GoldgraeberChip]) -> str:
    """Chips in words: ``7 gold and 2 robbers``; empty for none."""
    known = list(chips)
    gold = sum(chip.value for chip in known if chip.kind == GOLD)
    robbers = sum(chip.kind == ROBBER for chip in known)
    words = [f"{gold} gold"] * bool(gold) + [f"{robbers} robber{'s' * (robbers > 1)}"] * bool(robbers)
    return " and ".join(words)


def chip_words(chip: goldgraeber_pb2.GoldgraeberChip) -> str:
    return f"gold {chip.value}" if chip.kind == GOLD else f"a robber of {chip.value}"
