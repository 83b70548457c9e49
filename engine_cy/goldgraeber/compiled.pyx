"""Goldgräber behind the game interface: the table of functions, and the Python objects that carry its data."""
from weakref import WeakValueDictionary

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine_cy.goldgraeber.features cimport POINT_PARTS, ROWS_OF_FEATURES, describe
from engine_cy.goldgraeber.sets cimport add_chip, count_of, has, put, take_first
from engine_cy.goldgraeber.state cimport (
    CITY, HOUSE, KINDS, LAND, LENGTHS, MAX_FIELDS, MAX_HOLES, NONE, SHORE, Fields, Purse,
)
from engine_cy.goldgraeber.walks cimport Steps, find_ranges, find_walks, find_ways_home
from engine_cy.state cimport Rules

include "../table.pxi"


cdef void describe_seat(const void* rules, const void* state, int seat, uint8_t* x, int32_t* now) noexcept nogil:
    describe(<const Setup*>rules, <const GameState*>state, seat, x, now)


cdef GameOps OPS = filled_in("goldgraeber", temperature=1, exploration=1.5)
OPS.alike = 0.0006
OPS.features = ROWS_OF_FEATURES
OPS.parts = POINT_PARTS
OPS.describe = describe_seat


cdef list members(const Fields* fields):
    cdef Fields rest = fields[0]
    cdef int field
    out = []
    while True:
        field = take_first(&rest)
        if field < 0:
            return out
        out.append(field)


cdef Fields set_of(list numbers):
    cdef Fields fields
    memset(&fields, 0, sizeof(Fields))
    for number in numbers:
        put(&fields, number)
    return fields


cdef list chips_in(const Purse* purse):
    return [kind for kind in range(KINDS) for _ in range(count_of(purse, kind))]


cdef Purse purse_of(list kinds):
    cdef Purse purse
    memset(&purse, 0, sizeof(Purse))
    for kind in kinds:
        add_chip(&purse, kind)
    return purse


cdef class _Walks:
    """Where walks may end on a map: a megabyte, shared by all rules that are played there."""
    cdef Fields* table
    cdef object __weakref__

    def __cinit__(self, size_t sets):
        self.table = <Fields*>calloc(sets, sizeof(Fields))
        if self.table == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.table)


_walks = WeakValueDictionary()      # by map, as long as any rules need them


