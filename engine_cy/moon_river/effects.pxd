"""What a decision does. Every function carries out one kind and returns the phase to go on with."""
from libc.stdint cimport uint32_t, uint64_t

from engine_cy.bits cimport bit
from engine_cy.moon_river.builds cimport is_last_turn
from engine_cy.moon_river.cells cimport neighbour, row_nine
from engine_cy.moon_river.codes cimport code_a, code_b, code_bit, code_c, code_phase, other_half
from engine_cy.moon_river.hand cimport hand_add, hand_clear, hand_remove
from engine_cy.moon_river.pieces cimport kind_of_side, put_cows, put_partner, put_plot, stand, take_cow
from engine_cy.moon_river.state cimport (
    BONUS_PLACE, BONUS_TILE, BUILD, CATTLE_THIEF, CLAIM, COWBOY, DESPERADO, DISCARD, DROUGHT, HERD, HERD_STEPS,
    NEXT_TURN, NONE, PASS, RANCHERO, RECRUIT, SELECT, STEAL, SWAP, Kind, Ranch, Setup, State,
)

# ---- A domino and its symbols

cdef inline void lay(const Setup* r, State* s, int cell, int kind) noexcept nogil:
    """Put a plot (or a side of a tile) on a free cell; its cows come at once (MR-14), skull and circle wait."""
    cdef const Kind* k = &r.kind[kind]
    cdef int cows = min(k.cows, s.supply)
    put_plot(r, s, s.turn, cell, kind)
    put_cows(r, s, s.turn, cell, cows)
    s.supply -= cows
    s.skulls |= <uint64_t>k.skull << cell
    s.circles |= <uint64_t>k.circle << cell


cdef inline bint bonus_due(State* s) noexcept nogil:
    """MR-26: the first domino of a seat on row 9 brings a bonus tile, while one is left; asked once for each seat."""
    cdef Ranch* ranch = &s.ranch[s.turn]
    if not s.tiles or ranch.bonus_taken or not row_nine() & ~ranch.free:
        return False
    ranch.bonus_taken = True
    return True


cdef inline int resolve(State* s) noexcept nogil:
    """The next of a domino's symbols (section 5); after the last one, building again."""
    if not (s.skulls | s.circles | s.tiles):
        return BUILD                        # most often
    if s.skulls:
        return DROUGHT
    if s.circles and s.shown:
        return RECRUIT
    s.circles = 0                           # with an empty saloon they stay empty (MR-16)
    return BONUS_TILE if bonus_due(s) else BUILD


# ---- One function for each decision that takes more than a line

cdef inline int build(const Setup* r, State* s, uint32_t d) noexcept nogil:
    """MR-9."""
    cdef int cell = code_bit(d)
    hand_remove(&s.ranch[s.turn], code_a(d))
    hand_remove(&s.ranch[s.turn], code_b(d))
    lay(r, s, cell, code_a(d))
    lay(r, s, other_half(d), code_b(d))
    return resolve(s)


cdef inline int drought(const Setup* r, State* s, uint32_t d) noexcept nogil:
    """MR-15."""
    take_cow(r, s, s.turn, code_bit(d))
    s.supply += 1
    s.skulls &= s.skulls - 1
    return resolve(s)


cdef inline int recruit(const Setup* r, State* s, uint32_t d) noexcept nogil:
    """MR-16; the immediate effect is the next phase."""
    cdef int cell = code_a(d)
    cdef int token = code_bit(d) >> 1
    cdef bint as_cowboy = code_bit(d) & 1
    s.circles &= ~bit(cell)
    s.saloon[token] -= 1
    s.shown -= 1
    put_partner(r, s, s.turn, cell, COWBOY if as_cowboy else token)
    if as_cowboy:
        s.steps = HERD_STEPS
        return HERD
    if token == DESPERADO:
        return SWAP
    if token == CATTLE_THIEF:
        s.thief = cell
        return STEAL
    return resolve(s)


cdef inline int herd(const Setup* r, State* s, uint32_t d) noexcept nogil:
    """MR-19."""
    take_cow(r, s, s.turn, code_bit(d))
    put_cows(r, s, s.turn, neighbour(code_bit(d), code_c(d)), 1)
    s.steps -= 1
    return HERD if s.steps else resolve(s)


cdef inline int swap(State* s, uint32_t d) noexcept nogil:
    """MR-20."""
    hand_remove(&s.ranch[s.turn], code_a(d))
    hand_remove(&s.ranch[code_c(d)], code_bit(d))
    hand_add(&s.ranch[s.turn], code_bit(d))
    hand_add(&s.ranch[code_c(d)], code_a(d))
    return resolve(s)


cdef inline int steal(const Setup* r, State* s, uint32_t d) noexcept nogil:
    """MR-21."""
    take_cow(r, s, code_c(d), code_bit(d))
    put_cows(r, s, s.turn, s.thief, 1)
    s.thief = NONE
    return resolve(s)


cdef inline int claim(const Setup* r, State* s, uint32_t d) noexcept nogil:
    """MR-3, MR-4."""
    stand(&s.current, code_bit(d), s.turn)
    s.claims += 1
    if r.players == 2 and s.claims != 2:
        s.turn = 1 - s.turn
    return RANCHERO


cdef inline int no_effect(State* s) noexcept nogil:
    """Done herding; a swap or a theft declined or impossible."""
    s.thief = NONE
    s.steps = 0
    return resolve(s)


# ---- Any decision, any phase

cdef inline int carry_out(const Setup* r, State* s, int phase, uint32_t d) noexcept nogil:
    """Take the decision, legal in the phase."""
    cdef int kind = code_phase(d)
    if kind == BUILD:
        return build(r, s, d)
    elif kind == PASS:
        return SELECT if phase == BUILD else no_effect(s)
    elif kind == SELECT:
        stand(&s.next, code_bit(d), s.turn)
        return NEXT_TURN
    elif kind == HERD:
        return herd(r, s, d)
    elif kind == RECRUIT:
        return recruit(r, s, d)
    elif kind == DROUGHT:
        return drought(r, s, d)
    elif kind == STEAL:
        return steal(r, s, d)
    elif kind == SWAP:
        return swap(s, d)
    elif kind == CLAIM:
        return claim(r, s, d)
    elif kind == BONUS_TILE:
        s.tile = code_bit(d)
        s.tiles &= ~bit(s.tile)
        return BONUS_PLACE
    elif kind == BONUS_PLACE:
        lay(r, s, code_bit(d), kind_of_side(s.tile, code_c(d)))
        s.tile = NONE
        return resolve(s)
    else:                                   # DISCARD
        hand_remove(&s.ranch[s.turn], code_a(d))
        hand_remove(&s.ranch[s.turn], code_bit(d))
        return BUILD


cdef inline int skip(State* s, int phase) noexcept nogil:
    """Leave a phase that has no option."""
    if phase == BUILD and is_last_turn(s):  # MR-22
        hand_clear(&s.ranch[s.turn])
        return SELECT
    elif phase == BUILD:                    # MR-10: must build and cannot
        return DISCARD
    elif phase == SELECT:                   # the last round
        return NEXT_TURN
    elif phase == DROUGHT:                  # no cow there
        s.skulls &= s.skulls - 1
        return resolve(s)
    elif phase == BONUS_PLACE:              # neither side fits: the tile leaves the game
        s.tile = NONE
        return resolve(s)
    else:                                   # HERD, SWAP, STEAL
        return no_effect(s)
