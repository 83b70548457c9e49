"""Chance events: how they come out, what they bring."""
from engine_cy.goldgraeber.state cimport Setup, State
from engine_cy.ops cimport Chance
from engine_cy.rng cimport Rng


# The outcome of the event of this phase, from the hidden chips and the generator. Changes nothing.
cdef void draw_outcome(const Setup* r, const State* s, int phase, Rng* rng, Chance* out) noexcept nogil

# Bring the hidden chips in line with an outcome told from outside; False, nothing changed, if it cannot come.
cdef bint arrange(const Setup* r, State* s, const Chance* told) noexcept nogil

# Let the event come out so (the hidden chips agree); returns the phase to go on with.
cdef int come(const Setup* r, State* s, const Chance* outcome) noexcept nogil

# Whether there is a chip to see now that nobody has seen, and where. If not, what is known already is done, and the
# phase becomes the one to go on with.
cdef bint chip_due(const Setup* r, State* s, int* phase, int* field) noexcept nogil
