"""The pictures: well-formed, complete, the same for the same position, and silent about hidden orders."""

from typing import Any
from xml.etree import ElementTree

import pytest

from engine_cy import Game, Generator, MoonRiver, MoonRiverComponents, OptionError
from engine_cy.moon_river.components import Cell
from engine_cy.moon_river.rules import SCENARIOS
from pictures import picture
from tests.tables import DATA, advance
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

SVG = "{http://www.w3.org/2000/svg}"
LIMIT = 120_000  # bytes of a table
SCARCE, CROWDED = (MoonRiverComponents.load(DATA / f"{name}.toml") for name in ("scarce", "crowded"))
VARIANTS = {
    "2 players": MoonRiver(2),
    "3 players": MoonRiver(3),
    "4 players": MoonRiver(4),
    **{f"legends, {name}": MoonRiver(2 + i % 3, legends=True, scenario=name) for i, name in enumerate(SCENARIOS)},
    "scarce, 2 players": MoonRiver(2, components=SCARCE),
    "scarce legends": MoonRiver(4, legends=True, components=SCARCE),
    "crowded, 2 players": MoonRiver(2, components=CROWDED),
    "crowded legends": MoonRiver(3, legends=True, components=CROWDED),
}
variants = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)


def drawn(game: Game, theme: str = "light") -> ElementTree.Element:
    assert isinstance(game.rules, MoonRiver)
    return ElementTree.fromstring(picture(game.rules, game.state, theme=theme))


def marked(root: ElementTree.Element, name: str) -> list[str]:
    """The values of a data attribute, wherever it stands."""
    return [element.attrib[f"data-{name}"] for element in root.iter() if f"data-{name}" in element.attrib]


def panel(root: ElementTree.Element, seat: int) -> ElementTree.Element:
    found = root.find(f".//{SVG}g[@data-seat='{seat}']")
    assert found is not None
    return found


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def cell(game: Game, name: str, seat: int = 0) -> ElementTree.Element:
    found = panel(drawn(game), seat).find(f".//{SVG}g[@data-cell='{name}']")
    assert found is not None
    return found


def icons(element: ElementTree.Element) -> list[str]:
    return [use.attrib["href"].removeprefix("#mr-light-") for use in element.iter(f"{SVG}use")]


def positions(rules: MoonRiver) -> list[Game]:
    """The first position, one in every few decisions of a random game, and its end."""
    game, chooser = Game(rules, seed=7), Generator(8)
    games = [game.copy()]
    while not game.over:
        games.append(advance(game, chooser, 9).copy())
    return games


def components(**changes: Any) -> MoonRiverComponents:
    return MoonRiverComponents.from_dict({**standard_data(), **changes})


@variants
def test_random_positions(rules: MoonRiver) -> None:
    """Everything that lies on the table is drawn, once, with its cows and partners; every symbol used is there."""
    for game in positions(rules):
        root, position = drawn(game), game.position()
        assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
        assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
        known = {symbol.attrib["id"] for symbol in root.iter(f"{SVG}symbol")}
        assert {use.attrib["href"][1:] for use in root.iter(f"{SVG}use")} <= known
        for seat, ranch in enumerate(position["ranches"]):
            own = panel(root, seat)
            assert sorted(marked(own, "cell")) == sorted(str(Cell(*entry["cell"])) for entry in ranch)
            assert sum(map(int, marked(own, "cows"))) == sum(entry["cows"] for entry in ranch)
            assert sorted(filter(None, marked(own, "partner"))) == sorted(e["partner"] for e in ranch if e["partner"])
            assert marked(own, "stored") == [str(plot) for plot in position["hands"][seat]]
            free = (49 if rules.players == 2 else 24) - len(ranch)
            assert len(marked(own, "free")) == free


@variants
def test_size(rules: MoonRiver) -> None:
    for game in positions(rules):
        for theme in ("light", "dark"):
            assert len(picture(rules, game.state, theme=theme).encode()) < LIMIT


@variants
def test_points(rules: MoonRiver) -> None:
    """Every seat's points stand in its panel and in the description."""
    game = advance(Game(rules, seed=3), Generator(4), 60)
    root = drawn(game)
    description = root.findtext(f"{SVG}desc", "")
    for score in game.scores():
        assert marked(panel(root, score.seat), "points") == [str(score.total)]
        assert str(score.total) in words(panel(root, score.seat))
        assert f"seat {score.seat} {score.total}" in description


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


def test_themes() -> None:
    rules = MoonRiver(3)
    game = Game(rules, seed=1)
    light, dark = (picture(rules, game.state, theme=theme) for theme in ("light", "dark"))
    assert light != dark
    assert marked(ElementTree.fromstring(light), "free") == marked(ElementTree.fromstring(dark), "free")
    with pytest.raises(OptionError, match="theme"):
        picture(rules, game.state, theme="sepia")


def test_ranch() -> None:
    """One ranch alone: that of the seat, as on the table."""
    rules = MoonRiver(4)
    game = advance(Game(rules, seed=2), Generator(3), 90)
    root = ElementTree.fromstring(picture(rules, game.state, 2, "dark"))
    assert marked(root, "seat") == ["2"]
    assert marked(root, "cell") == marked(panel(drawn(game), 2), "cell") != []
    for seat in (-1, 4):
        with pytest.raises(OptionError, match="seat"):
            picture(rules, game.state, seat)


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
