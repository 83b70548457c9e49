"""The tables whose pictures are tested, moments of games there, and what is found in a picture."""

from collections.abc import Iterator
from xml.etree import ElementTree

from engine_cy import Game, GameRules, Generator, GoldenMap, Goldgraeber, MoonRiver, MoonRiverComponents
from engine_cy.moon_river.rules import SCENARIOS
from engine_cy.state import State
from pictures import picture
from tests.tables import DATA

SVG = "{http://www.w3.org/2000/svg}"
TINY = GoldenMap.load(DATA / "tiny_golden.toml", test=True)
SCARCE, CROWDED = (MoonRiverComponents.load(DATA / f"{name}.toml") for name in ("scarce", "crowded"))

MOON_RIVER = {
    "2 players": MoonRiver(2),
    "3 players": MoonRiver(3),
    "4 players": MoonRiver(4),
    **{f"legends, {name}": MoonRiver(2 + i % 3, legends=True, scenario=name) for i, name in enumerate(SCENARIOS)},
    "scarce, 2 players": MoonRiver(2, components=SCARCE),
    "scarce legends": MoonRiver(4, legends=True, components=SCARCE),
    "crowded, 2 players": MoonRiver(2, components=CROWDED),
    "crowded legends": MoonRiver(3, legends=True, components=CROWDED),
}
GOLDGRAEBER = {
    **{f"{n} players": Goldgraeber(n) for n in (3, 5)},
    **{f"prospecting, {n} players": Goldgraeber(n, prospecting=True) for n in (4, 6)},
    "tiny, 3 players": Goldgraeber(3, components=TINY, prospecting=True),
    "tiny, 6 players": Goldgraeber(6, components=TINY, colours=[5, 3, 4, 0, 2, 1]),
}


def states(rules: GameRules, seed: int, every: int) -> Iterator[State]:
    """The start, one in so many states of a random game, waiting for chance too, one of each phase, and the end."""
    generator, seen, count = Generator(seed), set(), 0
    state = rules.compiled.start(generator)
    while rules.phase_name(state.phase) != "over":
        if state.phase not in seen or count % every == 0:
            yield state.copy()
        seen.add(state.phase)
        count += 1
        if state.seat is None:
            state.draw(generator)
        else:
            state.apply(state.sample(generator))
    yield state


def parsed(rules: GameRules, state: State, seat: int | None = None, theme: str = "light") -> ElementTree.Element:
    return ElementTree.fromstring(picture(rules, state, seat, theme))


def drawn(game: Game) -> ElementTree.Element:
    return parsed(game.rules, game.state)


def marked(root: ElementTree.Element, name: str) -> list[str]:
    """The values of a data attribute, wherever it stands."""
    return [element.attrib[f"data-{name}"] for element in root.iter() if f"data-{name}" in element.attrib]


def group(root: ElementTree.Element, name: str, value: object) -> ElementTree.Element:
    found = root.find(f".//{SVG}g[@data-{name}='{value}']")
    assert found is not None
    return found


def panel(root: ElementTree.Element, seat: int) -> ElementTree.Element:
    return group(root, "seat", seat)


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]
