"""A real PostgreSQL for tests; where there is none, they are skipped loudly."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from load import postgres
from load.postgres import PASSWORD, Postgres, program

__all__ = ["PASSWORD", "Postgres", "cluster", "place", "program"]


@contextmanager
def place() -> Iterator[Path]:
    """A folder for one, until the block ends."""
    try:
        with postgres.place() as folder:
            yield folder
    except postgres.NotThere as missing:
        pytest.skip(f"SKIPPED: {missing}")


@contextmanager
def cluster(certificate: tuple[Path, Path] | None = None, **settings: str) -> Iterator[Postgres]:
    """A running one, until the block ends."""
    with place() as folder, postgres.running(Postgres(folder, certificate, settings)) as made:
        yield made
