"""Luck is nothing on average, so results without it are right; and they vary less."""

import json
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest

from engine_cy import Game, Generator, OptionError
from search.arena import Match, Played, play_game, run
from search.luck import check_luck, luck
from search.stats import adjusted
from tests.cli.test_trace import saloon
from tests.tables import advance, tables

TABLES = tables()
PUBLIC = [name for name, rules in TABLES.items() if not rules.private_facts]


@pytest.mark.parametrize(
    ("game", "players", "games", "playouts"), [("moon_river", 2, 160, 12), ("goldgraeber", 3, 48, 2)]
)
def test_luck_is_nothing_on_average(game: str, players: int, games: int, playouts: int) -> None:
    """Also of one that plays quite otherwise than playouts do; figures without luck agree with those that have it."""
    match = Match(game, {"players": players}, "random", "level:3", 2, adjust=playouts)
    done = list(run(match, range(games), 1))
    for values, lucky in (
        ([p.share for p in done], [p.luck_share for p in done]),
        ([float(p.margin) for p in done], [p.luck_margin for p in done]),
    ):
        deals = [fmean(lucky[i : i + players]) for i in range(0, games, players)]
        assert abs(fmean(deals)) < 3.5 * stdev(deals) / sqrt(len(deals))
        without = adjusted(values, lucky, players)
        assert without is not None
        assert without.low - 1e-9 <= fmean(values) <= without.high + 1e-9


def test_what_luck_explains_is_taken_off() -> None:
    """Results that are luck and a little more: many times fewer games; luck of other games explains nothing."""
    generator = Generator(4)
    luck_of = [generator.below(1000) / 1000 - 0.5 for _ in range(400)]
    values = [0.3 + 2 * by + (generator.below(1000) / 1000 - 0.5) / 5 for by in luck_of]
    told = adjusted(values, luck_of, 2)
    assert told is not None
    assert told.fewer > 20
    assert told.low < 0.3 < told.high
    other = adjusted(values, luck_of[2:] + luck_of[:2], 2)
    assert other is not None
    assert 0.9 < other.fewer < 1.1
    assert adjusted(values[:19], luck_of[:19], 2) is None


def test_nothing_but_chance_is_luck() -> None:
    """Whoever plays a game again finds the same luck; the games themselves are the same with and without."""
    plain = Match("moon_river", {"players": 3}, "greedy", "random", 3)
    looked = Match("moon_river", {"players": 3}, "greedy", "random", 3, adjust=2)
    first, again = play_game(looked, 4), play_game(looked, 4)
    assert first == again
    assert first.luck_margin
    assert play_game(plain, 4) == Played(4, first.seat, first.share, first.margin, first.points, first.best_other)


@pytest.mark.parametrize("table", PUBLIC)
def test_any_public_table_has_luck(table: str) -> None:
    rules = TABLES[table]
    check_luck(rules)
    game = advance(Game(rules, 8, stream=3), Generator(9))
    before = list(game.history)
    parts = [luck(game, seat, 1, 5, 0) for seat in range(rules.players)]
    assert any(part.margin for part in parts)
    # Of the same comparisons: shares of one game are one together, so what is luck to some is bad luck to others.
    assert sum(part.share for part in parts) == pytest.approx(0)
    assert game.history == before


def test_private_chance_is_refused() -> None:
    for table in TABLES.keys() - set(PUBLIC):
        with pytest.raises(OptionError, match="tells all seats the same"):
            check_luck(TABLES[table])


def test_the_command_goes_on(tmp_path: Path) -> None:
    """Figures beside the raw ones, from enough games; a file of a match without them is another match."""
    out = tmp_path / "match.json"
    arguments = ["arena", "--a", "greedy", "--b", "random", "--adjust", "1", "--out", str(out)]
    few = json.loads(saloon(*arguments, "--games", "6"))
    assert few["without_luck"] == {"playouts": 1, "share": None, "margin": None}
    all_of_them = json.loads(saloon(*arguments, "--games", "20", "--jobs", "2"))
    assert all_of_them["without_luck"]["margin"]["ci95"][0] < all_of_them["margin"]
    assert json.loads(saloon(*arguments, "--games", "20"))["without_luck"] == all_of_them["without_luck"]
    assert "the match of that file" in saloon(*arguments[:5], "--out", str(out), code=2)
