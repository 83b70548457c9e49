"""Load tests as their users run them: a short profile with everybody in it, alone and distributed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from load.growth import Cell, write
from load.hostile import WAYS
from load.profiles import ProfileError, load
from load.verdict import broken_limits
from saloon.ports import free_port
from tests.service.processes import server

_LOCUST = [sys.executable, "-m", "locust", "-f", "load/locustfile.py", "--headless"]


def profile_file(folder: Path, text: str) -> Path:
    file = folder / "profiles.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_profile_from_beginning_to_end(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "load.run", "gate", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads((tmp_path / "gate.json").read_text(encoding="utf-8"))
    assert figures["broken"] == []
    called = " ".join(figures["methods"])  # answered or, on a busy machine, refused
    for name in ("Bots/Suggest", "Bots/PlayTurn", "Bots/Analyze", "Seats/Sit", "Tables/CreateTable", "Rules/Apply"):
        assert name in called
    assert 0 < figures["search_share"] <= 1
    assert "efficiency" in figures
    assert "Bots/Suggest" in (tmp_path / "gate.html").read_text(encoding="utf-8")


def test_distributed_over_two_workers(tmp_path: Path) -> None:
    meet = str(free_port(2))  # the second is for Locust itself
    environment = os.environ | {"SALOON_PROFILE": "gate"}
    with server(tmp_path) as served:
        user = [*_LOCUST, "--host", served.address]
        worker = [*user, "--worker", "--master-port", meet]
        workers = [subprocess.Popen(worker, env=environment, stdout=subprocess.DEVNULL) for _ in range(2)]
        try:
            master = [*user, "--master", "--master-bind-port", meet, "--expect-workers", "2", "--json"]
            done = subprocess.run(master, env=environment, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            rows = {row["name"]: row for row in json.loads(done.stdout)}
            assert rows["Bots/Suggest"]["num_requests"] > 0
            assert [process.wait(30) for process in workers] == [0, 0]
        finally:
            for process in workers:
                process.kill()


def test_a_limit_that_does_not_hold_is_named(tmp_path: Path) -> None:
    text = """
    [mine]
    users = 1
    spawn_rate = 1
    seconds = 1
    weights = { Suggester = 1 }
    limits = { failures = 0.0, efficiency = 0.9, late = 0.1 }
    """
    profile = load("mine", profile_file(tmp_path, text))
    assert broken_limits(profile, {"failures": 0.5, "efficiency": 0.8, "late": 0.1}) == [
        "failures: expected at most 0, got 0.5",
        "efficiency: expected at least 0.9, got 0.8",
    ]
    assert broken_limits(profile, {"failures": 0, "efficiency": None}) == [
        "efficiency: expected at least 0.9, got None"
    ]


@pytest.mark.parametrize(("name", "said"), [("nothing", "expected one of wrong, got 'nothing'"), ("wrong", "Nobody")])
def test_wrong_profiles(tmp_path: Path, name: str, said: str) -> None:
    text = "[wrong]\nusers = 1\nspawn_rate = 1\nseconds = 1\nweights = { Nobody = 1 }\nlimits = {}\n"
    with pytest.raises(ProfileError, match=said):
        load(name, profile_file(tmp_path, text))


def test_a_profile_may_last_longer() -> None:
    spike = load("spike")
    assert spike.lasting(140).steps == [(40.0, 4), (40.0, 60), (60.0, 4)]
    with pytest.raises(ProfileError, match="expected 1 to"):
        spike.lasting(0)


def test_figures_of_growth_go_into_the_page(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text("before\n<!-- made by make scale: begin -->old<!-- made by make scale: end -->\nafter\n")
    cells = [Cell(workers, clients, 1.5 * clients, 3, 0.25, 1e4) for workers in (1, 2) for clients in (1, 8)]
    write(cells, 2, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "| 2 | 8 | 12.0 | 10,000 | 3 ms | 25% |" in text
    assert "old" not in text
    assert text.startswith("before")
    assert text.endswith("after\n")
    assert (tmp_path / "scale.svg").read_text(encoding="utf-8").count("<polyline") == 2
    (tmp_path / "performance.md").write_text("no such part")
    with pytest.raises(SystemExit, match="expected a part"):
        write(cells, 2, tmp_path)


@pytest.mark.parametrize("ways", [[way for way in WAYS if way.startswith("web_") == web] for web in (False, True)])
def test_a_good_client_is_served_beside_hostile_ones(ways: list[str]) -> None:
    """Every way to hurt it at once, for a moment; `make attack` goes on for longer, one after the other."""
    command = [sys.executable, "-m", "load.attack", "--seconds", "8", "--deadline", "5", "--together", "--ways", *ways]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("held") == 1  # else some were late, or one of the ways did not get to the server
