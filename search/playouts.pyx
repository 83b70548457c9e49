"""Playouts in which what was learned decides: worse than a search would, better than at a glance. Each decision takes
some three times as long, so that only those that seem good at a glance are asked about."""
from libc.stdint cimport uint32_t
from libc.string cimport memcpy

from engine_cy.network cimport Estimate, Net, seat_estimate
from engine_cy.ops cimport CHANCE, OVER, Chance, GameOps, Head
from engine_cy.rng cimport Rng

cdef float TAKEN = -1e31        # less than any worth


cdef uint32_t take_best(float* worths, uint32_t n) noexcept nogil:
    """The index of the largest of them that was not taken yet."""
    cdef uint32_t best = 0
    cdef uint32_t i
    for i in range(1, n):
        if worths[i] > worths[best]:
            best = i
    worths[best] = TAKEN
    return best


cdef float points_after(const GameOps* ops, const Net* net, const void* rules, const void* state, int seat,
                        uint32_t code, void* after) noexcept nogil:
    """What the seat is thought to have in the end after this decision; `after` becomes the state it leads to."""
    cdef Estimate thought
    memcpy(after, state, ops.state_size)
    ops.apply(rules, after, code)
    return seat_estimate(ops, net, rules, after, seat, &thought)


cdef uint32_t choose(const GameOps* ops, const Net* net, const void* rules, const void* state, uint32_t asked,
                     Room* room) noexcept nogil:
    cdef uint32_t n = ops.list(rules, state, room.codes)
    cdef uint32_t chosen = 0
    cdef uint32_t _, i
    cdef float points
    cdef float most = -1e30
    ops.appraise(rules, state, room.codes, n, room.worths)
    for _ in range(min(asked, n)):
        i = take_best(room.worths, n)
        points = points_after(ops, net, rules, state, (<const Head*>state).seat, room.codes[i], room.trial)
        if points > most:
            most = points
            chosen = i
    return room.codes[chosen]


cdef void think_on(const GameOps* ops, const Net* net, const void* rules, void* state, Rng* rng, uint32_t asked,
                   uint32_t limit, Room* room) noexcept nogil:
    cdef const Head* head = <const Head*>state
    cdef Chance chance
    while True:
        while head.status == CHANCE:
            ops.draw(rules, state, rng, &chance)
        if head.status == OVER or limit == 0:
            return
        limit -= 1
        ops.apply(rules, state, choose(ops, net, rules, state, asked, room))
