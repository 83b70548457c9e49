"""`saloon show` and `--svg`: a table as a picture, from a record or while it is played."""

import os
import re
import shutil
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from saloon_client import Client, moon_river, table_bot

from engine_cy import Game, Generator, Goldgraeber, MoonRiver
from engine_cy.game import Happened
from engine_cy.records import Record
from tests.cli.conftest import Saloon
from tests.tables import advance


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    Record.of(advance(Game(Goldgraeber(3), seed=4), Generator(1), 30)).save(path)
    return path


def is_picture(path: Path) -> bool:
    return ElementTree.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")


def test_a_record_at_a_moment(path: Path, saloon: Saloon, tmp_path: Path) -> None:
    """In the terminal and as a picture; another moment is another picture."""
    assert "64 chips face down" in saloon("show", str(path), "--after", "1").stdout
    now, before = tmp_path / "now.svg", tmp_path / "before.svg"
    assert f"the picture is in {now}" in saloon("show", str(path), "--out", str(now)).stdout
    saloon("show", str(path), "--after", "1", "--out", str(before), "--dark")
    assert is_picture(now)
    assert is_picture(before)
    assert now.read_text(encoding="utf-8") != before.read_text(encoding="utf-8")


def test_options_and_a_seed_are_enough(saloon: Saloon, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"options": {"moon_river": {"players": 3}}, "seed": 1}', encoding="utf-8")
    assert "current column" in saloon("show", str(path)).stdout


def test_what_is_hidden_stays_so(saloon: Saloon, tmp_path: Path) -> None:
    """A chip that a seat has looked at is shown to that seat, and to no spectator."""
    game, path = Game(Goldgraeber(3, prospecting=True), seed=4), tmp_path / "game.json"
    while not any(isinstance(event, Happened) and not event.seen(None) for event in game.history):
        kinds = [decision.kind for decision in game.decisions()]
        looker = game.seat
        game.decide(game.decisions()[kinds.index("prospect") if "prospect" in kinds else 0])
    Record.of(game).save(path)
    known = re.compile(r"\s[gr][1-5]\s")
    assert known.search(map_of(saloon("show", str(path), "--seat", str(looker)).stdout))
    assert not known.search(map_of(saloon("show", str(path)).stdout))


def map_of(said: str) -> str:
    return "\n".join(line for line in said.splitlines() if re.match(r" ?\d+ ", line))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--after", "999"], ", the events of the record, got 999"),
        (["--seat", "3"], "seat: expected 0 to 2, got 3"),
        (["--out", "table.jpg"], "out: expected a file that ends in .svg or .png, got 'table.jpg'"),
    ],
)
def test_what_does_not_fit_is_said(arguments: list[str], message: str, path: Path, saloon: Saloon) -> None:
    assert message in saloon("show", str(path), *arguments, code=2).stderr


def test_a_png_needs_a_program_for_it(path: Path, saloon: Saloon, tmp_path: Path) -> None:
    """Whatever is there under a known name is asked; without any only SVG is drawn."""
    nowhere = tmp_path / "bin"
    nowhere.mkdir()
    out = tmp_path / "table.png"
    said = saloon("show", str(path), "--out", str(out), code=2, PATH=str(nowhere)).stderr
    assert "there has to be one of rsvg-convert, inkscape, resvg, chromium, google-chrome on this machine" in said
    maker = nowhere / "resvg"
    maker.write_text('#!/bin/sh\nread first < "$1"\necho "picture of $first" > "$2"\n', encoding="utf-8")
    maker.chmod(0o755)
    saloon("show", str(path), "--out", str(out), PATH=f"{nowhere}{os.pathsep}/bin")
    assert out.read_text(encoding="utf-8").startswith("picture of <svg")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="SKIPPED: there is no chromium here")
def test_a_browser_makes_a_png_of_the_whole_picture(path: Path, saloon: Saloon, tmp_path: Path) -> None:
    out, svg = tmp_path / "table.png", tmp_path / "table.svg"
    saloon("show", str(path), "--out", str(svg))
    width, height = re.findall(r' (?:width|height)="(\d+)"', svg.read_text(encoding="utf-8"))[:2]
    saloon("show", str(path), "--out", str(out))
    assert out.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", out.read_bytes()[16:24]) == (int(width), int(height))


def test_pictures_of_suggestions_and_watched_tables(address: str, saloon: Saloon, tmp_path: Path) -> None:
    record, first, second = tmp_path / "game.json", tmp_path / "first.svg", tmp_path / "second.svg"
    Record.of(Game(MoonRiver(2), seed=4)).save(record)
    saloon("suggest", str(record), "--address", address, "--time", "20ms", "--svg", str(first))
    assert is_picture(first)
    with Client(address) as client:
        bots = [table_bot(seat, level=1) for seat in range(2)]
        table = client.create_table(moon_river(players=2), bots=bots, seed=3).table.table
        saloon("watch", table, "--address", address, "--no-board", "--first", "200", "--svg", str(second))
        last = client.table(table).position
        assert second.read_text(encoding="utf-8") == client.render(last).svg
