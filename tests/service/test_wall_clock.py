"""When the clock on the wall is believed."""

import pytest

from server.tables.wall_clock import WallClock

MINUTE, HOUR, DAY = 60, 3600, 86_400


class Clocks:
    """Two that go alike, of which one can be set."""

    def __init__(self) -> None:
        self.steady = 1000.0
        self.ahead = 1.7e9
        self.clock = WallClock(lambda: self.steady)
        self.clock.believed(self.steady + self.ahead)

    def after(self, seconds: float) -> bool:
        """Whether it is believed after a time in which somebody looked every minute."""
        believed = self.clock.believed(self.steady + self.ahead)
        for _ in range(int(seconds / MINUTE)):
            self.steady += MINUTE
            believed = self.clock.believed(self.steady + self.ahead)
        return believed


def test_a_clock_is_believed_after_an_hour() -> None:
    clocks = Clocks()
    assert not clocks.after(HOUR - MINUTE)
    assert clocks.after(MINUTE)
    assert clocks.after(100 * DAY)


@pytest.mark.parametrize("jump", [-50 * 365 * DAY, -HOUR, HOUR, 90 * DAY])
def test_a_clock_that_was_set_is_not_believed_for_a_day(jump: float) -> None:
    clocks = Clocks()
    assert clocks.after(2 * HOUR)
    clocks.ahead += jump
    assert not clocks.after(DAY - MINUTE)
    assert clocks.after(MINUTE)


def test_a_clock_that_is_set_again_and_again_is_not_believed() -> None:
    clocks = Clocks()
    for jump in (90 * DAY, -90 * DAY) * 3:
        clocks.ahead += jump
        assert not clocks.after(DAY - MINUTE)


def test_a_clock_that_is_nudged_is_believed() -> None:
    """As those who keep it right do."""
    clocks = Clocks()
    assert clocks.after(HOUR)
    for _ in range(100):
        clocks.ahead += 2
        assert clocks.after(MINUTE)
