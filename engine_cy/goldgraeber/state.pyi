"""The numbers of state.pxd for Python: every `cpdef enum` there is an attribute here, some by name, and codes."""

PHASES: tuple[str, ...]
GROUND_NAMES: tuple[str, ...]
FIGHT_NAMES: tuple[str, ...]

def pack(phase: int, field: int) -> int:
    """The code of a decision."""

def unpack(code: int) -> int:
    """The field of a decision."""

def __getattr__(name: str) -> int: ...
