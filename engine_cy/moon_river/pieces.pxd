"""Putting pieces on the table and taking them off; every derived set is kept in step here and nowhere else."""
from libc.stdint cimport uint64_t

from engine_cy.bits cimport bit
from engine_cy.moon_river.state cimport (
    COWBOY, DESPERADO, GOLD_DIGGER, MAX_KINDS, NONE, TILE_SIDES, Column, Kind, Ranch, Setup, State,
)


cdef inline int kind_of_side(int tile, int side) noexcept nogil:
    """The sides of bonus tiles are kinds beyond those of plots."""
    return MAX_KINDS + TILE_SIDES * tile + side


cdef inline void put_plot(const Setup* r, State* s, int seat, int cell, int kind) noexcept nogil:
    """A plot or a side of a bonus tile on a free cell, without its symbols' effects."""
    cdef const Kind* k = &r.kind[kind]
    cdef Ranch* ranch = &s.ranch[seat]
    s.plot[seat * r.cells + cell] = kind
    ranch.land[k.landscape] |= bit(cell)
    ranch.free &= ~bit(cell)
    ranch.resources += k.resources
    ranch.nuggets |= <uint64_t>(k.nuggets != 0) << cell


cdef inline void put_partner(const Setup* r, State* s, int seat, int cell, int token) noexcept nogil:
    cdef Ranch* ranch = &s.ranch[seat]
    s.partner[seat * r.cells + cell] = token
    ranch.partners |= bit(cell)
    if token < GOLD_DIGGER:
        ranch.bandits |= bit(cell)
    elif token < COWBOY:
        ranch.experts[token - GOLD_DIGGER] += 1


cdef inline void put_cows(const Setup* r, State* s, int seat, int cell, int n) noexcept nogil:
    """None or more."""
    s.cows[seat * r.cells + cell] += n
    s.ranch[seat].cows |= <uint64_t>(n != 0) << cell


cdef inline void take_cow(const Setup* r, State* s, int seat, int cell) noexcept nogil:
    s.cows[seat * r.cells + cell] -= 1
    s.ranch[seat].cows &= ~(<uint64_t>(s.cows[seat * r.cells + cell] == 0) << cell)


cdef inline void stand(Column* column, int position, int seat) noexcept nogil:
    """Place a ranchero."""
    column.seat[position] = seat
    column.standing |= bit(position)
    column.free &= ~bit(position)
