"""A server for the commands that need one, and the commands as a person runs them."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from tests.service.running import serving

Saloon = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("service")) as service:
        yield service.address


@pytest.fixture
def saloon() -> Saloon:
    """Runs the command with this input; it must end with this exit code."""

    def run(*arguments: str, code: int = 0, given: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-m", "saloon", *arguments],
            input=given,
            env={**os.environ, "COLUMNS": "100", "PYTHONUTF8": "1", **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    return run
