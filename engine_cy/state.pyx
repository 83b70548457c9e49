"""The thinnest Python objects over the game interface: numbers in, numbers out. Names are in game.py.

Every call from Python is checked here, so that the C functions below can trust their arguments.
"""
from libc.stdint cimport uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from engine_cy.ops cimport CHANCE, CHANCE_ITEMS, DECISION, NO_LIMIT, NO_SEAT, Chance, Head, Score
from engine_cy.rng cimport rng_below, rng_next, rng_seed

from engine_cy.errors import InputError


cdef class Generator:
    """A source of random numbers: the same seed and stream, the same numbers."""

    def __cinit__(self, seed, stream=0):
        for name, value in (("seed", seed), ("stream", stream)):
            if type(value) is not int or not 0 <= value < 1 << 64:
                raise InputError(name, "an integer from 0 to 2**64 - 1", value)
        rng_seed(&self.rng, seed, stream)

    def below(self, n):
        """Uniform in [0, n)."""
        if type(n) is not int or not 1 <= n < 1 << 32:
            raise InputError("n", "an integer from 1 to 2**32 - 1", n)
        return rng_below(&self.rng, n)

    def next(self):
        """64 random bits."""
        return rng_next(&self.rng)

    def copy(self):
        cdef Generator other = Generator.__new__(Generator, 0)
        other.rng = self.rng
        return other


cdef class Rules:
    """A game's options and components, compiled. Immutable; a subclass for each game fills it."""

    @property
    def features(self):
        """Counts that describe a seat for a learned judgement, 0 if there is no such thing."""
        return self.ops.features

    @property
    def parts(self):
        """What points are made of, for a learned judgement."""
        return self.ops.parts

    @property
    def temperature(self):
        """Points of the quick judgement that make a first thought e times as likely: what a point is worth here."""
        return self.ops.temperature

    def start(self, Generator generator=None):
        """A state before its first event; hidden orders shuffled if a generator is given, else in canonical order."""
        cdef State state = new_state(self)
        self.ops.start(self.data, state.data, NULL if generator is None else &generator.rng)
        return state

    def points(self, State state not None):
        """By seat: the points by rule, with their names (scoring.pxd of the game)."""
        self._need_own(state)
        return self.by_rule(self.data, state.data)

    def fields(self, State state not None):
        """Everything the state holds, as numbers; `restore` reads it back."""
        self._need_own(state)
        cdef const Head* head = <const Head*>state.data
        return {"phase": head.phase, "viewer": head.viewer, **self.written(state.data)}

    def restore(self, dict fields not None):
        """A state from its fields. They come checked from position.py; the game goes on from their phase."""
        cdef State state = self.start()
        (<Head*>state.data).viewer = fields["viewer"]
        self.read(fields, state.data)
        self.settle(self.data, state.data, fields["phase"])
        return state

    cdef dict written(self, const void* state):
        """The game's own part of `fields`."""
        raise NotImplementedError

    cdef read(self, dict fields, void* state):
        """Write it into a state that has just started."""
        raise NotImplementedError

    cdef _need_own(self, State state):
        if state.rules is not self:
            raise ValueError("state: expected one that these rules started, got one of other rules")


# Known to this module only, so that no State can be made by hand, with its memory not yet written.
cdef object _MADE_HERE = object()


cdef State new_state(Rules rules):
    if rules.ops == NULL:
        raise TypeError("Rules is abstract: make the rules of a game")
    return State.__new__(State, rules, _MADE_HERE)


