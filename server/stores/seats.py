# May know: nothing else of Saloon.
"""What bot seats need of a store: what was decided there, so that a session can be gone on with at any process.

A session is served by one stream at a time. Whoever resumes it gets the next turn of it, and a stream of an earlier
turn cannot have anything remembered any more.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from server.stores.tables import StoredBot

REMEMBERED = 300  # decisions of a session; a game has fewer
WHOLE = 12  # answers of these are kept with all they said; of older ones the choice is enough


class Gone(Exception):
    """There is no such session, or it goes on at another stream; nothing was written."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A bot on its seat."""

    name: str
    seat: int
    bot: StoredBot  # with its budget
    ponder: bool
    owner: str  # who sat down
    turn: int = 1
    decisions: int = 0
    attended: bool = False  # by a stream that hears nothing: what is said to it comes by calls


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """What was decided in a situation, and how that was answered."""

    id: str
    situation: bytes
    choices: bytes
    whole: bytes | None = None  # with all it said


class SeatStore(Protocol):
    """Where sessions are kept. Any of its methods may raise StoreUnavailable."""

    async def create(self, session: StoredSession) -> None:
        """A new session, which a stream of this process serves."""

    async def resume(self, name: str, attended: bool) -> tuple[StoredSession, Sequence[str]] | None:
        """From now on a stream of this process serves it; what was decided, the oldest first. None if there is none."""

    async def look(self, name: str) -> StoredSession | None:
        """A session, whoever serves it."""

    async def decision(self, name: str, decision: str) -> StoredDecision | None:
        """One of those that are remembered."""

    async def remember(self, session: StoredSession, decision: StoredDecision) -> StoredDecision:
        """What is remembered then: this decision, or another of the same name that came before it. Gone if its turn is
        not the session's any more, but for an attended one."""

    async def leave(self, session: StoredSession) -> None:
        """Its stream has ended; it waits to be resumed, unless another stream has it by now."""

    async def served_here(self) -> Collection[tuple[str, int]]:
        """The sessions that streams of this process serve, and their turns."""

    async def forget(self, name: str) -> int:
        """The session is over; how many decisions it took."""

    async def tidy(self, keep_seconds: float) -> None:
        """Forget those that have waited for so long. Streams whose process is gone have ended."""
