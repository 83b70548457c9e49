# May know: nothing else of Saloon.
"""Who calls."""

from contextvars import ContextVar

CALLER: ContextVar[str] = ContextVar("caller", default="")  # its token's name, else its address
