"""A little fuzzing in every run of the tests: so many inputs, not so much time."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fuzz.__main__ import MISSING, fuzz, said
from tests.fuzz.names import BROKEN, NAMES

RUNS = 100


pytestmark = pytest.mark.skipif(find_spec("atheris") is None, reason=MISSING)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_at_once(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz", name, "--runs", str(RUNS), "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    _, said = done.stdout.splitlines()
    assert int(said.split()[1]) >= RUNS
    assert any((tmp_path / name).iterdir()), "nothing new was reached: does it see what is reached?"


def test_what_is_found_is_left_in_a_file(tmp_path: Path) -> None:
    tried = fuzz(BROKEN, tmp_path, "-runs=100000")
    assert not tried.ended
    assert [path.read_bytes()[:1] for path in tried.found] == [b"!"]
    assert str(tried.found[0]) in str(tried)
    assert "ZeroDivisionError" in said(tmp_path / f"{BROKEN}.log")
