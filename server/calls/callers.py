# May know: basics.
"""Who calls: what each client has under way in this process, and its limits, which are alike for all."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from server.basics import limits
from server.basics.refusals import Overloaded


class Caller:
    """One client, by the name of its token, else by its address."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls = 0  # with one answer
        self.streams = 0  # with many
        self.unread = 0  # bytes of answers on their way
        self.bodies = 0  # requests that are waited for
        self._again = 0.0  # when the last one that was refused is to come again

    def begin(self, streams: bool) -> None:
        """A call of its own begins; RESOURCE_EXHAUSTED if that is too much."""
        if self.unread > limits.UNREAD_BYTES:
            raise Overloaded(f"{self.unread >> 20} MB of answers are not read yet", limits.AGAIN_SECONDS)
        under_way, most, what = (
            (self.streams, limits.STREAMS, "streams") if streams else (self.calls, limits.CALLS, "calls")
        )
        if under_way >= most:
            again = self.again(limits.AGAIN_SECONDS)
            raise Overloaded(f"one client has no more than {most} {what} here at a time", again)
        self._count(streams, 1)

    def end(self, streams: bool) -> None:
        self._count(streams, -1)

    def again(self, seconds: float) -> float:
        """The seconds after which a call that is refused may be tried again: these, or more if many were told so."""
        now = monotonic()
        self._again = max(now + seconds, min(self._again + limits.APART_SECONDS, now + limits.LATEST_SECONDS))
        return self._again - now

    def _count(self, streams: bool, change: int) -> None:
        if streams:
            self.streams += change
        else:
            self.calls += change

    @contextmanager
    def reading(self) -> Iterator[float]:
        """A request is waited for meanwhile, and no longer than so many seconds."""
        self.bodies += 1
        try:
            yield limits.READ_SECONDS if self.bodies <= limits.BODIES else limits.HURRIED_SECONDS
        finally:
            self.bodies -= 1

    @contextmanager
    def writing(self, size: int) -> Iterator[None]:
        """So many bytes are on their way meanwhile."""
        self.unread += size
        try:
            yield
        finally:
            self.unread -= size


class Callers:
    """All that have something under way."""

    def __init__(self) -> None:
        self._callers: dict[str, Caller] = {}

    def begin(self, name: str, streams: bool) -> Caller:
        caller = self._callers.get(name) or Caller(name)
        caller.begin(streams)
        self._callers[name] = caller
        return caller

    def end(self, caller: Caller, streams: bool) -> None:
        caller.end(streams)
        if not caller.calls and not caller.streams:
            self._callers.pop(caller.name, None)
