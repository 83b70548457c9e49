"""What many reviews say together: the tool that adds them up, and what it found."""

import json
import random
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer

from benchmarks import honest
from benchmarks.honest_figures import LADDER, Row, SeatRow, report
from engine_cy.errors import InputError

SMALL = ("--iterations", "5", "--players", "3")


def run(folder: Path, *arguments: str) -> None:
    app = typer.Typer()
    app.command()(honest.command)
    where = ["--rows", str(folder), "--out", str(folder / "figures.json"), "--pictures", str(folder)]
    app([*where, *arguments], standalone_mode=False)


def test_games_are_reviewed_and_added_up_and_what_is_there_is_not_done_again(tmp_path: Path) -> None:
    run(tmp_path, *SMALL, "--games", "4")
    whole = (tmp_path / "figures.json").read_text(encoding="utf-8")
    figures = json.loads(whole)["tables"]
    assert set(figures) == {"moon_river-3", "goldgraeber-3"}
    for table in figures.values():
        assert table["games"] == 4
        assert table["off"] < 1e-4
        assert sum(level["seats"] for level in table["levels"].values()) == 12
        assert sum(row["mean"] for row in table["luck_by_seat"]) == pytest.approx(0, abs=1e-3)
    pictures = sorted(tmp_path.glob("*.svg"))
    assert len(pictures) == 5
    assert all(ElementTree.parse(picture).getroot().tag.endswith("svg") for picture in pictures)

    # Stopped in the middle of a line; gone on with, it is the same to the last byte.
    kept = tmp_path / "goldgraeber-3.jsonl"
    rows = kept.read_text(encoding="utf-8")
    lines = rows.splitlines(keepends=True)
    lines[1] = lines[1].replace('"number":0', '"number": 0')  # so that one sees whether it is done again
    kept.write_text("".join(lines[:-1]) + lines[-1][:20], encoding="utf-8")
    run(tmp_path, *SMALL, "--games", "4")
    assert kept.read_text(encoding="utf-8") == "".join(lines)
    assert (tmp_path / "figures.json").read_text(encoding="utf-8") == whole

    with pytest.raises(InputError, match='"iterations": 6'):
        run(tmp_path, "--iterations", "6", "--players", "3", "--games", "4")
    with pytest.raises(InputError, match="moon_river with 2"):
        run(tmp_path, "--players", "9")


def games(number: int, unfair: float = 0.0) -> list[Row]:
    """Two seats whose results are what they expect, luck and what they give away; `unfair`: luck that the better one
    has by what is said of it."""
    luck = random.Random(1)
    rows = []
    for game in range(number):
        levels = [LADDER[game // 2 % 5]] * 2 if game % 2 else [luck.choice(LADDER) for _ in range(2)]
        better = (LADDER.index(levels[0]) > LADDER.index(levels[1])) - (
            LADDER.index(levels[0]) < LADDER.index(levels[1])
        )
        fell = luck.gauss(0, 0.2) + unfair * better
        won = float(luck.random() < min(1, max(0, 0.5 + fell)))
        seats = [
            SeatRow(level, 0.9 + 0.01 * LADDER.index(level), 50, 2 - 0.3 * LADDER.index(level),
                    0.5, sign * fell, sign * (won - 0.5 - fell), won if sign > 0 else 1 - won)
            for level, sign in zip(levels, (1, -1), strict=True)
        ]  # fmt: skip
        rows.append(Row(game, seats, [(0.5 + fell, 0.5 - fell)]))
    return rows


def test_luck_that_is_told_too_large_is_found() -> None:
    for told, shows in ((1.0, 1.0), (2.0, 0.5)):
        rows = [
            Row(row.number, [replace(seat, luck=told * seat.luck) for seat in row.seats], row.said)
            for row in games(3000)
        ]
        found = report({"a": rows})["a"]["luck_shows"]
        assert found["mean"] == pytest.approx(shows, abs=0.1)
        assert found["ci95"][0] < shows < found["ci95"][1]


def test_what_is_fair_and_what_is_not_are_told_apart() -> None:
    for unfair in (0.0, 0.1):
        table = report({"a": games(2000, unfair)})["a"]
        best = table["levels"]["9"]["luck"]["ci95"]
        assert (best[0] < 0 < best[1]) == (unfair == 0)
        accuracies = [table["levels"][level]["accuracy"]["mean"] for level in LADDER]
        assert accuracies == sorted(accuracies)
        for each in table["luck_alone"]:
            low, high = each["came"]["ci95"]
            assert low - 0.05 < each["said"] < high + 0.05
        assert table["off"] < 1e-5


def test_what_was_found_is_what_docs_say() -> None:
    """Of all tables: sums are right, luck is nothing on average, and accuracy rises with every level."""
    tables = json.loads((Path(honest.__file__).parent / "honest" / "figures.json").read_text(encoding="utf-8"))[
        "tables"
    ]
    docs = (Path(honest.__file__).parent.parent / "docs" / "review.md").read_text(encoding="utf-8")
    assert len(tables) == 7
    assert f"{sum(table['games'] for table in tables.values())} games" in docs
    holds = []
    for table in tables.values():
        rows = [table["levels"][level] for level in LADDER]
        accuracies = [row["accuracy"]["mean"] for row in rows]
        assert accuracies == sorted(accuracies)
        assert " | ".join(f"{100 * accuracy:.1f}" for accuracy in accuracies) in docs
        given = [row["given_away"]["mean"] for row in rows]
        assert given == sorted(given, reverse=True)
        assert table["off"] < 1e-4
        means = [*(row["luck"] for row in rows), *table["luck_by_seat"]]
        holds += [mean["ci95"][0] <= 0 <= mean["ci95"][1] for mean in means]
    assert sum(holds) >= 0.9 * len(holds)
