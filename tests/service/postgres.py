"""A real PostgreSQL for tests; where there is none, they are skipped loudly."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from load import postgres
from load.postgres import PASSWORD, Postgres, program

__all__ = ["PASSWORD", "Postgres", "cluster", "program"]


@contextmanager
def cluster(certificate: tuple[Path, Path] | None = None, **settings: str) -> Iterator[Postgres]:
    """A running one, until the block ends."""
    if program("postgres") is None:
        pytest.skip("SKIPPED: PostgreSQL is not there; apt-get install postgresql")
    with postgres.cluster(certificate, **settings) as made:
        yield made
