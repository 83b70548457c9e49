"""What the quick judgement knows of a ranch: its territories, what lies beside each free cell, what tokens bring.

A survey is kept by landscape, and for as long as the land it was made of stays the same: a turn changes one or two of
six.
"""
from libc.stdint cimport int16_t, uint64_t

from engine_cy.moon_river.state cimport CELLS, LANDSCAPES, TOKENS, Setup, State

cdef enum:
    MAX_TERRITORIES = 25        # of one landscape: they never touch

# What lies beside a free cell; whole numbers, as floats because they are counted with.
cdef struct Near:
    uint64_t territories        # set of them
    float size                  # their plots together
    float cows                  # their plots with a cow
    float points                # what they score now

# One landscape of one ranch.
cdef struct Land:
    uint64_t land               # what it was made of: the plots; NEVER_LAND before the first time
    uint64_t cows               # those with a cow
    uint64_t free               # and the cells that `near` knows; none becomes free again
    int16_t size[MAX_TERRITORIES]
    int16_t cattle[MAX_TERRITORIES]
    Near near[CELLS]

# One ranch, as far as a decision needs it.
cdef struct Survey:
    Land land[LANDSCAPES]
    float ahead                 # the share of the plots that is still to be drawn
    uint64_t members            # cells that count for the scenario
    float token[TOKENS + 1]     # worth of recruiting each specialist, and a cowboy
    float recruit               # of the best the saloon has


# An empty survey. It may serve one ranch after another, but is best kept for one.
cdef void forget(Survey* out) noexcept nogil

# Bring it up to date with the ranch, for decisions of the phase.
cdef void survey(const Setup* r, const State* s, int seat, int phase, Survey* out) noexcept nogil
