"""`saloon trace` writes games that anybody can check, and checks those of others."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from saloon.trace import verify
from tests.tables import DATA

VARIANTS = [
    ["--game", "goldgraeber", "--players", "4"],
    ["--game", "goldgraeber", "--players", "6", "--prospecting", "--colours", "5,4,3,2,1,0"],
    ["--players", "2"],
    ["--players", "3", "--legends"],
    ["--players", "4", "--legends", "--scenario", "gold_rush", "--boards", "big_jo,mary,wesley,calamity"],
    ["--players", "3", "--legends", "--components", str(DATA / "crowded.toml")],
]


def saloon(*arguments: str, code: int = 0) -> str:
    """Run the command; its standard output, or its error output if it is meant to fail."""
    done = subprocess.run(
        [sys.executable, "-m", "saloon", *arguments], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stdout + done.stderr


def traced(path: Path, *arguments: str) -> list[dict[str, Any]]:
    saloon("trace", *arguments, "--out", str(path))
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("variant", VARIANTS, ids=" ".join)
def test_traces_verify(variant: list[str], tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    events = traced(path, *variant, "--games", "2", "--seed", "7")
    assert [e["index"] for e in events if e["event"] == "game"] == [0, 1]
    components = variant[-2:] if "--components" in variant else []
    assert saloon("trace", "--verify", str(path), *components) == "OK\n"


def test_the_same_seed_the_same_trace(tmp_path: Path) -> None:
    first, second, other = (traced(tmp_path / f"{i}", "--players", "2", "--seed", s) for i, s in enumerate("778"))
    assert first == second
    assert first[1:] != other[1:]


def test_the_form_of_a_trace(tmp_path: Path) -> None:
    """The events of section 10, in order: what a checker in another language reads."""
    events = traced(tmp_path / "trace.jsonl", "--players", "4", "--legends", "--games", "1", "--seed", "3")
    assert events[0] == {
        "event": "game",
        "game": "moon_river",
        "index": 0,
        "players": 4,
        "legends": True,
        "scenario": None,
        "boards": ["mary", "wesley", "calamity", "big_jo"],
        "components": "moon-river-standard",
        "seed": 3,
    }
    setup = [e["what"] for e in events[1:12] if e["event"] == "chance"]
    assert setup == ["scenario", "saloon", "column", "ranchero", "ranchero", "ranchero", "column"]
    decisions = [e for e in events if e["event"] == "decision"]
    assert all(e["chosen"] in e["options"] and len(e["options"]) > 1 for e in decisions)
    assert set(decisions[0]) == {"event", "seat", "kind", "options", "chosen"}
    assert events[-1]["event"] == "result"
    assert set(events[-1]["scores"][0]) == {
        "seat", "territories", "resources", "partners", "scenario", "total", "largest_territory", "cows",
    }  # fmt: skip


def tampered(line: dict[str, Any]) -> list[dict[str, Any]]:
    """Wrong versions of one event."""
    match line["event"]:
        case "game":
            return [line | {"players": 9}, line | {"components": "mine"}, line | {"game": "chess"}, line | {"x": 1}]
        case "chance":
            return [line | {"what": "weather"}, line | {"outcome": [99]}, line | {"outcome": None}]
        case "decision":
            return [
                line | {"seat": 9},
                line | {"kind": "select" if line["kind"] != "select" else "build"},
                line | {"options": line["options"][1:]},
                line | {"options": [*line["options"], line["options"][0]]},
                line | {"options": [*line["options"][1:], ["select", 99]]},
                line | {"chosen": ["fly"]},
            ]
        case _:
            return [line | {"ranking": [1, 1]}, line | {"scores": []}]


def test_the_first_line_that_differs_is_named(tmp_path: Path) -> None:
    """Any event changed, missing, doubled or out of place is found where it stands."""
    path = tmp_path / "trace.jsonl"
    events = traced(path, "--players", "2", "--seed", "5")
    lines = path.read_text(encoding="utf-8").splitlines()
    for index in [0, 1, 2, 3, 4, len(events) // 2, len(events) - 1]:
        for wrong in tampered(events[index]):
            problem = verify([*lines[:index], json.dumps(wrong), *lines[index + 1 :]])
            assert problem is not None
            assert problem.startswith(f"line {index + 1}: "), problem
    assert (verify([*lines[:50], "{", *lines[51:]]) or "").startswith("line 51: line: expected a JSON object")
    assert (verify(lines[:-1]) or "").startswith(f"line {len(lines)}: expected more of the game")
    assert verify([]) == "line 1: expected a game, got the end of the file"
    assert (verify(lines[1:]) or "").startswith("line 1: ")


def test_a_wrong_trace_ends_with_code_1(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    traced(path, "--players", "2")
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert "expected more of the game" in saloon("trace", "--verify", str(path), code=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "7"], "players: expected an integer from 2 to 4, got 7"),
        (["--game", "chess"], "game: expected one of moon_river, goldgraeber, got 'chess'"),
        (["--scenario", "outlaws"], "scenario: expected none without legends, got 'outlaws'"),
        (
            ["--legends", "--boards", "mary,mary,wesley,calamity"],
            "boards[1]: expected no board twice (MR-6), got 'mary'",
        ),
        (["--seed", "-1"], "seed: expected an integer from 0 to 2**64 - 1, got -1"),
        (["--components", "missing.toml"], "missing.toml"),
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str], message: str) -> None:
    """Exit code 2, one line that names the field, what was expected and what came; no traceback."""
    output = saloon("trace", *arguments, code=2)
    assert message in output
    assert "Traceback" not in output
