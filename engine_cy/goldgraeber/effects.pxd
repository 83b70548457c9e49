"""What decisions and outcomes do to the table. Each function returns the phase to go on with."""
from libc.stdint cimport uint32_t, uint64_t

from engine_cy.goldgraeber.codes cimport code_field
from engine_cy.goldgraeber.sets cimport (
    add_chip, has, is_gold, move_all, put, remove, strength_of, take_chip,
)
from engine_cy.goldgraeber.state cimport (
    ATTACK, AWAY, CHIP, CITY, DEFENCE, DIE, FERRY, GAME_OVER, HOUSE, LOCOMOTIVE, NEXT_TURN, NO_FIGHT, NONE, PROSPECT,
    RETREAT, ROBBER, ROLL, SHORE, TO_ROLL, WALK, WORDS, Fields, Setup, State,
)
from engine_cy.ops cimport NO_SEAT


# ---- The locomotive

cdef inline void push_back(const Setup* r, State* s, int seat) noexcept nogil:
    """GG-5: onto the first free rail field behind the locomotive; GG-5b: or home."""
    cdef int place = s.locomotive
    cdef int other
    cdef bint free
    while place > 0:
        place -= 1
        free = True
        for other in range(r.players):
            free = free and s.digger[other] != r.rail[place]
        if free:
            s.digger[seat] = r.rail[place]
            return
    s.digger[seat] = r.house[seat]


cdef inline int drive(const Setup* r, State* s) noexcept nogil:
    """GG-4, GG-5; GG-18: at the city the game ends at once."""
    cdef int seat = s.turn
    cdef int _
    s.locomotive += 1
    if s.locomotive == r.rail_size - 1:
        return GAME_OVER
    for _ in range(r.players):              # GG-5d: from the left of the roller, who comes last
        seat = seat + 1 if seat + 1 < r.players else 0
        if s.digger[seat] == r.rail[s.locomotive]:
            if seat != s.turn:
                move_all(&s.open[seat], &s.open[s.turn])
            push_back(r, s, seat)
    return NEXT_TURN


cdef inline int roll_die(const Setup* r, State* s, int number) noexcept nogil:
    if number == LOCOMOTIVE:
        return drive(r, s)
    s.steps = number
    return WALK


# ---- Where a walk ends

cdef inline int defender_on(const Setup* r, const State* s, int field) noexcept nogil:
    """GG-11g: of the other diggers there, the next clockwise from the seat at turn; or NONE."""
    cdef int seat = s.turn
    cdef int _
    for _ in range(r.players - 1):
        seat = seat + 1 if seat + 1 < r.players else 0
        if s.digger[seat] == field:
            return seat
    return NONE


cdef inline int walk_to(const Setup* r, State* s, int field) noexcept nogil:
    """Section 4 of the rules."""
    cdef int ground = r.ground[field]
    s.steps = 0
    s.digger[s.turn] = field
    if ground == SHORE:
        return FERRY
    if ground == HOUSE:
        move_all(&s.open[s.turn], &s.home[s.turn])
        return NEXT_TURN
    if ground == CITY:
        return NEXT_TURN
    s.defender = defender_on(r, s, field)
    if s.defender != NONE:
        s.fight = ATTACK
        return ROLL
    if has(&s.robbers, field):
        s.fight = ROBBER
        return ROLL
    return CHIP if has(&s.down, field) else NEXT_TURN


cdef inline int land_at(State* s, int field) noexcept nogil:
    """GG-8: the raft goes there with its digger."""
    remove(&s.rafts, s.digger[s.turn])
    put(&s.rafts, field)
    s.digger[s.turn] = field
    return NEXT_TURN


cdef inline void forget(const Setup* r, State* s, int field) noexcept nogil:
    """Its chip lies there no more: who has looked at it matters no more."""
    cdef int seat
    remove(&s.known, field)
    for seat in range(r.players):
        remove(&s.looked[seat], field)


cdef inline int turn_up(const Setup* r, State* s) noexcept nogil:
    """GG-10, and GG-18 before any fight."""
    cdef int field = s.digger[s.turn]
    cdef int hole = r.hole[field]
    cdef int kind = s.chip[hole]
    remove(&s.down, field)
    s.down_size -= 1
    if r.prospecting:
        forget(r, s, field)
    take_chip(&s.buried, kind)
    if is_gold(kind):
        add_chip(&s.open[s.turn], kind)
        s.chip[hole] = NONE
        return GAME_OVER if s.down_size <= r.players else NEXT_TURN
    put(&s.robbers, field)
    if s.down_size <= r.players:
        return GAME_OVER
    s.fight = ROBBER
    return ROLL


