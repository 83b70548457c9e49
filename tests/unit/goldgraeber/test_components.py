"""The map (section 1, GG-1, GG-2): what the loader makes of a map file, and what a map file may not say."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine_cy import ComponentError
from engine_cy.goldgraeber import Field, GoldenMap, standard
from engine_cy.goldgraeber.components import STANDARD

PATH = Path(__file__).parents[2] / "data" / "tiny_golden.toml"
TINY = GoldenMap.load(PATH, test=True)


def tiny_data() -> dict[str, Any]:
    return tomllib.loads(PATH.read_text(encoding="utf-8"))


def standard_data() -> dict[str, Any]:
    return tomllib.loads(STANDARD.read_text(encoding="utf-8"))


def with_letters(data: dict[str, Any], *changes: tuple[int, int, str]) -> dict[str, Any]:
    """The same map with other letters at some places."""
    rows = [list(row) for row in data["rows"]]
    for row, column, letter in changes:
        rows[row][column] = letter
    return data | {"rows": ["".join(row) for row in rows]}


def with_rows(*rows: str) -> dict[str, Any]:
    """The tiny map with more rows below."""
    data = tiny_data()
    return data | {"rows": [*data["rows"], *rows]}


def with_entry(name: str, index: int, value: Any) -> dict[str, Any]:
    """The tiny map with another entry in one of its lists."""
    data = tiny_data()
    entries = list(data[name])
    entries[index] = value
    return data | {name: entries}


def with_chips(gold: Any, robbers: Any) -> dict[str, Any]:
    return tiny_data() | {"chips": {"gold": gold, "robbers": robbers}}


# -------------------------------------------------------------------- what a map says


def test_standard_map() -> None:
    """Section 1: 64 holes, three lakes with two rafts each, six houses, one line; the chips of the game."""
    golden = standard()
    assert golden is standard()
    assert (golden.name, len(golden.holes), len(golden.houses), len(golden.piers)) == ("golden-city", 64, 6, 6)
    assert [sum(pier in lake for pier in golden.piers) for lake in golden.lakes] == [2, 2, 2]
    assert golden.gold == ((1, 8), (2, 10), (3, 12), (4, 10), (5, 8))
    assert golden.robbers == ((1, 1), (2, 3), (3, 4), (4, 5), (5, 3))
    assert 120 <= len(golden.fields) <= 190
    assert 20 <= len(golden.rail) <= 30


def test_no_dead_corner_on_the_standard_map() -> None:
    """GG-6b: wherever a walk gets on foot, it gets on."""
    golden = standard()
    for field in golden.fields:
        if golden.kind(field) in ("land", "city"):
            ways = [near for near in golden.neighbours(field) if golden.kind(near) in ("land", "city")]
            assert len(ways) > 1, field


def test_kinds() -> None:
    """GG-1: a lake field next to land is shore; beside streets only, or inside the lake, it is water."""
    kinds = {(1, 2): "land", (1, 5): "land", (4, 3): "land", (4, 4): "city", (4, 8): "house"}
    kinds |= {(2, 4): "shore", (6, 6): "shore", (5, 5): "shore", (0, 4): "water", (5, 6): "water"}
    assert {place: TINY.kind(place) for place in kinds} == kinds
    with pytest.raises(KeyError):
        TINY.kind((0, 0))


def test_adjacency() -> None:
    """Section 1: hexes in odd-r rows: odd rows are shoved half a hex to the right."""
    assert TINY.neighbours((4, 4)) == ((3, 3), (3, 4), (4, 3), (4, 5), (5, 3), (5, 4))  # all six, an even row
    assert TINY.neighbours((5, 2)) == ((4, 2), (4, 3), (5, 1), (5, 3), (6, 2), (6, 3))  # all six, an odd row
    assert TINY.neighbours((4, 8)) == ((4, 7),)
    for field in TINY.fields:
        assert all(field in TINY.neighbours(near) for near in TINY.neighbours(field))
    with pytest.raises(KeyError):
        TINY.neighbours((-1, 2))


def test_lists() -> None:
    """Section 1: fields and holes in order, houses and doors by colour, lakes as connected groups."""
    assert list(TINY.fields) == sorted(TINY.fields)
    assert (len(TINY.fields), len(TINY.holes)) == (44, 14)
    assert TINY.houses == ((4, 8), (8, 2), (0, 2), (8, 6), (4, 0), (0, 6))
    assert all(TINY.neighbours(house) == (door,) for house, door in zip(TINY.houses, TINY.doors, strict=True))
    assert TINY.lakes == (((0, 4), (1, 3), (1, 4), (2, 4)), ((5, 5), (5, 6), (6, 6)))
    assert (TINY.shores(0), TINY.shores(1)) == (((1, 3), (1, 4), (2, 4)), ((5, 5), (6, 6)))
    assert (TINY.gold, TINY.robbers) == (((1, 3), (3, 4), (5, 3)), ((2, 2), (4, 2)))


def test_names_of_fields() -> None:
    """People read a field like a chess square."""
    assert [str(Field(*place)) for place in ((0, 0), (4, 25), (9, 26), (0, 53))] == ["a1", "z5", "aa10", "bb1"]


def test_digest() -> None:
    """It says what the map says, however it is written, chips included."""
    chips = tiny_data()["chips"]
    same = GoldenMap.from_dict(with_chips(list(reversed(chips["gold"])), chips["robbers"]), test=True)
    assert (same, same.digest) == (TINY, TINY.digest)
    other = GoldenMap.from_dict(with_chips([[1, 4], [3, 4], [5, 2]], chips["robbers"]), test=True)
    assert other.digest != TINY.digest
    assert GoldenMap.from_dict(tiny_data() | {"name": "else"}, test=True).digest != TINY.digest


def test_parse() -> None:
    """From a file or its text."""
    assert GoldenMap.parse(PATH.read_text(encoding="utf-8"), test=True) == TINY
    assert GoldenMap.load(STANDARD) == standard() == GoldenMap.load(STANDARD, test=True)


# -------------------------------------------------------------------- what it may not say

MANY_RAILS = [[6, 2]] * 65
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("format", tiny_data() | {"format": 2}),
    ("name", tiny_data() | {"name": ""}),
    ("scale", tiny_data() | {"scale": 2}),
    ("piers", {key: value for key, value in tiny_data().items() if key != "piers"}),
    # rows
    ("rows", tiny_data() | {"rows": []}),
    ("rows", tiny_data() | {"rows": "..C.w.F.."}),
    ("rows[9]", with_rows("........")),
    ("rows[3]", with_letters(tiny_data(), (3, 3, "x"))),
    ("rows[9]", with_rows(5)),  # type: ignore[arg-type]
    ("rows", with_letters(tiny_data(), (0, 2, "."))),  # no house C
    ("rows", with_letters(tiny_data(), (7, 5, "A"))),  # a second house A
    ("rows", with_rows(*["lllllllll"] * 30)),  # more than 256 fields
    ("rows", with_rows(*["ooooooooo"] * 10)),  # more than 96 holes
    ("rows", with_rows(".........", "w.w.w....")),  # five lakes
    ("rows", with_rows(".........", "ll.......")),  # an island
    ("rows", with_letters(tiny_data(), (3, 3, "o"))),  # a hole without a chip
    # the line
    ("rail", tiny_data() | {"rail": [[6, 2]]}),
    ("rail", tiny_data() | {"rail": MANY_RAILS}),
    ("rail[1]", with_entry("rail", 1, [5])),
    ("rail[1][0]", with_entry("rail", 1, ["5", 2])),
    ("rail[1][1]", with_entry("rail", 1, [5, -2])),
    ("rail[1][1]", with_entry("rail", 1, [5, True])),
    ("rail[2]", with_entry("rail", 2, [6, 2])),  # twice
    ("rail[2]", with_entry("rail", 2, [4, 2])),  # a dig hole
    ("rail[2]", with_entry("rail", 2, [40, 2])),  # outside
    ("rail[2]", with_entry("rail", 2, [5, 5])),  # a lake
    ("rail[2]", with_entry("rail", 2, [5, 4])),  # not adjacent to the one before
    ("rail[2]", tiny_data() | {"rail": [[6, 2], [6, 3], [5, 2], [4, 3]]}),  # adjacent to the first
    ("rail[0]", tiny_data() | {"rail": [[5, 2], [4, 3], [4, 4]]}),  # begins inland
    ("rail[1]", tiny_data() | {"rail": [[6, 2], [5, 2]]}),  # ends before the city
    # doors and houses
    ("doors", tiny_data() | {"doors": tiny_data()["doors"][:5]}),
    ("doors[1]", with_entry("doors", 1, "a5")),
    ("doors[0]", with_entry("doors", 0, [4, 6])),  # not next to the house, and on the rail
    ("doors[0]", with_letters(tiny_data(), (4, 7, "w"))),
    ("doors[0]", tiny_data() | {"rail": [*tiny_data()["rail"], [4, 7]]}),  # the line comes to the door
    ("doors[1]", with_entry("doors", 1, [7, 3])),  # not next to the house
    ("doors[2]", with_letters(tiny_data(), (0, 3, "l"))),  # a second way into the house
    ("doors[2]", with_letters(tiny_data(), (0, 3, "w"))),  # also if nobody can walk there
    # piers
    ("piers[0]", with_entry("piers", 0, [1, 2])),  # land
    ("piers[0]", with_entry("piers", 0, [0, 4])),  # inside the lake
    ("piers[0]", with_entry("piers", 0, [5, 6])),  # GG-1: beside streets only
    ("piers[0]", with_entry("piers", 0, [0, 0])),  # outside
    ("piers[1]", with_entry("piers", 1, [1, 3])),  # twice
    ("piers", with_entry("piers", 2, [1, 4])),  # three in a lake
    ("piers", tiny_data() | {"piers": [[1, 3]] * 9}),  # more than 8 rafts
    # chips
    ("chips", tiny_data() | {"chips": []}),
    ("chips.robbers", tiny_data() | {"chips": {"gold": [[1, 14]]}}),
    ("chips.silver", tiny_data() | {"chips": {"gold": [[1, 14]], "robbers": [], "silver": []}}),
    ("chips.gold", with_chips(14, [])),
    ("chips.gold", with_chips([[value, 1] for value in range(1, 7)], [[1, 8]])),
    ("chips.gold[0]", with_chips([14], [])),
    ("chips.gold[0][0]", with_chips([[6, 14]], [])),
    ("chips.gold[0][1]", with_chips([[5, 97]], [])),
    ("chips.gold[1][1]", with_chips([[1, 14], [2, 0]], [])),
    ("chips.gold[1]", with_chips([[1, 7], [1, 7]], [])),
    ("chips.robbers[0][0]", with_chips([[1, 10]], [[0, 4]])),
    ("rows", with_chips([[1, 10]], [[1, 3]])),  # a hole too many
    ("chips", with_letters(
        with_chips([[1, 6]], []),
        *[(hole.row, hole.column, "l") for hole in TINY.holes[:8]],
    )),
]  # fmt: skip


@pytest.mark.parametrize(("field", "data"), WRONG)
def test_wrong_maps(field: str, data: dict[str, Any]) -> None:
    """Section 1: the message names the field; what was read is not changed."""
    before = copy.deepcopy(data)
    with pytest.raises(ComponentError) as caught:
        GoldenMap.from_dict(data, test=True)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: expected ")
    assert data == before


STANDARD_ONLY: list[tuple[str, dict[str, Any]]] = [
    ("chips", tiny_data()),  # only a test map brings its own
    ("chips", standard_data() | {"chips": {"gold": [[1, 64]], "robbers": []}}),
    ("rows", {key: value for key, value in tiny_data().items() if key != "chips"}),  # too few holes
    ("rows", with_letters(standard_data(), (1, 6, "l"))),  # 63
    ("rows", with_letters(standard_data(), (2, 5, "o"))),  # 65
    ("rows", with_letters(standard_data(), (14, 8, "w"))),  # a fourth lake
    ("piers", standard_data() | {"piers": standard_data()["piers"][1:]}),
    ("piers", standard_data() | {"piers": [*standard_data()["piers"], [3, 7]]}),  # three in a lake
]


@pytest.mark.parametrize(("field", "data"), STANDARD_ONLY)
def test_the_numbers_of_the_game(field: str, data: dict[str, Any]) -> None:
    """Section 1, GG-2: 64 holes and chips, three lakes, two piers a lake; only a test map may differ."""
    with pytest.raises(ComponentError) as caught:
        GoldenMap.from_dict(data)
    assert caught.value.field == field


def test_smaller_test_maps() -> None:
    """Section 1: without rafts, without a lake, with robbers alone, with no more chips than seven."""
    assert GoldenMap.from_dict(tiny_data() | {"piers": []}, test=True).piers == ()
    lake = [(*field, ".") for golden in TINY.lakes for field in golden]
    assert GoldenMap.from_dict(with_letters(tiny_data() | {"piers": []}, *lake), test=True).lakes == ()
    assert GoldenMap.from_dict(with_chips([], [[5, 14]]), test=True).gold == ()
    holes = [(*hole, "l") for hole in TINY.holes[:7]]
    assert len(GoldenMap.from_dict(with_letters(with_chips([[1, 7]], []), *holes), test=True).holes) == 7


@pytest.mark.parametrize("data", [None, [], "map", 5, {}, {1: 2}])
def test_no_map_at_all(data: Any) -> None:
    """Arbitrary values."""
    with pytest.raises(ComponentError):
        GoldenMap.from_dict(data)


@pytest.mark.parametrize("text", ["rows = [", "a=" + "[" * 5000, "a=" + "1" * 5000, "\0", ""])
def test_no_toml(text: str) -> None:
    """Neither a broken file, nor one nested deeper or with longer numbers than the reader goes."""
    with pytest.raises(ComponentError):
        GoldenMap.parse(text)


def test_no_text(tmp_path: Path) -> None:
    """The message names the file."""
    path = tmp_path / "map.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(ComponentError) as caught:
        GoldenMap.load(path)
    assert caught.value.field == str(path)
    with pytest.raises(FileNotFoundError):
        GoldenMap.load(tmp_path / "none.toml")
