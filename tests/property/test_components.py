"""Component files: a wrong one is refused with ComponentError, any other can be played with."""

import copy
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_cy import (
    ComponentError,
    Game,
    GameRules,
    Generator,
    GoldenMap,
    Goldgraeber,
    MoonRiver,
    MoonRiverComponents,
    Record,
)
from engine_cy.goldgraeber.components import STANDARD as GOLDEN_CITY
from engine_cy.moon_river.components import LANDSCAPES, SPECIALISTS, STANDARD
from tests.property.invariants import attempt, check
from tests.property.strategies import damaged, examples, junk, play
from tests.tables import DATA
from tests.unit.moon_river.table import standard_data

CELLS = ([0, 0], [0, 1], [0, 3], [0, 4], [1, 2])


def assert_playable(rules: GameRules, seed: int) -> None:
    """A game runs to its end, and replays."""
    game = play(Game(rules, seed), seed, 60)
    check(game)
    game.state.copy().playout(Generator(seed), range(rules.players))
    assert check(play(game, seed))["phase"] == "over"
    assert Record.from_json(Record.of(game).to_json()).replay(rules.components) == game


def assert_usable(components: MoonRiverComponents, seed: int) -> None:
    """Games of every table run with the set, and replay."""
    for players in (2, 3, 4):
        for legends in (False, True):
            if legends and len(components.legends_boards) < players:
                continue
            assert_playable(MoonRiver(players, legends=legends, components=components), seed)


@examples(8)
@given(st.data())
def test_an_edited_file_is_refused_or_can_be_played(data: st.DataObject) -> None:
    """The standard set after a few accidents."""
    wrong = data.draw(damaged(standard_data()))
    before = copy.deepcopy(wrong)
    components, _ = attempt(ComponentError, lambda: MoonRiverComponents.from_dict(wrong))
    if components:
        assert_usable(components, 1)
    assert repr(wrong) == repr(before)


def assert_walkable(golden: GoldenMap, seed: int) -> None:
    """The same of a map, as long as games on it end: where nobody gets to the chips, the locomotive comes."""
    for players, prospecting in ((3, True), (6, False)):
        assert_playable(Goldgraeber(players, prospecting=prospecting, components=golden), seed)


