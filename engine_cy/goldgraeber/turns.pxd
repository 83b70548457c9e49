"""How a game starts and goes on: what follows by itself from decisions and chance events."""
from libc.stdint cimport uint32_t

from engine_cy.goldgraeber.state cimport Setup, State
from engine_cy.rng cimport Rng


# The state before the first chance event; hidden orders shuffled by rng, canonical if it is NULL.
cdef void start(const Setup* r, State* s, Rng* rng) noexcept nogil

# From a phase that may need nobody to where the game next waits.
cdef void settle(const Setup* r, State* s, int phase) noexcept nogil

# To the end, or to the next decision after `limit` of them; the seats in the set `informed` decide by worth, the others
# at random. Returns the number of decisions.
cdef uint32_t play_out(const Setup* r, State* s, Rng* rng, uint32_t informed, uint32_t limit) noexcept nogil
