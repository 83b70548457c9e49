"""Puzzles: one decision is best by far, and it does not look like it."""

from dataclasses import astuple, replace
from pathlib import Path
from threading import Timer

import pytest
from google.protobuf import json_format
from saloon_client.v1 import bots_pb2

from engine_cy import Game
from engine_cy.network import leads
from engine_cy.records import Record
from search.judging import Judge
from search.player import Budget, Limit, Question, code_of
from search.puzzles import Looked, Puzzle, puzzles
from search.search_player import SearchPlayer
from search.simple_players import GreedyPlayer
from tests.tables import DATA
from wire.reading import Reader, read_code

LEAST = 0.05
PAGE = Path(__file__).parent.parent.parent / "server" / "page" / "assets"
SAMPLE = 3  # of the page's puzzles, for a search that takes long


def beginning(events: int) -> Game:
    """Of a game that has a puzzle in it, number 61; of two bots of level 8 as that was once."""
    record = Record.load(DATA / "puzzle-game.json")
    return replace(record, seed=None, events=record.events[:events]).replay()


def look(game: Game, least: float = LEAST) -> list[Looked]:
    return list(puzzles(game, Limit(6000), 1, Judge(), least))


@pytest.fixture(scope="module")
def found() -> list[Looked]:
    return look(beginning(62))


def of(looked: list[Looked]) -> list[Puzzle]:
    return [each.puzzle for each in looked if each.puzzle is not None]


def test_what_is_found_is_far_better_than_what_looks_best_and_than_the_next(found: list[Looked]) -> None:
    assert [each.event for each in found] == list(range(62))
    assert of(found)
    for puzzle in of(found):
        best, glance = puzzle.others[0].best, puzzle.others[0].chosen
        assert GreedyPlayer().think(Question(puzzle.view, Limit(), 9)).choice == glance
        assert len(puzzle.others) >= 2
        assert best not in [other.chosen for other in puzzle.others]
        assert all(other.sure_of(LEAST) and other.best == best for other in puzzle.others)
        # A search that knows nothing of all this finds it, too.
        assert SearchPlayer().think(Question(puzzle.view, Limit(6000), 77)).choice == best
        assert code_of(puzzle.view, best) in puzzle.view.state.codes()


def test_the_same_again_and_nothing_of_what_comes_later(found: list[Looked]) -> None:
    def plain(looked: list[Looked]) -> list[object]:
        return [(each.event, each.puzzle and [astuple(other) for other in each.puzzle.others]) for each in looked]

    assert plain(look(beginning(61))) == plain(found)[:61]
    assert not of(look(beginning(62), least=0.6))


def test_it_can_be_stopped_and_ends_in_time() -> None:
    game, judge = beginning(150), Judge()
    Timer(0.05, judge.stop).start()
    assert len(list(puzzles(game, Limit(10_000_000), 1, judge, LEAST))) < 150
    assert len(list(puzzles(game, Budget(seconds=0.05).limit(), 1, Judge(), LEAST))) < 150


def page_puzzles() -> list[bots_pb2.Puzzle]:
    """The page asks for them by number."""
    files = [PAGE / f"puzzle-{number}.json" for number in range(len(list(PAGE.glob("puzzle-*.json"))))]
    return [json_format.Parse(file.read_text(encoding="utf-8"), bots_pb2.Puzzle()) for file in files]


@pytest.mark.parametrize("number", range(SAMPLE))
def test_another_search_finds_what_is_best_in_the_puzzles_of_the_page(number: int) -> None:
    messages = page_puzzles()
    message = messages[(7 + 23 * number) % len(messages)]
    view = Reader().position(message.position, "position").observe(message.seat)
    found = SearchPlayer().think(Question(view, Limit(6000), 77 + number))
    assert code_of(view, found.choice) == read_code(view, message.best, "best")


def test_the_puzzles_of_the_page_are_puzzles() -> None:
    """The games by turns; what is best is legal, and is not what a glance takes."""
    messages = page_puzzles()
    names = [message.position.WhichOneof("game") for message in messages]
    assert len(messages) >= 40
    assert len({message.position.SerializeToString(deterministic=True) for message in messages}) == len(messages)
    assert names[0::2] == ["moon_river"] * (len(names) // 2)
    assert names[1::2] == ["goldgraeber"] * (len(names) // 2)
    for message in messages:
        game = Reader().position(message.position, "position")
        view = game.observe(message.seat)
        best = read_code(view, message.best, "best")
        worths = dict(leads(view.state))
        assert worths[read_code(view, message.others[0].chosen, "others")] == max(worths.values()) > worths[best]
        assert best not in [read_code(view, other.chosen, "others") for other in message.others]
        assert all(other.lost > LEAST and other.reasons for other in message.others)
