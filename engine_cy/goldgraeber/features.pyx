"""What a learned judgement sees of one seat: features.pxd is the manual."""
from libc.stdint cimport int32_t, uint8_t

from engine_cy.goldgraeber.options cimport find_landings
from engine_cy.goldgraeber.scoring cimport Points, seat_points
from engine_cy.goldgraeber.sets cimport (
    common, count_of, gold_points, has, intersect, meet, points_of, strength_of, take_first,
)
from engine_cy.goldgraeber.state cimport (
    AWAY, CHIP, FERRY, KINDS, LAND, LENGTHS, LOCOMOTIVE, PIPS, RETREAT, ROBBER, ROBBER_POINTS, ROLL,
    VALUES, WALK, Fields, Setup, State,
)
from engine_cy.goldgraeber.walks cimport walks

cdef enum:
    FIRST_ROLL = LOCOMOTIVE + 1
    ROLLS = LENGTHS - FIRST_ROLL    # that one walks by


cdef inline int least(int n, int most) noexcept nogil:
    return n if n < most else most


cdef inline int load_of(int points) noexcept nogil:
    if points < 7:
        return (points + 1) // 2
    return 4 if points < 10 else 5 if points < 14 else 6 if points < 20 else 7


cdef inline int time_of(int turns) noexcept nogil:
    if turns < 7:
        return turns
    return 7 if turns < 9 else 8 if turns < 11 else 9 if turns < 14 else 10 if turns < 18 else 11


cdef inline int rolls_to(const Fields* ends, int field) noexcept nogil:
    """How many rolls may end there."""
    cdef int length
    cdef int n = 0
    for length in range(FIRST_ROLL, LENGTHS):
        n += has(&ends[length], field)
    return n


cdef inline int rolls_to_any(const Fields* ends, const Fields* there) noexcept nogil:
    cdef int length
    cdef int n = 0
    for length in range(FIRST_ROLL, LENGTHS):
        n += meet(&ends[length], there)
    return n


