"""The counts of counts.json still hold."""

import json
from typing import Any

import pytest

from tests.perft.counts import PATH, perft, start
from tests.tables import tables

TABLES = tables()


@pytest.mark.parametrize(
    "row", json.loads(PATH.read_text(encoding="utf-8")), ids=lambda r: f"{r['table']}@{r['plies']}"
)
def test_counts(row: dict[str, Any]) -> None:
    assert perft(start(TABLES[row["table"]], row["plies"]), row["depth"]) == row["count"]
