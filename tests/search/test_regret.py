"""Rulers are made alike everywhere, go on where they were left, and tell good bots from bad ones."""

import gzip
import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from benchmarks import ruler as making
from engine_cy import Game, Generator, InputError, OptionError
from search.regret import chosen, less, mean_of, measured, report
from search.ruler import FOLDER, Header, Ruler, load, name_of, save
from search.specs import spec
from search.valuing import LEAST_VISITS, value
from tests.cli.test_trace import saloon
from tests.tables import advance, tables

pytestmark = pytest.mark.xdist_group("ruler")  # so that rulers are made once

STANDARD = {name: rules for name, rules in tables().items() if rules.printed}
RANDOM_BOT = f"exec:{sys.executable} {Path(__file__).parent.parent.parent / 'examples' / 'random_bot.py'}"


def header_for(table: str, games: int = 5, decisions: int = 24, visits: int = 128) -> Header:
    rules = STANDARD[table]
    sources = ["random", "greedy", "ismcts:iterations=5"]
    options = {name: value for name, value in rules.options().items() if name in ("players", "prospecting")}
    return Header(
        rules.name, options, rules.component_hash, "ismcts", visits, sources, games, 3, decisions, 0.0, ""
    )  # fmt: skip


@pytest.fixture(scope="module", params=["moon_river-2", "goldgraeber-3"])
def ruler(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ruler:
    folder = tmp_path_factory.mktemp("ruler")
    return making.make(header_for(request.param), folder / "ruler.jsonl.gz", folder / "ruler.part")


def test_bad_bots_lose_more(ruler: Ruler) -> None:
    rows = {bot: list(chosen(ruler, spec(bot))) for bot in ("random", "greedy")}
    lost = {bot: mean_of([(position, move.loss[0]) for position, move, _ in its]) for bot, its in rows.items()}
    assert lost["random"].mean > lost["greedy"].mean
    gain = less(rows["random"], rows["greedy"])
    assert gain.mean == pytest.approx(lost["random"].mean - lost["greedy"].mean)


def test_who_chooses_best_loses_nothing(ruler: Ruler) -> None:
    """One that knows the values takes, of the moves that were looked at longest, the best."""
    best = [
        (position, min(valued.moves, key=lambda move: (-move.visits, move.loss[0])), True)
        for position, valued in zip(ruler.positions, ruler.values, strict=True)
    ]
    figures = report(ruler, "best", best)
    assert -3 < figures["lost_a_decision"]["lead"]["mean"] < 0.5
    assert figures["best_chosen"]["mean"] == pytest.approx(1)


def test_a_ruler_covers_the_game(ruler: Ruler) -> None:
    """Every third, every kind that games had, the real frequencies by their weights, only real choices."""
    assert {position.third for position in ruler.positions} == {1, 2, 3}
    assert sum(position.weight for position in ruler.positions) / len(ruler.positions) == pytest.approx(1, abs=1e-3)
    assert 24 <= len(ruler.positions) < 36
    for position, valued in zip(ruler.positions, ruler.values, strict=True):
        view = position.view(ruler.header.rules)
        assert view.seat == view.viewer == position.seat
        assert len(view.decisions()) == len(valued.moves) >= 2
        assert any(move.visits == 128 for move in valued.moves)


def test_bots_outside_are_measured(ruler: Ruler) -> None:
    figures = measured(ruler, [RANDOM_BOT, "greedy"], 10)
    assert [bot["decisions"] for bot in figures["bots"]] == [10, 10]
    assert "loses_less_than_first" in figures["bots"][1]


def test_what_was_killed_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut off within a line, it comes to the same bytes, with any number of processes; what was begun otherwise is
    refused."""
    header = header_for("moon_river-2", 2, 6, LEAST_VISITS)
    whole, again, part = tmp_path / "whole.gz", tmp_path / "again.gz", tmp_path / "again.part"
    ruler = making.make(header, whole, tmp_path / "whole.part", jobs=2)
    text = gzip.decompress(whole.read_bytes()).decode()
    part.write_text(text[:-50], encoding="utf-8")
    with pytest.raises(OptionError, match="was begun with"):
        making.make(replace(header, visits=999), again, part)
    making.make(header, again, part)
    assert again.read_bytes() == whole.read_bytes()
    assert not part.exists()
    assert load(whole).header == ruler.header


def test_rulers_of_other_rules_are_refused(ruler: Ruler, tmp_path: Path) -> None:
    path = tmp_path / "ruler.gz"
    save(ruler, path)
    first, *rest = gzip.decompress(path.read_bytes()).decode().splitlines()
    changes: list[tuple[dict[str, object], str]] = [
        ({"saloon_ruler": 0}, "make it anew"),
        ({"components": "other"}, "the component set of today"),
        ({"decisions": 999}, "a file that make ruler wrote"),
        ({"game": "go"}, "game: expected one of"),
    ]
    for change, message in changes:
        text = "\n".join([json.dumps({**json.loads(first), **change}), *rest]) + "\n"
        path.write_bytes(gzip.compress(text.encode()))
        with pytest.raises(InputError, match=message):
            assert load(path).header.rules
    save(ruler, path)
    assert "of this table" in saloon("regret", "--players", "4", "--ruler", str(path), "--bot", "greedy", code=2)


def test_positions_that_mean_something_else_are_refused(ruler: Ruler, tmp_path: Path) -> None:
    other = replace(ruler.positions[0], options="00")
    with pytest.raises(InputError, match="make the ruler anew"):
        other.view(ruler.header.rules)
    (tmp_path / "none.gz").write_bytes(b"nothing")
    with pytest.raises(InputError, match="that make ruler wrote"):
        load(tmp_path / "none.gz")
    save(replace(ruler, values=ruler.values[:-1]), tmp_path / "part.gz")
    with pytest.raises(InputError, match="values of"):
        load(tmp_path / "part.gz")


@pytest.mark.parametrize("table", STANDARD)
def test_any_decision_can_be_valued(table: str) -> None:
    """Of every game: a value for each option, the same again, whatever lies hidden."""
    game = advance(Game(STANDARD[table], 4), Generator(5), 17)
    assert game.seat is not None
    view = game.observe(game.seat)
    valued = value(view, "ismcts", LEAST_VISITS, (1, 2))
    assert len(valued.moves) == len(view.decisions())
    assert min(abs(move.loss[0]) for move in valued.moves) < 60
    assert value(view.determinize(9).observe(view.viewer), "ismcts", LEAST_VISITS, (1, 2)) == valued
    with pytest.raises(OptionError, match="a bot that searches"):
        value(view, "greedy", LEAST_VISITS, (1, 2))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.gz")), ids=lambda path: path.name)
def test_rulers_of_this_clone_are_of_its_rules(path: Path) -> None:
    ruler = load(path)
    assert path.name == f"{name_of(ruler.header.rules)}.jsonl.gz"
    assert len(ruler.positions) >= 400
    assert path.stat().st_size < 1 << 20
    for position in ruler.positions:
        assert position.view(ruler.header.rules).state.codes()


def test_the_command(ruler: Ruler, tmp_path: Path) -> None:
    path, header = tmp_path / "ruler.gz", ruler.header
    save(ruler, path)
    table = ["--game", header.game, "--players", f"{header.options['players']}"]
    bots = ["--bot", "random", "--bot", "greedy"]
    text = saloon("regret", *table, "--ruler", str(path), *bots, "--decisions", "9")
    assert "9 decisions" in text
    figures = json.loads(saloon("regret", *table, "--ruler", str(path), *bots, "--json"))
    assert figures == measured(load(path), ["random", "greedy"])
    assert "make ruler" in saloon("regret", "--players", "3", "--legends", *bots, code=2)


def test_what_is_printed_works(tmp_path: Path) -> None:
    """Every command of the page on strength, cut short."""
    page = (FOLDER.parent.parent / "docs" / "strength.md").read_text(encoding="utf-8")
    commands = [line.split() for line in page.splitlines() if line.startswith("    saloon ")]
    assert len(commands) >= 3
    for _, name, *arguments in commands:
        if name == "arena":
            assert "without_luck" in json.loads(saloon(name, *arguments, "--games", "2", "--adjust", "1"))
        else:
            figures = json.loads(saloon(name, *arguments, "--decisions", "3", "--json"))
            assert figures["bots"][0]["decisions"] == 3
    made = [line for line in page.splitlines() if line.startswith("    make ruler ")]
    assert made
    for line in made:
        make = [*shlex.split(line), "BIN=.venv/bin", "--dry-run", "--no-print-directory"]
        done = subprocess.run(make, cwd=FOLDER.parent.parent, capture_output=True, text=True, check=True)
        words = done.stdout.split("\n")[-2].split("benchmarks.ruler")[1].split()
        out = tmp_path / "ruler.gz"
        small = ["--games", "2", "--decisions", "1", "--visits", "64", "--sources", "greedy"]
        making_of(*words, *small, "--out", str(out))
        assert str(load(out).header.options["players"]) == words[words.index("--players") + 1]


def making_of(*arguments: str) -> None:
    """`python -m benchmarks.ruler`, in this process."""
    app = typer.Typer()
    app.command()(making.command)
    app([*arguments], standalone_mode=False)
