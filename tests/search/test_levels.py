"""The levels: their data fit each other, they are legal players, and none throws away a won ending."""

import json

import pytest

from engine_cy import Game, Generator, MoonRiver
from search.ismcts import clock_ns
from search.player import Limit, Question, code_of
from search.simple_players import levels
from search.specs import spec
from tests.cli.test_trace import saloon
from tests.search.test_think import decide, endings
from tests.tables import advance


def test_every_level_was_measured() -> None:
    """Each beats the one below in 55 to 75 % of its games, over enough games to say so, and ratings rise."""
    report = json.loads(saloon("levels", "--json"))
    rows = report["measured"]["moon_river"]["2"]
    assert list(rows) == list(report["settings"]) == [*map(str, range(1, 11)), "max"]
    ratings = [row["rating"] for row in rows.values()]
    assert ratings == sorted(ratings)
    for name in list(rows)[1:]:
        assert 0.55 <= rows[name]["beats_below"] <= 0.75
        assert rows[name]["ci95"][0] > 0.5
        assert rows[name]["games"] >= 100
    assert "beats the one below" in saloon("levels")


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
    worths = dict(view.state.appraise())
    late = Question(view, Limit(deadline_ns=clock_ns()), seed=5)
    for name in ("6", "10"):
        assert worths[code_of(view, spec(f"level:{name}").player().think(late).choice)] == max(worths.values())
    stopped = spec("level:10").player()
    stopped.stop()
    assert stopped.think(Question(view, Limit(), seed=5)).choice in view.decisions()
    assert decide(spec("level:10").player(), view, 5) == decide(spec("level:10").player(), view, 5)


def test_a_level_says_what_it_takes_at_most() -> None:
    assert [spec(f"level:{name}").player().most for name in ("1", "10")] == [300, 600]
    assert spec("ismcts").player().most is None
