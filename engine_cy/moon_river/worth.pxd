"""What a decision is worth at a glance, in points: for informed playouts, priors and the greedy player.

Honest to what its seat can see, and cheap: the territories of a ranch are surveyed once for a decision, and every
placement is then a few look-ups (a plot's gain depends on the territories beside its cell, not on the whole ranch).
"""
from libc.stdint cimport int16_t, uint32_t, uint64_t

from engine_cy.moon_river.state cimport LANDSCAPES, Options, Setup, State
from engine_cy.rng cimport Rng

cdef enum:
    CELLS = 50
    MAX_TERRITORIES = 49

# What lies beside each free cell of one ranch, by landscape.
cdef struct Survey:
    int n                                       # territories
    int16_t size[MAX_TERRITORIES]
    int16_t cows[MAX_TERRITORIES]
    uint64_t near[LANDSCAPES][CELLS]            # set of territories beside the cell
    int16_t near_size[LANDSCAPES][CELLS]        # their plots together
    int16_t near_cows[LANDSCAPES][CELLS]        # their plots with a cow
    int16_t near_points[LANDSCAPES][CELLS]      # what they score now
    uint64_t members                            # cells that count for the scenario
    float token[6]                              # worth of recruiting each specialist, and a cowboy
    float recruit                               # of the best the saloon has


cdef void survey(const Setup* r, const State* s, int seat, Survey* out) noexcept nogil

# The worth of a decision legal in the phase, for the seat at turn.
cdef float worth(const Setup* r, const State* s, int phase, const Survey* v, uint32_t decision) noexcept nogil

# The decision of greatest worth; near ties, within the weight NOISE, fall at random.
cdef uint32_t best(const Setup* r, const State* s, int phase, const Options* options, Rng* rng) noexcept nogil
