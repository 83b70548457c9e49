"""The numbers of state.pxd for Python: every `cpdef enum` there is an attribute here, some by name, and codes."""

PHASES: tuple[str, ...]
LANDSCAPE_NAMES: tuple[str, ...]
TOKEN_NAMES: tuple[str, ...]
SCENARIO_NAMES: tuple[str, ...]

def pack(phase: int, bit: int, a: int = 0, b: int = 0, c: int = 0) -> int:
    """The code of a decision."""

def unpack(code: int) -> tuple[int, int, int, int, int]:
    """(phase, bit, a, b, c) of a decision."""

def neighbour(cell: int, direction: int) -> int:
    """The cell beside a cell."""

def kind_of_side(tile: int, side: int) -> int:
    """The kind of plot that a side of a bonus tile is."""

def side_of_kind(kind: int) -> tuple[int, int]:
    """(tile, side) of such a kind."""

def __getattr__(name: str) -> int: ...
