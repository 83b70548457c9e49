"""The pictures of every game: well-formed, small, in two themes, with everybody's points."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine_cy import Game, GameRules, Generator, Goldgraeber, MoonRiver, OptionError
from engine_cy.registry import GAMES
from pictures import picture
from pictures.registry import PAGES
from tests.pictures.moments import GOLDGRAEBER, MOON_RIVER, SVG, drawn, marked, panel, parsed, states, words
from tests.tables import advance

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "page.md"
LIMITS = {"moon_river": 120_000, "goldgraeber": 150_000}  # bytes of a table
TABLES: dict[str, GameRules] = {f"moon_river, {name}": rules for name, rules in MOON_RIVER.items()}
TABLES |= {f"goldgraeber, {name}": rules for name, rules in GOLDGRAEBER.items()}


@pytest.fixture(params=TABLES)
def rules(request: pytest.FixtureRequest) -> GameRules:
    return TABLES[request.param]


def test_every_game_can_be_drawn() -> None:
    assert set(PAGES) == set(GAMES) == {rules.name for rules in TABLES.values()}


def test_documents(rules: GameRules) -> None:
    """With a title and a description; every symbol used is there."""
    for state in states(rules, 7, 40):
        root = parsed(rules, state)
        assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
        assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
        known = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
        assert {use.attrib["href"][1:] for use in root.iter(f"{SVG}use")} <= known


def test_size(rules: GameRules) -> None:
    for state in states(rules, 9, 30):
        for theme in ("light", "dark"):
            assert len(picture(rules, state, theme=theme).encode()) < LIMITS[rules.name]


def test_points(rules: GameRules) -> None:
    """Every seat's points stand in its panel and in the description."""
    for state in states(rules, 3, 60):
        root = parsed(rules, state)
        description = root.findtext(f"{SVG}desc", "")
        for score in rules.scores(state):
            own = panel(root, score.seat)
            assert marked(own, "points") == [str(score.total)]
            assert str(score.total) in words(own)
            assert f"seat {score.seat} {score.total}" in description


def test_themes(rules: GameRules) -> None:
    """They differ in colours and ids only; there are no others."""
    state = Game(rules, seed=1).state
    light, dark = (picture(rules, state, theme=theme) for theme in ("light", "dark"))
    assert light != dark
    assert data(ElementTree.fromstring(light)) == data(ElementTree.fromstring(dark)) != []
    with pytest.raises(OptionError, match="theme"):
        picture(rules, state, theme="sepia")


def test_seat(rules: GameRules) -> None:
    """What lies in front of one seat, alone: as on the table."""
    game = advance(Game(rules, seed=2), Generator(3), 60)
    on_table = panel(drawn(game), 1)
    for theme in ("light", "dark"):
        root = parsed(rules, game.state, 1, theme)
        assert marked(root, "seat") == ["1"]
        assert (words(root), data(root)) == (words(on_table), data(on_table))
        assert len(picture(rules, game.state, 1, theme)) < len(picture(rules, game.state, theme=theme))
    for seat in (-1, rules.players):
        with pytest.raises(OptionError, match="seat"):
            picture(rules, game.state, seat)


def data(root: ElementTree.Element) -> list[tuple[str, str]]:
    """All that the picture tells programs."""
    """But for sizes: on a table a panel may be as high as what stands beside it."""
    found = [(name, value) for each in root.iter() for name, value in each.attrib.items()]
    return [(name, value) for name, value in found if name.startswith("data-") and name != "data-size"]


def test_what_programs_find_is_documented() -> None:
    """Every attribute in docs/page.md is in some picture, and every one in pictures is there."""
    documented = set(re.findall(r"`(data-[a-z_]+)`", DOCUMENT.read_text(encoding="utf-8")))
    found = set[str]()
    for rules in (MoonRiver(2), Goldgraeber(4, prospecting=True), GOLDGRAEBER["3 players"]):
        for state in states(rules, 3, 60):
            for shown in (state, state.observe(0)):  # of what lies face down a seat may know something
                for each in parsed(rules, shown).iter():
                    found |= {name for name in each.attrib if name.startswith("data-")}
    assert found == documented


def test_parts_say_their_size(rules: GameRules) -> None:
    """So that a page can show each by itself: all of a table is in parts, none in another, and none reaches over its
    size; each seat has one."""
    game = advance(Game(rules, seed=2), Generator(3), 60)
    root = drawn(game)
    parts = [each for each in root.iter() if "data-part" in each.attrib]
    assert [each.attrib["data-seat"] for each in parts if each.attrib["data-part"] == "seat"] == [
        str(seat) for seat in range(rules.players)
    ]
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    for part in parts:
        assert part in list(root)
        across, down = map(float, part.attrib["data-size"].split())
        x, y = map(float, part.attrib["transform"].removeprefix("translate(").rstrip(")").split())
        assert 0 <= x <= x + across <= width
        assert 0 <= y <= y + down <= height