cdef class State:
    """One state of a game. Made by Rules.start, copy, observe and determinize."""

    def __cinit__(self, Rules rules=None, key=None):
        if key is not _MADE_HERE:
            raise TypeError("make a State with Rules.start()")
        self.data = malloc(rules.ops.state_size)
        if self.data == NULL:
            raise MemoryError()
        self.rules = rules

    def __dealloc__(self):
        free(self.data)

    @property
    def status(self):
        """0 a decision is due, 1 a chance event, 2 the game is over."""
        return (<Head*>self.data).status

    @property
    def phase(self):
        """The game's number for the kind of decision or event that is due."""
        return (<Head*>self.data).phase

    @property
    def seat(self):
        """Who decides, or None."""
        cdef int seat = (<Head*>self.data).seat
        return None if seat == NO_SEAT else seat

    @property
    def viewer(self):
        """The seat whose observation this is, or None for a full state."""
        cdef int seat = (<Head*>self.data).viewer
        return None if seat == NO_SEAT else seat

    @property
    def turn_number(self):
        """The same number for all decisions of one turn, another for the next turn."""
        return (<Head*>self.data).turn_number

    @property
    def determined(self):
        """Whether nothing hidden and no chance can matter any more."""
        return bool(self.rules.ops.determined(self.rules.data, self.data))

    def copy(self):
        cdef State other = new_state(self.rules)
        memcpy(other.data, self.data, self.rules.ops.state_size)
        return other

    def __copy__(self):
        return self.copy()

    def __bytes__(self):
        return (<char*>self.data)[:self.rules.ops.state_size]

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        cdef State that = <State>other
        return self.rules.ops == that.rules.ops and memcmp(self.data, that.data, self.rules.ops.state_size) == 0

    __hash__ = None

    cdef _need(self, int status, str what):
        if (<Head*>self.data).status != status:
            raise ValueError(f"{what}: no {('decision', 'chance event', 'result')[status]} is due")

    cdef _need_full(self, str what):
        if (<Head*>self.data).viewer != NO_SEAT:
            raise ValueError(f"{what}: this is what seat {self.viewer} sees, not a full state: determinize it first")

    cdef int _seat(self, seat) except -1:
        if type(seat) is not int or not 0 <= seat < self.rules.players:
            raise InputError("seat", f"an integer from 0 to {self.rules.players - 1}", seat)
        return seat

    def codes(self):
        """The legal decisions as codes; empty unless a decision is due."""
        cdef uint32_t n, i
        cdef uint32_t* out
        if (<Head*>self.data).status != DECISION:
            return []
        out = <uint32_t*>malloc(self.rules.ops.max_decisions * sizeof(uint32_t))
        if out == NULL:
            raise MemoryError()
        try:
            n = self.rules.ops.list(self.rules.data, self.data, out)
            return [out[i] for i in range(n)]
        finally:
            free(out)

    def is_legal(self, code):
        return (
            type(code) is int and 0 <= code < 1 << 32 and (<Head*>self.data).status == DECISION
            and self.rules.ops.is_legal(self.rules.data, self.data, code)
        )

    def apply(self, code):
        """Take a legal decision."""
        self._need(DECISION, "apply")
        self._need_full("apply")
        if not self.is_legal(code):
            raise ValueError(f"decision {code!r} is not legal here")
        self.rules.ops.apply(self.rules.data, self.data, code)

    def after(self, code):
        """The state after a legal decision; this one stays. Of an observation: what the seat sees then."""
        cdef State other
        self._need(DECISION, "after")
        if not self.is_legal(code):
            raise ValueError(f"decision {code!r} is not legal here")
        other = self.copy()
        self.rules.ops.apply(self.rules.data, other.data, code)
        return other

    def sample(self, Generator generator not None):
        """One of the legal decisions, uniformly."""
        self._need(DECISION, "sample")
        return self.rules.ops.sample(self.rules.data, self.data, &generator.rng)

    def draw(self, Generator generator not None):
        """Let the chance event happen; returns its (phase, items) and who saw it, as `audience` says it."""
        cdef Chance outcome
        self._need(CHANCE, "draw")
        self._need_full("draw")
        self.rules.ops.draw(self.rules.data, self.data, &generator.rng, &outcome)
        return outcome.what, tuple(outcome.item[i] for i in range(outcome.n)), outcome.seen_by

    def audience(self):
        """Who sees how the chance event that is due comes out: a set of seats (bit i: seat i), or EVERYBODY."""
        cdef State trial = self.copy()
        cdef Generator luck = Generator(0)
        cdef Chance outcome
        self._need(CHANCE, "audience")
        self._need_full("audience")
        self.rules.ops.draw(self.rules.data, trial.data, &luck.rng, &outcome)  # whatever comes, the same seats see it
        return outcome.seen_by

    def reveal(self, phase, items):
        """Let the chance event come out as told; False, and nothing changed, if it cannot."""
        cdef Chance told
        cdef int i
        self._need(CHANCE, "reveal")
        self._need_full("reveal")
        items = tuple(items)
        if type(phase) is not int or phase != (<Head*>self.data).phase or len(items) > CHANCE_ITEMS:
            return False
        told.what = phase
        told.n = len(items)
        for i in range(told.n):
            if type(items[i]) is not int or not 0 <= items[i] < 256:
                return False
            told.item[i] = items[i]
        return bool(self.rules.ops.reveal(self.rules.data, self.data, &told))

    def under(self, Rules rules not None):
        """The same state under other rules of the same game and table, such as those of a personality."""
        cdef State other
        if rules.ops != self.rules.ops or rules.table != self.rules.table:
            raise InputError("rules", "rules of the same game, options and components", rules)
        other = new_state(rules)
        memcpy(other.data, self.data, self.rules.ops.state_size)
        return other

    def observe(self, seat):
        """What the seat knows, as a state with a canonical filling where it knows nothing."""
        cdef State other
        self._seat(seat)
        if (<Head*>self.data).viewer not in (NO_SEAT, seat):
            raise ValueError(f"observe: this is what seat {self.viewer} sees, not a full state")
        other = new_state(self.rules)
        self.rules.ops.observe(self.rules.data, self.data, seat, other.data)
        return other

    def spectate(self):
        """What everybody knows: the observation of a seat that does not play."""
        cdef State other
        if (<Head*>self.data).viewer not in (NO_SEAT, self.rules.players):
            raise ValueError(f"spectate: this is what seat {self.viewer} sees, not a full state")
        other = new_state(self.rules)
        self.rules.ops.observe(self.rules.data, self.data, self.rules.players, other.data)
        return other

    def determinize(self, Generator generator not None):
        """A full state that agrees with this observation, uniformly one of all that do."""
        cdef State other = self.copy()
        if (<Head*>self.data).viewer == NO_SEAT:
            raise ValueError("determinize: this is a full state; observe it for a seat first")
        self.rules.ops.determinize(self.rules.data, other.data, &generator.rng)
        return other

    def playout(self, Generator generator not None, informed=()):
        """Play to the end; returns how many decisions that took. Seats in `informed` decide by the game's quick
        judgement, the others uniformly at random."""
        cdef uint32_t seats = 0
        self._need_full("playout")
        for seat in informed:
            seats |= 1 << self._seat(seat)
        return self.rules.ops.playout(self.rules.data, self.data, &generator.rng, seats, NO_LIMIT)

    def appraise(self):
        """The legal decisions with the game's quick judgement of each, in points: [(code, worth)]."""
        cdef uint32_t n
        cdef uint32_t* codes
        cdef float* worths
        if (<Head*>self.data).status != DECISION:
            return []
        codes = <uint32_t*>malloc(self.rules.ops.max_decisions * sizeof(uint32_t))
        worths = <float*>malloc(self.rules.ops.max_decisions * sizeof(float))
        try:
            if codes == NULL or worths == NULL:
                raise MemoryError()
            n = self.rules.ops.list(self.rules.data, self.data, codes)
            self.rules.ops.appraise(self.rules.data, self.data, codes, n, worths)
            return [(codes[i], worths[i]) for i in range(n)]
        finally:
            free(codes)
            free(worths)

    def score(self):
        """(points by seat, places by seat) as if the game ended now."""
        cdef Score out
        memset(&out, 0, sizeof(out))
        self.rules.ops.score(self.rules.data, self.data, &out)
        seats = range(self.rules.players)
        return tuple(out.points[i] for i in seats), tuple(out.place[i] for i in seats)
