"""A learned judgement: a small network of integers, the same answer to the last bit on every machine.

A file of one is a line of JSON ({"sizes": [inputs, first, second, outputs], "made": ..}), then the weights, little end
first: rows into the first layer (int16), weights into the second and its starts (int16, int32), the same for the
outputs.
"""
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

import json

from engine_cy.ops cimport MAX_FINER, MAX_SEATS, OVER, GameOps, Head, Score
from engine_cy.state cimport State

from engine_cy.errors import InputError


cdef class Network:
    """The weights, from the bytes of a file."""

    def __cinit__(self, bytes data not None):
        cdef const uint8_t* at
        cdef Net* net = <Net*>calloc(1, sizeof(Net))
        cdef uint32_t i
        if net == NULL:
            raise MemoryError()
        self.net = net
        head, _, weights = data.partition(b"\n")
        about = json.loads(head)
        self.made = about["made"]
        sizes = about["sizes"]
        for size, most, what in zip(sizes, (MAX_INPUTS, MAX_FIRST, MAX_SECOND, MAX_OUTPUTS),
                                    ("inputs", "first", "second", "outputs"), strict=True):
            if not 1 <= size <= most:
                raise InputError(f"network.sizes.{what}", f"from 1 to {most}", size)
        net.inputs, net.first, net.second, net.outputs = sizes
        length = (
            2 * (net.inputs + 1) * net.first + 2 * net.second * net.first + 4 * net.second
            + 2 * net.outputs * net.second + 4 * net.outputs
        )
        if len(weights) != length:
            raise InputError("network.weights", f"{length} bytes", len(weights))
        at = weights
        for i in range(net.inputs + 1):
            at = taken(at, &net.into_first[i], 2 * net.first)
        for i in range(net.second):
            at = taken(at, &net.into_second[i], 2 * net.first)
        at = taken(at, net.second_start, 4 * net.second)
        for i in range(net.outputs):
            at = taken(at, &net.into_outputs[i], 2 * net.second)
        taken(at, net.output_start, 4 * net.outputs)

    def __dealloc__(self):
        free(self.net)

    @property
    def sizes(self):
        """(inputs, first layer, second layer, outputs)."""
        return self.net.inputs, self.net.first, self.net.second, self.net.outputs


cdef inline const uint8_t* taken(const uint8_t* at, void* out, size_t size) noexcept nogil:
    """Machines that hold the big end first are not among those that wheels are built for."""
    memcpy(out, at, size)
    return at + size


cdef inline int32_t within(int32_t x) noexcept nogil:
    return 0 if x < 0 else MOST if x > MOST else x


cdef inline void add_row(uint16_t* sum, const int16_t* row, uint32_t n, uint16_t times) noexcept nogil:
    """Unsigned, so that what does not fit is the same everywhere."""
    cdef uint32_t j
    for j in range(n):
        sum[j] += <uint16_t>(<uint16_t>row[j] * times)


cdef inline void first_layer(const Net* net, const uint8_t* x, int16_t* out) noexcept nogil:
    """Most counts are zero: eight of them are passed over at once."""
    cdef uint16_t sum[MAX_FIRST]
    cdef uint64_t eight
    cdef uint32_t i, j, k
    memcpy(sum, net.into_first[net.inputs], sizeof(sum))
    for i in range(0, net.inputs, 8):
        memcpy(&eight, x + i, 8)
        if not eight:
            continue
        for k in range(i, min(i + 8, net.inputs)):
            if x[k]:
                add_row(sum, net.into_first[k], MAX_FIRST if net.first > 64 else 64, x[k])
    for j in range(net.first):
        out[j] = within(<int16_t>sum[j])


cdef inline int32_t product(const int16_t* a, const int16_t* b, uint32_t n) noexcept nogil:
    cdef int32_t sum = 0
    cdef uint32_t j
    for j in range(n):
        sum += <int32_t>a[j] * b[j]
    return sum


cdef void answer(const Net* net, const uint8_t* x, int32_t* out) noexcept nogil:
    cdef int16_t first[MAX_FIRST]
    cdef int16_t second[MAX_SECOND]
    cdef uint32_t i
    first_layer(net, x, first)
    for i in range(net.second):
        second[i] = within((net.second_start[i] + product(net.into_second[i], first, net.first)) >> 8)
    for i in range(net.outputs):
        out[i] = net.output_start[i] + product(net.into_outputs[i], second, net.second)


