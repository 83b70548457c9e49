"""The numbers of state.pxd for Python: every `cpdef enum` there is an attribute here, some by name, and codes."""
from engine_cy.goldgraeber cimport codes

from engine_cy.ops import names

PHASES = names(<object>Phase)
GROUND_NAMES = names(<object>Ground)
FIGHT_NAMES = names(<object>Fight)


def pack(phase, field):
    """The code of a decision."""
    return codes.code(phase, field)


def unpack(code):
    """The field of a decision."""
    return codes.code_field(code)
