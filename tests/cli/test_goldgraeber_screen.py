"""Goldgräber in words and on the map: what is told adds up to what is there, and everything that is there is shown."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from rich.console import Console
from saloon_client import Client
from saloon_client.v1 import game_pb2

from engine_cy import Game, Generator, Goldgraeber
from engine_cy.goldgraeber.components import Field
from saloon.choosing import Menu
from saloon.screens import screen_of
from saloon.screens.goldgraeber import GoldgraeberScreen
from tests.property.strategies import retold
from wire.writing import Writer, options_message, position_message, score_messages

TABLES = {
    "3 players": Goldgraeber(3),
    "6 players": Goldgraeber(6, colours=[5, 3, 1, 0, 2, 4]),
    "4 players, prospecting": Goldgraeber(4, prospecting=True),
}
CHIPS = r"(?:(\d+) gold)?(?: and )?(?:(\d+) robbers?)?"


@pytest.fixture(params=TABLES)
def rules(request: pytest.FixtureRequest) -> Goldgraeber:
    return TABLES[request.param]


def screen(address: str, rules: Goldgraeber, me: int | None = None, width: int = 80) -> GoldgraeberScreen:
    with Client(address) as client:
        made = screen_of(client, Console(width=width), options_message(rules), me=me)
    assert isinstance(made, GoldgraeberScreen)
    return made


def played(rules: Goldgraeber, seed: int) -> Game:
    """A whole game, mostly with sense, so that chips get home."""
    game, chooser = Game(rules, seed), Generator(seed, stream=1)
    while not game.over:
        worths = [worth for _, worth in game.state.appraise()]
        number = worths.index(max(worths)) if chooser.below(4) else chooser.below(len(worths))
        game.decide(game.decisions()[number])
    return game


def seen(game: Game, seat: int) -> game_pb2.Position:
    return position_message(game.rules, game.observe(seat).state)


def steps(game: Game, seat: int) -> Iterator[tuple[game_pb2.Event, game_pb2.Position, game_pb2.Position]]:
    """Every event, and what a seat saw before and after it."""
    told = retold(game, 0)
    before = seen(told, seat)
    for event in game.history:
        told.play(event)
        after = seen(told, seat)
        yield Writer().event(game.rules, event), before, after
        before = after


def purse(found: tuple[str | None, str | None]) -> Counter[str]:
    return Counter(gold=int(found[0] or 0), robbers=int(found[1] or 0))


def test_what_is_told_adds_up(rules: Goldgraeber, address: str) -> None:
    """From the words alone: where every digger is, what it carries, and what it has at home."""
    drawing = screen(address, rules)
    for seed in range(4):
        game = played(rules, seed)
        carried = [Counter[str]() for _ in range(rules.players)]
        home = [Counter[str]() for _ in range(rules.players)]
        at = [str(rules.components.houses[colour]) for colour in rules.colours]
        for event, before, after in steps(game, 0):
            lines = [line.plain for line in drawing.story(event, before, after)]
            if event.HasField("chosen") and (walk := re.search(r" to ([a-q]\d+)$", event.chosen.decision.text)):
                at[event.chosen.seat] = walk[1]
            for line in lines:
                if found := re.search(rf"seat (\d) (?:turns up|captures the robber and gets) (?=\d){CHIPS}", line):
                    carried[int(found[1])] += purse((found[2], found[3]))
                if found := re.search(r"seat (\d) captures the robber", line):
                    carried[int(found[1])] += Counter(robbers=1)
                if found := re.search(rf"seat (\d) brings home {CHIPS}", line):
                    carried[int(found[1])] -= purse((found[2], found[3]))
                    home[int(found[1])] += purse((found[2], found[3]))
                if found := re.search(rf"seat (\d) loses {CHIPS}, now under", line):
                    carried[int(found[1])] -= purse((found[2], found[3]))
                if found := re.search(rf"seat (\d) takes {CHIPS} from seat (\d)", line):
                    carried[int(found[1])] += purse((found[2], found[3]))
                    carried[int(found[4])] -= purse((found[2], found[3]))
                if found := re.search(r"seat (\d) (?:walks|back) to ([a-q]\d+)", line):
                    at[int(found[1])] = found[2]
            here = after.goldgraeber
            assert at == [str(Field(cell.row, cell.column)) for cell in here.diggers], lines
            for seat in range(rules.players):
                assert +carried[seat] == +held(here.open[seat].chips), lines
                assert +home[seat] == +held(here.banked[seat].chips), lines
        assert re.search("in the city|left face down", lines[-1])


def held(chips: object) -> Counter[str]:
    found = Counter[str]()
    for chip in chips:  # type: ignore[attr-defined]
        found += Counter(gold=chip.value) if chip.kind == 1 else Counter(robbers=1)
    return found


def test_only_the_own_seat_is_told_what_it_looked_at(address: str) -> None:
    """Whatever others see in secret: the words are the same as those of a game where other chips lie there."""
    rules = TABLES["4 players, prospecting"]
    secrets = 0
    for seed in range(3):
        game = played(rules, seed)
        for me in range(rules.players):
            drawing = screen(address, rules, me)
            for event, before, after in steps(game, me):
                if before.goldgraeber.turn.looking:
                    lines = " ".join(line.plain for line in drawing.story(event, before, after))
                    own = before.goldgraeber.turn.seat == me
                    assert ("you see" in lines) == own
                    assert ("looks in secret at" in lines) != own
                    assert own or not re.search(r"gold|robber", lines)
                    secrets += 1
    assert secrets > 20


def test_every_way_to_go_can_be_found_by_its_field(rules: Goldgraeber, address: str) -> None:
    """And what it says of the field is what the position has there; what brings most comes first."""
    drawing = screen(address, rules)
    game, chooser = Game(rules, 3), Generator(9)
    while not game.over:
        assert game.seat is not None
        position = seen(game, game.seat)
        legal = [Writer().decision(rules, decision) for decision in game.decisions()]
        menu = Menu(drawing.choices(legal, position))
        assert sorted(choice.text for choice in menu.choices) == sorted(decision.text for decision in legal)
        if game.phase in ("walk", "ferry", "retreat"):
            for choice in menu.choices:
                menu.reset()
                assert menu.choose(choice.text.split()[-1]) == choice
        if game.phase == "walk":
            check_words(menu, position, game.seat)
        game.decide(game.decisions()[chooser.below(len(legal))])


def check_words(menu: Menu, position: game_pb2.Position, seat: int) -> None:
    here = position.goldgraeber
    lie = {str(Field(chip.field.row, chip.field.column)) for chip in here.chips}
    stand = {str(Field(cell.row, cell.column)) for other, cell in enumerate(here.diggers) if other != seat}
    for choice in menu.choices:
        field, _, words = choice.short.partition(": ")
        if "fight with seat" in words:
            assert field in stand
        elif re.match(r"a chip|gold \d|a robber of \d", words):
            assert field in lie
        if "home with" in words and "nothing" not in words:
            assert choice == menu.choices[0]
            assert here.open[seat].chips


@pytest.mark.parametrize("width", [80, 120])
def test_everything_is_on_the_map(rules: Goldgraeber, address: str, width: int) -> None:
    """Every digger, chip, robber, raft and the locomotive, and as many stars as there are ways to go."""
    drawing = screen(address, rules, width=width)
    whole = played(rules, 1)
    for number in range(0, len(whole.history), 20):
        game = retold(whole, number)
        position = seen(game, 0)
        legal = [Writer().decision(rules, decision) for decision in game.decisions()]
        with drawing.console.capture() as capture:
            drawing.console.print(drawing.table(position, score_messages(rules, game.state), legal))
        text = capture.get()
        assert max(map(len, text.splitlines())) <= width
        rows = "\n".join(line[2:75] for line in text.splitlines() if re.match(r" ?\d+ .*", line))
        here = position.goldgraeber
        assert rows.count("*") == sum(decision.text.split()[0] in ("walk", "take") for decision in legal)
        assert rows.count("L") == 1
        assert len(re.findall(r"R\d", rows)) == len(here.robbers)
        assert all(str(seat) in rows or "+" in rows for seat in range(rules.players))
        free = {(raft.row, raft.column) for raft in here.rafts} - {(d.row, d.column) for d in here.diggers}
        assert rows.count(drawing.map.signs.raft) == len(free)
