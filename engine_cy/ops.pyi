"""The numbers of ops.pxd for Python: every `cpdef enum` there is an attribute here."""

from enum import IntEnum

def names(numbers: type[IntEnum]) -> tuple[str, ...]:
    """The names of an enum of a state.pxd as the rest of the world has them, in order; GAME_OVER is `over`."""

def __getattr__(name: str) -> int: ...
