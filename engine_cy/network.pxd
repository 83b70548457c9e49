"""A learned judgement: a small network of integers, the same answer to the last bit on every machine.

counts that describe a seat -> first layer -> second layer -> the points it still gets, by part, and how far off they
may be. What the counts are is the game's own business: GameOps.describe.
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t

from engine_cy.ops cimport MAX_SEATS, GameOps

cdef enum:
    MAX_INPUTS = 1536
    MAX_FIRST = 128
    MAX_SECOND = 64
    MAX_OUTPUTS = 8
    ONE = 128                   # what 1 is inside
    MOST = 16 * ONE - 1         # no activation is larger
    WEIGHT_ONE = 256            # what a weight of 1 is after the first layer
    POINT = ONE * WEIGHT_ONE    # what a point is in the output

cdef struct Net:
    uint32_t inputs
    uint32_t first
    uint32_t second
    uint32_t outputs
    int16_t into_first[MAX_INPUTS + 1][MAX_FIRST]   # a row for each count, then what it starts from
    int16_t into_second[MAX_SECOND][MAX_FIRST]
    int32_t second_start[MAX_SECOND]
    int16_t into_outputs[MAX_OUTPUTS][MAX_SECOND]
    int32_t output_start[MAX_OUTPUTS]

# How a game is thought to end.
cdef struct Estimate:
    float points[MAX_SEATS]
    float spread[MAX_SEATS]     # how far off the points are in the mean
    float part[MAX_SEATS][MAX_OUTPUTS]  # what the points are made of


cdef class Network:
    cdef Net* net
    cdef readonly dict made     # how it was made


# What the network makes of these counts; `out` in parts of a point.
cdef void answer(const Net* net, const uint8_t* x, int32_t* out) noexcept nogil

# What one seat is thought to have in the end, or has if the game is over, into its place of `out`; returns its points.
cdef float seat_estimate(const GameOps* ops, const Net* net, const void* rules, const void* state, int seat,
                         Estimate* out) noexcept nogil

# The same of every seat.
cdef void estimate(const GameOps* ops, const Net* net, const void* rules, const void* state, int players,
                   Estimate* out) noexcept nogil

# What the points that the seats have are made of.
cdef void parts_now(const GameOps* ops, const void* rules, const void* state, int players,
                    float (*out)[MAX_OUTPUTS]) noexcept nogil

# Points ahead of the average of the other seats.
cdef inline float lead_of(const float* points, int players, int seat) noexcept nogil:
    cdef int other
    cdef float others = 0
    for other in range(players):
        if other != seat:
            others += points[other]
    return points[seat] - others / (players - 1)

# The lead a decision of the seat is thought to bring it, and what its personality likes about it; `after` becomes the
# state it leads to, `out` how that is thought to end.
cdef float lead_after(const GameOps* ops, const Net* net, const void* rules, const void* state, int players, int seat,
                      uint32_t code, void* after, Estimate* out) noexcept nogil
