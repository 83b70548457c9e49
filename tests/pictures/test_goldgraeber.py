"""The pictures of Goldgräber: complete, the same for the same position, and silent about what lies face down."""

import tomllib
from collections import Counter
from itertools import combinations
from math import dist
from typing import Any
from xml.etree import ElementTree

import pytest

from engine_cy import Game, Generator
from engine_cy.goldgraeber.components import STANDARD, Field, GoldenMap
from engine_cy.goldgraeber.rules import Goldgraeber
from pictures import picture
from tests.pictures.moments import GOLDGRAEBER, SVG, TINY, drawn, group, marked, panel, parsed, states, words
from tests.pictures.test_every_game import LIMITS
from tests.tables import advance
from tests.unit.goldgraeber.table import gold, on, options, robber, roll, table

variants = pytest.mark.parametrize("rules", GOLDGRAEBER.values(), ids=GOLDGRAEBER)


def fields(entries: list[Any]) -> list[str]:
    return sorted(str(Field(*entry)) for entry in entries)


def purse(root: ElementTree.Element, seat: int, row: str) -> Counter[str]:
    """The chips drawn in a row of a seat's panel."""
    own = group(panel(root, seat), "row", row)
    chips = [element.attrib for element in own.iter() if "data-chip" in element.attrib]
    return Counter({chip["data-chip"]: int(chip["data-count"]) for chip in chips})


def named(chips: list[dict[str, Any]]) -> Counter[str]:
    return Counter(f"{chip['kind']} {chip['value']}" for chip in chips)


@variants
def test_random_positions(rules: Goldgraeber) -> None:
    """Everything on the table is drawn, once."""
    for state in states(rules, 7, 60):
        root, position = parsed(rules, state), rules.position(state)
        places = dict(zip(marked(root, "digger"), marked(root, "at"), strict=True))
        assert places == {str(seat): str(Field(*place)) for seat, place in enumerate(position["diggers"])}
        assert sorted(marked(root, "raft")) == fields(position["rafts"])
        assert sorted(marked(root, "down")) == fields([entry["field"] for entry in position["chips"]])
        assert marked(root, "locomotive") == [str(Field(*position["locomotive"]))]
        assert sorted(marked(root, "robber")) == fields([entry["field"] for entry in position["robbers"]])
        assert set(marked(root, "field")) == set(map(str, rules.components.fields))
        for seat in range(rules.players):
            for row in ("open", "banked"):
                assert purse(root, seat, row) == named(position[row][seat])


def test_largest() -> None:
    """Everybody has looked at everything, and many fields can be reached."""
    rules = Goldgraeber(6, prospecting=True)
    position = Game(rules, seed=1).position()
    for entry in position["chips"]:
        entry["looked"] = list(range(6))
    position |= {"phase": "walk", "turn": {"seat": 0, "steps": 6}}
    state = Game.at(rules, position).observe(0).state
    root = parsed(rules, state)
    assert len(marked(root, "known")) == 64
    assert len(marked(root, "target")) > 20
    assert len(picture(rules, state).encode()) < LIMITS["goldgraeber"]


@variants
def test_hidden_chips(rules: Goldgraeber) -> None:
    """A game, what anybody else sees of it, and games with other chips face down look the same."""
    game = advance(Game(rules, seed=5), Generator(6), 12)
    assert not game.over
    spectated = game.state.spectate()
    expected = picture(rules, game.state)
    assert picture(rules, game.copy().state) == expected
    assert picture(rules, spectated) == expected
    other = spectated.determinize(Generator(9))
    assert other != game.state
    assert picture(rules, other) == expected
    assert marked(ElementTree.fromstring(expected), "known") == []
    for seat in range(rules.players):
        assert picture(rules, other, seat) == picture(rules, game.state, seat)
        view = game.observe(seat)
        same = view.determinize(10)
        assert picture(rules, same.observe(seat).state) == picture(rules, view.state)


def test_what_was_seen() -> None:
    """A view shows the chips its seat has looked at, and no others; who looked is shown to all."""
    game = table(
        phase="prospect", at={0: on(4), 1: on(7)}, chips={3: gold(2), 8: robber(5)}, looked={3: [0, 2], 8: [1]},
        options={"prospecting": True},
    )  # fmt: skip
    rules = game.rules
    assert isinstance(rules, Goldgraeber)
    for state, known in (
        (game.state, []),
        (game.observe(0).state, ["gold 2"]),
        (game.observe(1).state, ["robber 5"]),
        (game.state.spectate(), []),
    ):
        root = parsed(rules, state)
        assert marked(root, "known") == known
        assert [entry for entry in marked(root, "looked") if entry] == ["0 2", "1"]
    assert "at e3; has seen 1" in words(panel(drawn(game), 0))
    assert "as seat 1 sees it" in " ".join(words(parsed(rules, game.observe(1).state)))


@variants
def test_before_anything(rules: Goldgraeber) -> None:
    """A game that waits for its first chance event can be drawn."""
    root = drawn(Game(rules))
    assert len(marked(root, "down")) == len(rules.all_chips)
    assert "The first player is drawn" in words(root)


def test_what_can_be_chosen() -> None:
    """The fields that the decision due may end on are marked and named, and no others."""
    game = table(at={0: on(6)})
    assert marked(drawn(game), "target") == []
    game.reveal("die", 2)
    root = drawn(game)
    names = fields(options(game))
    assert sorted(marked(root, "target")) == names != []
    assert set(names) <= set(words(root))
    assert marked(root, "die") == ["2"]
    assert "Seat 0 walks 2 fields" in words(root)


