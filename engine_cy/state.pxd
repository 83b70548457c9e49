"""The thinnest Python objects over the game interface: numbers in, numbers out. Names are in game.py."""
from libc.stdint cimport uint32_t

from engine_cy.network cimport Network
from engine_cy.ops cimport Chance, GameOps
from engine_cy.rng cimport Rng


cdef class Generator:
    cdef Rng rng


cdef class State


cdef class Rules:
    cdef const GameOps* ops     # set by the subclass, one for each game
    cdef void* data             # its compiled options and components
    cdef readonly int players
    cdef public Network network  # what was learned of how its games end, or None
    cdef object table           # what a state depends on: equal for rules that can carry each other's states
    # For the Python objects alone, by table.pxi: the points of every seat by rule, and to go on from a phase.
    cdef list (*by_rule)(const void* rules, const void* state)
    cdef void (*settle)(const void* rules, void* state, int phase) noexcept nogil

    cdef _need_own(self, State state)
    cdef dict written(self, const void* state)
    cdef read(self, dict fields, void* state)


cdef class State:
    cdef readonly Rules rules
    cdef void* data             # ops.state_size bytes

    cdef _need(self, int status, str what)
    cdef _need_full(self, str what)
    cdef int _seat(self, seat) except -1
