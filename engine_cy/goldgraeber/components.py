"""The map file: the hexes of Golden City and its surroundings, loaded, checked, and given names."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from engine_cy.checks import Checker
from engine_cy.errors import ComponentError
from engine_cy.files import parse_tables, read_tables
from engine_cy.goldgraeber.state import MAX_FIELDS, MAX_HOLES, MAX_LAKES, MAX_RAIL, SEATS, VALUES

STANDARD = Path(__file__).parent.parent / "components" / "golden_city.toml"
HOUSES = "ABCDEF"  # the letter of a colour's house
LEGEND = ".olwc" + HOUSES

# The printed game; a test map may have fewer holes, lakes and piers, and other counts of chips.
GOLD = ((1, 8), (2, 10), (3, 12), (4, 10), (5, 8))
ROBBERS = ((1, 1), (2, 3), (3, 4), (4, 5), (5, 3))
HOLES, LAKES, PIERS_A_LAKE = 64, 3, 2

check = Checker(ComponentError)


class Field(NamedTuple):
    """A hex of the map. Written like a chess square: column letter, row from 1."""

    row: int
    column: int

    def __str__(self) -> str:
        letters, rest = "", self.column
        while rest >= 0:
            letters, rest = chr(ord("a") + rest % 26) + letters, rest // 26 - 1
        return f"{letters}{self.row + 1}"

    @property
    def around(self) -> tuple["Field", ...]:
        """The six hexes next to this one, whether the map has them or not; odd rows are shoved to the right."""
        row, column = self
        left = column - 1 + row % 2  # of the two neighbours in the row above, and below
        places = ((row - 1, left), (row - 1, left + 1), (row, column - 1), (row, column + 1))
        return tuple(Field(*place) for place in (*places, (row + 1, left), (row + 1, left + 1)))


@dataclass(frozen=True)
class GoldenMap:
    """A checked map; doors and houses are in the order of the colours."""

    name: str
    digest: str
    rows: tuple[str, ...]
    rail: tuple[Field, ...]
    doors: tuple[Field, ...]
    houses: tuple[Field, ...]
    piers: tuple[Field, ...]
    gold: tuple[tuple[int, int], ...]  # (value, count), by value
    robbers: tuple[tuple[int, int], ...]  # (strength, count), by strength
    tables: Mapping[str, Any] = dataclasses.field(compare=False, repr=False)  # of its file

    @classmethod
    def load(cls, path: str | Path, *, test: bool = False) -> "GoldenMap":
        """Read a file; a wrong one raises ComponentError, a missing one OSError."""
        return cls.from_dict(read_tables(path), test=test)

    @classmethod
    def parse(cls, text: str, *, test: bool = False) -> "GoldenMap":
        """The map a file with this text describes."""
        return cls.from_dict(parse_tables(text.encode(errors="surrogatepass"), "text"), test=test)

    @classmethod
    def from_dict(cls, data: Any, *, test: bool = False) -> "GoldenMap":
        """Check the tables of a map file, as tomllib gives them; `test` allows a smaller map with its own chips."""
        top = check.table(data, "", cls.keys(), ["chips"] if test else [])
        check.integer(top["format"], "format", 1, 1)
        rows = _rows(top["rows"])
        gold, robbers = _chips(top["chips"]) if "chips" in top else (GOLD, ROBBERS)
        parts: dict[str, Any] = {
            "name": check.text(top["name"], "name"),
            "rows": rows,
            "rail": _fields(top["rail"], "rail", 2, MAX_RAIL),
            "doors": _fields(top["doors"], "doors", len(HOUSES), len(HOUSES), distinct=False),
            "houses": _houses(rows),
            "piers": _fields(top["piers"], "piers", 0, MAX_LAKES * PIERS_A_LAKE),
            "gold": gold,
            "robbers": robbers,
        }
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
        golden = cls(**parts, digest=digest, tables=top)
        _check_size(golden, test)
        _check_lakes(golden, test)
        _check_rail(golden)
        _check_doors(golden)
        _check_ways(golden)
        return golden

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """What a file must have at its top."""
        return "format", "name", "rows", "rail", "doors", "piers"

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Every hex of the map, in the order of (row, column)."""
        return tuple(Field(i, j) for i, row in enumerate(self.rows) for j, letter in enumerate(row) if letter != ".")

    @cached_property
    def holes(self) -> tuple[Field, ...]:
        """The fields with a dig hole, in order."""
        return tuple(field for field in self.fields if self.letter(field) == "o")

    def letter(self, field: tuple[int, int]) -> str:
        """What the file says about a hex; `.` outside."""
        row, column = field
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])
        return self.rows[row][column] if inside else "."

    def kind(self, field: tuple[int, int]) -> str:
        """GG-1*: land, city, house, shore or water; KeyError where the map has no field."""
        return self._kinds[Field(*field)]

    def neighbours(self, field: tuple[int, int]) -> tuple[Field, ...]:
        """The adjacent fields, in order, whether one may step there or not; KeyError where the map has no field."""
        return self._neighbours[Field(*field)]

    @cached_property
    def lakes(self) -> tuple[tuple[Field, ...], ...]:
        """The connected groups of lake fields, each in order, by their first field."""
        water = [field for field in self.fields if self.letter(field) == "w"]
        lakes: list[tuple[Field, ...]] = []
        for field in water:
            if not any(field in lake for lake in lakes):
                lakes.append(tuple(sorted(self._reach(field, "w"))))
        return tuple(lakes)

    def shores(self, lake: int) -> tuple[Field, ...]:
        """The shore fields of a lake, in order."""
        return tuple(field for field in self.lakes[lake] if self.kind(field) == "shore")

    @cached_property
    def _kinds(self) -> Mapping[Field, str]:
        names = {"l": "land", "o": "land", "c": "city", "w": "water"} | dict.fromkeys(HOUSES, "house")
        kinds = {field: names[self.letter(field)] for field in self.fields}
        for field, kind in kinds.items():
            if kind == "water" and any(kinds[near] == "land" for near in self.neighbours(field)):
                kinds[field] = "shore"
        return kinds

    @cached_property
    def _neighbours(self) -> Mapping[Field, tuple[Field, ...]]:
        return {field: tuple(near for near in field.around if self.letter(near) != ".") for field in self.fields}

    def _reach(self, start: Field, letters: str) -> set[Field]:
        """The fields one can get to from a field by fields with such letters."""
        reached, todo = {start}, [start]
        while todo:
            for near in self.neighbours(todo.pop()):
                if near not in reached and self.letter(near) in letters:
                    reached.add(near)
                    todo.append(near)
        return reached


