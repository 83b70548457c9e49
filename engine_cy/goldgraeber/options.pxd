"""Which decisions are legal (section 8 of the rules), as a set of fields."""
from libc.stdint cimport uint64_t

from engine_cy.goldgraeber.codes cimport code
from engine_cy.goldgraeber.sets cimport clear, put
from engine_cy.goldgraeber.state cimport (
    FERRY, PROSPECT, RETREAT, TO_LOOK, TO_ROLL, WALK, WORDS, Fields, Options, Setup, State,
)
from engine_cy.goldgraeber.walks cimport find_ends, find_retreats


cdef inline bint find_unseen(const Setup* r, const State* s, const Fields* seen, Fields* out) noexcept nogil:
    """The face-down chips around the digger at turn that are not among these; False if there are none."""
    cdef const Fields* around = &r.around[s.digger[s.turn]]
    cdef uint64_t any_there = 0
    cdef int i
    for i in range(WORDS):
        out.word[i] = around.word[i] & s.down.word[i] & ~seen.word[i]
        any_there |= out.word[i]
    return any_there != 0


cdef inline bint may_prospect(const Setup* r, const State* s, Fields* unseen) noexcept nogil:
    """GG-20a: always where something is new, otherwise not in two turns running."""
    if not r.prospecting:
        return False
    return find_unseen(r, s, &s.looked[s.turn], unseen) or (r.resting and not s.rested >> s.turn & 1)


cdef inline void find_landings(const Setup* r, const State* s, int here, Fields* out) noexcept nogil:
    """GG-8: where the raft may go from this shore field: to those of the lake without a raft, and the same."""
    cdef const Fields* shores = &r.shores[r.lake[here]]
    cdef int i
    for i in range(WORDS):
        out.word[i] = shores.word[i] & ~s.rafts.word[i]
    put(out, here)


cdef inline void find_options(const Setup* r, const State* s, int phase, Options* out) noexcept nogil:
    """What the seat may decide in this phase; nothing if the phase is to be skipped."""
    cdef bint offered
    out.base = code(phase, 0)
    if phase == WALK:
        find_ends(r, s, &out.fields)
    elif phase == RETREAT:
        find_retreats(r, s, &out.fields)
    elif phase == FERRY:
        find_landings(r, s, s.digger[s.turn], &out.fields)
    else:
        offered = phase == PROSPECT and may_prospect(r, s, &out.fields)
        clear(&out.fields)
        out.fields.word[0] = (1 << TO_ROLL | 1 << TO_LOOK) if offered else 0
