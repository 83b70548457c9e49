"""Files that long work keeps: written whole, and with the code that made them."""

import subprocess
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Whoever is killed meanwhile leaves the file as it was."""
    scratch = path.with_name(path.name + ".tmp")
    try:
        scratch.write_bytes(data)
        scratch.replace(path)
    except OSError as error:
        error.filename = str(path)  # the one that people know
        raise


def code_version() -> str:
    """The commit, if there is one, and whether the tree differs from it."""
    done = subprocess.run(
        ["git", "describe", "--always", "--abbrev=12", "--dirty"],  # noqa: S607
        cwd=Path(__file__).parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or "unknown"
