"""Positions: everything a table shows, as plain data with names, and back.

A position is what a front end with its own rules can build, in the middle of a fight too. Reading one checks it as a
whole: every chip counted, every field known, so that the compiled core never meets a state that the rules cannot reach
by counting alone.

A chip that lies face down has its kind, or None where the one who describes the table does not know it; what is left
of all chips then lies there in ascending order. Where seats have looked at a chip and it is not said what they saw,
chance brings it when it is turned up, and none of these seats can be asked for a decision.
"""

from typing import TYPE_CHECKING, Any

from engine_cy.checks import Checker
from engine_cy.errors import PositionError
from engine_cy.goldgraeber.chips import chip_list, chip_table, kind_of_table
from engine_cy.goldgraeber.components import Field
from engine_cy.goldgraeber.consistency import Consistency
from engine_cy.goldgraeber.state import FIGHT_NAMES, NONE, PHASES, PIPS, VALUES
from engine_cy.problems import by_name, each
from engine_cy.rules import waiting
from engine_cy.state import State

if TYPE_CHECKING:
    from engine_cy.goldgraeber.rules import Goldgraeber

_WAITS = (*PHASES[: PHASES.index("next_turn")], "over")
_KEYS = ("game", "phase", "locomotive", "diggers", "rafts", "chips", "robbers", "open", "banked", "turn")
_TURN_DEFAULTS: dict[str, Any] = {
    "steps": None, "fight": None, "defender": None, "attack": None, "walker": None, "looking": False,
}  # fmt: skip

check = Checker(PositionError)


def describe(rules: "Goldgraeber", state: State) -> dict[str, Any]:
    """The position of a state; of a view, the kinds of the face-down chips its seat has looked at."""
    f = rules.compiled.fields(state)
    golden, viewer = rules.components, f["viewer"]

    def place(number: int) -> list[int]:
        return list(golden.fields[number])

    return {
        "game": rules.name,
        "phase": PHASES[f["phase"]],
        "locomotive": list(golden.rail[f["locomotive"]]),
        "diggers": [place(number) for number in f["diggers"]],
        "rafts": [place(number) for number in f["rafts"]],
        "chips": [
            {
                "field": list(golden.holes[hole]),
                "chip": chip_table(kind) if _is_said(viewer, seats, told) else None,
                "looked": [seat for seat in range(rules.players) if seats >> seat & 1],
            }
            for hole, kind, seats, told in f["down"]
        ],
        "robbers": [
            {
                "field": list(golden.holes[hole]),
                "strength": chip_list(kind)[1],
                "loot": [chip_table(chip) for chip in loot],
            }
            for hole, kind, loot in f["robbers"]
        ],
        "open": [[chip_table(chip) for chip in chips] for chips in f["open"]],
        "banked": [[chip_table(chip) for chip in chips] for chips in f["home"]],
        "turn": {
            "seat": f["turn"],
            "steps": f["steps"] or None,
            "fight": FIGHT_NAMES[f["fight"]] if f["fight"] else None,
            "defender": _or_none(f["defender"]),
            "attack": f["attack"] or None,
            "walker": _or_none(f["walker"]),
            "looking": f["looking"],
        },
        "rested": [seat for seat in range(rules.players) if f["rested"] >> seat & 1],
    }


def _is_said(viewer: int, seats: int, told: bool) -> bool:
    """Whether a position says what a chip is that these seats have looked at."""
    return told or not seats if viewer == NONE else bool(seats >> viewer & 1)


def told(rules: "Goldgraeber", state: State) -> dict[str, Any]:
    """What everybody sees, and what was said of the chips that some have looked at."""
    position = describe(rules, state.spectate())
    for entry, (_, kind, _, known) in zip(position["chips"], rules.compiled.fields(state)["down"], strict=True):
        entry["chip"] = chip_table(kind) if known else None
    return position