@cache
def standard() -> GoldenMap:
    """The map of the game."""
    return GoldenMap.load(STANDARD)


def _rows(data: Any) -> tuple[str, ...]:
    rows = tuple(
        check.text(row, f"rows[{i}]", MAX_FIELDS) for i, row in enumerate(check.items(data, "rows", 1, MAX_FIELDS))
    )
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ComponentError(f"rows[{i}]", f"a row as long as the first: {len(rows[0])} characters", row)
        if not set(row) <= set(LEGEND):
            raise ComponentError(f"rows[{i}]", f"only the characters {LEGEND}", row)
    return rows


def _houses(rows: Sequence[str]) -> tuple[Field, ...]:
    """Where each colour's house stands."""
    places = []
    for letter in HOUSES:
        found = [Field(i, j) for i, row in enumerate(rows) for j, mark in enumerate(row) if mark == letter]
        if len(found) != 1:
            raise ComponentError("rows", f"the house {letter} once", f"{len(found)} times")
        places += found
    return tuple(places)


def _fields(data: Any, name: str, low: int, high: int, *, distinct: bool = True) -> tuple[Field, ...]:
    """A list of (row, column); whether the map has such fields is checked later."""
    fields: list[Field] = []
    for i, pair in enumerate(check.items(data, name, low, high)):
        row, column = check.items(pair, f"{name}[{i}]", 2, 2)
        field = Field(
            check.integer(row, f"{name}[{i}][0]", 0, MAX_FIELDS),
            check.integer(column, f"{name}[{i}][1]", 0, MAX_FIELDS),
        )
        if distinct and field in fields:
            raise ComponentError(f"{name}[{i}]", "each field once", pair)
        fields.append(field)
    return tuple(fields)


def _chips(data: Any) -> tuple[tuple[tuple[int, int], ...], ...]:
    table = check.table(data, "chips", ("gold", "robbers"))
    return tuple(_counts(table[name], f"chips.{name}") for name in ("gold", "robbers"))


