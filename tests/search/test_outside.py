"""Bots outside this process play as those inside it do, are told what their seat sees, and cannot hold a match up."""

import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from engine_cy import OptionError
from engine_cy.game import Event
from search.arena import Match, play, run
from search.player import Budget, Question
from search.programs import held
from search.specs import spec
from tests.cli.test_trace import saloon
from tests.search.test_think import TABLES, view_of, views
from tests.service.running import serving
from tests.tables import DATA

ROOT = Path(__file__).parent.parent.parent
PYTHON = shlex.quote(sys.executable)
RANDOM = f"exec:{PYTHON} {ROOT / 'examples' / 'random_bot.py'}"
BRIDGE = f"{PYTHON} -P {ROOT / 'benchmarks' / 'bridge.py'}"


def told(code: str, limit: str = "") -> str:
    """The spec of a program."""
    return f"exec:{limit} {PYTHON} -c {shlex.quote(code)}"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("service")) as service:
        yield service.address


def decisions(table: str, *bots: str) -> list[Event]:
    """Those of a game that these bots play, seat by seat, from the first on again if there are more seats."""
    rules = TABLES[table]
    specs = [spec(bots[seat % len(bots)]) for seat in range(rules.players)]
    return play(rules, specs, seed=3, deal=1, index=2).history


# ---- The same games


@pytest.mark.parametrize("table", ["moon_river-3-crowded-legends", "goldgraeber-4-prospecting"])
def test_a_program_plays_as_the_bot_in_it_does(table: str) -> None:
    """To the last decision, whatever the game and its components are; within a turn it thinks on. The limit may be the
    program's or the match's."""
    inside = decisions(table, "greedy", "ismcts:iterations=40")
    assert decisions(table, f"exec:{BRIDGE} greedy", f"exec:{BRIDGE} ismcts:iterations=40") == inside
    assert decisions(table, "greedy", f"exec:iterations=40 {BRIDGE} ismcts:time=1s") == inside
    assert decisions(table, "greedy", "ismcts:iterations=40,reuse=0") != inside


@pytest.mark.parametrize("table", ["moon_river-4-legends", "goldgraeber-4-prospecting"])
def test_a_server_plays_as_the_bot_in_it_does(table: str, address: str) -> None:
    """A decision is asked for by itself, so nothing is known from the one before."""
    asked = "iterations=20,exploration=1.5,personality=balanced"
    inside = decisions(table, "level:3", f"ismcts:{asked},reuse=0")
    assert decisions(table, f"grpc:{address},level=3", f"grpc:{address},{asked}") == inside


def test_jobs_change_nothing() -> None:
    match = Match("moon_river", {"players": 2}, "greedy", RANDOM, 3)
    games = list(run(match, range(4), 1))
    assert list(run(match, range(4), 2)) == games
    assert list(run(Match("moon_river", {"players": 2}, "greedy", "random", 3), range(4), 1)) != games


def test_a_match_on_the_command_line(tmp_path: Path, address: str) -> None:
    """With all that matches can do; a server's bot is one as any other."""
    out, records = tmp_path / "match.json", tmp_path / "records"
    command = ("arena", "--a", f"grpc:{address},level=1", "--b", RANDOM, "--players", "3", "--out", str(out))
    saloon(*command, "--games", "2")
    figures = json.loads(saloon(*command, "--games", "3", "--records", str(records), "--jobs", "2"))
    assert figures["games"] == 3
    assert figures["b"]["bot"] == RANDOM
    assert len(list(records.iterdir())) == 1
    own = ("arena", "--a", RANDOM, "--b", "greedy", "--components", str(DATA / "crowded.toml"), "--games", "2")
    assert json.loads(saloon(*own))["games"] == 2


def test_the_example_of_the_document_is_the_one_that_runs() -> None:
    code = (ROOT / "examples" / "random_bot.py").read_text(encoding="utf-8").partition("\n\n")[2]
    assert f"```python\n{code}```" in (ROOT / "docs" / "outside-bots.md").read_text(encoding="utf-8")


# ---- What they are told


@pytest.mark.parametrize("table", ["moon_river-4-legends", "goldgraeber-4-prospecting"])
def test_programs_are_told_nothing_hidden(table: str, tmp_path: Path) -> None:
    """The same bytes of two games that look alike to the seat."""
    different = 0
    for number, view in enumerate(views(TABLES[table])):
        first, second = (view.determinize(seed) for seed in (1, 2))
        different += first.state != second.state
        heard = []
        for name, game in (("first", first), ("second", second)):
            file = tmp_path / f"{number}-{name}"
            program = f"tee {shlex.quote(str(file))} | {RANDOM.removeprefix('exec:')}"
            player = spec(f"exec:sh -c {shlex.quote(program)}").player()
            player.think(Question(game.observe(view.viewer), Budget(iterations=10).limit(), 5))
            player.close()
            heard.append(file.read_bytes())
        assert heard[0] == heard[1]
        lines = [json.loads(line) for line in heard[0].splitlines()]
        assert [line["say"] for line in lines] == ["game", "decide", "over"]
        assert (lines[0]["seat"], lines[1]["iterations"], lines[1]["seed"]) == (view.viewer, 10, 5)
        assert lines[1]["decisions"] == [decision.to_list() for decision in view.decisions()]
    assert different >= 3


