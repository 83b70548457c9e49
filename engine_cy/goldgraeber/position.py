"""Positions: everything a table shows, as plain data with names, and back.

A position is what a front end with its own rules can build, in the middle of a fight too. Reading one checks it as a
whole: every chip counted, every field known, so that the compiled core never meets a state that the rules cannot reach
by counting alone.

A chip that lies face down has its kind, or None where the one who describes the table does not know it; what is left
of all chips then lies there in ascending order.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine_cy.checks import Checker
from engine_cy.errors import PositionError
from engine_cy.goldgraeber.chips import chip_list, chip_table, kind_of_table
from engine_cy.goldgraeber.components import Field
from engine_cy.goldgraeber.state import FIGHT_NAMES, KINDS, NONE, PHASES, VALUES
from engine_cy.rules import waiting
from engine_cy.state import State

if TYPE_CHECKING:
    from engine_cy.goldgraeber.rules import Goldgraeber

FIGHTS = FIGHT_NAMES[1:]
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
                "chip": chip_table(kind) if viewer == NONE or seats >> viewer & 1 else None,
                "looked": [seat for seat in range(rules.players) if seats >> seat & 1],
            }
            for hole, kind, seats in f["down"]
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
    }


def _or_none(value: int) -> int | None:
    return None if value == NONE else value


def restore(rules: "Goldgraeber", data: Any) -> State:
    """The state of a position; PositionError names the field that does not fit."""
    reader = _Reader(rules, check.table(data, "", _KEYS))
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
        self.holes = {field: number for number, field in enumerate(self.golden.holes)}
        self.phase = check.choice(data["phase"], "phase", _WAITS)
        self.last = len(self.golden.rail) - 1

    def read(self) -> dict[str, Any]:
        data, players = self.data, self.players
        check.choice(data["game"], "game", [self.rules.name])
        turn = {**_TURN_DEFAULTS, **check.table(data["turn"], "turn", ("seat",), _TURN_DEFAULTS)}
        fight = turn["fight"]
        fields: dict[str, Any] = {
            "phase": PHASES.index(self.phase),
            "viewer": NONE,
            "turn": check.integer(turn["seat"], "turn.seat", 0, players - 1),
            "steps": 0 if turn["steps"] is None else check.integer(turn["steps"], "turn.steps", 1, 6),
            "fight": 0 if fight is None else FIGHT_NAMES.index(check.choice(fight, "turn.fight", FIGHTS)),
            "defender": self._seat(turn["defender"], "turn.defender"),
            "attack": 0 if turn["attack"] is None else check.integer(turn["attack"], "turn.attack", 1, 6),
            "walker": self._seat(turn["walker"], "turn.walker"),
            "looking": check.boolean(turn["looking"], "turn.looking"),
            "locomotive": self._locomotive(data["locomotive"]),
            "diggers": [
                self._number(place, f"diggers[{i}]")
                for i, place in enumerate(check.items(data["diggers"], "diggers", players, players))
            ],
            "rafts": self._rafts(data["rafts"]),
            "down": self._down(data["chips"]),
            "robbers": self._robbers(data["robbers"]),
            "open": self._purses(data["open"], "open"),
            "home": self._purses(data["banked"], "banked"),
        }
        self._count_chips(fields)
        self._check_diggers(fields)
        self._check_end(fields)
        self._check_turn(fields)
        if self.phase == "first":
            self._check_setup(fields)
        return fields

    # ---- Fields one by one

    def _seat(self, value: Any, at: str) -> int:
        return NONE if value is None else check.integer(value, at, 0, self.players - 1)

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
        if field not in self.holes:
            raise PositionError(at, "a field with a dig hole", value)
        return self.holes[field]

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
        chips = check.items(value, at, 0, len(self.holes))
        return sorted(self._chip(chip, f"{at}[{i}]") for i, chip in enumerate(chips))

    def _purses(self, value: Any, at: str) -> list[list[int]]:
        seats = check.items(value, at, self.players, self.players)
        return [self._chips(chips, f"{at}[{i}]") for i, chips in enumerate(seats)]

    def _down(self, value: Any) -> list[tuple[int, int, int]]:
        """(hole, kind or NONE, set of seats)."""
        chips: dict[int, tuple[int, int, int]] = {}
        for i, entry in enumerate(check.items(value, "chips", 0, len(self.holes))):
            at = f"chips[{i}]"
            table = check.table(entry, at, ("field",), ("chip", "looked"))
            hole = self._hole(table["field"], f"{at}.field")
            if hole in chips:
                raise PositionError(f"{at}.field", "each field once", list(table["field"]))
            kind = NONE if table.get("chip") is None else self._chip(table["chip"], f"{at}.chip")
            looked = check.items(table.get("looked", []), f"{at}.looked", 0, self.players)
            seats = [check.integer(seat, f"{at}.looked[{j}]", 0, self.players - 1) for j, seat in enumerate(looked)]
            if len(set(seats)) < len(seats) or (seats and not self.rules.prospecting):
                expected = "each seat once" if self.rules.prospecting else "nobody without prospecting"
                raise PositionError(f"{at}.looked", expected, seats)
            chips[hole] = (hole, kind, sum(1 << seat for seat in seats))
        return [chips[hole] for hole in sorted(chips)]

    def _robbers(self, value: Any) -> list[tuple[int, int, list[int]]]:
        """(hole, kind, loot)."""
        robbers: dict[int, tuple[int, int, list[int]]] = {}
        for i, entry in enumerate(check.items(value, "robbers", 0, len(self.holes))):
            at = f"robbers[{i}]"
            table = check.table(entry, at, ("field", "strength"), ("loot",))
            hole = self._hole(table["field"], f"{at}.field")
            if hole in robbers:
                raise PositionError(f"{at}.field", "each field once", list(table["field"]))
            strength = check.integer(table["strength"], f"{at}.strength", 1, VALUES)
            kind = kind_of_table({"kind": "robber", "value": strength})
            robbers[hole] = (hole, kind, self._chips(table.get("loot", []), f"{at}.loot"))
        return [robbers[hole] for hole in sorted(robbers)]

    # ---- The whole: nothing invented

    def _count_chips(self, f: dict[str, Any]) -> None:
        """Every chip is somewhere; those nobody described lie face down, in ascending order."""
        total = Counter(self.rules.all_chips)
        seen = Counter(kind for _, kind, _ in f["down"] if kind != NONE)
        seen.update(kind for _, kind, _ in f["robbers"])
        for chips in (*(loot for _, _, loot in f["robbers"]), *f["open"], *f["home"]):
            seen.update(chips)
        for kind in range(KINDS):
            if seen[kind] > total[kind]:
                name, value = chip_list(kind)
                raise PositionError(f"{name} chips of {value}", f"at most {total[kind]}", seen[kind])
        left = sorted((total - seen).elements())
        unknown = sum(kind == NONE for _, kind, _ in f["down"])
        if unknown != len(left):
            raise PositionError("chips (of unknown kind)", f"{len(left)}, so that all chips are there", unknown)
        f["down"] = [(hole, left.pop(0) if kind == NONE else kind, seats) for hole, kind, seats in f["down"]]
        both = {hole for hole, _, _ in f["down"]} & {hole for hole, _, _ in f["robbers"]}
        if both:
            raise PositionError("robbers", "no face-down chip on their fields", list(self.golden.holes[min(both)]))

    def _check_diggers(self, f: dict[str, Any]) -> None:
        ashore: set[int] = set()
        for seat, number in enumerate(f["diggers"]):
            at, field = f"diggers[{seat}]", self.golden.fields[number]
            kind = self.golden.kind(field)
            own = field == self.golden.houses[self.rules.colours[seat]]
            if kind == "water" or (kind == "house" and not own):
                raise PositionError(at, "land, a street, the own house or a raft", list(field))
            if kind == "shore" and (number not in f["rafts"] or number in ashore):
                raise PositionError(at, "on a lake a raft of its own", list(field))
            if kind == "shore":
                ashore.add(number)
            arrived = self.phase == "over" and f["locomotive"] == self.last
            if field == self.golden.rail[f["locomotive"]] and not arrived:
                raise PositionError(at, "not the field of the locomotive", list(field))

    def _check_end(self, f: dict[str, Any]) -> None:
        """GG-18."""
        ended = f["locomotive"] == self.last or len(f["down"]) <= self.players
        if ended != (self.phase == "over"):
            expected = "over, as the locomotive or the last chips have it" if ended else "not over"
            raise PositionError("phase", expected, self.phase)

    def _check_setup(self, f: dict[str, Any]) -> None:
        start = self.rules.compiled.fields(self.rules.compiled.start())
        for name in ("locomotive", "diggers", "rafts", "turn"):
            if f[name] != start[name]:
                raise PositionError(name, "as at the start before the first player is known", self.data[name])
        if len(f["down"]) != len(self.holes) or any(seats for _, _, seats in f["down"]):
            raise PositionError("chips", "all of them face down, nobody having looked", len(f["down"]))

    def _check_turn(self, f: dict[str, Any]) -> None:
        """What a turn says is there in the phases that need it, and in no other."""
        phase, fight = self.phase, FIGHT_NAMES[f["fight"]]
        given = self.data["turn"]
        for name, empty, needed in (
            ("steps", 0, phase in ("walk", "retreat")),
            ("fight", 0, phase == "roll"),
            ("defender", NONE, fight in FIGHTS[1:]),
            ("attack", 0, fight == "defence"),
            ("walker", NONE, phase == "retreat" or fight == "away"),
        ):
            if (f[name] != empty) != needed:
                raise PositionError(f"turn.{name}", "a value" if needed else "none", given.get(name))
        if f["looking"] and not (phase == "chip" and self.rules.prospecting):
            raise PositionError("turn.looking", f"false during {phase}", True)
        if phase == "walk":
            check.integer(f["steps"], "turn.steps", 2, 6)
        elif phase == "ferry":
            if self._kind(f["diggers"][f["turn"]]) != "shore":
                raise PositionError(f"diggers[{f['turn']}]", "a raft during ferry", given["seat"])
        elif phase == "prospect" and not self.rules.prospecting:
            raise PositionError("phase", "not prospect without prospecting", phase)
        elif phase == "chip":
            self._check_chip(f)
        elif phase == "roll":
            self._check_fight(f, fight)
        elif phase == "retreat":
            self._check_retreat(f)

    def _kind(self, number: int) -> str:
        return self.golden.kind(self.golden.fields[number])

    def _on_hole(self, number: int, f: dict[str, Any], name: str) -> tuple[int, int, Any] | None:
        """The entry of `down` or `robbers` on a field."""
        hole = self.holes.get(self.golden.fields[number], NONE)
        entries: list[tuple[int, int, Any]] = f[name]
        return next((entry for entry in entries if entry[0] == hole), None)

    def _defender(self, f: dict[str, Any]) -> int:
        """GG-11g: the next clockwise from the seat at turn on its field, outside the city; or NONE."""
        here = f["diggers"][f["turn"]]
        if self._kind(here) != "land":
            return NONE
        seats = [(f["turn"] + i) % self.players for i in range(1, self.players)]
        return next((seat for seat in seats if f["diggers"][seat] == here), NONE)

    def _check_chip(self, f: dict[str, Any]) -> None:
        seat = f["turn"]
        here = f["diggers"][seat]
        if f["looking"]:
            for near in self.golden.neighbours(self.golden.fields[here]):
                entry = self._on_hole(self.rules.numbers[near], f, "down")
                if entry and entry[2] and not entry[2] >> seat & 1:
                    raise PositionError("chips", f"seat {seat} looking at those others know first", list(near))
            return
        entry = self._on_hole(here, f, "down")
        if entry is None or entry[2] or self._defender(f) != NONE:
            expected = "a field with a chip nobody has seen, and no other digger"
            raise PositionError(f"diggers[{seat}]", expected, list(self.golden.fields[here]))

    def _check_fight(self, f: dict[str, Any], fight: str) -> None:
        seat, defender = f["turn"], self._defender(f)
        if fight == "robber":
            if defender != NONE or self._on_hole(f["diggers"][seat], f, "robbers") is None:
                raise PositionError(f"diggers[{seat}]", "alone with a robber", self.data["diggers"][seat])
        elif defender == NONE or f["defender"] != defender:
            expected = "none" if defender == NONE else f"{defender}, the next seat on the field (GG-11g)"
            raise PositionError("turn.defender", expected, f["defender"])
        elif fight == "away":
            self._check_brawl(f, defender)

    def _check_brawl(self, f: dict[str, Any], defender: int) -> None:
        """GG-14: the walker is the winner of the brawl of the turn."""
        seat, walker = f["turn"], f["walker"]
        if walker not in (seat, defender):
            raise PositionError("turn.walker", f"{seat} or {defender}", walker)
        loser = defender if walker == seat else seat
        if f["open"][loser]:
            raise PositionError(f"open[{loser}]", "nothing after a lost brawl", self.data["open"][loser])

    def _check_retreat(self, f: dict[str, Any]) -> None:
        defender = self._defender(f)
        if defender != NONE:
            self._check_brawl(f, defender)
            return
        robber = self._on_hole(f["diggers"][f["turn"]], f, "robbers")
        if f["walker"] != f["turn"] or robber is None:
            expected = f"{f['turn']}, who lost to a robber, or the winner of a brawl"
            raise PositionError("turn.walker", expected, f["walker"])
        check.integer(f["steps"], "turn.steps", 1, chip_list(robber[1])[1] - 1)
        if f["open"][f["turn"]]:
            raise PositionError(f"open[{f['turn']}]", "nothing after a lost fight", self.data["open"][f["turn"]])
