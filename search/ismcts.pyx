"""Information-set Monte Carlo tree search over any game of the game interface.

Single-observer ISMCTS (Cowling, Powley, Whitehouse 2012) with a fresh determinization in every iteration, availability
counts, max^n backups, and, where the game has a quick judgement, PUCT selection with priors from it (Rosin 2011) and
informed playouts. One iteration is four phases, named as in the papers: select, expand, play out, back up.
"""
from collections import namedtuple

from libc.math cimport sqrtf
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine_cy.network cimport Estimate, estimate, lead_after, parts_now
from engine_cy.ops cimport CHANCE, DECISION, MAX_SEATS, NO_LIMIT, OVER, Chance, GameOps, Head, Score
from engine_cy.rng cimport rng_below, rng_next, rng_seed
from engine_cy.state cimport State
from search.maths cimport exp_of, log_of
from search.playouts cimport Room, think_on
from search.rewards cimport expect, judge
from search.tree cimport Ends, Node, Result, add_child, count_end, count_finer, record

cdef enum:
    SLOTS = 16384               # of the hash table from codes to indices: a power of two, over twice the decisions
    NO_CODE = 0x7FFFFFFF        # no decision has this code
    EMPTY = 0x7F7F7F7F          # in a slot: no code here
    MAX_DEPTH = 512
    FIRST_STREAM = 1 << 20      # the streams of searches lie apart from those of games
    DIVIDED = 8                 # one look in so many says what the first part of the points is made of
    TRIED = 4                   # who looks so many times as often at something else only tries a decision

cdef double ALIKE_PLAYED = 0.0025   # part of the variance that looks have in common where playouts go to the end


cdef inline int64_t now_ns() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <int64_t>t.tv_sec * 1000000000 + t.tv_nsec


cdef inline uint32_t hash_of(uint32_t code) noexcept nogil:
    return (code * <uint32_t>0x9E3779B1) >> 18


# What is known of one decision: see ismcts.pyi.
Outcome = namedtuple("Outcome", "visits reward square win points margin places")
Told = namedtuple("Told", "looks wins points parts finer")

cdef uint64_t _made = 0         # written with the GIL held only


def iterations_made():
    """Iterations of all searches of this process so far; those of a run count when it ends."""
    return _made


def clock_ns():
    """The clock of deadlines, in nanoseconds."""
    return now_ns()


