"""Which decisions are legal (section 10 of the rules), in batches."""
from libc.stdint cimport uint64_t

from engine_cy.bits cimport bit, lowest
from engine_cy.moon_river.batches cimport add, clear
from engine_cy.moon_river.builds cimport find_builds, reach
from engine_cy.moon_river.cells cimport moved, territory, unprotected_cows
from engine_cy.moon_river.codes cimport code
from engine_cy.moon_river.hand cimport hand_kinds, kind_at
from engine_cy.moon_river.pieces cimport kind_of_side
from engine_cy.moon_river.state cimport (
    BONUS_PLACE, BONUS_TILE, BUILD, CLAIM, CORN, DIRECTIONS, DISCARD, DROUGHT, HERD, LANDSCAPES, PASS, RECRUIT,
    SELECT, STEAL, SWAP, TILE_SIDES, TOKENS, Options, Ranch, Setup, State,
)


cdef void find_discards(const State* s, Options* out) noexcept nogil:
    """MR-10: every pair of kinds in hand; the lower kind in the base."""
    cdef const Ranch* ranch = &s.ranch[s.turn]
    cdef uint64_t rest = hand_kinds(ranch)
    cdef int i, kind
    for i in range(ranch.hand_size):
        kind = kind_at(ranch.hand, i)
        if i and kind_at(ranch.hand, i - 1) == kind:
            continue
        rest &= ~bit(kind)
        if i + 1 < ranch.hand_size and kind_at(ranch.hand, i + 1) == kind:
            add(out, rest | bit(kind), code(DISCARD, kind, 0, 0))
        else:
            add(out, rest, code(DISCARD, kind, 0, 0))


cdef void find_recruits(const State* s, Options* out) noexcept nogil:
    """MR-16: circles x distinct tokens in the saloon x sides; a batch for each circle (two at most)."""
    cdef uint64_t circles = s.circles
    cdef uint64_t sides = 0
    cdef int token
    for token in range(TOKENS):
        sides |= <uint64_t>(3 if s.saloon[token] else 0) << 2 * token
    while circles:
        add(out, sides, code(RECRUIT, lowest(circles), 0, 0))
        circles &= circles - 1


cdef void find_herds(const State* s, Options* out) noexcept nogil:
    """MR-19: a cow steps onto any own plot but corn; the batch holds where it comes from."""
    cdef const Ranch* ranch = &s.ranch[s.turn]
    cdef uint64_t pasture = 0
    cdef int i
    for i in range(LANDSCAPES):
        if i != CORN:
            pasture |= ranch.land[i]
    for i in range(DIRECTIONS):
        add(out, ranch.cows & moved(pasture, i ^ 2), code(HERD, 0, 0, i))
    if out.n:
        add(out, 1, code(PASS, 0, 0, 0))


cdef void find_swaps(const Setup* r, const State* s, Options* out) noexcept nogil:
    """MR-20, MR-20a."""
    cdef const Ranch* ranch = &s.ranch[s.turn]
    cdef int i, seat
    cdef int kind
    cdef uint64_t theirs
    for seat in range(r.players):
        if seat == s.turn:
            continue
        theirs = hand_kinds(&s.ranch[seat])
        for i in range(ranch.hand_size):
            kind = kind_at(ranch.hand, i)
            if i == 0 or kind_at(ranch.hand, i - 1) != kind:
                add(out, theirs & ~bit(kind), code(SWAP, kind, 0, seat))
    if out.n:
        add(out, 1, code(PASS, 0, 0, 0))


cdef void find_steals(const Setup* r, const State* s, Options* out) noexcept nogil:
    """MR-21, MR-21a."""
    cdef int seat
    if s.ranch[s.turn].land[<int>CORN] & bit(s.thief):
        return
    for seat in range(r.players):
        if seat != s.turn and s.ranch[seat].cows:
            add(out, unprotected_cows(&s.ranch[seat]), code(STEAL, 0, 0, seat))
    if out.n:
        add(out, 1, code(PASS, 0, 0, 0))


cdef void find_bonus_places(const Setup* r, const State* s, Options* out) noexcept nogil:
    """MR-26: MR-12 read for a single plot, either side of the tile."""
    cdef int side
    cdef uint64_t joins
    for side in range(TILE_SIDES):
        joins = reach(r, s, r.kind[kind_of_side(s.tile, side)].landscape)
        add(out, s.ranch[s.turn].free & joins, code(BONUS_PLACE, 0, 0, side))


cdef void find_options(const Setup* r, const State* s, int phase, Options* out) noexcept nogil:
    clear(out)
    if phase == BUILD:
        find_builds(r, s, out)
    elif phase == SELECT:
        add(out, s.next.free, code(SELECT, 0, 0, 0))
    elif phase == HERD:
        find_herds(s, out)
    elif phase == RECRUIT:
        find_recruits(s, out)
    elif phase == DROUGHT:
        add(out, territory(r, s, s.turn, lowest(s.skulls)) & s.ranch[s.turn].cows, code(DROUGHT, 0, 0, 0))
    elif phase == SWAP:
        find_swaps(r, s, out)
    elif phase == STEAL:
        find_steals(r, s, out)
    elif phase == DISCARD:
        find_discards(s, out)
    elif phase == CLAIM:
        add(out, s.current.free, code(CLAIM, 0, 0, 0))
    elif phase == BONUS_TILE:
        add(out, s.tiles, code(BONUS_TILE, 0, 0, 0))
    elif phase == BONUS_PLACE:
        find_bonus_places(r, s, out)