def _counts(data: Any, name: str) -> tuple[tuple[int, int], ...]:
    """Pairs (value or strength, count), put in order."""
    counts: dict[int, int] = {}
    for i, pair in enumerate(check.items(data, name, 0, VALUES)):
        value, count = check.items(pair, f"{name}[{i}]", 2, 2)
        check.integer(value, f"{name}[{i}][0]", 1, VALUES)
        if value in counts:
            raise ComponentError(f"{name}[{i}]", "each value once", pair)
        counts[value] = check.integer(count, f"{name}[{i}][1]", 1, MAX_HOLES)
    return tuple(sorted(counts.items()))


def _check_size(golden: GoldenMap, test: bool) -> None:
    """What the state can hold, and as many chips as holes."""
    if len(golden.fields) > MAX_FIELDS:
        raise ComponentError("rows", f"at most {MAX_FIELDS} fields", len(golden.fields))
    holes, chips = len(golden.holes), sum(count for _, count in golden.gold + golden.robbers)
    if holes > MAX_HOLES:
        raise ComponentError("rows", f"at most {MAX_HOLES} dig holes", holes)
    if not test and holes != HOLES:
        raise ComponentError("rows", f"{HOLES} dig holes", holes)
    if holes != chips:
        raise ComponentError("rows", f"a dig hole for each of the {chips} chips", holes)
    if chips <= SEATS:
        raise ComponentError("chips", f"more than {SEATS} chips", chips)


def _check_lakes(golden: GoldenMap, test: bool) -> None:
    """Separate lakes with two piers each; on a test map at most four, with at most two."""
    lakes = len(golden.lakes)
    if (lakes > MAX_LAKES) if test else (lakes != LAKES):
        raise ComponentError("rows", f"at most {MAX_LAKES} lakes" if test else f"{LAKES} separate lakes", lakes)
    for i, pier in enumerate(golden.piers):
        if golden.letter(pier) != "w" or golden.kind(pier) != "shore":
            raise ComponentError(f"piers[{i}]", "a shore field: a lake field next to land", list(pier))
    for lake in golden.lakes:
        piers = [list(pier) for pier in golden.piers if pier in lake]
        if (len(piers) > PIERS_A_LAKE) if test else (len(piers) != PIERS_A_LAKE):
            size = f"at most {PIERS_A_LAKE}" if test else str(PIERS_A_LAKE)
            raise ComponentError("piers", f"{size} in the lake at {list(lake[0])}", piers)


def _check_rail(golden: GoldenMap) -> None:
    """One unbranched line over land and streets, from the edge to the city."""
    rail = golden.rail
    for i, field in enumerate(rail):
        if golden.letter(field) not in ("l", "c"):
            raise ComponentError(f"rail[{i}]", "a land field without a dig hole, or a street", list(field))
        for j, other in enumerate(rail[:i]):
            if (other in field.around) != (j == i - 1):
                fault = "adjacent to the field before it" if j == i - 1 else f"not adjacent to rail[{j}]"
                raise ComponentError(f"rail[{i}]", f"a field {fault}", list(field))
    if len(golden.neighbours(rail[0])) == len(rail[0].around):
        raise ComponentError("rail[0]", "a field at the edge of the map", list(rail[0]))
    if all(golden.letter(near) != "c" for near in (rail[-1], *golden.neighbours(rail[-1]))):
        raise ComponentError(f"rail[{len(rail) - 1}]", "a street or a field next to one", list(rail[-1]))


def _check_doors(golden: GoldenMap) -> None:
    """Each house has a single neighbour, a land field or street off the rail."""
    for i, (house, door) in enumerate(zip(golden.houses, golden.doors, strict=True)):
        if golden.letter(door) not in ("l", "o", "c") or door in golden.rail:
            raise ComponentError(f"doors[{i}]", "a land field or street that is not on the rail", list(door))
        if golden.neighbours(house) != (door,):
            near = " ".join(str(list(field)) for field in golden.neighbours(house)) or "none"
            raise ComponentError(f"doors[{i}]", f"the only neighbour of house {HOUSES[i]}; it has {near}", list(door))


def _check_ways(golden: GoldenMap) -> None:
    """All land and streets can be reached on foot from any door."""
    ground = {field for field in golden.fields if golden.letter(field) in ("l", "o", "c")}
    missing = ground - golden._reach(golden.doors[0], "loc")
    if missing:
        raise ComponentError("rows", "land and streets all connected without a raft", f"no way to {list(min(missing))}")
