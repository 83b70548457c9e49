"""Moon River in words: what is told, with what was decided, adds up to what is there."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from rich.console import Console
from saloon_client import Client
from saloon_client.v1 import game_pb2, moon_river_pb2

from engine_cy import Game, Generator, MoonRiver
from saloon.screens import screen_of
from saloon.screens.moon_river import MoonRiverScreen
from tests.property.strategies import retold
from wire.writing import Writer, options_message, position_message

TABLES = {"2 players": MoonRiver(2), "3 players": MoonRiver(3), "4 with legends": MoonRiver(4, legends=True)}
Step = tuple[game_pb2.Event, moon_river_pb2.MoonRiverPosition, moon_river_pb2.MoonRiverPosition, list[str]]


@pytest.fixture(params=TABLES)
def rules(request: pytest.FixtureRequest) -> MoonRiver:
    return TABLES[request.param]


def told(rules: MoonRiver, seed: int, address: str) -> Iterator[Step]:
    """A game of some sense, event by event with what is said of it; spectators and seats see the same."""
    game, chooser = Game(rules, seed), Generator(seed, stream=1)
    while not game.over:
        worths = [worth for _, worth in game.state.appraise()]
        number = worths.index(max(worths)) if chooser.below(4) else chooser.below(len(worths))
        game.decide(game.decisions()[number])
    with Client(address) as client:
        screen = screen_of(client, Console(), options_message(rules))
    assert isinstance(screen, MoonRiverScreen)
    other = retold(game, 0)
    before = position_message(rules, other.observe(0).state)
    for event in game.history:
        other.play(event)
        after = position_message(rules, other.observe(0).state)
        message = Writer().event(rules, event)
        lines = [line.plain for line in screen.story(message, before, after)]
        yield message, before.moon_river, after.moon_river, lines
        before = after


def test_cows_and_plots_add_up(rules: MoonRiver, address: str) -> None:
    for seed in range(6):
        cows, plots = Counter[int](), Counter[int]()
        for event, _, after, lines in told(rules, seed, address):
            decided(event, cows, plots)
            for line in lines:
                if found := re.search(r"(a cow comes|(\d) cows come) to seat (\d)'s", line):
                    cows[int(found[3])] += int(found[2] or 1)
                if found := re.search(r"seat (\d) loses (?:a cow|(\d) cows) on", line):
                    cows[int(found[1])] -= int(found[2] or 1)
                if found := re.search(r"seat (\d) takes .* from the column", line):
                    plots[int(found[1])] += 1
                if found := re.search(r"seat (\d) discards (the rest, which fits nowhere: )?(.*)", line):
                    plots[int(found[1])] -= len(re.split(", | and ", found[3].removesuffix(", the only way")))
                if found := re.search(r"seat (\d) builds (.*), the only way", line):
                    plots[int(found[1])] -= found[2].count(" on ")
            for seat, ranch in enumerate(after.ranches):
                assert cows[seat] == sum(placed.cows for placed in ranch.plots), lines
                assert plots[seat] == len(after.hands[seat].plots), lines


def decided(event: game_pb2.Event, cows: Counter[int], plots: Counter[int]) -> None:
    """What a decision did by itself, which is told in its own words."""
    seat, decision = event.chosen.seat, event.chosen.decision.moon_river
    match decision.WhichOneof("decision"):
        case "build" | "discard":
            plots[seat] -= 2
        case "drought":
            cows[seat] -= 1
        case "steal":
            cows[seat] += 1
            cows[decision.steal.seat] -= 1


def test_what_is_forced_is_told(address: str) -> None:
    """The last place of a column, the only domino, the only cow under a skull, and what is lost at the end."""
    found = Counter[str]()
    wanted = {
        "place": r"seat \d takes place \d of the next column, the only one left",
        "domino": r"seat \d builds .* on [a-e]\d+, .* on [a-e]\d+, the only way",
        "skull": r"seat \d loses a cow on [a-e]\d+ to a skull",
        "end": r"seat \d discards the rest, which fits nowhere: ",
        "last round": r"the last round begins",
        "too many": r"seat \d loses (a cow|\d cows) on [a-e]\d+, where only one may stay at the end",
    }
    for seed in range(8):
        for rules in (TABLES["2 players"], TABLES["4 with legends"]):
            for *_, lines in told(rules, seed, address):
                found.update(name for name, words in wanted.items() for line in lines if re.search(words, line))
    assert found.keys() == wanted.keys()
    assert found["last round"] == 16


def test_rancheros_stand_where_it_is_said(rules: MoonRiver, address: str) -> None:
    """Every place that somebody took was decided, or told."""
    for event, before, after, lines in told(rules, 1, address):
        said = {int(n) - 1 for line in lines for n in re.findall(r"takes place (\d) of the next column", line)}
        if event.chosen.decision.moon_river.HasField("select"):
            said.add(event.chosen.decision.moon_river.select.position)
        if before.next and after.next:
            taken = {i for i, slot in enumerate(after.next) if slot.HasField("seat")}
            assert said == taken - {i for i, slot in enumerate(before.next) if slot.HasField("seat")}
