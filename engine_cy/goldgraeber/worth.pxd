"""What a decision is worth at a glance, in points: for informed playouts, priors and the greedy player.

Honest to what its seat can see, and cheap: what the seat may expect of an unknown chip, how long the game may last and
where other diggers can come are looked up once for a decision; a field is then a few look-ups more.
"""
from libc.stdint cimport uint32_t

from engine_cy.goldgraeber.state cimport SEATS, Fields, Options, Setup, State
from engine_cy.rng cimport Rng

# What is the same for all options of one decision.
cdef struct Survey:
    int seat                    # who decides
    float carried               # points it has open
    float keep                  # of an unknown chip: how likely the seat still has them afterwards,
    float gain                  # and what it gains
    Fields targets              # face-down chips but those the seat knows to be strong robbers
    float turns                 # every seat may have left
    int rivals                  # other seats, clockwise from this one: where their digger may come,
    const Fields* reach[SEATS]
    int stands[SEATS]           # where it is,
    float has[SEATS]            # and the points it has open
    int track                   # the field in front of the locomotive, -1 if that is the city


# The worth of each of these legal decisions, for the seat that decides.
cdef void appraise(const Setup* r, const State* s, const uint32_t* decisions, uint32_t n, float* out) noexcept nogil

# The decision of greatest worth; near ties, within the weight NOISE, fall at random.
cdef uint32_t best(const Setup* r, const State* s, int phase, const Options* options, Rng* rng) noexcept nogil
