# May know: nothing else of Saloon.
"""Whether the clock on the wall can be believed when it says how long ago something was."""

import time
from collections.abc import Callable

import structlog

log = structlog.get_logger()

_JUMP_SECONDS = 60.0
_BEGIN_SECONDS = 3600.0  # a machine that just began may have no idea of the time, and be told within minutes
_AFTER_JUMP_SECONDS = 86_400.0  # for people to notice, and to set it right


class WallClock:
    """It is compared with the clock that nobody can set. It is the clock of whoever keeps what is written."""

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._apart: float | None = None
        self._believed_from = steady() + _BEGIN_SECONDS

    def believed(self, wall: float) -> bool:
        """Whether it went as time does for long enough, if it shows this now. What happened since the last look counts
        as one jump."""
        now = self._steady()
        apart = wall - now
        jump, self._apart = 0.0 if self._apart is None else apart - self._apart, apart
        if abs(jump) > _JUMP_SECONDS:
            log.warning("the clock was set; no table is deleted for a day", seconds=round(jump))
            self._believed_from = now + _AFTER_JUMP_SECONDS
        return now >= self._believed_from
