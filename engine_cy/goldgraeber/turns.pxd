"""How a game goes on: carry out decisions and chance events, and what follows from them by itself."""
from libc.stdint cimport uint32_t

from engine_cy.goldgraeber.state cimport Setup, State
from engine_cy.ops cimport Chance
from engine_cy.rng cimport Rng


# Carry out a legal decision, then go on to where the game next waits.
cdef void take(const Setup* r, State* s, uint32_t decision) noexcept nogil

# Let the pending event come out so (the hidden chips agree), then go on to where the game next waits.
cdef void happen(const Setup* r, State* s, const Chance* outcome) noexcept nogil

# From a phase that may need nobody to where the game next waits.
cdef void settle(const Setup* r, State* s) noexcept nogil

# To the end; the seats in the set `informed` decide by worth, the others at random. Returns the number of decisions.
cdef uint32_t play_out(const Setup* r, State* s, Rng* rng, uint32_t informed) noexcept nogil
