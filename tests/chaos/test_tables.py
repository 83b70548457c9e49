"""Hosted tables on PostgreSQL while everything is killed: a short time of what `make chaos-tables` does for long."""

import pytest

from tests.chaos.tables import run


@pytest.mark.parametrize("seconds", [20, pytest.param(600, marks=pytest.mark.chaos)])
def test_nothing_acknowledged_is_lost_doubled_or_out_of_order(seconds: float) -> None:
    said: list[str] = []
    assert run(seconds, seed=3, servers=2, say=said.append) == []
    assert "decisions acknowledged" in said[-1]
    assert not said[-1].startswith("0 ")
