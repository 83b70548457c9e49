"""The numbers of state.pxd for Python: every `cpdef enum` there is an attribute here, some by name, and codes."""
from engine_cy.moon_river cimport cells, codes, pieces

from engine_cy.ops import names

PHASES = names(<object>Phase)
LANDSCAPE_NAMES = names(<object>Landscape)
TOKEN_NAMES = names(<object>Token)
SCENARIO_NAMES = names(<object>Scenario)


def pack(phase, bit, a=0, b=0, c=0):
    """The code of a decision."""
    return codes.code(phase, a, b, c) | <int>bit


def unpack(code):
    """(phase, bit, a, b, c) of a decision."""
    return codes.code_phase(code), codes.code_bit(code), codes.code_a(code), codes.code_b(code), codes.code_c(code)


def neighbour(cell, direction):
    """The cell beside a cell."""
    return cells.neighbour(cell, direction)


def kind_of_side(tile, side):
    """The kind of plot that a side of a bonus tile is."""
    return pieces.kind_of_side(tile, side)


def side_of_kind(kind):
    """(tile, side) of such a kind."""
    return divmod(kind - MAX_KINDS, TILE_SIDES)
