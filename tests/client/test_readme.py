"""What README and examples show, runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "clients" / "python" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.S)
# One is for matches, which test it.
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.py") if path.stem != "random_bot")


def run(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_readme_fits_a_screen_and_shows_both_clients() -> None:
    assert len(README.splitlines()) <= 80
    assert len(BLOCKS) >= 3
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_readme_runs(block: str, address: str) -> None:
    assert run("-c", block.replace("localhost:50051", address)).strip()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_run(path: Path, address: str) -> None:
    assert run(str(path), address)
    assert path.stem != "first_move" or run(str(path), SALOON_ADDRESS=address)


def test_the_client_stands_alone() -> None:
    """It needs neither engine nor server."""
    code = "import sys, saloon_client; print([m for m in ('engine_cy', 'search', 'server') if m in sys.modules])"
    assert run("-c", code) == "[]\n"
