"""A short version of `make soak`."""

from benchmarks.soak import soak


def test_memory_stays_flat() -> None:
    """No game allocates: 40,000 games more do not need a page more than the allowance for noise."""
    assert soak(40_000) <= 1024