cdef class Search:
    """One search from what a seat sees. `run` may be called again and again; `outcomes` is what is known so far."""

    def __cinit__(self, State observation not None, seed, *, stream=0, memory=64 << 20, exploration=None, prior=1.0,
                  temperature=None, win=0.3, margin=30.0, informed=2, flat=False, fixed=False, average=True,
                  paired=True, learned=True, ahead=8, asked=None, glances=4000, certainty=3.0,
                  whole=0.0):
        cdef const GameOps* ops = observation.rules.ops
        if observation.viewer is None or observation.seat is None:
            raise ValueError("observation: expected what a seat sees while some seat has to decide")
        if ops.max_decisions > SLOTS // 2:
            raise ValueError(f"rules: expected at most {SLOTS // 2} decisions at once, got {ops.max_decisions}")
        self.observation = observation.copy()
        self.ops = ops
        self.rules = observation.rules.data
        self.root = self.observation.data
        self.players = observation.rules.players
        self.seat = observation.viewer
        rng_seed(&self.rng, seed, FIRST_STREAM + stream)
        self.settings.exploration = ops.exploration if exploration is None else exploration
        self.settings.prior = prior
        self.settings.temperature = ops.temperature if temperature is None else temperature
        self.settings.win = win
        self.settings.margin = margin
        self.informed = (0, 1 << self.seat, (1 << self.players) - 1)[informed]
        self.settings.flat = flat
        self.settings.fixed = fixed
        self.settings.average = average
        self.settings.paired = paired
        self.settings.certainty = certainty
        self.settings.whole = whole
        self.network = observation.rules.network if learned else None
        self.net = NULL if self.network is None else self.network.net
        self.ahead = NO_LIMIT if self.net == NULL else ahead
        self.glances = glances
        self.asked = ops.asked if asked is None else asked
        if self.net == NULL or informed < 2:
            self.asked = 0
        self.parts = 0 if self.net == NULL else ops.parts
        self.finer = 0 if self.net == NULL else ops.finer
        self.codes = <uint32_t*>malloc(ops.max_decisions * sizeof(uint32_t))
        self.root_codes = <uint32_t*>malloc(ops.max_decisions * sizeof(uint32_t))
        self.worths = <float*>malloc(ops.max_decisions * sizeof(float))
        self.root_worths = <float*>malloc(ops.max_decisions * sizeof(float))
        self.ends = <Ends*>malloc(ops.max_decisions * sizeof(Ends))
        self.child_of = <uint32_t*>malloc(ops.max_decisions * sizeof(uint32_t))
        self.slot = <uint32_t*>malloc(SLOTS * sizeof(uint32_t))
        self.work = malloc(ops.state_size)
        self.trial = malloc(ops.state_size)
        self.fixed_state = malloc(ops.state_size)
        self.forced = NO_CODE
        self.tree.capacity = max(2, memory // sizeof(Node))
        self.tree.node = <Node*>malloc(self.tree.capacity * sizeof(Node))
        if not (self.codes and self.root_codes and self.worths and self.root_worths and self.ends and self.child_of
                and self.slot and self.work and self.trial and self.fixed_state and self.tree.node):
            raise MemoryError()
        memset(self.slot, 0x7F, SLOTS * sizeof(uint32_t))
        memset(&self.tree.node[0], 0, sizeof(Node))
        self.tree.size = 1
        self.tree.node[0].seat = observation.seat
        self.ask_root()
        self.pairing = rng_next(&self.rng)
        memcpy(self.fixed_state, self.observation.data, ops.state_size)
        ops.determinize(self.rules, self.fixed_state, &self.rng)

    def __dealloc__(self):
        free(self.codes)
        free(self.worths)
        free(self.root_worths)
        free(self.ends)
        free(self.child_of)
        free(self.slot)
        free(self.root_codes)
        free(self.work)
        free(self.trial)
        free(self.fixed_state)
        free(self.tree.node)

    cdef void ask_root(self) noexcept:
        """The decisions at the root and their worth: the same in every iteration, whatever lies hidden. What is learned
        looks at what each leads to, which would cost too much further down."""
        cdef uint32_t i
        cdef Estimate thought
        cdef int seat = (<Head*>self.root).seat
        cdef float scale = self.settings.temperature / self.settings.certainty
        self.n_root = self.ops.list(self.rules, self.root, self.root_codes)
        memset(self.ends, 0, self.n_root * sizeof(Ends))
        if self.net == NULL:
            self.ops.appraise(self.rules, self.root, self.root_codes, self.n_root, self.root_worths)
            return
        for i in range(self.n_root):
            self.root_worths[i] = scale * lead_after(self.ops, self.net, self.rules, self.root, self.players, seat,
                                                     self.root_codes[i], self.work, &thought)

    def stop(self):
        """Make the `run` that is under way, or else the next one, return after the current iteration; from any
        thread."""
        self.stopped = 1

    def probe(self, code, iterations, deadline_ns=None):
        """Make the next iterations take this decision at the root, however bad it is; returns how many there were."""
        global _made
        cdef uint64_t _
        cdef uint64_t n = iterations
        cdef int64_t deadline = 0x7FFFFFFFFFFFFFFF if deadline_ns is None else deadline_ns
        cdef uint64_t before = self.iterations
        if code not in self.root_codes[:self.n_root]:
            raise ValueError(f"decision {code!r} is not legal here")
        self.forced = code
        with nogil:
            for _ in range(n):
                if self.stopped or now_ns() >= deadline:
                    break
                self.iterate()
        self.forced = NO_CODE
        self.stopped = 0
        self.made += self.iterations - before
        _made += self.iterations - before
        return self.iterations - before

    def run(self, iterations=None, deadline_ns=None):
        """Iterate until the total reaches `iterations` or the clock the deadline or `stop` was called; says which."""
        global _made
        cdef uint64_t limit = <uint64_t>-1 if iterations is None else iterations
        cdef int64_t deadline = 0x7FFFFFFFFFFFFFFF if deadline_ns is None else deadline_ns
        cdef bint late = False
        cdef uint64_t before = self.iterations
        with nogil:
            while self.iterations < limit and not self.stopped and not late:
                self.iterate()
                late = now_ns() >= deadline
        self.made += self.iterations - before
        _made += self.iterations - before
        if self.stopped:
            self.stopped = 0
            return "cancelled"
        return "time" if late and self.iterations < limit else "iterations"

    cdef void iterate(self) noexcept nogil:
        """One iteration: select and expand, play out, back up."""
        cdef const GameOps* ops = self.ops
        cdef uint32_t path[MAX_DEPTH]
        cdef int length = 1
        cdef uint32_t node = self.root_node
        cdef uint32_t chosen, first
        cdef Head* head = <Head*>self.work
        cdef Chance chance
        cdef Result result
        cdef bint leaf = False
        cdef bint told = False
        memcpy(self.work, self.fixed_state if self.settings.fixed else self.root, ops.state_size)
        path[0] = node
        first = chosen = self.select(node, (<Head*>self.root).seat, &leaf)
        self.dividing = self.finer and self.ends[first].looks % DIVIDED == 0
        if self.settings.paired:        # the n-th visit of every decision at the root meets the same hidden orders
            node = self.child_of[chosen]
            rng_seed(&self.rng, self.pairing, self.tree.node[node].visits if node else self.iterations)
        if not self.settings.fixed:
            ops.determinize(self.rules, self.work, &self.rng)
        while True:
            node = self.child_of[chosen]
            if length > 1 and not told and self.net != NULL and self.is_try(chosen):
                told = self.think(&result)
            ops.apply(self.rules, self.work, self.codes[chosen])
            if node == 0:               # the memory is full: the decision counts, a node for it does not exist
                break
            path[length] = node
            length += 1
            if leaf or self.settings.flat or length == MAX_DEPTH:
                break
            while head.status == CHANCE:
                ops.draw(self.rules, self.work, &self.rng, &chance)
            if head.status == OVER:
                break
            chosen = self.select(node, head.seat, &leaf)
        self.depth = max(self.depth, length - 1)
        if not told and head.status != OVER:
            told = self.think(&result)
        self.judge_leaf(&result, told)
        while length > 0:
            length -= 1
            record(&self.tree.node[path[length]], &result, self.seat)
        count_end(&self.ends[first], &result, self.players, self.parts)
        if self.dividing:
            count_finer(&self.ends[first], self.divided, self.players, self.finer)
        self.iterations += 1

    cdef uint32_t select(self, uint32_t parent, int seat, bint* leaf) noexcept nogil:
        """The index in `codes` of the decision to follow; expands it if it has no node yet (then `leaf`)."""
        cdef Node* nodes = self.tree.node
        cdef uint32_t n
        cdef uint32_t child, chosen
        cdef uint32_t tried = 0
        if parent == self.root_node:
            n = self.n_root
            memcpy(self.codes, self.root_codes, n * sizeof(uint32_t))
        else:
            n = self.ops.list(self.rules, self.work, self.codes)
        self.n_codes = n
        self.match_children(parent, n, seat, &tried)
        if self.forced != NO_CODE and parent == self.root_node:
            chosen = self.index_of(self.forced, n)
        elif self.settings.flat:
            chosen = self.iterations % n
        elif self.settings.prior > 0:
            chosen = self.select_puct(parent, n, seat)
        else:
            chosen = self.select_ucb(parent, n, seat, tried)
        if self.child_of[chosen] == 0:
            leaf[0] = True
            child = add_child(&self.tree, parent, self.codes[chosen], seat)
            self.child_of[chosen] = child
            if child:
                nodes[child].seen = 1
        return chosen

    cdef bint is_try(self, uint32_t chosen) noexcept nogil:
        """Whether another decision that is legal has been looked at so much more often that this one will hardly be
        taken."""
        cdef Node* nodes = self.tree.node
        cdef uint32_t chosen_node = self.child_of[chosen]
        cdef uint32_t most = 0
        cdef uint32_t i
        for i in range(self.n_codes):
            if self.child_of[i]:
                most = max(most, nodes[self.child_of[i]].visits)
        return most > (TRIED * nodes[chosen_node].visits if chosen_node else 0)

    cdef uint32_t index_of(self, uint32_t code, uint32_t n) noexcept nogil:
        cdef uint32_t i
        for i in range(n):
            if self.codes[i] == code:
                return i
        return 0

    cdef void match_children(self, uint32_t parent, uint32_t n, int seat, uint32_t* tried) noexcept nogil:
        """Fill `child_of`, and count the visit for every child whose decision is legal now (availability). After a draw
        different seats may have to decide: their decisions have the same codes, but are not the same."""
        cdef Node* nodes = self.tree.node
        cdef uint32_t child = nodes[parent].child
        cdef uint32_t i, h
        for i in range(n):
            self.child_of[i] = 0
        if not child:
            return
        for i in range(n):
            h = hash_of(self.codes[i])
            while self.slot[h] != EMPTY:
                h = (h + 1) & (SLOTS - 1)
            self.slot[h] = i
        while child:
            if nodes[child].seat != seat:
                child = nodes[child].sibling
                continue
            h = hash_of(nodes[child].code)
            while self.slot[h] != EMPTY and self.codes[self.slot[h]] != nodes[child].code:
                h = (h + 1) & (SLOTS - 1)
            if self.slot[h] != EMPTY:
                self.child_of[self.slot[h]] = child
                nodes[child].seen += 1
                tried[0] += 1
            child = nodes[child].sibling
        for i in range(n):
            h = hash_of(self.codes[i])
            while self.slot[h] != EMPTY:
                self.slot[h] = EMPTY
                h = (h + 1) & (SLOTS - 1)

    cdef uint32_t select_ucb(self, uint32_t parent, uint32_t n, int seat, uint32_t tried) noexcept nogil:
        """UCB1 with availability; untried decisions first, in random order."""
        cdef Node* nodes = self.tree.node
        cdef Node* child
        cdef uint32_t i, skip
        cdef uint32_t chosen = 0
        cdef float value
        cdef float most = -1e30
        if tried < n and self.tree.size < self.tree.capacity:
            skip = rng_below(&self.rng, n - tried)
            for i in range(n):
                if self.child_of[i] == 0:
                    if skip == 0:
                        return i
                    skip -= 1
        for i in range(n):
            if self.child_of[i] == 0:
                continue
            child = &nodes[self.child_of[i]]
            value = child.reward[seat] + self.settings.exploration * sqrtf(log_of(child.seen + 1) / child.visits)
            if value > most:
                most = value
                chosen = i
        return chosen

    cdef uint32_t select_puct(self, uint32_t parent, uint32_t n, int seat) noexcept nogil:
        """PUCT: mean + exploration * prior * sqrt(visits) / (1 + own visits); untried ones have the parent's mean."""
        cdef Node* nodes = self.tree.node
        cdef Node* child
        cdef uint32_t i
        cdef uint32_t chosen = 0
        cdef float value
        cdef float most = -1e30
        cdef float first_play = nodes[parent].reward[seat]
        cdef float scale = self.settings.exploration * sqrtf(nodes[parent].visits + 1)
        self.priors(parent, n)
        for i in range(n):
            if self.child_of[i]:
                child = &nodes[self.child_of[i]]
                value = child.reward[seat] + scale * self.worths[i] / (1 + child.visits)
            else:
                value = first_play + scale * self.worths[i]
            if value > most:
                most = value
                chosen = i
        return chosen

    cdef void priors(self, uint32_t parent, uint32_t n) noexcept nogil:
        """Turn the worth of the n legal decisions into probabilities, mixed with an even share for each."""
        cdef float most = -1e30
        cdef float total = 0
        cdef float even = (1 - self.settings.prior) / n
        cdef uint32_t i
        if parent == self.root_node:
            memcpy(self.worths, self.root_worths, n * sizeof(float))
        else:
            self.ops.appraise(self.rules, self.work, self.codes, n, self.worths)
        for i in range(n):
            most = max(most, self.worths[i])
        for i in range(n):
            self.worths[i] = exp_of((self.worths[i] - most) / self.settings.temperature)
            total += self.worths[i]
        for i in range(n):
            self.worths[i] = self.settings.prior * self.worths[i] / total + even

    cdef bint think(self, Result* told) noexcept nogil:
        """How the game will end as it stands, if anything was learned of that. This is what people are told, of before
        the first decision that is only tried or belongs to a playout: these are worse than what the seats will decide.
        That is fair to all decisions that are compared, but would make points too few and wins too even."""
        cdef Estimate thought
        cdef Score score
        if self.net == NULL:
            return False
        memset(&score, 0, sizeof(score))
        estimate(self.ops, self.net, self.rules, self.work, self.players, &thought)
        expect(&self.settings, self.players, self.seat, &thought, score.liking, told)
        if self.dividing:
            self.divide(told)
        return True

    cdef void judge_leaf(self, Result* result, bint told) noexcept nogil:
        """How the game goes on from here: as a playout ends, or as it is thought to after a few decisions of one. What
        was told stands beside the rewards of that."""
        cdef Estimate thought
        cdef Score score
        cdef Result end
        cdef Room room = Room(self.codes, self.worths, self.trial)
        cdef uint32_t ahead = self.ahead
        memset(&score, 0, sizeof(score))
        if self.settings.whole > 0 and (rng_next(&self.rng) >> 40) < self.settings.whole * <float>16777216.0:
            ahead = NO_LIMIT
        if self.asked > 0 and self.iterations >= self.glances:
            think_on(self.ops, self.net, self.rules, self.work, &self.rng, self.asked, ahead, &room)
        else:
            self.ops.playout(self.rules, self.work, &self.rng, self.informed, ahead)
        self.ops.score(self.rules, self.work, &score)
        if (<Head*>self.work).status == OVER:
            judge(&self.settings, self.players, self.seat, &score, &end)
            if self.parts and not told:
                parts_now(self.ops, self.rules, self.work, self.players, end.part)
                if self.dividing:
                    self.divide(&end)
        else:
            estimate(self.ops, self.net, self.rules, self.work, self.players, &thought)
            expect(&self.settings, self.players, self.seat, &thought, score.liking, &end)
        if told:
            memcpy(result.reward, end.reward, sizeof(end.reward))
        else:
            result[0] = end

    cdef void divide(self, const Result* result) noexcept nogil:
        """What the first part of the points is made of."""
        cdef float points[MAX_SEATS]
        cdef int seat
        for seat in range(self.players):
            points[seat] = result.part[seat][0]
        self.ops.divide(self.rules, self.work, points, self.divided)

    def solve(self, positions, deadline_ns=None):
        """The exact reward of every decision at the root for the searching seat, by code, if the rest of the game holds
        no chance and nothing hidden and fits into so many positions; else None. Each seat maximizes its own reward
        (max^n; with two players, whose rewards add up to one, that is minimax)."""
        cdef State work = self.observation.copy()
        cdef float value[MAX_SEATS]
        cdef uint32_t i
        cdef bint fits
        if not self.ops.determined(self.rules, self.root):
            return None
        self.solve_nodes = 0
        self.solve_limit = positions
        self.solve_deadline = 0x7FFFFFFFFFFFFFFF if deadline_ns is None else deadline_ns
        out = {}
        for i in range(self.n_root):
            memcpy(work.data, self.root, self.ops.state_size)
            self.ops.apply(self.rules, work.data, self.root_codes[i])
            with nogil:
                fits = self.solve_state(work.data, -1, 2, value)
            if not fits:
                return None
            out[self.root_codes[i]] = value[self.seat]
        return out

    cdef bint solve_state(self, const void* state, float alpha, float beta, float* value) noexcept nogil:
        """The rewards under best play; False if it took too long. With two players alpha and beta bound what seat 0
        can still get, and the rest is not looked at."""
        cdef const Head* head = <const Head*>state
        cdef Score score
        cdef Result result
        cdef uint32_t n, i
        cdef uint32_t* codes
        cdef float below[MAX_SEATS]
        cdef void* next_state
        cdef bint fits = True
        cdef int seat = head.seat
        self.solve_nodes += 1
        if self.solve_nodes > self.solve_limit or self.stopped:
            return False
        if self.solve_nodes & 255 == 0 and now_ns() >= self.solve_deadline:
            return False
        if head.status != DECISION:
            memset(&score, 0, sizeof(score))
            self.ops.score(self.rules, state, &score)
            judge(&self.settings, self.players, self.seat, &score, &result)
            memcpy(value, result.reward, sizeof(result.reward))
            return head.status == OVER
        codes = <uint32_t*>malloc(self.ops.max_decisions * sizeof(uint32_t))
        next_state = malloc(self.ops.state_size)
        if codes == NULL or next_state == NULL:
            free(codes)
            free(next_state)
            return False
        n = self.ops.list(self.rules, state, codes)
        value[seat] = -1
        for i in range(n):
            memcpy(next_state, state, self.ops.state_size)
            self.ops.apply(self.rules, next_state, codes[i])
            if not self.solve_state(next_state, alpha, beta, below):
                fits = False
                break
            if below[seat] > value[seat]:
                memcpy(value, below, sizeof(below))
            if self.players == 2:
                if seat == 0:
                    alpha = max(alpha, value[0])
                else:
                    beta = min(beta, value[0])
                if alpha >= beta:
                    break
        free(codes)
        free(next_state)
        return fits

    cdef uint32_t child_with(self, uint32_t parent, uint32_t code, int seat) noexcept nogil:
        """The child a decision of the seat leads to, or 0."""
        cdef uint32_t node = self.tree.node[parent].child
        while node and (self.tree.node[node].code != code or self.tree.node[node].seat != seat):
            node = self.tree.node[node].sibling
        return node

    def follow(self, code):
        """Take a decision of the seat and go on from there, with what is known already. False, and nothing changed,
        if its turn to decide is over then (another seat or chance comes next)."""
        cdef State after = self.observation.after(code)
        cdef Head* head = <Head*>after.data
        if head.status != DECISION or head.seat != self.seat or head.turn_number != (<Head*>self.root).turn_number:
            return False
        self.go_on(after, self.child_with(self.root_node, code, (<Head*>self.root).seat))
        self.ops.apply(self.rules, self.fixed_state, code)
        return True

    def adopt(self, State observation not None, codes):
        """Go on from what the seat sees now, after these decisions, as (seat, code), with what is known already of such
        a course. True if anything is."""
        same = observation.viewer == self.seat and observation.rules is self.observation.rules
        if not same or observation.seat is None:
            raise ValueError("observation: expected what the same seat of the same game sees while one has to decide")
        cdef uint32_t node = self.root_node
        cdef bint known = True
        for seat, code in codes:
            node = self.child_with(node, code, seat) if known else 0
            known = node != 0
        self.go_on(observation.copy(), node if known else 0)
        memcpy(self.fixed_state, self.root, self.ops.state_size)
        self.ops.determinize(self.rules, self.fixed_state, &self.rng)
        return known

    cdef void go_on(self, State observation, uint32_t node):
        """Make this the root; node 0 is none of the tree: it begins anew."""
        if node == 0:
            self.tree.size = 1
            memset(&self.tree.node[0], 0, sizeof(Node))
            self.tree.node[0].seat = observation.seat
        self.root_node = node
        self.observation = observation
        self.root = observation.data
        self.ask_root()
        self.iterations = self.tree.node[node].visits
        self.depth = 0
        self.stopped = 0

    @property
    def alike(self):
        """What all looks at a decision have in common, as a part of the variance of one: they go on as the tree does,
        so that more of them do not make a mean as sure as if each were on its own. What is thought of an end varies
        less than the ends of playouts do, and has more in common; how much more is the game's to say."""
        return ALIKE_PLAYED if self.net == NULL else self.ops.alike

    @property
    def nodes(self):
        """Nodes in use."""
        return self.tree.size

    @property
    def full(self):
        """Whether the memory for nodes is used up; the search goes on without new ones."""
        return self.tree.size == self.tree.capacity

    def outcomes(self):
        """What is known of every decision at the root, by code."""
        cdef Node blank
        cdef Node* node
        cdef uint32_t child, i
        out = {}
        memset(&blank, 0, sizeof(Node))
        for i in range(self.n_root):
            child = self.child_with(self.root_node, self.root_codes[i], (<Head*>self.root).seat)
            node = &self.tree.node[child] if child else &blank
            places = tuple([node.places[s] for s in range(self.players)])
            out[self.root_codes[i]] = Outcome(
                node.visits, node.reward[self.seat], node.square, node.win, node.points, node.margin, places,
            )
        return out

    def told(self, code):
        """What came of a decision at the root for every seat, since this is the root."""
        cdef Ends* ends
        cdef uint32_t i, j
        for i in range(self.n_root):
            if self.root_codes[i] == code:
                ends = &self.ends[i]
                looks = ends.looks or 1
                return Told(
                    ends.looks,
                    tuple([ends.wins[s] / looks for s in range(self.players)]),
                    tuple([ends.points[s] / looks for s in range(self.players)]),
                    tuple([tuple([ends.part[s][j] / looks for j in range(<uint32_t>self.parts)])
                           for s in range(self.players)]),
                    tuple([tuple([ends.finer[s][j] / (ends.divided or 1) for j in range(<uint32_t>self.finer)])
                           for s in range(self.players)]),
                )
        raise ValueError(f"decision {code!r} is not legal here")

    def line(self, code, length=12):
        """The principal variation from a decision at the root: the most visited decisions, as (seat, code)."""
        cdef uint32_t node = self.child_with(self.root_node, code, (<Head*>self.root).seat)
        cdef uint32_t child
        out = []
        while node and len(out) < length:
            out.append((self.tree.node[node].seat, self.tree.node[node].code))
            child = self.tree.node[node].child
            node = child
            while child:
                if self.tree.node[child].visits > self.tree.node[node].visits:
                    node = child
                child = self.tree.node[child].sibling
        return out
