"""`saloon play`: a whole game through a pipe, and all a person may do on the way."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from rich.console import Console
from saloon_client import Client, chosen, load_record, moon_river, save
from saloon_client.v1 import game_pb2, moon_river_pb2, rules_pb2

from engine_cy.in_short import in_short
from engine_cy.records import Record
from saloon.choosing import Menu
from saloon.play import Play
from saloon.saved import Played
from saloon.screens import screen_of
from saloon.screens.screen import Screen, listed
from tests.cli.conftest import Saloon
from tests.search.test_puzzles import beginning

QUICK = ("--level", "1", "--time", "5ms", "--seed", "5")


def lines(*words: str) -> str:
    return "".join(f"{word}\n" for word in words)


@contextmanager
def asked(command: list[str]) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """A game that waits for its first answer, and what it says after."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    with process.stdin, process.stdout:
        while "place your ranchero: " not in (line := process.stdout.readline()):
            assert line, "it ended"
        yield process, process.stdout


GOLDGRAEBER = ("--game", "goldgraeber")
TABLES = [
    ["--players", "2"],
    ["--players", "3", "--legends", "--seat", "2"],
    [*GOLDGRAEBER, "--players", "6", "--seat", "5"],
    [*GOLDGRAEBER, "--players", "3", "--prospecting", "--colours", "5,2,0"],
]


@pytest.mark.parametrize("table", TABLES, ids=" ".join)
def test_a_whole_game(table: list[str], address: str, saloon: Saloon, tmp_path: Path) -> None:
    """Always the first line of the menu: once for a group, once within it, then Enter ends the turn."""
    path = tmp_path / "game.json"
    said = saloon(
        "play", "--address", address, *QUICK, *table, "--save", str(path), given=lines(*(["1", "1", ""] * 400))
    ).stdout
    assert "The game is over" in said
    assert re.search(r"You (win!|come (second|third|fourth|fifth|last))", said)
    with Client(address) as client:
        assert client.replay(load_record(path)).status.waiting == game_pb2.WAITING_OVER
    # What was over is over again at once: the review is offered, and says what `saloon review` says.
    given = lines("what", "review soon", "review 1s", "")
    again = saloon("play", "--address", address, "--resume", str(path), given=given).stdout
    assert "expected review, or Enter to end" in again
    assert "time: expected a time such as" in again
    assert again.index("You") < again.index("accuracy") < again.index("how likely each was to win")
    assert f"the game is in {path}" in again