cdef float seat_estimate(const GameOps* ops, const Net* net, const void* rules, const void* state, int seat,
                         Estimate* out) noexcept nogil:
    cdef uint8_t x[MAX_INPUTS]
    cdef int32_t now[MAX_OUTPUTS]
    cdef int32_t more[MAX_OUTPUTS]
    cdef int64_t total = 0
    cdef int64_t part
    cdef uint32_t i
    memset(x, 0, sizeof(x))
    ops.describe(rules, state, seat, x, now)
    if (<const Head*>state).status == OVER:
        memset(more, 0, sizeof(more))       # nothing more is got
    else:
        answer(net, x, more)
    for i in range(ops.parts):
        part = <int64_t>now[i] * POINT + more[i]
        total += part
        out.part[seat][i] = <float>part / POINT
    out.spread[seat] = max(<float>0.0, <float>more[ops.parts] / POINT)
    out.points[seat] = <float>total / POINT
    return out.points[seat]


cdef void parts_now(const GameOps* ops, const void* rules, const void* state, int players,
                    float (*out)[MAX_OUTPUTS]) noexcept nogil:
    """What the points that the seats have are made of."""
    cdef uint8_t x[MAX_INPUTS]
    cdef int32_t now[MAX_OUTPUTS]
    cdef uint32_t i
    cdef int seat
    for seat in range(players):
        memset(x, 0, sizeof(x))
        ops.describe(rules, state, seat, x, now)
        for i in range(ops.parts):
            out[seat][i] = now[i]


cdef void estimate(const GameOps* ops, const Net* net, const void* rules, const void* state, int players,
                   Estimate* out) noexcept nogil:
    cdef int seat
    for seat in range(players):
        seat_estimate(ops, net, rules, state, seat, out)


def expected(State state not None):
    """By seat, how the state's game is thought to end: (points, how far off they are in the mean). None if nothing
    learned is known of the game."""
    cdef Estimate thought
    if state.rules.network is None:
        return None
    estimate(state.rules.ops, state.rules.network.net, state.rules.data, state.data, state.rules.players, &thought)
    return [(thought.points[seat], thought.spread[seat]) for seat in range(state.rules.players)]


cdef float lead_after(const GameOps* ops, const Net* net, const void* rules, const void* state, int players, int seat,
                      uint32_t code, void* after, Estimate* out) noexcept nogil:
    cdef Score score
    memcpy(after, state, ops.state_size)
    ops.apply(rules, after, code)
    estimate(ops, net, rules, after, players, out)
    memset(&score, 0, sizeof(score))
    ops.score(rules, after, &score)
    return lead_of(out.points, players, seat) + score.liking[seat]


def leads(State state not None):
    """The legal decisions with the lead over the average of the others that each is thought to bring the seat that
    decides, and what its personality likes about it: [(code, points)]."""
    cdef Estimate thought
    cdef State after
    if state.rules.network is None:
        raise ValueError("state: expected one of a game that was learned")
    after = state.copy()
    return [
        (code, lead_after(state.rules.ops, state.rules.network.net, state.rules.data, state.data, state.rules.players,
                          state.seat, code, after.data, &thought))
        for code in state.codes()
    ]


def described(State state not None, seat):
    """What a learned judgement sees of the seat: (counts, points it has by part)."""
    cdef uint8_t x[MAX_INPUTS]
    cdef int32_t now[MAX_OUTPUTS]
    if type(seat) is not int or not 0 <= seat < state.rules.players:
        raise InputError("seat", f"a seat from 0 to {state.rules.players - 1}", seat)
    if state.rules.ops.features == 0:
        raise ValueError("state: expected one of a game that can be learned")
    memset(x, 0, sizeof(x))
    state.rules.ops.describe(state.rules.data, state.data, seat, x, now)
    return bytes(x[:state.rules.ops.features]), [now[i] for i in range(state.rules.ops.parts)]


def divided(State state not None):
    """By seat, what the points that it has in the first part are made of."""
    cdef float part[MAX_SEATS][MAX_OUTPUTS]
    cdef float points[MAX_SEATS]
    cdef float finer[MAX_SEATS][MAX_FINER]
    cdef const GameOps* ops = state.rules.ops
    if ops.finer == 0:
        raise ValueError("state: expected one of a game in which more is known of a part")
    parts_now(ops, state.rules.data, state.data, state.rules.players, part)
    for seat in range(state.rules.players):
        points[seat] = part[seat][0]
    ops.divide(state.rules.data, state.data, points, finer)
    return [[finer[seat][i] for i in range(ops.finer)] for seat in range(state.rules.players)]
