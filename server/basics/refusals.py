# May know: nothing else of Saloon.
"""What the server refuses, by its reason. Which status of gRPC that is, is said in `server/calls/statuses.py` alone."""


class Refused(Exception):
    """A call that ends with this. The text is for the caller."""

    def __init__(self, text: str, retry_seconds: float | None = None) -> None:
        """After `retry_seconds` it is worth trying again."""
        super().__init__(text)
        self.retry_seconds = retry_seconds


class NotFound(Refused):
    """There is no such thing."""


class AlreadyTaken(Refused):
    """Somebody else has it."""


class NotNow(Refused):
    """It is not the time for it."""


class Denied(Refused):
    """The caller may not have this."""


class Unauthenticated(Refused):
    """Nobody knows who calls."""


class TooLate(Refused):
    """No time is left to answer."""


class Overloaded(Refused):
    """There is no room for it now."""


class Unavailable(Refused):
    """The server cannot do it just now."""


class NotOffered(Refused):
    """The server does not do such a thing."""


class Internal(Refused):
    """Something that nobody expected."""


class StoreUnavailable(Exception):
    """The storage cannot be used just now: full, locked, gone. Nothing was written, and trying again may help."""