def test_all_one_can_say(address: str, saloon: Saloon, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    given = lines("help", "?", "score", "hint", "board", "save", "undo", "99", "buffalo", "1", "what", "undo", "2", "")
    said = saloon("play", "--address", address, *QUICK, "--save", str(path), given=given + "quit\n").stdout
    assert "take back a decision of this turn" in said
    assert "If the game ended now" in said
    assert re.search(r"claim position \d: \S+   wins \d+%, \d+ points", said)
    assert re.search(r"the first rather than the second: [+-]\d+\.\d", said)
    assert "nothing of this turn to take back" in said
    assert "expected 1 to 2, got 99" in said
    assert "nothing you can do has 'buffalo' in it" in said
    assert "Enter to end the turn, or undo" in said
    assert "taken back: claim position" in said
    assert f"saved; go on with: saloon play --resume {path}" in said
    claims = [e.chosen for e in load_record(path).events if e.HasField("chosen") and e.chosen.seat == 0]
    assert len(claims) == 1
    assert said.index("taken back: ") < said.index(f"Your turn: {claims[0].decision.text}")


def test_the_coach_warns_before_a_turn_that_gives_much_away(address: str, saloon: Saloon, tmp_path: Path) -> None:
    """A turn with a blunder, taken back, and a good one: the seat is warned of the one, and not of the other."""
    path = tmp_path / "game.json"
    Record.of(beginning(61)).save(path)
    play = ("play", "--address", address, "--resume", str(path), "--pace", "0", "--coach", "3%")
    bad, good = ("recruit gold digger on c3", "stop"), ("recruit desperado on c3", "swap canyon+skull", "farm", "stop")
    said = saloon(*play, given=lines(*bad, "better", "undo", "undo", *good, "better", "undo", "quit")).stdout
    (warned,) = re.findall(r"The coach: (.*) gives away (\d+)% \+- (\d+)% of a win", said)
    assert warned[0] == "recruit gold digger on c3"
    assert int(warned[1]) >= 3
    assert int(warned[1]) > 2 * int(warned[2])
    assert re.search(r"better: recruit desperado on c3 \([+-]", said)  # and why
    assert said.count("undo takes back, better tells what is better> ") == 2  # also after what is better was told
    told = [said.index(text) for text in ("better tells", "Your turn: recruit desperado", "undo takes back> better")]
    assert told == sorted(told)
    for wrong in ("15", "2%", "101%", "much"):
        assert (
            f"coach: expected a part of a win from 3% to 100%, got '{wrong}'"
            in saloon(*play, "--coach", wrong, code=2).stderr
        )


def test_all_one_can_say_in_goldgraeber(address: str, saloon: Saloon, tmp_path: Path) -> None:
    """A field by its name; what can be taken back is; what it brought is told only once the turn is ended. The seat
    begins, so its roll hangs on the seed alone."""
    path = tmp_path / "game.json"
    game = ("play", "--address", address, *GOLDGRAEBER, *QUICK, "--seat", "2", "--save", str(path))
    given = lines("hint", "board", "score", "z9", "h6", "undo", "undo", "chip", "", "d8", "undo", "d8", "", "quit")
    said = saloon(*game, given=given).stdout
    first = next(e.chosen for e in load_record(path).events if e.HasField("chosen"))
    assert (first.seat, first.decision.text) == (2, "walk to d8")
    assert re.search(r"[a-q]\d+: .*   wins \d+%, \d+ points", said)
    assert "nothing you can do has 'z9' in it" in said
    assert "take the raft: " in said
    assert said.index("taken back: walk to h6") < said.index("nothing of this turn to take back")
    assert "taken back: walk to d8" in said
    ended = said.index("Enter ends the turn", said.index("taken back: walk to d8"))
    assert re.search(r"you turn up (\d gold|a robber of \d) at d8", said[ended:])
    assert "you turn up" not in said[:ended]


def test_the_rules_are_told(address: str, saloon: Saloon, tmp_path: Path) -> None:
    """The texts of the page: topics, one of them, and what explains why something is not offered."""
    game = ("play", "--address", address, *QUICK, "--legends", "--scenario", "gold_rush", "--seat", "2")
    given = lines("rules", "rules build", "rules chess", "why", "why c1 z9", "hint", "quit")
    said = saloon(*game, "--save", str(tmp_path / "game.json"), given=given).stdout
    assert "Gold Rush: plots with nuggets." in said
    for section in in_short("moon_river").sections:
        assert re.search(rf"rules {section.topic} +{re.escape(section.title)}", said)
    told = " ".join(said.split())
    build = in_short("moon_river").section("build")
    assert build is not None
    assert all(line in told for line in build.text)
    assert "rules: expected one of aim, turn, build" in said
    assert told.count("Your turn You get the plot under your ranchero.") == 2  # for `why`, and where no more is known
    assert "how often you win" in told


def test_why_nothing_can_be_built_somewhere(address: str, saloon: Saloon, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    given = lines("1", "", "why", "why b2 e4", "why c1 z9", "quit")
    said = saloon("play", "--address", address, *QUICK, "--save", str(path), given=given).stdout
    assert re.search(r"a domino takes two plots: you have \S+ alone", said)
    assert "b2 and e4 are not next to each other" in said
    assert "c1 is your camp" in said
    assert "z9 is not on your ranch: columns a to e, rows 1 to 5" in said
    assert "neither e4 nor a free cell next to it is at a bridge or at a plot of yours" in said


def test_why_a_digger_cannot_go_somewhere(address: str, saloon: Saloon, tmp_path: Path) -> None:
    game = ("play", "--address", address, *GOLDGRAEBER, *QUICK, "--seat", "2", "--save", str(tmp_path / "game.json"))
    said = saloon(*game, given=lines("why", "why h6", "why a1 q11 g13 e9", "quit")).stdout
    told = " ".join(said.split())
    assert "the walk has exactly 6 steps, never straight back" in told
    assert "you can: 1 way, such as: walk to h6" in said
    assert "a1 is no field of the map" in said
    assert re.search(r"q11 is \d+ steps away at least", said)


def test_a_game_that_goes_on_is_not_told_again(address: str, saloon: Saloon, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = ("play", "--address", address, "--level", "1", "--time", "5ms")
    first = saloon(*game, *GOLDGRAEBER, "--seed", "5", "--save", str(path), given="1\n1\n\n").stdout
    again = saloon(*game, "--resume", str(path), given="").stdout
    assert " begins" in first
    assert " begins" not in again
    assert "Goldgräber: you to walk" in again


def known_on_the_map(said: str) -> set[str]:
    """The face-down chips whose value the map shows."""
    rows = [line for line in said.splitlines() if re.fullmatch(r" ?\d+ .{68,} \d+ *", line)]
    return {cell for row in rows for cell in row.split() if re.fullmatch(r"\d?[gr][1-5]\*?", cell)}


def test_what_others_look_at_is_not_told(address: str, saloon: Saloon, tmp_path: Path) -> None:
    """Of chips that bots have looked at one reads where they lie, not what they are."""
    looked: list[str] = []
    for seed in range(11, 20):  # of the deal; what bots do is different every time
        table = (*GOLDGRAEBER, "--prospecting", "--level", "3", "--time", "500ms", "--seed", str(seed))
        game = ("play", "--address", address, *table, "--save", str(tmp_path / f"{seed}.json"))
        said = saloon(*game, given=lines(*(["roll", "1", "1", ""] * 30))).stdout
        looked = re.findall(r"looks in secret at (.*)", said)
        if looked:
            break
    assert looked
    assert all(re.fullmatch(r"[a-q]\d+(, [a-q]\d+)*", fields) for fields in looked)
    assert "you see" not in said
    assert not known_on_the_map(said)


def test_what_one_looks_at_oneself_is_told(address: str, saloon: Saloon, tmp_path: Path) -> None:
    game = (
        "play",
        "--address",
        address,
        *GOLDGRAEBER,
        "--prospecting",
        "--level",
        "1",
        "--time",
        "500ms",
        "--seed",
        "5",
    )
    given = lines("roll", "chip", "1", "", *(["prospect", "", "roll", "chip", "1", ""] * 14))
    said = saloon(*game, "--save", str(tmp_path / "game.json"), given=given).stdout
    seen = re.findall(r"you see (gold|a robber of) (\d) at ", said)
    assert seen
    shown = {cell.strip("*")[-2:] for cell in known_on_the_map(said)}
    assert shown <= {("g" if kind == "gold" else "r") + value for kind, value in seen}
    assert shown
    assert "as you know" in said


def test_the_end_of_the_input_saves(address: str, saloon: Saloon, tmp_path: Path) -> None:
    """A turn that was not ended is not in the file, and the game goes on from it."""
    path = tmp_path / "game.json"
    saloon("play", "--address", address, *QUICK, "--save", str(path), given="1\n")
    before = load_record(path)
    assert not [e for e in before.events if e.HasField("chosen") and e.chosen.seat == 0]
    saloon("play", "--address", address, "--level", "1", "--time", "5ms", "--resume", str(path), given="1\n\n")
    after = load_record(path)
    assert len(after.events) > len(before.events)
    assert after.events[: len(before.events)] == before.events


def test_a_resumed_game_is_played_as_before(address: str, saloon: Saloon, tmp_path: Path) -> None:
    """Its file lies in the data folder, under a name that no other game has; what is said otherwise is refused."""
    where = {"XDG_DATA_HOME": str(tmp_path), "SALOON_ADDRESS": address}
    new = ("play", "--level", "3", "--time", "20ms", "--seed", "7", "--seat", "1", "--players", "2")
    assert "moon_river-7.json" in saloon(*new, given="quit\n", **where).stdout
    assert "moon_river-7-2.json" in saloon(*new, given="quit\n", **where).stdout
    path = tmp_path / "saloon" / "games" / "moon_river-7.json"
    before = load_record(path)
    for name, other, kept in (
        ("level", "5", "3"),
        ("time", "1s", "20ms"),
        ("seat", "0", "1"),
        ("players", "3", "2"),
        ("game", "goldgraeber", "moon_river"),
        ("seed", "8", "7"),
    ):
        said = saloon("play", "--resume", path.name, f"--{name}", other, code=2, **where).stderr
        assert f"{name}: expected {kept}, as in {path}, got " in said
    assert (
        "legends: expected nothing, as in" in saloon("play", "--resume", path.name, "--legends", code=2, **where).stderr
    )
    again = saloon("play", "--resume", path.name, "--level", "3", given="1\n1\n\n", **where).stdout
    assert "you are seat 1, against level 3" in again
    assert load_record(path).events[: len(before.events)] == before.events
    assert len(load_record(path).events) > len(before.events)


def test_a_record_of_something_else_is_played_by_what_is_said(address: str, saloon: Saloon, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with Client(address) as client:
        save(client.new_game(moon_river(players=2), seed=3), path)
    said = saloon("play", "--resume", str(path), "--level", "1", "--seat", "1", "--address", address, given="").stdout
    assert "you are seat 1, against level 1" in said
    path.write_text('{"saloon_play": {"level": 3}}', encoding="utf-8")
    said = saloon("play", "--resume", str(path), "--address", address, code=2).stderr
    assert "saloon_play: expected an object with level, time, seat" in said


def test_an_interrupt_saves(address: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    # Whoever runs tests in the background may have them ignore interrupts.
    heeding = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from saloon.__main__ import run; run()"
    )
    command = [sys.executable, "-c", heeding, "play", "--address", address, *QUICK, "--save", str(path)]
    with asked(command) as (process, output):
        process.send_signal(signal.SIGINT)
        assert "saved; go on with" in output.read()
    assert process.wait(20) == 0
    assert load_record(path).events


@pytest.mark.parametrize("table", [["--players", "4"], [*GOLDGRAEBER, "--players", "6", "--prospecting"]], ids=" ".join)
def test_it_looks_sensible_everywhere(table: list[str], address: str, saloon: Saloon, tmp_path: Path) -> None:
    """No line is wider than the terminal; without UTF-8 it is plain ASCII; colours come only when they are wanted."""
    game = ("play", "--address", address, *QUICK, *table, "--save", str(tmp_path / "game.json"))
    given = "1\n1\n\n" * 3
    for columns in ("80", "100", "120"):
        said = saloon(*game, given=given, COLUMNS=columns).stdout
        assert max(len(line) for line in said.splitlines() if "saved" not in line) <= int(columns)
        assert "\x1b" not in said
    plain = saloon(*game, given=given, PYTHONUTF8="0", PYTHONIOENCODING="ascii").stdout
    assert plain.isascii()
    terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    assert "48;2;" in saloon(*game, given=given, FORCE_COLOR="1", **terminal).stdout
    uncoloured = saloon(*game, given=given, FORCE_COLOR="1", NO_COLOR="1", **terminal).stdout
    assert not re.search(r"\x1b\[[0-9;]*[34]8;", uncoloured)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--address", "127.0.0.1:1"], 1, "no Saloon server answers at 127.0.0.1:1; start one with `saloon serve`"),
        (["--seat", "3"], 2, "seat: expected 0 to 2, got 3"),
        (["--level", "77"], 2, "level: expected one of 1, 2, 3"),
        (["--game", "chess"], 2, "game: expected one of moon_river, goldgraeber, got 'chess'"),
        (["--players", "5"], 2, "players: expected an integer from 2 to 4, got 5"),
        ([*GOLDGRAEBER, "--players", "2"], 2, "players: expected an integer from 3 to 6, got 2"),
        ([*GOLDGRAEBER, "--colours", "0,1,1"], 2, "colours[2]: expected no colour twice, got 1"),
        ([*GOLDGRAEBER, "--legends"], 2, "legends: expected no such key"),
        (["--time", "soon"], 2, "time: expected a time"),
        (["--resume", "missing.json"], 2, "saloon: missing.json: no such file or directory"),
        (
            ["--save", "/nowhere/game.json"],
            2,
            "save: expected a file in a folder that is there, got '/nowhere/game.json'",
        ),
    ],
)
def test_what_does_not_fit_is_said(
    arguments: list[str], code: int, message: str, address: str, saloon: Saloon, tmp_path: Path
) -> None:
    arguments = ["--save", str(tmp_path / "game.json"), *arguments]
    said = saloon("play", *arguments, code=code, given="1\n\n", SALOON_ADDRESS=address).stderr
    assert message in said


def test_it_brings_its_own_server(saloon: Saloon, tmp_path: Path) -> None:
    said = saloon("play", "--serve", *QUICK, "--save", str(tmp_path / "game.json"), given="hint\n1\n\nquit\n").stdout
    assert "saved; go on with" in said


def test_a_closed_window_leaves_no_server_behind(tmp_path: Path) -> None:
    """The terminal says so by a signal, which the server, in a session of its own, does not get."""
    command = [sys.executable, "-m", "saloon", "play", "--serve", *QUICK, "--save", str(tmp_path / "game.json")]
    with asked(command) as (process, output):
        servers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
        assert servers
        process.send_signal(signal.SIGHUP)
        assert "saved; go on with" in output.read()
    assert process.wait(60) == 0
    assert not any(Path(f"/proc/{server}").exists() for server in servers)
    assert load_record(tmp_path / "game.json").events


# ---- Choosing among many


@pytest.fixture(scope="module")
def menu(address: str) -> Menu:
    """A build with many ways."""
    with Client(address) as client:
        game = client.new_game(moon_river(players=2), seed=1)
        while True:
            legal = client.legal_decisions(game).decisions
            if len(legal) > 30 and any(decision.text == "stop building" for decision in legal):
                stand = client.replay(game)
                return Menu(screen_of(client, Console(), game.options).choices(legal, stand.position))
            seat = client.replay(game).status.seat
            game = client.apply(game, chosen(seat, legal[0])).situation.record  # storages fill


def test_pairs_first_then_places(menu: Menu) -> None:
    menu.reset()
    groups = menu.entries()
    assert len(groups) < 10
    assert sorted(i for entry in groups for i in entry.choices) == list(range(len(menu.choices)))
    assert menu.choose("1") is None
    assert list(menu.within) == list(groups[0].choices)
    places = menu.entries()
    assert all(len(entry.choices) == 1 for entry in places)
    assert menu.choose("2") == menu.choices[places[1].choices[0]]
    assert menu.choose("") is None
    assert len(menu.within) == len(menu.choices)


def test_cells_and_words(menu: Menu) -> None:
    menu.reset()
    first = next(i for i, choice in enumerate(menu.choices) if choice.decision.moon_river.HasField("build"))
    build = menu.choices[first].decision.moon_river.build
    cells = [f"{'abcde'[cell.column]}{cell.row + 1}" for cell in (build.cell, build.other_cell)]
    menu.choose(" ".join(cells))
    assert first in menu.within
    assert all(all(cell in menu.choices[i].text.replace(",", "").split() for cell in cells) for i in menu.within)
    menu.reset()
    stop = menu.choose("stop")
    assert stop is not None
    assert stop.text == "stop building"
    one = menu.choices[first]
    assert menu.choose(one.text.upper()) == menu.choose(one.short) == one  # also where all its words are in others
    with pytest.raises(ValueError, match="nothing you can do"):
        menu.choose("z9")
    with pytest.raises(ValueError, match="expected 1 to"):
        menu.choose("0")


def test_what_is_in_view_says_how_to_see_all(address: str, menu: Menu, capsys: pytest.CaptureFixture[str]) -> None:
    menu.reset()
    menu.choose("1")
    with Client(address) as client:
        Play(client, client.new_game(moon_river(players=2), seed=1), Played(), 0, Console(), Path()).list_menu(
            menu, "build"
        )
    assert re.search(
        r"build: \d+ ways, \d+ in view; Enter shows all of them", " ".join(capsys.readouterr().out.split())
    )


def test_what_is_out_of_view_is_found_too(menu: Menu) -> None:
    menu.reset()
    menu.choose("1")
    assert menu.choose("stop") is not None


# ---- Drawing


def test_every_chance_event_has_words(address: str) -> None:
    with Client(address) as client:
        screen = screen_of(client, Console(), moon_river(), me=0)
    drawn = moon_river_pb2.MoonRiverChance
    words = [
        screen.chance(game_pb2.Chance(moon_river=event))
        for event in (
            drawn(scenario=moon_river_pb2.MOON_RIVER_SCENARIO_GOLD_RUSH),
            drawn(saloon=moon_river_pb2.MoonRiverSaloon(partners=[moon_river_pb2.MOON_RIVER_PARTNER_TRAPPER])),
            drawn(saloon=moon_river_pb2.MoonRiverSaloon()),
            drawn(column=moon_river_pb2.MoonRiverColumn(plots=[0, 21])),
            drawn(ranchero=0),
            drawn(),
        )
    ]
    assert words == [
        "drawn: the scenario: gold rush",
        "drawn: to the saloon: trapper",
        "drawn: to the saloon: nobody",
        "drawn: a column: desert, farm+cow+circle",
        "drawn: the ranchero of you",
        "drawn: something",
    ]


def test_long_lists_go_into_columns() -> None:
    console = Console(width=80, record=True, quiet=True)
    with console.capture() as capture:
        console.quiet = False
        console.print(listed([f"desert on a{i}" for i in range(1, 25)]))
    assert len(capture.get().splitlines()) < 12


def test_a_game_without_a_board_is_drawn_as_text() -> None:
    console = Console(width=80)
    screen = Screen(console, rules_pb2.GameInfo(), game_pb2.Options(), plain=lambda _: "a map")
    with console.capture() as capture:
        console.print(screen.table(game_pb2.Position(), []))
    assert capture.get() == "a map\n"
    (choice,) = screen.choices([game_pb2.Decision(text="dig")], game_pb2.Position())
    assert (choice.text, choice.short) == ("dig", "dig")
    assert screen.name(2) == "seat 2"
