"""Information-set Monte Carlo tree search over any game of the game interface."""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from engine_cy.network cimport Net, Network
from engine_cy.ops cimport MAX_FINER, MAX_SEATS, GameOps, Score
from engine_cy.rng cimport Rng
from engine_cy.state cimport State
from search.tree cimport Ends, Result, Tree

# How a search thinks; every knob of bots.py.
cdef struct Settings:
    float exploration           # weight of the exploration term
    float prior                 # 0: UCB1 over untried decisions first; else PUCT with priors of this weight
    float temperature           # points of worth that make a decision e times as likely in the prior
    float certainty             # the same at the root, where the learned judgement looks ahead
    float whole                 # part of the playouts, drawn by chance, that go on to the end of the game
    float win                   # share of the win in the reward, the rest is the relative score
    float margin                # points of margin that count as one unit of the relative score
    uint8_t flat                # 1: no tree, root decisions in turn (flat Monte Carlo)
    uint8_t fixed               # 1: one determinization for the whole search
    uint8_t average             # 1: the margin is over the average of the other seats, else over the best of them
    uint8_t paired              # 1: the n-th visit of every decision at the root has the same determinization

cdef class Search:
    cdef readonly State observation     # what the seat sees; the fields below point into it
    cdef const GameOps* ops
    cdef const void* rules
    cdef Network network                # that knows how games end, or None
    cdef const Net* net                 # the same, or NULL: every game is played out
    cdef void* root
    cdef int players
    cdef readonly int seat
    cdef readonly uint64_t iterations   # for the decision in question, those of earlier ones that led here too
    cdef readonly uint64_t made         # in all
    cdef readonly int depth             # deepest node reached
    cdef Settings settings
    cdef uint32_t informed              # seats that decide by worth in playouts
    cdef uint64_t glances               # looks whose playouts are decided at a glance
    cdef uint32_t asked                 # decisions that the network is asked about in later ones, 0: in none
    cdef uint32_t ahead                 # decisions of a playout before the network says how it will end
    cdef Rng rng
    cdef Tree tree
    cdef readonly uint64_t solve_nodes  # positions the last `solve` looked at
    cdef uint64_t solve_limit
    cdef int64_t solve_deadline
    cdef uint32_t forced                # the decision this iteration must take at the root, or NO_CODE
    cdef uint32_t root_node             # where every iteration starts: 0, or where `follow` went
    cdef uint32_t n_root                # legal decisions there
    cdef uint32_t* root_codes
    cdef float* root_worths             # by index in `root_codes`,
    cdef Ends* ends                     # and what came of them since this is the root
    cdef int parts                      # of the points, where they are known,
    cdef int finer                      # and of the first of these
    cdef bint dividing                  # whether this look says what that is made of:
    cdef float divided[MAX_SEATS][MAX_FINER]
    cdef uint64_t pairing               # the seed of paired determinizations
    cdef uint32_t* codes                # scratch: legal decisions of a state,
    cdef uint32_t n_codes               # and how many
    cdef float* worths                  # scratch: their worth, then their prior
    cdef uint32_t* child_of             # scratch: by index in `codes`, the node of the decision or 0
    cdef uint32_t* slot                 # scratch: hash table from codes to indices
    cdef void* work                     # scratch: the state of an iteration,
    cdef void* trial                    # and one that it might lead to
    cdef void* fixed_state
    cdef volatile int stopped

    cdef void ask_root(self) noexcept
    cdef void iterate(self) noexcept nogil
    cdef bint solve_state(self, const void* state, float alpha, float beta, float* value) noexcept nogil
    cdef uint32_t select(self, uint32_t parent, int seat, bint* leaf) noexcept nogil
    cdef bint is_try(self, uint32_t chosen) noexcept nogil
    cdef uint32_t index_of(self, uint32_t code, uint32_t n) noexcept nogil
    cdef void match_children(self, uint32_t parent, uint32_t n, int seat, uint32_t* tried) noexcept nogil
    cdef uint32_t select_ucb(self, uint32_t parent, uint32_t n, int seat, uint32_t tried) noexcept nogil
    cdef uint32_t select_puct(self, uint32_t parent, uint32_t n, int seat) noexcept nogil
    cdef void priors(self, uint32_t parent, uint32_t n) noexcept nogil
    cdef bint think(self, Result* told) noexcept nogil
    cdef void judge_leaf(self, Result* result, bint told) noexcept nogil
    cdef void divide(self, const Result* result) noexcept nogil
    cdef uint32_t child_with(self, uint32_t parent, uint32_t code, int seat) noexcept nogil
    cdef void go_on(self, State observation, uint32_t node)
