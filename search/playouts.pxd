"""Playouts in which what was learned decides."""
from libc.stdint cimport uint32_t

from engine_cy.network cimport Net
from engine_cy.ops cimport GameOps
from engine_cy.rng cimport Rng


# Room for the decisions of a state, and for a state.
cdef struct Room:
    uint32_t* codes
    float* worths
    void* trial


# Play on for `limit` decisions at most, chance from the hidden orders and the generator. Of the `asked` decisions that
# seem best at a glance each seat takes the one that leads to most points for it, as it was learned. Stops as
# GameOps.playout does.
cdef void think_on(const GameOps* ops, const Net* net, const void* rules, void* state, Rng* rng, uint32_t asked,
                   uint32_t limit, Room* room) noexcept nogil
