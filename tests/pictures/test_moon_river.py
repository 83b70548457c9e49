"""The pictures of Moon River: complete, the same for the same position, and silent about hidden orders."""

from typing import Any
from xml.etree import ElementTree

import pytest

from engine_cy import Game, Generator, MoonRiver, MoonRiverComponents
from engine_cy.moon_river.components import Cell
from pictures import picture
from tests.pictures.moments import MOON_RIVER, SVG, drawn, group, marked, panel, parsed, states, words
from tests.tables import advance
from tests.unit.moon_river.table import (
    FOREST,
    MEADOW_CIRCLE,
    MEADOW_COW,
    Laid,
    Ranch,
    final,
    full_except,
    places,
    standard_data,
    table,
)

variants = pytest.mark.parametrize("rules", MOON_RIVER.values(), ids=MOON_RIVER)


def cell(game: Game, name: str, seat: int = 0) -> ElementTree.Element:
    return group(panel(drawn(game), seat), "cell", name)


def icons(element: ElementTree.Element) -> list[str]:
    return [use.attrib["href"].removeprefix("#mr-light-") for use in element.iter(f"{SVG}use")]


def components(**changes: Any) -> MoonRiverComponents:
    return MoonRiverComponents.from_dict({**standard_data(), **changes})


@variants
def test_random_positions(rules: MoonRiver) -> None:
    """Everything that lies on the table is drawn, once, with its cows and partners."""
    for state in states(rules, 7, 20):
        root, position = parsed(rules, state), rules.position(state)
        for seat, ranch in enumerate(position["ranches"]):
            own = panel(root, seat)
            assert sorted(marked(own, "cell")) == sorted(str(Cell(*entry["cell"])) for entry in ranch)
            assert sum(map(int, marked(own, "cows"))) == sum(entry["cows"] for entry in ranch)
            assert sorted(filter(None, marked(own, "partner"))) == sorted(e["partner"] for e in ranch if e["partner"])
            assert marked(own, "stored") == [str(plot) for plot in position["hands"][seat]]
            free = (49 if rules.players == 2 else 24) - len(ranch)
            assert len(marked(own, "free")) == free


@variants
def test_hidden_orders(rules: MoonRiver) -> None:
    """The game, what any seat sees of it, and games with other hidden orders look the same."""
    game = advance(Game(rules, seed=5), Generator(6), 25)
    expected = picture(rules, game.state)
    assert picture(rules, game.copy().state) == expected
    for seat in range(rules.players):
        view = game.observe(seat)
        assert picture(rules, view.state) == expected
        other = view.determinize(9)
        assert other != game
        assert picture(rules, other.state) == expected
        assert picture(rules, other.state, seat) == picture(rules, game.state, seat)


@variants
def test_before_anything(rules: MoonRiver) -> None:
    """A game that waits for its first chance event can be drawn."""
    root = drawn(Game(rules))
    assert marked(root, "cell") == []
    assert len(marked(root, "column")) == 2 * rules.components.column_size


def test_pieces() -> None:
    """A plot shows its landscape, what it yields, its cows and its partner; a printed cow is none."""
    ranch: Ranch = {
        (0, 0): Laid(MEADOW_COW, cows=2), (0, 1): Laid(MEADOW_CIRCLE, partner="trapper"), (1, 0): FOREST,
        (1, 1): MEADOW_COW,
    }  # fmt: skip
    game = table(hand=[MEADOW_COW, FOREST], ranch=ranch)
    assert set(icons(cell(game, "a1"))) == {"cow"}
    assert "2" in words(cell(game, "a1"))
    assert icons(cell(game, "b1")) == ["trapper"]
    assert icons(cell(game, "a2")) == ["beaver"]
    assert icons(cell(game, "b2")) == []
    assert cell(game, "b1").findtext(f"{SVG}title") == "b1: meadow, trapper"


def test_what_can_be_chosen() -> None:
    """A dashed frame marks the cells that the decisions of now name, and no others."""
    game = table(hand=[MEADOW_COW, FOREST])
    own = panel(drawn(game), 0)
    framed = {g.attrib["data-free"] for g in own.iter(f"{SVG}g") if "data-free" in g.attrib and dashed(g)}
    assert framed == {str(Cell(*at)) for place in places(game) for at in place} != set()
    assert not any(dashed(g) for g in panel(drawn(game), 1).iter(f"{SVG}g"))


def dashed(group: ElementTree.Element) -> bool:
    return any("stroke-dasharray" in rect.attrib for rect in group.findall(f"{SVG}rect"))


def test_columns() -> None:
    """The plots of both columns with the rancheros on them."""
    rules = MoonRiver(4)
    game = Game(rules, seed=1)
    first = game.seat
    game.decide(["claim", 2])
    root = drawn(game)
    slots = [g for g in root.iter(f"{SVG}g") if g.attrib.get("data-column") == "current"]
    assert ["ranchero" in icons(slot) for slot in slots] == [False, False, True, False]
    assert str(first) in words(slots[2])
    plots = [rules.components.plots[slot["plot"]] for slot in game.position()["current"]]
    assert [slot.findtext(f"{SVG}title") for slot in slots] == [f"({plot.number}) {plot}" for plot in plots]


def test_the_end() -> None:
    """Places instead of a turn."""
    game = final(3, {}, full_except((4, 3), (4, 4)), {(0, 0): FOREST, (0, 1): FOREST})
    root = drawn(game)
    assert "The game is over" in words(root)
    assert ["1st" in words(panel(root, seat)) for seat in range(3)] == [False, True, False]


def test_names_are_escaped() -> None:
    """Names come from files: no markup of theirs, and nothing that XML cannot hold, gets into a picture."""
    name = '<b>&"\x00\ud800]]>'
    boards = [{**board, "name": name} if board["name"] == "mary" else board for board in standard_data()["board"]]
    rules = MoonRiver(2, legends=True, components=components(name=name * 3, board=boards))
    text = picture(rules, Game(rules, seed=1).state)
    root = ElementTree.fromstring(text.encode())
    assert "<b>" not in text.lower()
    assert '<B>&"\ufffd\ufffd]]>' in words(panel(root, 0))
    assert '<b>&"\ufffd\ufffd]]>' in root.findtext(f"{SVG}desc", "")
