"""Games to learn from: seats decide by what they think each decision leads to, with noise. What they saw is kept with
how it went on."""
from libc.math cimport logf
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from engine_cy.network cimport MAX_INPUTS, MAX_OUTPUTS, POINT, Estimate, Net, Network, answer, seat_estimate
from engine_cy.ops cimport CHANCE, MAX_SEATS, OVER, Chance, GameOps, Head, Score
from engine_cy.rng cimport Rng, rng_below, rng_next
from engine_cy.state cimport Generator, State

cdef enum:
    MAX_STEPS = 1024            # of one seat in one game that are kept

cdef float UNSURE = 0.05        # noise, in points
cdef float CLOSE = 2            # by temperature of the game: what is closer is decided by what it leaves the others


# Who plays, and room to think.
cdef struct Table:
    const GameOps* ops
    const void* rules
    int players
    const Net* net[MAX_SEATS]   # by seat; NULL: at a glance
    const Net* thinks           # what is thought on the way; NULL: nothing
    int tried                   # one in so many decisions is taken with much noise,
    float noise                 # in points
    int kept                    # one in so many is kept
    void* state
    void* trial
    uint32_t* codes
    float* worths


# What one seat went through.
cdef struct Course:
    int n
    int row[MAX_STEPS]          # where it is kept, or -1
    bint own[MAX_STEPS]         # after a decision of its own: `thought` is there
    float thought[MAX_STEPS][MAX_OUTPUTS]


cdef bint set_up(Table* t, State first, Network b, Course** courses) except False:
    """Everybody plays by b, until somebody is told otherwise."""
    cdef int seat
    t.ops = first.rules.ops
    t.rules = first.rules.data
    t.players = first.rules.players
    t.thinks = NULL if b is None else b.net
    for seat in range(MAX_SEATS):
        t.net[seat] = t.thinks
    t.state = malloc(t.ops.state_size)
    t.trial = malloc(t.ops.state_size)
    t.codes = <uint32_t*>malloc(t.ops.max_decisions * sizeof(uint32_t))
    t.worths = <float*>malloc(t.ops.max_decisions * sizeof(float))
    courses[0] = <Course*>malloc(MAX_SEATS * sizeof(Course))
    if not (t.state and t.trial and t.codes and t.worths and courses[0]):
        clear(t, courses[0])
        raise MemoryError()
    return True


cdef void clear(Table* t, Course* courses) noexcept:
    free(t.state)
    free(t.trial)
    free(t.codes)
    free(t.worths)
    free(courses)


cdef inline float noise(Rng* rng) noexcept nogil:
    """Gumbel: a maximum with it is a choice with probabilities as exp(value)."""
    cdef float u = ((rng_next(rng) >> 40) + <float>0.5) / <float>16777216.0
    return -logf(-logf(u))


cdef inline void try_out(Table* t, uint32_t code) noexcept nogil:
    memcpy(t.trial, t.state, t.ops.state_size)
    t.ops.apply(t.rules, t.trial, code)


cdef float left_to_others(Table* t, const Net* net, int seat) noexcept nogil:
    """The average of what the other seats are thought to get after what was tried."""
    cdef Estimate thought
    cdef float sum = 0
    cdef int other
    for other in range(t.players):
        if other != seat:
            sum += seat_estimate(t.ops, net, t.rules, t.trial, other, &thought)
    return sum / (t.players - 1)


cdef uint32_t choose(Table* t, Rng* rng, float unsure) noexcept nogil:
    cdef uint32_t n = t.ops.list(t.rules, t.state, t.codes)
    cdef int seat = (<const Head*>t.state).seat
    cdef const Net* net = t.net[seat]
    cdef uint32_t chosen = 0
    cdef uint32_t i
    cdef float most = -1e30
    cdef float best = -1e30
    cdef float value
    cdef Estimate thought
    if net == NULL:
        t.ops.appraise(t.rules, t.state, t.codes, n, t.worths)
    else:
        for i in range(n):
            try_out(t, t.codes[i])
            t.worths[i] = seat_estimate(t.ops, net, t.rules, t.trial, seat, &thought)
            best = max(best, t.worths[i])
    for i in range(n):
        value = t.worths[i]
        if net != NULL and value >= best - CLOSE * t.ops.temperature:
            try_out(t, t.codes[i])
            value -= left_to_others(t, net, seat)
        elif net != NULL:
            continue
        value += unsure * noise(rng)
        if value > most:
            most = value
            chosen = i
    return t.codes[chosen]


cdef bint go_on(Table* t, Rng* rng) noexcept nogil:
    """To the next decision; False if the game is over."""
    cdef Head* head = <Head*>t.state
    cdef Chance chance
    while head.status == CHANCE:
        t.ops.draw(t.rules, t.state, rng, &chance)
    return head.status != OVER


cdef void think(Table* t, const Net* net, int seat, float* out) noexcept nogil:
    """The points by part that the network expects."""
    cdef uint8_t x[MAX_INPUTS]
    cdef int32_t now[MAX_OUTPUTS]
    cdef int32_t still[MAX_OUTPUTS]
    cdef uint32_t k
    memset(x, 0, sizeof(x))
    t.ops.describe(t.rules, t.state, seat, x, now)
    answer(net, x, still)
    for k in range(t.ops.parts):
        out[k] = now[k] + <float>still[k] / POINT


