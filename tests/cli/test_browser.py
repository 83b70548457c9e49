"""`saloon play` opens the page where there is a display, with a server of its own if none answers."""

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from saloon_client import Client
from saloon_client.v1 import tables_pb2

from engine_cy.errors import InputError
from saloon.browser import has_display, page_of


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "firefox"}, "linux", True),
        ({"DISPLAY": ":10", "SSH_CONNECTION": "there here"}, "linux", False),
        ({}, "darwin", True),
        ({"SSH_TTY": "/dev/pts/1"}, "darwin", False),
    ],
)
def test_where_there_is_a_display(environment: Mapping[str, str], platform: str, expected: bool) -> None:
    assert has_display(environment, platform) == expected


def test_a_page_that_is_none() -> None:
    with pytest.raises(InputError, match=r"page: expected where the server has its page.*, where no page answers'$"):
        page_of("localhost:50051", "http://127.0.0.1:1")
    with pytest.raises(InputError, match="page: expected where the server has its page"):
        page_of("localhost:50051", "file:///etc/passwd")


@contextmanager
def played(tmp_path: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """The command at a terminal, and a browser that writes down what it is to open."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n', encoding="utf-8")
    browser.chmod(0o755)
    terminal, inner = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "saloon", "play", *arguments],
        stdin=inner,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "BROWSER": f"{browser} %s", "XDG_DATA_HOME": str(tmp_path), "COLUMNS": "200"},
    )
    try:
        assert process.stdout
        with process.stdout:
            yield process
    finally:
        process.terminate()
        process.wait(60)
        os.close(terminal)
        os.close(inner)


def test_a_table_is_opened_and_served(tmp_path: Path) -> None:
    """Bots of the level sit there, the person's seat is free, and what was opened is what was printed."""
    with played(tmp_path, "--serve", "--game", "goldgraeber", "--level", "2", "--seat", "1") as process:
        assert process.stdout
        said = process.stdout.readline()
        found = re.search(r"Your table: (http://localhost:\d+)/#/join/(\w+)/(\S+)", said)
        assert found, said
        assert "Ctrl-C" in process.stdout.readline()
        assert (tmp_path / "opened").read_text(encoding="utf-8").strip() in said
        with urlopen(f"{found[1]}/", timeout=10) as answer:
            assert b"<title>Saloon</title>" in answer.read()
        assert page_of("localhost:1", found[1]) == found[1]
        (server,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
        command = Path(f"/proc/{server}/cmdline").read_bytes().split(b"\0")
        with Client(f"127.0.0.1:{command[command.index(b'--port') + 1].decode()}") as client:
            table = client.table(found[2], found[3]).table
        assert [seat.player for seat in table.seats] == [
            tables_pb2.PLAYER_BOT,
            tables_pb2.PLAYER_FREE,
            tables_pb2.PLAYER_BOT,
        ]
        process.send_signal(signal.SIGHUP)
        assert process.wait(60) == 0
        assert not Path(f"/proc/{server}").exists()


def test_the_terminal_when_it_is_wanted(tmp_path: Path) -> None:
    with played(tmp_path, "--serve", "--terminal", "--level", "1") as process:
        assert process.stdout
        assert "you are seat 0" in process.stdout.readline()
        process.terminate()
        assert "saved; go on with: saloon play --resume" in process.stdout.read()
    assert not (tmp_path / "opened").exists()