cdef inline int describe_time(const Setup* r, const State* s, uint8_t* x) noexcept nogil:
    """How long the game may last; returns the time left."""
    cdef int steps = r.rail_size - 1 - s.locomotive
    cdef int chips = max(0, s.down_size - r.players)
    cdef int turns = least(PIPS * steps, 4 * chips) // r.players
    x[PLAYERS + r.players - 3] = 1
    x[RAIL + least(steps, 31)] = 1
    x[CHIPS + least(chips // 2, 32)] = 1
    x[TURNS + least(turns, 23)] = 1
    return time_of(turns)


cdef inline void describe_chips(const State* s, uint8_t* x) noexcept nogil:
    """What a face-down chip is worth on average."""
    cdef int gain = 5 * gold_points(&s.buried)      # in fifths, as chances against robbers are
    cdef int lost = 0
    cdef int kind, n, strength
    for kind in range(VALUES, KINDS):
        n = count_of(&s.buried, kind)
        strength = strength_of(kind)
        gain += ROBBER_POINTS * n * (PIPS - strength)
        lost += n * (strength - 1)
    if s.down_size:
        x[GAIN + least(4 * gain // (5 * s.down_size), 15)] = 1
        x[KEEP + least(12 * (5 * s.down_size - lost) // (5 * s.down_size), 11)] = 1


cdef inline void describe_place(const Setup* r, const State* s, int seat, int load, int time,
                                uint8_t* x) noexcept nogil:
    """Where the digger stands, and what is around."""
    cdef int field = s.digger[seat]
    cdef const Fields* ends = walks(r, s.locomotive, field, 0)
    cdef Fields there
    cdef int way = least(<int>r.way_home[seat][field], WAYS - 1)
    cdef int length, other, hole, row
    x[WAY_HOME + least(<int>(2 * r.way_home[seat][field]), 23)] = 1
    x[LOAD_WAY + WAYS * load + way] = 1
    x[LOAD_TIME + TIMES * load + time] = 1
    x[WAY_TIME + TIMES * way + time] = 1
    x[GROUND + r.ground[field]] = 1
    x[HOME_ROLLS + LOADS * rolls_to(ends, r.house[seat]) + load] = 1
    for length in range(ROLLS):
        x[CHIPS_AT + 5 * length + least(common(&ends[FIRST_ROLL + length], &s.down), 4)] = 1
    x[CHIP_ROLLS + LOADS * rolls_to_any(ends, &s.down) + load] = 1
    x[IN_REACH + least(common(ends, &s.down), 15)] = 1
    x[NEAR_CHIPS + least(common(&r.near[field], &s.down), 12)] = 1
    x[FAR_CHIPS + least(common(&r.far[field], &s.down) // 2, 12)] = 1
    x[RAFT_ROLLS + rolls_to_any(ends, &s.rafts)] = 1
    intersect(ends, &s.robbers, &there)
    while True:
        other = take_first(&there)
        if other < 0:
            break
        hole = r.hole[other]
        row = ROBBERS_AT + LOADS * (strength_of(s.chip[hole]) - 1) + load_of(points_of(&s.loot[hole]))
        x[row] += rolls_to(ends, other)


cdef inline void describe_rivals(const Setup* r, const State* s, int seat, int load, uint8_t* x) noexcept nogil:
    cdef int field = s.digger[seat]
    cdef const Fields* ends = walks(r, s.locomotive, field, 0)
    cdef int other, theirs, there, i
    cdef int neighbours = 0
    for other in range(r.players):
        if other == seat:
            continue
        there = s.digger[other]
        theirs = load_of(points_of(&s.open[other]))
        x[RIVALS + theirs] += 1
        neighbours += has(&r.near[field], there)
        if r.ground[there] == LAND:
            x[PREY + LOADS * theirs + load] += rolls_to(ends, there)
        if r.ground[field] == LAND:
            x[THREAT + LOADS * theirs + load] += rolls_to(walks(r, s.locomotive, there, 0), field)
        for i in range(1, 3):
            if s.locomotive + i < r.rail_size - 1 and r.rail[s.locomotive + i] == there:
                x[TRACK_PREY + LOADS * (i - 1) + theirs] += 1
    x[NEIGHBOURS + least(neighbours, 5)] = 1
    for i in range(1, 5):
        if s.locomotive + i < r.rail_size - 1 and r.rail[s.locomotive + i] == field:
            x[TRACK + LOADS * (i - 1) + load] = 1


cdef inline void describe_walk(const Setup* r, const State* s, int seat, int load, uint8_t* x) noexcept nogil:
    """The number is known, the field is not."""
    cdef const Fields* ends = walks(r, s.locomotive, s.digger[seat], s.steps)
    cdef int richest = -1
    cdef int other
    if s.head.phase == WALK:
        x[ROLLED + s.steps - FIRST_ROLL] = 1
        x[ROLLED_CHIPS + least(common(ends, &s.down), 4)] = 1
        for other in range(r.players):
            if other != seat and r.ground[s.digger[other]] == LAND and has(ends, s.digger[other]):
                richest = max(richest, points_of(&s.open[other]))
        if richest >= 0:
            x[ROLLED_PREY + load_of(richest)] = 1
    if has(ends, r.house[seat]):
        x[ROLLED_HOME + load] = 1


cdef inline void describe_ferry(const Setup* r, const State* s, int seat, uint8_t* x) noexcept nogil:
    cdef Fields shores
    cdef int most = 0
    cdef int shortest = WAYS - 1
    cdef int field
    find_landings(r, s, s.digger[seat], &shores)
    while True:
        field = take_first(&shores)
        if field < 0:
            break
        most = max(most, rolls_to_any(walks(r, s.locomotive, field, 0), &s.down))
        shortest = least(<int>r.way_home[seat][field], shortest)
    x[FERRY_ROLLS + most] = 1
    x[FERRY_WAY + shortest] = 1


cdef inline void describe_due(const Setup* r, const State* s, int seat, int load, uint8_t* x) noexcept nogil:
    """What the game waits for, as far as it concerns the seat."""
    cdef int phase = s.head.phase
    cdef int other, hole, strength
    if phase == ROLL and s.fight == AWAY or phase == RETREAT:
        if s.walker == seat:
            x[<int>AWAY_DUE] = 1
            if phase == RETREAT:
                describe_walk(r, s, seat, load, x)
    elif phase == ROLL and s.fight == ROBBER:
        if s.turn == seat:
            hole = r.hole[s.digger[seat]]
            strength = strength_of(s.chip[hole])
            x[ROBBER_DUE + LOADS * (strength - 1) + load] = 1
            x[LOOT_DUE + LOADS * (strength - 1) + load_of(points_of(&s.loot[hole]))] = 1
    elif phase == ROLL:
        if s.turn == seat:
            x[ATTACKS + LOADS * load + load_of(points_of(&s.open[s.defender]))] = 1
        elif s.defender == seat:
            x[DEFENDS + LOADS * load + load_of(points_of(&s.open[s.turn]))] = 1
    elif s.turn == seat:
        if phase == CHIP:
            x[CHIP_DUE + load] = 1
        elif phase == WALK:
            describe_walk(r, s, seat, load, x)
        elif phase == FERRY:
            describe_ferry(r, s, seat, x)
    elif phase == WALK and r.ground[s.digger[seat]] == LAND:
        other = s.digger[s.turn]
        if has(walks(r, s.locomotive, other, s.steps), s.digger[seat]):
            x[THREAT_NOW + LOADS * load_of(points_of(&s.open[s.turn])) + load] = 1


cdef void describe(const Setup* r, const State* s, int seat, uint8_t* x, int32_t* now) noexcept nogil:
    cdef Points points
    cdef int carried = points_of(&s.open[seat])
    cdef int load = load_of(carried)
    cdef int time
    seat_points(r, s, seat, &points)
    now[<int>GOLD] = points.gold
    now[<int>CAPTURED] = points.robbers
    time = describe_time(r, s, x)
    describe_chips(s, x)
    x[ORDER + (seat + r.players - s.turn) % r.players] = 1
    if s.turn == seat:
        x[DUE + s.head.phase] = 1
    x[LOAD + least(carried, 31)] = 1
    describe_place(r, s, seat, load, time, x)
    describe_rivals(r, s, seat, load, x)
    describe_due(r, s, seat, load, x)