cdef void keep(Table* t, int seat, int row, uint8_t[:, ::1] x, float[:, ::1] gain) noexcept nogil:
    """What the seat sees, and for now, less than nothing, the points it has."""
    cdef int32_t now[MAX_OUTPUTS]
    cdef uint32_t k
    memset(&x[row, 0], 0, x.shape[1])
    t.ops.describe(t.rules, t.state, seat, &x[row, 0], now)
    for k in range(t.ops.parts):
        gain[row, k] = -now[k]


cdef void step(Table* t, Course* course, int seat, bint own, int row) noexcept nogil:
    if course.n == MAX_STEPS:
        return
    course.row[course.n] = row
    course.own[course.n] = own and t.thinks != NULL
    if course.own[course.n]:
        think(t, t.thinks, seat, course.thought[course.n])
    course.n += 1


cdef void look_back(Table* t, const Course* course, int seat, float trust, float[:, ::1] gain) noexcept nogil:
    """Every row gets how it went on: what was thought at each later decision, `trust` of it left to what came after."""
    cdef uint8_t x[MAX_INPUTS]
    cdef int32_t now[MAX_OUTPUTS]
    cdef float later[MAX_OUTPUTS]
    cdef uint32_t k
    cdef int i
    memset(x, 0, sizeof(x))
    t.ops.describe(t.rules, t.state, seat, x, now)
    for k in range(t.ops.parts):
        later[k] = now[k]
    for i in range(course.n - 1, -1, -1):
        for k in range(t.ops.parts):
            if course.row[i] >= 0:
                gain[course.row[i], k] += later[k]
            if course.own[i]:
                later[k] = trust * later[k] + (1 - trust) * course.thought[i][k]


cdef inline int keep_some(Table* t, Rng* rng, int seat, Course* courses, int rows, uint8_t[:, ::1] x,
                          float[:, ::1] gain) noexcept nogil:
    """Half as often as after decisions, what the seat sees; returns how many rows there are now."""
    if rng_below(rng, 2 * t.kept) != 0 or rows == gain.shape[0]:
        return rows
    keep(t, seat, rows, x, gain)
    step(t, &courses[seat], seat, False, rows)
    return rows + 1


cdef int play_one(Table* t, Rng* rng, Course* courses, float trust, int rows, uint8_t[:, ::1] x,
                  float[:, ::1] gain) noexcept nogil:
    """One game; returns how many rows there are now."""
    cdef int seat, other, row
    cdef bint came, tried
    for seat in range(t.players):
        courses[seat].n = 0
    t.ops.start(t.rules, t.state, rng)
    while True:
        came = (<const Head*>t.state).status == CHANCE
        if not go_on(t, rng):
            break
        seat = (<const Head*>t.state).seat
        if came:                                # before a decision is where playouts stop
            rows = keep_some(t, rng, rng_below(rng, t.players), courses, rows, x, gain)
        tried = rng_below(rng, t.tried) == 0
        t.ops.apply(t.rules, t.state, choose(t, rng, t.noise if tried else UNSURE))
        if (<const Head*>t.state).status == OVER:
            break
        row = -1
        if rng_below(rng, max(1, t.kept // 4) if tried else t.kept) == 0 and rows < gain.shape[0]:
            row = rows
            rows += 1
            keep(t, seat, row, x, gain)
        step(t, &courses[seat], seat, True, row)
        other = rng_below(rng, t.players)       # what those see who wait
        if other != seat:
            rows = keep_some(t, rng, other, courses, rows, x, gain)
    for seat in range(t.players):
        look_back(t, &courses[seat], seat, trust, gain)
    return rows


def play(State first not None, Generator generator not None, Network network, int games, float trust,
         uint8_t[:, ::1] x, float[:, ::1] gain, *, bint glance=False, int tried=20, float noise=0.5, int kept=12):
    """Play games in which all decide by the network, or at a glance; one in `tried` decisions with so much noise, in
    temperatures of the game. Of one in `kept` fills `x` with what seats saw, and
    `gain` with the points, by part, that came after; returns how many rows, at most as many as there is room for."""
    cdef Table t
    cdef Course* courses
    cdef int rows = 0
    cdef int _
    set_up(&t, first, network, &courses)
    t.tried = tried
    t.noise = noise * t.ops.temperature
    t.kept = kept
    if glance:
        memset(t.net, 0, sizeof(t.net))
    with nogil:
        for _ in range(games):
            rows = play_one(&t, &generator.rng, courses, trust, rows, x, gain)
    clear(&t, courses)
    return rows


def duel(State first not None, Generator generator not None, Network a, Network b, int games):
    """One seat decides by a, each in turn, the others by b (None: at a glance): the share of wins of a, its points, and
    those of the others, in the mean."""
    cdef Table t
    cdef Course* courses
    cdef Score score
    cdef int g, seat, own, winners
    cdef double won = 0
    cdef double points = 0
    cdef double others = 0
    set_up(&t, first, b, &courses)
    with nogil:
        for g in range(games):
            own = g % t.players
            for seat in range(t.players):
                t.net[seat] = NULL if b is None else b.net
            t.net[own] = NULL if a is None else a.net
            t.ops.start(t.rules, t.state, &generator.rng)
            while go_on(&t, &generator.rng):
                t.ops.apply(t.rules, t.state, choose(&t, &generator.rng, 0.001))
            memset(&score, 0, sizeof(score))
            t.ops.score(t.rules, t.state, &score)
            winners = 0
            for seat in range(t.players):
                winners += score.place[seat] == 1
                if seat == own:
                    points += score.points[seat]
                else:
                    others += score.points[seat] / <double>(t.players - 1)
            won += (score.place[own] == 1) / <double>winners
    clear(&t, courses)
    return won / games, points / games, others / games
