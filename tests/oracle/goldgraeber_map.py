"""Goldgräber oracle, part 1: the map and the steps one may take on it (GG-1, GG-6, GG-7, GG-8)."""

from __future__ import annotations

from typing import Protocol

Place = tuple[int, int]  # (row, column)


class MapData(Protocol):
    """What the oracle reads of a map file; everything else it works out for itself."""

    @property
    def rows(self) -> tuple[str, ...]: ...
    @property
    def rail(self) -> tuple[Place, ...]: ...
    @property
    def doors(self) -> tuple[Place, ...]: ...
    @property
    def houses(self) -> tuple[Place, ...]: ...
    @property
    def piers(self) -> tuple[Place, ...]: ...
    @property
    def gold(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def robbers(self) -> tuple[tuple[int, int], ...]: ...


def adjacent(one: Place, other: Place) -> bool:
    """Odd rows are shoved half a hex to the right: in half hexes, neighbours are 2 apart in a row, 1 across rows."""
    across = abs(2 * one[1] + one[0] % 2 - 2 * other[1] - other[0] % 2)
    return (abs(one[0] - other[0]), across) in ((0, 2), (1, 1))


class Board:
    """The hexes, what they are, and which lie next to each other."""

    def __init__(self, data: MapData) -> None:
        self.letters: dict[Place, str] = {
            (row, column): letter
            for row, line in enumerate(data.rows)
            for column, letter in enumerate(line)
            if letter != "."
        }
        self.near: dict[Place, list[Place]] = {
            place: [other for other in sorted(self.letters) if adjacent(place, other)] for place in self.letters
        }
        self.rail = [(row, column) for row, column in data.rail]
        self.doors = [(row, column) for row, column in data.doors]  # by colour
        self.houses = [(row, column) for row, column in data.houses]  # by colour
        self.holes = {place for place, letter in self.letters.items() if letter == "o"}
        self.kinds = {place: self.find_kind(place) for place in self.letters}

    def find_kind(self, place: Place) -> str:
        """GG-1: a lake field next to land is a shore; streets are not land."""
        letter = self.letters[place]
        if letter in "lo":
            return "land"
        if letter == "c":
            return "city"
        if letter != "w":
            return "house"
        return "shore" if any(self.letters[near] in "lo" for near in self.near[place]) else "water"

    def lake(self, place: Place) -> set[Place]:
        """All fields of the lake this one belongs to."""
        lake = {place}
        while True:
            more = {near for field in lake for near in self.near[field] if self.letters[near] == "w"}
            if more <= lake:
                return lake
            lake |= more

    def shores(self, place: Place) -> set[Place]:
        """The shore fields of the lake this field belongs to."""
        return {field for field in self.lake(place) if self.kinds[field] == "shore"}

    def outside_city(self, place: Place) -> bool:
        """Where GG-11a has fights: on land."""
        return self.kinds[place] == "land"

    def may_step(self, here: Place, to: Place, colour: int, last: bool, free_rafts: set[Place]) -> bool:
        """May a digger of this colour step from here to a field next to it? `last`: with the last step of the walk."""
        kind = self.kinds[to]
        if kind == "water":
            return False
        if kind == "house":  # GG-7, GG-7a: the own one, through its door, with the exact number
            return to == self.houses[colour] and here == self.doors[colour] and last
        if kind == "shore":  # GG-8, GG-1: from land onto a free raft, and no further
            return self.kinds[here] == "land" and last and to in free_rafts
        if self.kinds[here] == "shore":  # GG-8: off the raft, onto land
            return kind == "land"
        if self.kinds[here] == "house":  # GG-7
            return to == self.doors[colour]
        return True