cdef class CompiledRules(Rules):
    """Options and map of one game. The values come checked from rules.py."""
    cdef Setup setup
    cdef _Walks walks

    def __cinit__(self, *, players, prospecting, resting, grounds, neighbours, houses, rail, holes, chips, lakes, piers,
                  weights, network):
        """Fields are numbers. grounds: by field, see state.pxd; neighbours: by field, all adjacent ones, of a house its
        door's alone; houses: of the seats; chips: kinds, ascending; lakes: the shore fields of each; weights: of
        worth.pyx, by seat; network: what was learned of such a table, or None."""
        cdef Setup* r = &self.setup
        table = players, prospecting, resting, grounds, neighbours, houses, rail, holes, chips, lakes, piers
        begin(self, r, &OPS, players, table, weights, network)
        r.prospecting = prospecting
        r.resting = resting
        r.fields = write_down(r.ground, grounds)
        r.rail_size = write_down(r.rail, rail)
        r.holes = write_down(r.field, holes)
        write_down(r.all_chips, chips)
        write_down(r.house, houses)
        r.all_together = purse_of(chips)
        r.holes_set = set_of(holes)
        r.piers = set_of(piers)
        r.city = set_of([field for field, ground in enumerate(grounds) if ground == CITY])
        memset(r.hole, NONE, MAX_FIELDS)
        for hole, field in enumerate(holes):
            r.hole[<int>field] = hole
        for lake, shores in enumerate(lakes):
            r.shores[lake] = set_of(shores)
            for field in shores:
                r.lake[<int>field] = lake
        open_to_all = [field for field, ground in enumerate(grounds) if ground in (LAND, CITY)]
        for seat, house in enumerate(houses):
            r.open_to[seat] = set_of([*open_to_all, house])
        self.set_walks(neighbours, repr((grounds, neighbours, rail)))

    cdef set_walks(self, neighbours, on_map):
        """Where one may walk, and how far it is."""
        cdef Setup* r = &self.setup
        cdef Steps steps
        cdef int field, near
        memset(&steps, 0, sizeof(Steps))
        for field in range(r.fields):
            for near in neighbours[field]:
                put(&r.around[field], near)
                if self.leads(field, near):
                    steps.to[field][steps.n[field]] = near
                    steps.n[field] += 1
        self.walks = _walks.get(on_map)
        if self.walks is None:
            self.walks = _Walks(<size_t>r.rail_size * r.fields * LENGTHS)
            with nogil:
                find_walks(r, &steps, self.walks.table)
            _walks[on_map] = self.walks
        r.walk = self.walks.table
        with nogil:
            find_ranges(r, &steps)
            find_ways_home(r)

    cdef bint leads(self, int field, int near):
        """Whether one may step from a field to an adjacent one, either way (GG-1, GG-7, GG-8); a house has its door's
        field as its only neighbour."""
        cdef int a = min(self.setup.ground[field], self.setup.ground[near])
        cdef int b = max(self.setup.ground[field], self.setup.ground[near])
        return b == LAND or b == CITY or (b == HOUSE and a != HOUSE) or (b == SHORE and a == LAND)

    cdef int seats_that_know(self, const GameState* s, int field):
        """As a set."""
        cdef int seat
        cdef int seats = 0
        for seat in range(self.players):
            seats |= has(&s.looked[seat], field) << seat
        return seats

    cdef dict written(self, const void* state):
        cdef const GameState* s = <const GameState*>state
        cdef const Setup* r = &self.setup
        cdef int players = self.players
        down = [r.hole[field] for field in members(&s.down)]
        robbers = [r.hole[field] for field in members(&s.robbers)]
        return {
            "turn": s.turn,
            "steps": s.steps,
            "fight": s.fight,
            "defender": s.defender,
            "attack": s.attack,
            "walker": s.walker,
            "looking": bool(s.looking),
            "rested": s.rested,
            "locomotive": s.locomotive,
            "diggers": [s.digger[i] for i in range(players)],
            "rafts": members(&s.rafts),
            "down": [
                (hole, s.chip[hole], self.seats_that_know(s, r.field[hole]), bool(has(&s.known, r.field[hole])))
                for hole in down
            ],
            "robbers": [(hole, s.chip[hole], chips_in(&s.loot[hole])) for hole in robbers],
            "open": [chips_in(&s.open[i]) for i in range(players)],
            "home": [chips_in(&s.home[i]) for i in range(players)],
        }

    cdef read(self, dict fields, void* state):
        cdef GameState* s = <GameState*>state
        cdef const Setup* r = &self.setup
        cdef int i, seat
        s.turn = fields["turn"]
        s.steps = fields["steps"]
        s.fight = fields["fight"]
        s.defender = fields["defender"]
        s.attack = fields["attack"]
        s.walker = fields["walker"]
        s.looking = fields["looking"]
        s.rested = fields["rested"]
        s.locomotive = fields["locomotive"]
        write_down(s.digger, fields["diggers"])
        for i in range(self.players):
            s.open[i] = purse_of(fields["open"][i])
            s.home[i] = purse_of(fields["home"][i])
        s.rafts = set_of(fields["rafts"])
        memset(&s.down, 0, sizeof(Fields))
        memset(&s.buried, 0, sizeof(Purse))
        memset(s.chip, NONE, MAX_HOLES)
        s.down_size = len(fields["down"])
        for i, kind, seats, told in fields["down"]:
            put(&s.down, r.field[i])
            s.chip[i] = kind
            for seat in range(self.players):
                if seats >> seat & 1:
                    put(&s.looked[seat], r.field[i])
            if told:
                put(&s.known, r.field[i])
            add_chip(&s.buried, kind)
        for i, kind, loot in fields["robbers"]:
            put(&s.robbers, r.field[i])
            s.chip[i] = kind
            s.loot[i] = purse_of(loot)