def check_view(rules: "Goldgraeber", state: State, seat: int) -> None:
    """PositionError where it was not said what the seat has seen: nothing is filled in for knowledge."""
    for hole, _, seats, known in rules.compiled.fields(state)["down"]:
        if seats >> seat & 1 and not known:
            expected = f"what seat {seat} saw at {list(rules.components.holes[hole])}, where it has looked"
            raise PositionError("chips", expected, None)


def _or_none(value: int) -> int | None:
    return None if value == NONE else value


def restore(rules: "Goldgraeber", data: Any) -> State:
    """The state of a position; PositionError names the field that does not fit."""
    reader = _Reader(rules, check.table(data, "", _KEYS, ("rested",)))
    fields = reader.read()
    state = rules.compiled.restore(fields)
    return waiting(rules, state, reader.phase, rules.compiled.fields(state) == fields)


class _Reader:
    """Reads one position; a method for each group of fields."""

    def __init__(self, rules: "Goldgraeber", data: Any) -> None:
        self.rules = rules
        self.golden = rules.components
        self.data = data
        self.players = rules.players
        self.phase = check.choice(data["phase"], "phase", _WAITS)

    def read(self) -> dict[str, Any]:
        data, players = self.data, self.players
        check.choice(data["game"], "game", [self.rules.name])
        turn = {**_TURN_DEFAULTS, **check.table(data["turn"], "turn", ("seat",), _TURN_DEFAULTS)}
        fields = by_name({
            "turn": lambda: check.integer(turn["seat"], "turn.seat", 0, players - 1),
            "steps": lambda: 0 if turn["steps"] is None else check.integer(turn["steps"], "turn.steps", 1, PIPS),
            "fight": lambda: self._fight(turn["fight"]),
            "defender": lambda: self._seat(turn["defender"], "turn.defender"),
            "attack": lambda: 0 if turn["attack"] is None else check.integer(turn["attack"], "turn.attack", 1, PIPS),
            "walker": lambda: self._seat(turn["walker"], "turn.walker"),
            "looking": lambda: check.boolean(turn["looking"], "turn.looking"),
            "rested": lambda: self._seats(data.get("rested", []), "rested", self.rules.resting),
            "locomotive": lambda: self._locomotive(data["locomotive"]),
            "diggers": lambda: self._diggers(data["diggers"]),
            "rafts": lambda: self._rafts(data["rafts"]),
            "down": lambda: self._down(data["chips"]),
            "robbers": lambda: self._robbers(data["robbers"]),
            "open": lambda: self._purses(data["open"], "open"),
            "home": lambda: self._purses(data["banked"], "banked"),
        })  # fmt: skip
        fields["phase"], fields["viewer"] = PHASES.index(self.phase), NONE
        Consistency(self.rules, data).check(fields)
        return fields

    # ---- Fields one by one

    def _seat(self, value: Any, at: str) -> int:
        return NONE if value is None else check.integer(value, at, 0, self.players - 1)

    def _fight(self, value: Any) -> int:
        return 0 if value is None else FIGHT_NAMES.index(check.choice(value, "turn.fight", FIGHT_NAMES[1:]))

    def _seats(self, value: Any, at: str, allowed: bool) -> int:
        """As a set."""
        given = check.items(value, at, 0, self.players)
        seats = [check.integer(seat, f"{at}[{i}]", 0, self.players - 1) for i, seat in enumerate(given)]
        if len(set(seats)) < len(seats) or (seats and not allowed):
            raise PositionError(at, "each seat once" if allowed else "nobody by these options", seats)
        return sum(1 << seat for seat in seats)

    def _field(self, value: Any, at: str) -> Field:
        row, column = check.items(value, at, 2, 2)
        field = Field(check.integer(row, f"{at}[0]", 0, NONE), check.integer(column, f"{at}[1]", 0, NONE))
        if field not in self.rules.numbers:
            raise PositionError(at, "a field of the map", value)
        return field

    def _number(self, value: Any, at: str) -> int:
        return self.rules.numbers[self._field(value, at)]

    def _hole(self, value: Any, at: str) -> int:
        field = self._field(value, at)
        if field not in self.rules.holes:
            raise PositionError(at, "a field with a dig hole", value)
        return self.rules.holes[field]

    def _diggers(self, value: Any) -> list[int]:
        places = check.items(value, "diggers", self.players, self.players)
        return each(places, lambda seat, place: self._number(place, f"diggers[{seat}]"))

    def _locomotive(self, value: Any) -> int:
        field = self._field(value, "locomotive")
        if field not in self.golden.rail:
            raise PositionError("locomotive", "a rail field", value)
        return self.golden.rail.index(field)

    def _rafts(self, value: Any) -> list[int]:
        """GG-8: a raft never leaves its lake, and no two share a shore field."""
        count = len(self.golden.piers)
        places = [
            self._field(place, f"rafts[{i}]") for i, place in enumerate(check.items(value, "rafts", count, count))
        ]
        if len(set(places)) < count:
            raise PositionError("rafts", "at most one on a field (GG-8a)", value)
        for i, lake in enumerate(self.golden.lakes):
            shores = self.golden.shores(i)
            rafts = sum(place in shores for place in places)
            piers = sum(pier in lake for pier in self.golden.piers)
            if rafts != piers:
                raise PositionError("rafts", f"{piers} on shore fields of the lake at {list(lake[0])}", rafts)
        return sorted(self.rules.numbers[place] for place in places)

    def _chip(self, value: Any, at: str) -> int:
        table = check.table(value, at, ("kind", "value"))
        check.choice(table["kind"], f"{at}.kind", ("gold", "robber"))
        check.integer(table["value"], f"{at}.value", 1, VALUES)
        return kind_of_table(dict(table))

    def _chips(self, value: Any, at: str) -> list[int]:
        chips = check.items(value, at, 0, len(self.rules.holes))
        return sorted(self._chip(chip, f"{at}[{i}]") for i, chip in enumerate(chips))

    def _purses(self, value: Any, at: str) -> list[list[int]]:
        seats = check.items(value, at, self.players, self.players)
        return [self._chips(chips, f"{at}[{i}]") for i, chips in enumerate(seats)]

    def _down(self, value: Any) -> list[tuple[int, int, int, bool]]:
        """(hole, kind or NONE, the set of seats that have looked, whether it is said what they saw)."""
        chips: dict[int, tuple[int, int, int, bool]] = {}

        def read(i: int, entry: Any) -> None:
            at = f"chips[{i}]"
            table = check.table(entry, at, ("field",), ("chip", "looked"))
            hole = self._hole(table["field"], f"{at}.field")
            if hole in chips:
                raise PositionError(f"{at}.field", "each field once", list(table["field"]))
            kind = NONE if table.get("chip") is None else self._chip(table["chip"], f"{at}.chip")
            looked = self._seats(table.get("looked", []), f"{at}.looked", self.rules.prospecting)
            chips[hole] = (hole, kind, looked, looked > 0 and kind != NONE)

        each(check.items(value, "chips", 0, len(self.rules.holes)), read)
        return [chips[hole] for hole in sorted(chips)]

    def _robbers(self, value: Any) -> list[tuple[int, int, list[int]]]:
        """(hole, kind, loot)."""
        robbers: dict[int, tuple[int, int, list[int]]] = {}

        def read(i: int, entry: Any) -> None:
            at = f"robbers[{i}]"
            table = check.table(entry, at, ("field", "strength"), ("loot",))
            hole = self._hole(table["field"], f"{at}.field")
            if hole in robbers:
                raise PositionError(f"{at}.field", "each field once", list(table["field"]))
            strength = check.integer(table["strength"], f"{at}.strength", 1, VALUES)
            kind = kind_of_table({"kind": "robber", "value": strength})
            robbers[hole] = (hole, kind, self._chips(table.get("loot", []), f"{at}.loot"))

        each(check.items(value, "robbers", 0, len(self.rules.holes)), read)
        return [robbers[hole] for hole in sorted(robbers)]