# ---- Prospecting

cdef inline void look_at(State* s, int field, bint told) noexcept nogil:
    """`told`: whether it is said what the seat sees there."""
    put(&s.looked[s.turn], field)
    if told:
        put(&s.known, field)


cdef inline const Fields* known_when_looking(const State* s) noexcept nogil:
    """The chips that are no event when they are looked at: those that somebody knows (section 8). In what a seat sees
    those that others know are as unknown as any, once it looks itself."""
    if s.head.viewer == s.turn:
        return &s.looked[s.turn]
    return &s.known


cdef inline const Fields* known_when_turned_up(const State* s) noexcept nogil:
    """The same of those that are turned up."""
    return &s.known if s.head.viewer == NO_SEAT else &s.looked[s.head.viewer]


cdef inline void note_rest(State* s, bint rested) noexcept nogil:
    """GG-20a: whether the seat at turn gives it up with nothing new to see."""
    if rested:
        s.rested |= 1 << s.turn
    else:
        s.rested &= ~(1 << s.turn)


cdef inline int prospect(const Setup* r, State* s) noexcept nogil:
    """GG-20: of the chips around, those that some seat knows are looked at now, the others as they are revealed."""
    cdef const Fields* around = &r.around[s.digger[s.turn]]
    cdef const Fields* known = known_when_looking(s)
    cdef uint64_t unseen = 0
    cdef int i
    for i in range(WORDS):
        unseen |= around.word[i] & s.down.word[i] & ~s.looked[s.turn].word[i]
        s.looked[s.turn].word[i] |= around.word[i] & s.down.word[i] & known.word[i]
    note_rest(s, unseen == 0)
    s.looking = True
    return CHIP


# ---- Fights

cdef inline int walk_away(State* s, int seat, int steps) noexcept nogil:
    s.fight = NO_FIGHT
    s.defender = NONE
    s.attack = 0
    s.walker = seat
    s.steps = steps
    return RETREAT


cdef inline int fight_robber(const Setup* r, State* s, int number) noexcept nogil:
    """GG-12, GG-13."""
    cdef int field = s.digger[s.turn]
    cdef int hole = r.hole[field]
    cdef int strength = strength_of(s.chip[hole])
    if number == strength:
        return ROLL
    if number < strength:
        move_all(&s.open[s.turn], &s.loot[hole])
        return walk_away(s, s.turn, number)
    add_chip(&s.open[s.turn], s.chip[hole])
    move_all(&s.loot[hole], &s.open[s.turn])
    s.chip[hole] = NONE
    remove(&s.robbers, field)
    s.fight = NO_FIGHT
    return NEXT_TURN


cdef inline int roll_in_fight(const Setup* r, State* s, int number) noexcept nogil:
    """GG-12 to GG-15."""
    if s.fight == ROBBER:
        return fight_robber(r, s, number)
    if s.fight == ATTACK:
        s.attack = number
        s.fight = DEFENCE
    elif s.fight == AWAY:
        return walk_away(s, s.walker, number)
    elif number == s.attack:
        s.attack = 0
        s.fight = ATTACK
    else:
        if s.attack > number:
            s.walker = s.turn
            move_all(&s.open[s.defender], &s.open[s.turn])
        else:
            s.walker = s.defender
            move_all(&s.open[s.turn], &s.open[s.defender])
        s.attack = 0
        s.fight = AWAY
    return ROLL


cdef inline int retreat_to(const Setup* r, State* s, int field) noexcept nogil:
    """GG-16, GG-16a."""
    s.digger[s.walker] = field
    if r.ground[field] == HOUSE:
        move_all(&s.open[s.walker], &s.home[s.walker])
    return NEXT_TURN


# ---- Decisions and outcomes

cdef inline int carry_out(const Setup* r, State* s, int phase, uint32_t decision) noexcept nogil:
    """Take the decision, legal in the phase."""
    cdef int field = code_field(decision)
    if phase == WALK:
        return walk_to(r, s, field)
    elif phase == RETREAT:
        return retreat_to(r, s, field)
    elif phase == FERRY:
        return land_at(s, field)
    if field == TO_ROLL:
        note_rest(s, False)
        return DIE
    return prospect(r, s)
