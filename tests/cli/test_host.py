"""`saloon host` and `saloon join`: two people at two terminals, against a real server."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from saloon_client import Client, table_bot
from saloon_client.v1 import game_pb2, tables_pb2

from tests.cli.conftest import Saloon

TURNS = "1\n1\n\n"  # the first line of the menu, once for a group and once within it, then Enter ends the turn
QUICK = ("--level", "1", "--time", "20ms", "--seed", "3")


@contextmanager
def person(folder: Path, *arguments: str, says: str, read: bool = True) -> Iterator["subprocess.Popen[str]"]:
    """One at a terminal, who has typed this ahead. `read`: what it says is read, else it would wait some day."""
    folder.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "saloon", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE if read else subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "COLUMNS": "100", "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1", "XDG_DATA_HOME": str(folder)},
    )
    try:
        assert process.stdin
        with process.stdin, process.stdout or nullcontext():
            process.stdin.write(says)
            process.stdin.flush()
            yield process
    finally:
        process.kill()
        process.wait(20)


def invitation(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    line = process.stdout.readline()
    found = re.search(r"Invite the others with: saloon join (saloon://\S+)$", line)
    assert found, line
    return found[1]


def ending(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    said = process.stdout.read()
    assert process.wait(20) == 0, said
    assert "Traceback" not in said
    return said


def test_a_whole_game_of_two(address: str, tmp_path: Path) -> None:
    """Both see the same end, and each was told what the other did."""
    with person(tmp_path / "host", "host", "--address", address, *QUICK, "--players", "2", says=TURNS * 600) as host:
        link = invitation(host)
        joined = person(tmp_path / "guest", "join", link, "--name", "Ann", says=TURNS * 600)
        with joined as guest, ThreadPoolExecutor() as both:  # each waits for the other, and to be read
            said = list(both.map(ending, (host, guest)))
    with Client(address) as client:
        _, name, invited = link.removeprefix("saloon://").split("/")
        stand = client.table(name, invited)
        assert stand.table.status.waiting == game_pb2.WAITING_OVER
    results = [re.findall(r"(\d)\. +(you|Host|Ann) +(-?\d+)", text) for text in said]
    for me, found in zip(("Host", "Ann"), results, strict=True):
        assert {(who.replace("you", me), int(total)) for _, who, total in found} == {
            (seat.name, score.total) for seat, score in zip(stand.table.seats, stand.scores, strict=True)
        }
    assert "seats  0: Host, 1: free" in said[0]
    assert "waiting for others" in said[0]
    assert "Ann: " in said[0]
    assert "Host: " in said[1]
    assert all(
        re.search(r"You (win!|come (second|third|fourth|fifth|last)).*review\?>", text, re.DOTALL) for text in said
    )


def test_secrets_of_others_are_not_told(address: str, tmp_path: Path) -> None:
    """With a bot between two people, and chips that only who looks at them knows."""
    table = ("--game", "goldgraeber", "--players", "3", "--prospecting", *QUICK, "--time", "1s")
    turns = "prospect\n\nroll\n\n1\n1\n\n"
    host_of = person(tmp_path / "host", "host", "--address", address, *table, says=turns * 6 + "quit\n")
    with host_of as host:
        guest = ("join", invitation(host), "--name", "Ann")
        with person(tmp_path / "guest", *guest, says=turns * 20, read=False):
            said = ending(host)
    assert "seats  0: Host, 1: Ann, 2: Bot (level 1)" in said
    assert "Ann: prospect" in said
    assert re.search(r"you see (gold|a robber of) \d at [a-q]\d+", said)
    assert not re.search(r"(Ann|Bot \(level 1\)) sees", said)
    assert re.search(r"(Ann|Bot \(level 1\)) rolls [2-6]", said)


def test_a_seat_is_come_back_to(address: str, saloon: Saloon, tmp_path: Path) -> None:
    """After the terminal was closed in the middle of a turn; the token lies where only its owner reads it."""
    legends = ("--players", "2", "--legends", "--scenario", "outlaws")
    with person(tmp_path / "host", "host", "--address", address, *QUICK, *legends, says=TURNS * 3) as host:
        link = invitation(host)
        with person(tmp_path / "guest", "join", link, "--name", "Ann", says="1\n1\n") as guest:
            assert guest.stdout
            while "Your turn: " not in guest.stdout.readline():
                pass
            guest.kill()
        (kept,) = (tmp_path / "guest" / "saloon" / "seats").iterdir()
        assert kept.stat().st_mode & 0o077 == 0
        with person(tmp_path / "guest", "join", link, says="1\n\nhint\nquit\n") as guest:
            said = ending(guest)
        with Client(address) as client:
            _, name, _ = link.removeprefix("saloon://").split("/")
            token = json.loads(kept.read_bytes())["token"]
            client.seat_bot(name, token, table_bot(1, level=1))
            with person(tmp_path / "guest", "join", link, says="") as guest:
                assert guest.stdout
                assert "A bot had your seat: you have it back." in guest.stdout.readline()
            assert client.table(name, token).table.seats[1].player == tables_pb2.PLAYER_PERSON
    assert "you are seat 1" in said
    assert "how often you win" in said
    assert said.count("Outlaws: partners, ") == 1
    assert "seats  0: Host, 1: Ann" in said
    assert f"your seat is kept; come back with: saloon join {link}" in said
    other = saloon("join", link, code=1, XDG_DATA_HOME=str(tmp_path / "third")).stderr
    assert "saloon: " in other


def test_two_terminals_of_one_machine_are_two_people(address: str, tmp_path: Path) -> None:
    """A seat that is played in one of them is not come back to in another."""
    both = tmp_path / "both"
    with person(both, "host", "--address", address, *QUICK, "--players", "3", "--people", "3", says="") as host:
        link = invitation(host)
        with (
            person(both, "join", link, "--name", "Ann", says="") as second,
            person(both, "join", link, "--name", "Bo", says="") as third,
        ):
            assert second.stdout
            assert third.stdout
            assert re.search("you are seat [12]", second.stdout.readline())  # else its seat would still be free below
            assert re.search("you are seat [12]", third.stdout.readline())
            seats = third.stdout.readline()
            assert "Host" in seats
            host.kill()
            host.wait()
            with person(both, "join", link, says="quit\n") as again:
                assert again.stdout
                assert "you are seat 0" in again.stdout.readline()


def test_a_server_of_the_host_ends_with_the_host(tmp_path: Path) -> None:
    """Nobody is told to come back to a table that is gone, and a closed window leaves no server."""
    with person(tmp_path / "host", "host", "--serve", *QUICK, says="") as host:
        link = invitation(host)
        with person(tmp_path / "guest", "join", link, "--name", "Ann", says=""):
            assert host.stdout
            while "1: Ann" not in (line := host.stdout.readline()):
                assert line, "it ended"
            (server,) = Path(f"/proc/{host.pid}/task/{host.pid}/children").read_text(encoding="utf-8").split()
            host.send_signal(signal.SIGHUP)
            said = ending(host)
    assert "the table ends with the server" in said
    assert "come back with" not in said
    assert not Path(f"/proc/{server}").exists()
    assert not (tmp_path / "host" / "saloon" / "seats").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["join", "http://localhost:8080"], "link: expected saloon://HOST:PORT/TABLE/INVITATION"),
        (["host", "--people", "3"], "people: expected 2 to 2, the players of this table, got 3"),
        (["host", "--seat", "2"], "seat: expected 0 to 1, got 2"),
        (["host", "--turn-time", "late"], "turn_time: expected a time such as 500ms"),
        (["host", "--level", "12"], "level: expected one of 1, 2, 3"),
        (["host", "--time", "soon", "--players", "3"], "time: expected a time such as 500ms"),
    ],
)
def test_what_does_not_fit_is_said(arguments: list[str], message: str, saloon: Saloon) -> None:
    assert message in saloon(*arguments, code=2).stderr
