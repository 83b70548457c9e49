"""Which decisions are legal (section 10 of the rules), in batches."""
from engine_cy.moon_river.state cimport Options, Setup, State


# What the seat at turn may decide in this phase; nothing if the phase is to be skipped.
cdef void find_options(const Setup* r, const State* s, int phase, Options* out) noexcept nogil