def test_prospecting() -> None:
    """The fields one may look at are marked instead: those around with a chip face down."""
    game = table(phase="prospect", at={0: on(4)}, empty=[5], options={"prospecting": True})
    root = drawn(game)
    assert (marked(root, "look"), marked(root, "target")) == (["d3"], [])
    assert "Seat 0 rolls, or looks at the chips around" in words(root)


def test_robbers() -> None:
    """With their strength and the worth of what lies under them."""
    game = table(robbers={5: (4, [gold(2), robber(3)])})
    place = group(drawn(game), "robber", "f3")
    assert (place.attrib["data-strength"], place.attrib["data-loot"]) == ("4", "4")
    assert place.findtext(f"{SVG}title") == "f3: a robber of strength 4, 2 chips worth 4 under it"
    assert {"4", "2: 4"} <= set(words(place))


def circle(element: ElementTree.Element, words: str) -> tuple[float, float, float]:
    """Middle and radius of the badge in a group that says this."""
    parts = list(element)
    (at,) = [i for i, part in enumerate(parts) if part.tag == f"{SVG}text" and part.text == words]
    x, y = place(element)
    disc = parts[at - 1].attrib
    return x + float(disc["cx"]), y + float(disc["cy"]), float(disc["r"])


def place(element: ElementTree.Element) -> tuple[float, float]:
    x, y = element.attrib["transform"].removeprefix("translate(").rstrip(")").split()
    return float(x), float(y)


def test_nobody_hides_a_robber_s_strength() -> None:
    """It stands clear of a digger on the field, as he is 40 wide."""
    game = table(at={0: on(5)}, robbers={5: (4, [gold(2)])})
    root = drawn(game)
    x, y, radius = circle(group(root, "robber", "f3"), "4")
    digger = place(group(root, "digger", 0))
    assert dist((x, y), digger) > 20 + radius


def badges(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """The corners of all dark labels on the map."""
    found = []
    world = root.find(f".//{SVG}g[@data-map]")
    assert world is not None
    robbers = [element for element in world.iter(f"{SVG}g") if "data-robber" in element.attrib]
    for element, (left, top) in ((world, (0.0, 0.0)), *((each, place(each)) for each in robbers)):
        for rect in element.findall(f"{SVG}rect"):
            x, y, w, h = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
            found.append((left + x, top + y, left + x + w, top + y + h))
    return found


def test_labels_do_not_touch() -> None:
    """Names of fields that can be chosen, and what lies under robbers, wherever both are."""
    rules, both = Goldgraeber(4), 0
    for state in states(rules, 17, 12):
        root = parsed(rules, state)
        targets, loot = marked(root, "target"), [worth for worth in marked(root, "loot") if worth != "0"]
        if targets and loot:
            both += 1
            found = badges(root)
            assert len(found) == len(targets) + len(loot)
            for (l1, t1, r1, b1), (l2, t2, r2, b2) in combinations(found, 2):
                assert r1 < l2 or r2 < l1 or b1 < t2 or b2 < t1
    assert both > 4


def test_fights() -> None:
    """The headline says who fights whom, and what has been rolled."""
    game = table(at={0: on(5), 1: on(5)}, phase="roll", fight="attack", defender=1, carried={1: [gold(2)]})
    assert "Seat 0 attacks seat 1" in words(drawn(game))
    roll(game, 4)
    assert "Seat 1 defends against seat 0's 4" in words(drawn(game))
    roll(game, 2)
    assert "Seat 0 has won and rolls to walk away" in words(drawn(game))
    game = table(at={0: on(5)}, phase="roll", fight="robber", robbers={5: (3, [])})
    assert "Seat 0 fights a robber of strength 3" in words(drawn(game))


def test_houses() -> None:
    """Every house says whose it is; the others are closed."""
    rules = Goldgraeber(3, components=TINY, colours=[2, 0, 5])
    root = drawn(Game(rules, seed=1))
    hints = [group(root, "house", house).findtext(f"{SVG}title", "") for house in TINY.houses]
    owners = ["seat 1's", "nobody's", "seat 0's", "nobody's", "nobody's", "seat 2's"]
    for colour, (hint, owner) in enumerate(zip(hints, owners, strict=True)):
        assert hint.endswith(f"house {'ABCDEF'[colour]}, {owner}; its door is at {TINY.doors[colour]}")


def test_the_end() -> None:
    """Places instead of a turn."""
    rules = GOLDGRAEBER["3 players"]
    root = drawn(advance(Game(rules, seed=4), Generator(4)))
    assert any(text.startswith("The game is over") for text in words(root))
    panels = [words(panel(root, seat)) for seat in range(3)]
    assert any("1st" in own for own in panels)
    assert not any("turn" in own for own in panels)


def test_names_are_escaped() -> None:
    """Names come from files: no markup of theirs, and nothing that XML cannot hold, gets into a picture."""
    name = '<b>&"\x00\ud800]]>'
    data = {**tomllib.loads(STANDARD.read_text(encoding="utf-8")), "name": name}
    rules = Goldgraeber(3, components=GoldenMap.from_dict(data))
    text = picture(rules, Game(rules, seed=1).state)
    root = ElementTree.fromstring(text.encode())
    assert "<b>" not in text.lower()
    assert '<b>&"\ufffd\ufffd]]>' in words(root)
    assert '<b>&"\ufffd\ufffd]]>' in root.findtext(f"{SVG}desc", "")
