"""The levels: their data fit each other, they are legal players, and none throws away a won ending."""

import json
from typing import Any

import pytest

from engine_cy import Game, Generator, MoonRiver
from engine_cy.network import leads
from engine_cy.registry import GAMES
from search.ismcts import clock_ns
from search.levels import PICTURE, TABLES, measured, picture
from search.player import Limit, Question, code_of
from search.simple_players import levels
from search.specs import spec
from tests.cli.test_trace import saloon
from tests.search.test_think import decide, endings
from tests.tables import advance

NAMES = [*map(str, range(1, 11)), "max"]


def test_every_game_has_every_level() -> None:
    settings = json.loads(saloon("levels", "--json"))["settings"]
    assert list(settings) == NAMES
    for efforts in settings.values():
        assert list(efforts) == list(GAMES) == list(TABLES)
        for effort in efforts.values():
            assert effort["iterations"] == 0 or effort["slip"] == 0


@pytest.mark.parametrize(("game", "options"), [(game, options) for game in TABLES for options in TABLES[game]])
def test_every_level_was_measured(game: str, options: dict[str, Any]) -> None:
    """Over enough games to say that each is stronger than the one below, and none by too much."""
    report = json.loads(saloon("levels", "--json"))["measured"]
    (rows,) = [table["levels"] for table in report if (table["game"], table["options"]) == (game, options)]
    assert list(rows) == NAMES
    ratings = [row["rating"] for row in rows.values()]
    assert ratings == sorted(ratings)
    parity = 1 / options["players"]
    for name in NAMES[1:]:
        low, high = rows[name]["ci95"]
        assert low < rows[name]["beats_below"] < high
        assert high > parity
        assert rows[name]["games"] >= 96
        if options["players"] == 2:
            assert 0.55 <= rows[name]["beats_below"] <= 0.75
            assert low > 0.5


def test_the_picture_is_of_what_was_measured() -> None:
    """What docs show."""
    drawn = picture(measured())
    assert PICTURE.read_text(encoding="utf-8") == drawn
    assert drawn.count("<polyline") == len(measured()) == sum(map(len, TABLES.values()))


def test_levels_are_shown() -> None:
    shown = saloon("levels")
    assert "beats the one below" in shown
    assert "moon_river, 4 players, legends, scenario gold_rush (parity 25%)" in shown


@pytest.mark.parametrize("name", levels())
def test_levels_are_reproducible(name: str) -> None:
    game = advance(Game(MoonRiver(3), 2), Generator(2), 25)
    assert game.seat is not None
    player, view = spec(f"level:{name}").player(), game.observe(game.seat)
    first = decide(player, view, 5)
    assert first == decide(player, view, 5)
    assert first in view.decisions()


def test_weak_levels_err() -> None:
    """Level 1 takes many different decisions in one position, the best most often; max hardly any but the best."""
    game = advance(Game(MoonRiver(2), 3), Generator(3), 50)
    assert game.seat is not None
    view = game.observe(game.seat)
    weak = {decide(spec("level:1").player(), view, seed) for seed in range(40)}
    strong = {decide(spec("level:9").player(), view, seed) for seed in range(8)}
    assert len(weak) > len(strong)


def test_no_level_blunders_an_ending() -> None:
    """Where the rest can be worked out, level 1 decides as well as anybody."""
    found = 0
    for game, view, exact in endings(2, 60, 2000):
        found += 1
        chosen = decide(spec("level:1").player(), view, game.seed or 0)
        assert exact[code_of(view, chosen)] == max(exact.values())
    assert found >= 20


def test_a_level_chooses_by_what_it_has_when_time_is_over() -> None:
    """At the deadline, or stopped: what looks best at a glance, and nothing is searched for its choice."""
    game = advance(Game(MoonRiver(3), 2), Generator(2), 25)
    assert game.seat is not None
    view = game.observe(game.seat)
    worths = dict(leads(view.state))
    late = Question(view, Limit(deadline_ns=clock_ns()), seed=5)
    for name in ("9", "10"):
        assert worths[code_of(view, spec(f"level:{name}").player().think(late).choice)] == max(worths.values())
    stopped = spec("level:10").player()
    stopped.stop()
    assert stopped.think(Question(view, Limit(), seed=5)).choice in view.decisions()
    assert decide(spec("level:10").player(), view, 5) == decide(spec("level:10").player(), view, 5)


def test_a_level_says_what_it_takes_at_most() -> None:
    assert [spec(f"level:{name}").player().most for name in ("1", "10")] == [300, 450]
    assert spec("ismcts").player().most is None
