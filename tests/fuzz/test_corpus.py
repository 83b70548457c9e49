"""Whatever fuzzing has found, and where it begins: read as the contract says, in every run of the tests."""

from pathlib import Path

import pytest

from tests.fuzz.names import CORPUS, NAMES
from tests.fuzz.targets import TARGETS

FILES = sorted(CORPUS.glob("*/*"))
MOST_BYTES = 300_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_it_is_read_or_refused(path: Path) -> None:
    TARGETS[path.parent.name].run(path.read_bytes())


def test_the_corpus_is_small_and_there_is_some_for_every_target() -> None:
    assert {path.parent.name for path in FILES} == set(NAMES)
    assert sum(path.stat().st_size for path in FILES) < MOST_BYTES
