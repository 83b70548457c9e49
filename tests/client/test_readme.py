"""What README and examples show, runs."""

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

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


@pytest.mark.parametrize("page", ["README.md", "docs/quickstart.md", "docs/positions.md", "clients/python/README.md"])
def test_pages_run_as_printed_one_block_after_the_other(page: str, address: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S)
    assert blocks
    assert run("-c", "\n".join(blocks).replace("localhost:50051", address)).strip()


def test_what_the_search_is_used_by_runs() -> None:
    """Its page begins with it, indented."""
    page = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
    block = re.search(r"\n((?: {4}.*\n|\n)+)", page)
    assert block
    assert "SearchPlayer" in block[1]
    assert run("-c", dedent(block[1])) == ""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_run(path: Path, address: str) -> None:
    assert run(str(path), address)
    assert path.stem != "first_move" or run(str(path), SALOON_ADDRESS=address)


def test_the_client_stands_alone() -> None:
    """It needs neither engine nor server."""
    code = "import sys, saloon_client; print([m for m in ('engine_cy', 'search', 'server') if m in sys.modules])"
    assert run("-c", code) == "[]\n"
