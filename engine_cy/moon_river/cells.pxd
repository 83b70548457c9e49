"""Geometry of a ranch: cells, and 64-bit sets of them (bit i for cell i)."""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from engine_cy.bits cimport bit
from engine_cy.moon_river.state cimport (
    BONUS_ROW, COLUMNS, DOWN, LANDSCAPES, LEFT, MAX_COLUMN, NONE, RIGHT, Column, Ranch, Setup, State,
)


cdef inline uint64_t first_column() noexcept nogil:
    return 0x0084210842108421 & 0x0003FFFFFFFFFFFF


cdef inline uint64_t not_first_column() noexcept nogil:
    return ~first_column()


cdef inline uint64_t not_last_column() noexcept nogil:
    return ~(first_column() << 4)


cdef inline uint64_t row_nine() noexcept nogil:
    return <uint64_t>0b11111 << BONUS_ROW * COLUMNS


cdef inline int neighbour(int cell, int direction) noexcept nogil:
    """The next cell in that direction, which the ranch must have."""
    cdef int step = COLUMNS if direction & 1 else 1
    return cell - step if direction & 2 else cell + step


cdef inline uint64_t moved(uint64_t cells, int direction) noexcept nogil:
    """Every cell's neighbour in that direction; what leaves the last row must be masked off by the caller."""
    if direction == RIGHT:
        return (cells & not_last_column()) << 1
    if direction == DOWN:
        return cells << 5
    if direction == LEFT:
        return (cells & not_first_column()) >> 1
    return cells >> 5


cdef inline uint64_t around(uint64_t cells) noexcept nogil:
    """The neighbours of all cells (some beyond the last row: mask with the cells that count)."""
    return ((cells & not_last_column()) << 1) | ((cells & not_first_column()) >> 1) | (cells << 5) | (cells >> 5)


cdef inline uint64_t connected(uint64_t cells, uint64_t start) noexcept nogil:
    """All of `cells` that hang together with `start` (a part of it)."""
    cdef uint64_t grown
    while True:
        grown = (start | around(start)) & cells
        start = (grown | around(grown)) & cells     # two steps a test: most are small
        if grown == start:
            return start


cdef inline uint64_t territory(const Setup* r, const State* s, int seat, int cell) noexcept nogil:
    """The territory of the plot on a taken cell."""
    cdef const Ranch* ranch = &s.ranch[seat]
    return connected(ranch.land[r.kind[s.plot[seat * r.cells + cell]].landscape], <uint64_t>1 << cell)


cdef inline uint64_t unprotected_cows(const Ranch* ranch) noexcept nogil:
    """Cells with a cow whose territory holds no partner (MR-21)."""
    cdef uint64_t open_cells = 0
    cdef uint64_t land
    cdef int i
    for i in range(LANDSCAPES):
        land = ranch.land[i]
        if land & ranch.cows:
            open_cells |= land & ~connected(land, land & ranch.partners)
    return open_cells & ranch.cows


cdef inline void clear_column(Column* column) noexcept nogil:
    memset(column, 0, sizeof(Column))
    memset(column.plot, NONE, 2 * MAX_COLUMN)


cdef inline uint64_t unplaced(const Setup* r, const State* s) noexcept nogil:
    """Seats whose ranchero is still to be drawn (MR-3)."""
    cdef uint64_t seats = bit(r.players) - 1
    cdef int i
    for i in range(MAX_COLUMN):
        if s.current.seat[i] != NONE:
            seats &= ~bit(s.current.seat[i])
    return seats
