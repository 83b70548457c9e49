"""The game interface: everything the search, the arena and the Python API ever see of a game.

A game is a fixed-size state (no pointers, copied by assignment) and a table of C functions on it. `rules` is the
game's own immutable data: options and components, compiled; shared by every state and thread. A state always waits
for something; its head says for what:

    DECISION   head.seat chooses one of the decisions that `list` gives, there are at least two; `apply` it
    CHANCE     a draw or a roll: `draw` it from the state's hidden order and the generator, or `reveal` it as told
    OVER       `score` is final

`apply`, `draw` and `reveal` go on by themselves through forced decisions until the state waits again.

Hidden information. A full state holds every hidden order. `observe` writes what one seat knows into a state of the
same shape, with a canonical filling where the seat knows nothing: two full states that look alike to the seat give
the same bytes. `determinize` fills an observation at random, uniformly over all that agrees with it. Whatever thinks
for a seat starts from an observation.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t

from engine_cy.rng cimport Rng

cpdef enum:
    MAX_SEATS = 6
    CHANCE_ITEMS = 12
    NO_SEAT = 255
    EVERYBODY = 255             # as a set of seats

cdef enum:
    MAX_FINER = 8               # what a part of the points is made of
    NO_LIMIT = 0xFFFFFFFF       # of the decisions of a playout

cpdef enum:  # Status
    DECISION = 0
    CHANCE = 1
    OVER = 2

# The first bytes of every state.
cdef struct Head:
    uint8_t status              # Status: what the state waits for
    uint8_t seat                # who decides (DECISION), else NO_SEAT
    uint8_t phase               # the game's own name for the kind of decision or chance
    uint8_t viewer              # the seat this is an observation of, or NO_SEAT for a full state
    uint8_t turn_number         # the same for all decisions of one turn, another for the next turn

# The outcome of one chance event.
cdef struct Chance:
    uint8_t what                # the game's phase number of the event
    uint8_t seen_by             # one bit a seat: who sees the outcome; EVERYBODY for a public one
    uint8_t n                   # items used
    uint8_t item[CHANCE_ITEMS]  # the outcome, encoded by the game

cdef struct Score:
    int32_t points[MAX_SEATS]   # total, as if the game ended now
    uint8_t place[MAX_SEATS]    # 1 is best; equal places share a number
    float liking[MAX_SEATS]     # what a seat's personality likes about it, in points; 0 for the plain one

cdef struct GameOps:
    const char* name
    uint32_t state_size
    uint32_t max_decisions      # no list is ever longer
    # What suits a search that is told nothing else, as found in matches:
    float temperature           # points of the quick judgement that make a first thought e times as likely
    float exploration           # how readily it looks at what seems worse
    uint32_t asked              # decisions that what was learned is asked about in a playout, of the best at a glance
    double alike                # what looks at a decision have in common, of their variance, where ends were learned

    # Write the state before the first chance event; the hidden orders are shuffled by rng, canonical if it is NULL.
    void (*start)(const void* rules, void* state, Rng* rng) noexcept nogil
    # Write the legal decisions (at least two) into `out`, return their number. The order is fixed by the state.
    uint32_t (*list)(const void* rules, const void* state, uint32_t* out) noexcept nogil
    # One of them, uniformly.
    uint32_t (*sample)(const void* rules, const void* state, Rng* rng) noexcept nogil
    bint (*is_legal)(const void* rules, const void* state, uint32_t decision) noexcept nogil
    # Carry out a legal decision.
    void (*apply)(const void* rules, void* state, uint32_t decision) noexcept nogil
    # Let the pending chance event happen; `out` says what came.
    void (*draw)(const void* rules, void* state, Rng* rng, Chance* out) noexcept nogil
    # Let it happen as told; False, and nothing changed, if that cannot come.
    bint (*reveal)(const void* rules, void* state, const Chance* told) noexcept nogil
    # `seat` may be the number of players: a spectator, who knows what everybody knows.
    void (*observe)(const void* rules, const void* state, int seat, void* out) noexcept nogil
    void (*determinize)(const void* rules, void* observation, Rng* rng) noexcept nogil
    # Play to the end, chance from the hidden orders and the generator. Seats in the set `informed` (bit i: seat i)
    # decide by the game's own quick judgement, the others uniformly at random. It stops at the next decision after
    # `limit` of them. Returns the number of decisions taken.
    uint32_t (*playout)(const void* rules, void* state, Rng* rng, uint32_t informed, uint32_t limit) noexcept nogil
    # That judgement: about how many points each of these legal decisions is worth to the seat that decides.
    void (*appraise)(const void* rules, const void* state, const uint32_t* decisions, uint32_t n,
                     float* out) noexcept nogil
    # Whether nothing hidden and no chance can matter any more, so that the rest can be solved.
    bint (*determined)(const void* rules, const void* state) noexcept nogil
    # `out` is zero before.
    void (*score)(const void* rules, const void* state, Score* out) noexcept nogil

    # Optional, for a judgement that is learned: 0 and NULL where a game has none.
    uint32_t features           # counts that describe a seat
    uint32_t parts              # what points are made of
    # `x`, zero before, gets the counts, `now` the points the seat has by part. Nothing hidden is read.
    void (*describe)(const void* rules, const void* state, int seat, uint8_t* x, int32_t* now) noexcept nogil
    uint32_t finer              # what the first part is made of, 0 if no more is known of it
    # By seat: what so many points of the first part are going to be made of. Nothing hidden is read.
    void (*divide)(const void* rules, const void* state, const float* points, float (*out)[MAX_FINER]) noexcept nogil
