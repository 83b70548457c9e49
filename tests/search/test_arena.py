"""Matches are fair, resumable, and reported with figures that follow from the games."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine_cy import Game, MoonRiver, OptionError, Record
from saloon.arena import report
from search.arena import Match, Played, play_game, run
from search.player import Budget, Question
from search.specs import spec
from search.stats import Sprt, elo, expected_share, interval, wilson
from tests.cli.test_trace import saloon
from tests.search.test_think import view_of
from tests.tables import DATA


def test_every_deal_is_played_from_every_seat() -> None:
    """Mirrored: with the same bot everywhere, the games of one deal are one game, seen from each seat in turn."""
    match = Match("moon_river", {"players": 3}, "greedy", "greedy", 5)
    games = [play_game(match, index) for index in range(6)]
    assert [game.seat for game in games] == [0, 1, 2, 0, 1, 2]


def test_shares_add_up() -> None:
    """Bot a's share and the others' are one together; equal bots share alike, within what chance allows."""
    match = Match("moon_river", {"players": 2}, "greedy", "greedy", 1)
    done = list(run(match, range(200), 1))
    figures = report(match, done, None)
    assert figures["a"]["share"] + figures["b"]["share"] == pytest.approx(1)
    low, high = figures["a"]["ci95"]
    assert low <= 0.5 <= high
    assert figures["games"] == 200
    assert sum(figures["a"]["by_seat"]) / 2 == pytest.approx(figures["a"]["share"], abs=1e-3)


def test_jobs_change_nothing() -> None:
    match = Match("moon_river", {"players": 2}, "ismcts:iterations=20", "random", 3)
    assert list(run(match, range(4), 2)) == list(run(match, range(4), 1))


def test_the_command_resumes(tmp_path: Path) -> None:
    """Stopped and started again, a match has the result of one that ran through; another match is refused."""
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    arguments = ["arena", "--a", "greedy", "--b", "random", "--players", "3"]
    first = json.loads(saloon(*arguments, "--games", "9", "--out", str(whole)))
    saloon(*arguments, "--games", "4", "--out", str(parts))
    assert json.loads(saloon(*arguments, "--games", "9", "--out", str(parts))) == first
    assert parts.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")
    assert first["a"]["share"] > 0.8
    kept = json.loads(parts.read_text(encoding="utf-8"))
    assert kept["columns"] == ["share", "margin", "points", "best_other"]
    assert all(len(row) == len(kept["columns"]) for row in kept["played"])
    for other, words in (
        (["--seed", "2"], "the match of that file, with seed 1, got 'seed 2'"),
        (["--players", "4"], "the match of that file, with players 3, got 'players 4'"),
        (["--b", "greedy", "--seed", "3"], "the match of that file, with b random, seed 1, got 'b greedy, seed 3'"),
        (["--legends"], "the match of that file, with legends none, got 'legends True'"),
    ):
        assert words in saloon(*arguments, *other, "--out", str(parts), code=2)
    parts.write_text("{}", encoding="utf-8")
    assert "one this command wrote" in saloon(*arguments, "--out", str(parts), code=2)


def test_records_and_a_picture_are_kept(tmp_path: Path) -> None:
    """Every record replays to the result that was reported."""
    folder, picture = tmp_path / "games", tmp_path / "match.svg"
    output = saloon(
        "arena", "--a", "greedy", "--b", "random", "--games", "4", "--records", str(folder), "--plot", str(picture)
    )  # fmt: skip
    games = [Record.load(path).replay() for path in sorted(folder.iterdir())]
    won = [game.ranking()[index % 2] == 1 for index, game in enumerate(games)]
    assert sum(won) / 4 == json.loads(output)["a"]["share"]
    assert ElementTree.fromstring(picture.read_text(encoding="utf-8")).tag.endswith("svg")


def test_every_game_has_enough_players_by_itself() -> None:
    figures = json.loads(saloon("arena", "--game", "goldgraeber", "--a", "greedy", "--b", "random", "--games", "3"))
    assert figures["options"]["players"] == 3


def test_sprt_stops_a_clear_match() -> None:
    output = saloon("arena", "--a", "greedy", "--b", "random", "--games", "500", "--sprt", "0.5,0.6")
    figures = json.loads(output)
    assert figures["sprt"] == "high"
    assert figures["games"] < 60


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--a", "deep_blue", "--b", "random"], "bot: expected one of"),
        (["--a", "ismcts:time=100", "--b", "random"], "time: expected a number with its unit"),
        (["--a", "ismcts:speed=9", "--b", "random"], "bot ismcts: expected settings among"),
        (["--a", "ismcts:iterations=many", "--b", "random"], "iterations: expected a number"),
        (["--a", "ismcts:certainty=0", "--b", "random"], "certainty: expected a number from 0.01 to 1000"),
        (["--a", "ismcts:temperature=0", "--b", "random"], "temperature: expected a number from 0.01 to 1000"),
        (["--a", "mce:margin=0", "--b", "random"], "margin: expected a number from 0.1 to 10000"),
        (["--a", "ismcts:prior=1.5", "--b", "random"], "prior: expected a number from 0 to 1, got"),
        (["--a", "ismcts:informed=3", "--b", "random"], "informed: expected a number from 0 to 2"),
        (["--a", "level:11", "--b", "random"], "level: expected one of 1, 2"),
        (["--a", "greedy:time=1s", "--b", "random"], "bot greedy: expected no settings"),
        (["--a", "greedy", "--b", "random", "--sprt", "0.6,0.5"], "sprt: expected two shares"),
        (["--a", "greedy", "--b", "random", "--game", "go"], "game: expected one of moon_river"),
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str], message: str) -> None:
    output = saloon("arena", *arguments, code=2)
    assert message in output
    assert "Traceback" not in output


def test_specs_say_what_a_bot_is() -> None:
    for text in ("random", "greedy", "level:1", "level:max", "mce:time=10ms", "uct:iterations=9,trees=3", "ismcts"):
        bot = spec(text)
        assert bot.kind == text.partition(":")[0]
        assert bot.player().think(Question(view_of("moon_river-2", 9), Budget(iterations=9).limit())).choice
    assert spec("uct:iterations=9,trees=3").budget == Budget(iterations=9)
    assert spec("mce:time=10ms").budget == Budget(seconds=0.01)
    with pytest.raises(OptionError):
        spec("")


def test_a_bot_thinks_on_within_a_turn_only() -> None:
    """Where a turn begins, it decides as one that has never thought; later it knows more than one that has not."""
    game, text = Game(MoonRiver(2), 3), "ismcts:iterations=40"
    bot, fresh_bot = spec(text), spec(f"{text},reuse=0")
    players, turn, inside, changed = [bot.player(), bot.player()], None, 0, 0
    for number in range(60):
        assert game.seat is not None
        question = Question(game.observe(game.seat), bot.budget.limit(), number)
        chosen, fresh = players[game.seat].think(question).choice, bot.player().think(question).choice
        if (game.seat, game.state.turn_number) == turn:
            inside += 1
            changed += chosen != fresh
        else:
            assert chosen == fresh
            assert fresh_bot.player().think(question).choice == fresh
        turn = game.seat, game.state.turn_number
        game.decide(chosen)
    assert inside > 10
    assert changed > 0


def test_intervals() -> None:
    """Wilson's interval by its textbook values; the normal one by deals; wider with fewer games."""
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert interval([]) == (0.0, 1.0)
    assert interval([1.0] * 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    alternating = [1.0, 0.0] * 200
    low, high = interval(alternating)
    assert 0.45 < low < 0.5 < high < 0.55
    wide = interval(alternating[:40])
    assert wide[1] - wide[0] > high - low


def test_elo() -> None:
    """Equal strength is 0 in any number of seats; 400 points are 10 to 1; both functions are each other's inverse."""
    assert elo(0.5) == 0
    assert elo(0.25, 4) == pytest.approx(0)
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(1.0) is None
    assert expected_share(elo(0.4, 3) or 0, 3) == pytest.approx(0.4)


def test_sprt_errs_as_seldom_as_it_says() -> None:
    test = Sprt(0.4, 0.6)
    assert test.verdict([]) is None
    assert test.verdict([1.0, 0.0] * 50) is None
    assert test.verdict([1.0] * 8) == "high"
    assert test.verdict([0.0] * 8) == "low"


def test_a_report_without_games() -> None:
    match = Match("moon_river", {"players": 2}, "greedy", "random")
    assert report(match, [], None)["a"]["ci95"] == [0.0, 1.0]
    one = report(match, [Played(0, 0, 1.0, 5, 60, 55)], None)
    assert one["a"]["share"] == 1.0
    assert one["elo"] is None


def test_any_table_can_be_played_at(tmp_path: Path) -> None:
    """Boards, scenario and a component file of one's own."""
    out = tmp_path / "match.json"
    table = ["--players", "3", "--legends", "--scenario", "outlaws", "--boards", "mary,big_jo,wesley"]
    table += ["--components", str(DATA / "crowded.toml")]
    command = ["arena", *table, "--a", "greedy", "--b", "random", "--games", "3", "--out", str(out)]
    saloon(*command)
    data = json.loads(out.read_text(encoding="utf-8"))
    assert data["options"]["boards"] == ["mary", "big_jo", "wesley"]
    assert data["components"].endswith("crowded.toml")
    assert "that file" in saloon(*command[:-1], str(out), "--seed", "2", code=2)
    assert "boards[1]" in saloon(*(x.replace("big_jo", "mary") for x in command), code=2)