@pytest.mark.parametrize("path", [GOLDEN_CITY, DATA / "tiny_golden.toml"], ids=["standard", "tiny"])
@examples(4)
@given(data=st.data())
def test_an_edited_map_is_refused_or_can_be_walked(path: Path, data: st.DataObject) -> None:
    """A map after a few accidents."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    wrong = data.draw(damaged(tables))
    before = copy.deepcopy(wrong)
    golden, _ = attempt(ComponentError, lambda: GoldenMap.from_dict(wrong, test=True))
    if golden:
        assert_walkable(golden, 1)
    assert repr(wrong) == repr(before)


@examples(4)
@given(st.data())
def test_a_map_drawn_otherwise_is_refused_or_can_be_walked(data: st.DataObject) -> None:
    """A few letters of the tiny map are others, and pieces of it lie elsewhere; as many chips as it has holes."""
    tables = tomllib.loads((DATA / "tiny_golden.toml").read_text(encoding="utf-8"))
    rows = [list(row) for row in tables["rows"]]
    for _ in range(data.draw(st.integers(1, 4))):
        row = rows[data.draw(st.integers(0, len(rows) - 1))]
        row[data.draw(st.integers(0, len(row) - 1))] = data.draw(st.sampled_from("olwc."))
    tables["rows"] = ["".join(row) for row in rows]
    holes = sum(row.count("o") for row in tables["rows"])
    tables["chips"] = {"gold": [[1, max(1, holes - 4)]], "robbers": [[3, 4]]}
    tables["piers"] = tables["piers"][: data.draw(st.integers(0, 3))]
    golden, _ = attempt(ComponentError, lambda: GoldenMap.from_dict(tables, test=True))
    if golden:
        assert_walkable(golden, 2)


@examples(3)
@given(junk)
def test_what_is_no_map_is_refused(value: Any) -> None:
    """Arbitrary values."""
    with pytest.raises(ComponentError):
        GoldenMap.from_dict(value)


@examples(3)
@given(junk)
def test_what_is_no_component_set_is_refused(value: Any) -> None:
    """Arbitrary values."""
    with pytest.raises(ComponentError):
        MoonRiverComponents.from_dict(value)


@examples(4)
@given(st.data())
def test_a_value_of_the_wrong_kind_is_refused(data: st.DataObject) -> None:
    """Any junk at the place of any field, unless it happens to fit."""
    tables = standard_data()
    table = data.draw(st.sampled_from([tables, tables["partners"], *tables["plot"], *tables["board"]]))
    table[data.draw(st.sampled_from(sorted(table)))] = data.draw(junk)
    components, _ = attempt(ComponentError, lambda: MoonRiverComponents.from_dict(tables))
    if components:
        assert_usable(components, 2)


@st.composite
def sets(draw: st.DrawFn) -> dict[str, Any]:
    """Any set within the limits: few plots or many, no cows, no tokens, hands of eight plots, columns of eight."""
    size = draw(st.integers(4, 8))
    symbols = {name: st.integers(0, 9) for name in ("nuggets", "beavers", "cobs")}
    optional: dict[str, st.SearchStrategy[Any]] = {**symbols, "skull": st.booleans(), "circle": st.booleans()}
    basic: dict[str, st.SearchStrategy[Any]] = {
        "number": st.integers(1, 6),
        "landscape": st.sampled_from(LANDSCAPES),
        "cows": st.integers(0, 2),
    }
    kinds = draw(st.lists(st.fixed_dictionaries(basic, optional=optional), min_size=1, max_size=64, unique_by=_kind))
    plots: list[dict[str, Any]] = [
        plot | {"cows": plot["cows"] * (plot["landscape"] != "corn"), "count": 1} for plot in kinds
    ]
    more = size * draw(st.integers(-(-len(plots) // size), 128 // size)) - len(plots)
    for plot in draw(st.lists(st.sampled_from(plots), min_size=more, max_size=more)):
        plot["count"] += 1
    board = st.fixed_dictionaries(
        {
            "storage": st.integers(1, 7),
            "bridges": st.lists(st.sampled_from(CELLS), min_size=1, max_size=5, unique_by=str),
        }
    )
    sides = st.lists(st.sampled_from(LANDSCAPES), min_size=2, max_size=2, unique=True)
    return {
        "format": 1,
        "name": "any",
        "cows": draw(st.integers(0, 200)),
        "column_size": size,
        "saloon_size": draw(st.integers(0, 8)),
        "partners": {name: draw(st.integers(0, 6)) for name in SPECIALISTS},
        "plot": plots,
        "bonus_tile": [{"sides": draw(sides)} for _ in range(draw(st.integers(0, 4)))],
        "board": [{"name": name, **draw(board)} for name in ("camp", "a", "b", "c", "d")],
    }


def _kind(plot: dict[str, Any]) -> str:
    filled = {"nuggets": 0, "beavers": 0, "cobs": 0, "skull": False, "circle": False} | plot
    return repr(sorted((filled | {"cows": plot["cows"] * (plot["landscape"] != "corn")}).items()))


@examples(2)
@given(sets(), st.integers(0, 2**64 - 1))
def test_every_set_within_the_limits_can_be_played(data: dict[str, Any], seed: int) -> None:
    """However odd: the engine holds no number of the standard set."""
    assert_usable(MoonRiverComponents.from_dict(data), seed)


@given(sets())
def test_the_hash_says_what_the_set_says(data: dict[str, Any]) -> None:
    """The same file gives the same hash; another cow, another."""
    one, same = (MoonRiverComponents.from_dict(copy.deepcopy(data)) for _ in range(2))
    assert (one, one.digest) == (same, same.digest)
    data["cows"] = (data["cows"] + 1) % 200
    assert MoonRiverComponents.from_dict(data).digest != one.digest


def load(text: bytes) -> MoonRiverComponents:
    """A component file with such bytes."""
    with tempfile.NamedTemporaryFile(suffix=".toml") as file:
        Path(file.name).write_bytes(text)
        return MoonRiverComponents.load(file.name)


@examples(2)
@given(st.one_of(st.binary(), st.text().map(str.encode)))
def test_arbitrary_bytes_are_no_component_file(text: bytes) -> None:
    """Neither text nor TOML nor a set."""
    with pytest.raises(ComponentError):
        load(text)


@examples(4)
@given(st.data())
def test_a_corrupt_file_is_refused_or_can_be_played(data: st.DataObject) -> None:
    """The standard file, cut off or with a few bytes changed."""
    text = bytearray(STANDARD.read_bytes())
    if data.draw(st.booleans()):
        del text[data.draw(st.integers(0, len(text) - 1)) :]
    for _ in range(data.draw(st.integers(0, 3)) if text else 0):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    components, _ = attempt(ComponentError, lambda: load(bytes(text)))
    if components:
        assert_usable(components, 3)


@pytest.mark.parametrize(
    "text", [b"a=" + b"[" * 5000, b"a=" + b"{b=" * 5000, b"a=" + b"1" * 5000, b"a=0x" + b"f" * 6000, b"\xff", b"\0"]
)
def test_a_monstrous_file_is_refused(text: bytes) -> None:
    """Nested deeper, or with longer numbers, than the reader goes."""
    with pytest.raises(ComponentError):
        load(text)


@pytest.mark.parametrize("text", [b"a" + b".a" * 30_000 + b"=1", b"a" + b".a" * 8000 + b"=1", b"#" * 16_385], ids=len)
def test_a_large_file_is_refused_unread(text: bytes, tmp_path: Path) -> None:
    """The reader would think about the parts of the first key for 15 s, and fill 250 MB with those of the second."""
    path = tmp_path / "set.toml"
    path.write_bytes(text)
    for read in (MoonRiverComponents.load, GoldenMap.load):
        with pytest.raises(ComponentError, match=r"at most (16384 bytes|1000 dots)") as caught:
            read(path)
        assert caught.value.field == str(path)
    with pytest.raises(ComponentError, match=r"at most (16384 bytes|1000 dots)"):
        GoldenMap.parse(text.decode())