def test_a_program_is_a_new_one_for_each_game_unless_it_is_held() -> None:
    counting = (
        "import json, os, sys\n"
        "games = 0\n"
        "for line in sys.stdin:\n"
        "    say = json.loads(line)['say']\n"
        "    games += say == 'game'\n"
        "    if say == 'decide': print(json.dumps({'decision': games - 1}), flush=True)\n"
    )
    view, bot = view_of("moon_river-2", 9), spec(told(counting))
    for held_games, expected in ((False, [0, 0, 0]), (True, [0, 1, 2])):
        chosen = []
        with held() if held_games else nullcontext():
            for _ in range(3):
                player = bot.player()
                chosen.append(view.decisions().index(player.think(Question(view, bot.budget.limit())).choice))
                player.close()
        assert chosen == expected


# ---- What they cannot do

READS = "import sys; [print('{answer}', flush=True) for line in sys.stdin if 'decide' in line]"


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("exec:no_such_program", "expected a program that can be started (No such file or directory)"),
        (told("raise SystemExit(7)"), "got 'its end with exit code 7'"),
        (told("import sys; sys.stdin.readline(); sys.exit(3)"), "got 'its end with exit code 3'"),
        (told("import time; time.sleep(100)", "patience=300ms"), "expected an answer within 0.3 s, got 'none'"),
        (told(READS.format(answer="")), "expected a JSON object in a line, got ''"),
        (told(READS.format(answer="[0]")), "expected a JSON object in a line, got '[0]'"),
        (told(READS.format(answer="x" * 3000)), "expected a JSON object in a line"),
        (told(READS.format(answer="{}")), "expected a decision by its index, 0 to"),
        (told(READS.format(answer='{"decision": true}')), "expected a decision by its index, 0 to"),
        (told(READS.format(answer='{"decision": 9999}')), "or in its list form, got {'decision': 9999}"),
        (told(READS.format(answer='{"decision": ["fly"]}')), "or in its list form, got {'decision': ['fly']}"),
        (told(READS.format(answer='{"error": "no idea"}')), "expected a decision, got 'its error: no idea'"),
        (told("while True: print('x' * 100000)"), "expected "),
        (f"exec:{BRIDGE} deep_blue", "its error: bot: expected one of random"),
        ("grpc:127.0.0.1:1", "its error: no Saloon server answers"),
    ],
)
def test_a_program_that_does_not_play_ends_the_match(bot: str, message: str) -> None:
    """With its name, what was expected and what came; never with a hang."""
    with pytest.raises(OptionError) as caught:
        decisions("moon_river-2", bot)
    assert str(caught.value).startswith("bot " + bot.partition(":")[0])
    assert message in str(caught.value)


def test_a_failure_ends_the_command_in_every_way_of_playing() -> None:
    for jobs in ("1", "2"):
        failing = ("arena", "--a", "greedy", "--b", told("raise SystemExit(7)"), "--jobs", jobs)
        output = saloon(*failing, code=2)
        assert "expected an answer, got 'its end with exit code 7'" in output
        assert "Traceback" not in output


def test_all_that_a_program_started_ends_with_it(tmp_path: Path) -> None:
    """Even what neither answers nor goes."""
    left = tmp_path / "left"
    program = f"(sleep 1; touch {left}) & sleep 100"
    with pytest.raises(OptionError, match=r"within 0\.2 s"):
        decisions("moon_river-2", f"exec:patience=200ms sh -c {shlex.quote(program)}")
    with pytest.raises(OptionError, match="exit code"):
        decisions("moon_river-2", "exec:sleep 1.5")
    assert not left.exists()


def test_a_program_shares_our_session() -> None:
    """Systems may share processor time out by session; neither side of a match may have more of it."""
    program = "import json, os, sys; sys.stdin.readline(); print(json.dumps({'error': os.getsid(0)}), flush=True)"
    with pytest.raises(OptionError, match=f"its error: {os.getsid(0)}'"):
        decisions("moon_river-2", told(program + "; sys.stdin.read()"))


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("exec:", "bot exec: expected a command"),
        ("exec:time=1s", "bot exec: expected a command"),
        ("exec:time=1 python", "time: expected a number with its unit"),
        ("exec:time=soon python", "time: expected a number with its unit, such as 100ms, 2s or 1min"),
        ("exec:python 'bot.py", "bot exec: expected a command (No closing quotation)"),
        ("grpc:localhost", "bot grpc: expected HOST:PORT"),
        ("grpc:localhost:1,bot=mce", "bot grpc: expected settings among time, iterations, level"),
        ("grpc:localhost:1,win=much", "win: expected a number"),
    ],
)
def test_wrong_specs_are_refused(bot: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        spec(bot)
    assert message in str(caught.value)


def test_limits_of_bots_outside() -> None:
    assert spec("exec:python bot.py").budget == Budget()
    assert spec("exec:time=50ms python bot.py time=2s").budget == Budget(seconds=0.05)
    assert spec("exec:time=1s iterations=9 python bot.py").budget == Budget(1.0, 9)
    assert spec("grpc:localhost:1").budget == Budget(seconds=0.1)
    assert spec("grpc:localhost:1,level=max,time=2s").budget == Budget(seconds=2)
