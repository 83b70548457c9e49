"""Files that long work keeps: written whole, and with the code that made them."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EISDIR
from os import strerror
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Whoever is killed meanwhile leaves the file as it was."""
    scratch = _scratch(path)
    with _by_its_name(path):
        scratch.write_bytes(data)
        scratch.replace(path)


def check_can_write(path: Path) -> None:
    """OSError now, and not when long work is done, if the file cannot be written."""
    with _by_its_name(path):
        if path.is_dir():
            raise IsADirectoryError(EISDIR, strerror(EISDIR))
        scratch = _scratch(path)
        scratch.write_bytes(b"")
        scratch.unlink()


def _scratch(path: Path) -> Path:
    return path.with_name(path.name + ".tmp")


@contextmanager
def _by_its_name(path: Path) -> Iterator[None]:
    """Errors name the file that people know."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def code_version() -> str:
    """The commit, if there is one, and whether the tree differs from it."""
    done = subprocess.run(
        ["git", "describe", "--always", "--abbrev=12", "--dirty"],  # noqa: S607
        cwd=Path(__file__).parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or "unknown"
