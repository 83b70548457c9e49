"""What a decision is worth at a glance, in points: for informed playouts, priors and the greedy player.

Honest to what its seat can see, and cheap: the territories of a ranch are surveyed once, and every placement is then a
few look-ups (a plot's gain depends on the territories beside its cell, not on the whole ranch). A survey is kept by
landscape, and for as long as the land it was made of stays the same: a turn changes one or two of six.
"""
from libc.stdint cimport int16_t, uint32_t, uint64_t

from engine_cy.moon_river.state cimport CELLS, LANDSCAPES, Options, Setup, State
from engine_cy.rng cimport Rng

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
    float token[6]              # worth of recruiting each specialist, and a cowboy
    float recruit               # of the best the saloon has


# An empty survey. It may serve one ranch after another, but is best kept for one.
cdef void forget(Survey* out) noexcept nogil
# The worth of each of these legal decisions, for the seat at turn.
cdef void appraise(const Setup* r, const State* s, const uint32_t* decisions, uint32_t n, float* out) noexcept nogil

# The decision of greatest worth; near ties, within the weight NOISE, fall at random. Surveys the ranch at turn.
cdef uint32_t best(const Setup* r, const State* s, int phase, const Options* options, Rng* rng,
                   Survey* v) noexcept nogil
