"""Tables of walks: for every place of the locomotive, start and length the set of fields where a walk may end.

A walk never steps straight back (GG-6b), so what matters at each step is where it is and where it came from: a byte of
bits for every field, bit k for its k-th neighbour. Houses and shores are entered with the last step only, because
nothing leads on from them; they are starts as well.
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from engine_cy.goldgraeber.sets cimport clear, has, put, take_first
from engine_cy.goldgraeber.state cimport (
    CITY, HOUSE, LAND, LENGTHS, LOCOMOTIVE, MAX_FIELDS, PIPS, WATER, WORDS, Fields, Setup,
)

cdef enum:
    ROUNDS = 60                 # of improving the guess how long the way home is
    LOST = 50                   # turns home from where there is no way


cdef inline bint leads_on(const Setup* r, int field) noexcept nogil:
    return r.ground[field] == LAND or r.ground[field] == CITY


cdef void walk_from(const Setup* r, const Steps* steps, const uint8_t* back, int start, int blocked,
                    Fields* out) noexcept nogil:
    """out: LENGTHS sets. back: by field and side, the side by which the neighbour sees this field."""
    cdef uint8_t came[2][MAX_FIELDS]        # from which sides a walk may have come
    cdef Fields here, there
    cdef uint8_t* now
    cdef uint8_t* then
    cdef int length, field, side, to, i
    memset(came, 0, sizeof(came))
    clear(&here)
    put(&here, start)
    came[0][start] = 0x80                   # from nowhere: any side will do
    for length in range(1, LENGTHS):
        now, then = came[(length & 1) ^ 1], came[length & 1]
        clear(&there)
        while True:
            field = take_first(&here)
            if field < 0:
                break
            if length == 1 or leads_on(r, field):
                for side in range(steps.n[field]):
                    to = steps.to[field][side]
                    # off a raft onto land; back only if it also came from elsewhere
                    if to == blocked or not now[field] & ~(1 << side):
                        continue
                    then[to] |= 1 << back[field * SIDES + side]
                    put(&there, to)
            now[field] = 0
        here = there
        out[length] = there
        if length > 1:
            for i in range(WORDS):
                out[0].word[i] |= there.word[i]


cdef void find_walks(const Setup* r, const Steps* steps, Fields* out) noexcept nogil:
    cdef uint8_t back[MAX_FIELDS * SIDES]
    cdef int field, side, other, i, place
    memset(back, 0, sizeof(back))
    for field in range(r.fields):
        for side in range(steps.n[field]):
            other = steps.to[field][side]
            for i in range(steps.n[other]):
                if steps.to[other][i] == field:
                    back[field * SIDES + side] = i
    for place in range(r.rail_size):
        for field in range(r.fields):
            walk_from(r, steps, back, field, r.rail[place], &out[(<uint32_t>place * r.fields + field) * LENGTHS])


cdef void find_ranges(Setup* r, const Steps* steps) noexcept nogil:
    """How far it is from field to field, rails free."""
    cdef Fields edge, grown
    cdef int start, field, side, distance, i
    for start in range(r.fields):
        clear(&r.far[start])
        put(&r.far[start], start)
        edge = r.far[start]
        for distance in range(1, 13):
            clear(&grown)
            while True:
                field = take_first(&edge)
                if field < 0:
                    break
                if distance > 1 and not leads_on(r, field):
                    continue
                for side in range(steps.n[field]):
                    if not has(&r.far[start], steps.to[field][side]):
                        put(&grown, steps.to[field][side])
            edge = grown
            for i in range(WORDS):
                r.far[start].word[i] |= grown.word[i]
            if distance == 6:
                r.near[start] = r.far[start]


cdef void find_ways_home(Setup* r) noexcept nogil:
    """Turns home with the best choice of walks, on foot: the number must be exact in the end (GG-7), and every sixth
    roll is the locomotive. The equations of all fields together, solved by going round."""
    cdef Fields ends
    cdef float* way
    cdef const Fields* table
    cdef float total, best
    cdef int seat, field, length, end, i, _
    for seat in range(r.players):
        way = r.way_home[seat]
        for field in range(r.fields):
            way[field] = LOST
        way[r.house[seat]] = 0
        for _ in range(ROUNDS):
            for field in range(r.fields):
                if r.ground[field] == WATER or r.ground[field] == HOUSE:
                    continue
                table = &r.walk[<uint32_t>field * LENGTHS]
                total = 1 + way[field] / <double>PIPS
                for length in range(LOCOMOTIVE + 1, LENGTHS):
                    for i in range(WORDS):
                        ends.word[i] = table[length].word[i] & r.open_to[seat].word[i]
                    end = take_first(&ends)
                    best = way[field] if end < 0 else way[end]      # GG-9: it stays
                    while True:
                        end = take_first(&ends)
                        if end < 0:
                            break
                        best = min(best, way[end])
                    total += best / <double>PIPS
                way[field] = min(total, <float>LOST)
