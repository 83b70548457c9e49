"""Moon River behind the game interface: the table of functions, and the Python objects that carry its data."""
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from engine_cy.bits cimport bit
from engine_cy.moon_river.features cimport POINT_PARTS, ROWS_OF_FEATURES, describe
from engine_cy.moon_river.hand cimport hand_add, kind_at
from engine_cy.moon_river.landscapes cimport SCORING_LANDSCAPES, divide
from engine_cy.moon_river.pieces cimport kind_of_side, put_cows, put_partner, put_plot
from engine_cy.moon_river.state cimport CAMP, COLUMNS, NONE, ROWS, ROWS_OF_TWO, TOKENS, Column, Kind
from engine_cy.ops cimport MAX_FINER
from engine_cy.state cimport Rules

include "../table.pxi"


cdef void describe_seat(const void* rules, const void* state, int seat, uint8_t* x, int32_t* now) noexcept nogil:
    describe(<const Setup*>rules, <const GameState*>state, seat, x, now)


cdef void divide_points(const void* rules, const void* state, const float* points,
                        float (*out)[MAX_FINER]) noexcept nogil:
    divide(<const Setup*>rules, <const GameState*>state, points, out)


cdef GameOps OPS = filled_in("moon_river", temperature=4, exploration=0.5)
OPS.alike = 0.01
OPS.asked = 4
OPS.features = ROWS_OF_FEATURES
OPS.parts = POINT_PARTS
OPS.describe = describe_seat
OPS.finer = SCORING_LANDSCAPES
OPS.divide = divide_points


cdef void set_column(Column* column, list pairs) noexcept:
    for i, (plot, seat) in enumerate(pairs):
        column.plot[i], column.seat[i] = plot, seat
        if seat != NONE:
            column.standing |= bit(i)
        elif plot != NONE:
            column.free |= bit(i)


cdef class CompiledRules(Rules):
    """Options and components of one game. The values come checked from rules.py."""
    cdef Setup setup

    def __cinit__(self, *, players, scenario, boards, river, kinds, counts, tiles, tokens, cows, column_size,
                  saloon_size, weights, network):
        """boards: (capacity, bridge cells) by seat; river: cells; kinds: (number, landscape, nuggets, beavers, cobs,
        cows, skull, circle); tiles: pairs of landscapes; tokens: how many of each specialist; weights: of worth.pyx, by
        seat; network: what was learned of such a table, or None."""
        cdef Setup* r = &self.setup
        table = players, scenario, boards, river, kinds, counts, tiles, tokens, cows, column_size, saloon_size
        begin(self, r, &OPS, players, table, weights, network)
        r.rancheros = 3 if players == 3 else 4
        r.cells = COLUMNS * (ROWS_OF_TWO if players == 2 else ROWS)
        r.grid = (bit(r.cells) - 1) & ~bit(CAMP)
        r.scenario = scenario
        r.cows = cows
        r.column_size = column_size
        r.saloon_size = saloon_size
        r.plots = write_down(r.all_plots, [kind for kind, n in enumerate(counts) for _ in range(n)])
        r.tokens = write_down(r.all_tokens, [token for token, n in enumerate(tokens) for _ in range(n)])
        r.tiles = len(tiles) if players == 2 else 0
        for seat, (capacity, bridges) in enumerate(boards):
            r.capacity[seat] = capacity
            for cell in bridges:
                r.bridges[seat] |= bit(cell)
        for cell in river:
            r.river |= bit(cell)
        self.set_kinds(kinds, tiles)

    cdef set_kinds(self, kinds, tiles):
        """Of plots, and of the sides of bonus tiles."""
        cdef Setup* r = &self.setup
        for i, (number, landscape, nuggets, beavers, cobs, cows_, skull, circle) in enumerate(kinds):
            r.kind[i] = Kind(
                resources=nuggets | beavers << 16 | cobs << 32, number=number, landscape=landscape, nuggets=nuggets,
                cows=cows_, skull=skull, circle=circle,
                tally=<uint64_t>1 << 8 * landscape | <uint64_t>cows_ << 48 | <uint64_t>circle << 56,
            )
        for tile, sides in enumerate(tiles):
            for side, landscape in enumerate(sides):
                r.kind[kind_of_side(tile, side)].landscape = landscape
                r.kind[kind_of_side(tile, side)].circle = True

    cdef dict written(self, const void* state):
        cdef const GameState* s = <const GameState*>state
        cdef int cells = self.setup.cells
        return {
            "scenario": s.scenario,
            "last_round": bool(s.last_round),
            "supply": s.supply,
            "tiles": s.tiles,
            "current": [(s.current.plot[i], s.current.seat[i]) for i in range(self.setup.column_size)],
            "next": [(s.next.plot[i], s.next.seat[i]) for i in range(self.setup.column_size)],
            "saloon": [s.saloon[i] for i in range(TOKENS)],
            "turn": s.turn,
            "claims": s.claims,
            "steps": s.steps,
            "thief": s.thief,
            "tile": s.tile,
            "skulls": s.skulls,
            "circles": s.circles,
            "ranches": [
                [(cell, s.plot[i * cells + cell], s.cows[i * cells + cell], s.partner[i * cells + cell])
                 for cell in range(cells) if s.plot[i * cells + cell] != NONE]
                for i in range(self.players)
            ],
            "hands": [[kind_at(s.ranch[i].hand, j) for j in range(s.ranch[i].hand_size)] for i in range(self.players)],
            "bonus_taken": [bool(s.ranch[i].bonus_taken) for i in range(self.players)],
            "pile": [s.pile[i] for i in range(s.pile_size)],
            "stack": [s.stack[i] for i in range(s.stack_size)],
        }

    cdef read(self, dict fields, void* state):
        cdef GameState* s = <GameState*>state
        cdef int i, seat
        s.scenario = fields["scenario"]
        s.last_round = fields["last_round"]
        s.supply = fields["supply"]
        s.tiles = fields["tiles"]
        set_column(&s.current, fields["current"])
        set_column(&s.next, fields["next"])
        for i in range(TOKENS):
            s.saloon[i] = fields["saloon"][i]
            s.shown += s.saloon[i]
        s.turn = fields["turn"]
        s.claims = fields["claims"]
        s.steps = fields["steps"]
        s.thief = fields["thief"]
        s.tile = fields["tile"]
        s.skulls = fields["skulls"]
        s.circles = fields["circles"]
        for seat in range(self.players):
            for cell, plot, cows, partner in fields["ranches"][seat]:
                put_plot(&self.setup, s, seat, cell, plot)
                put_cows(&self.setup, s, seat, cell, cows)
                if partner != NONE:
                    put_partner(&self.setup, s, seat, cell, partner)
            for plot in fields["hands"][seat]:
                hand_add(&s.ranch[seat], plot)
            s.ranch[seat].bonus_taken = fields["bonus_taken"][seat]
        memset(s.pile, 0, sizeof(s.pile))
        memset(s.stack, 0, sizeof(s.stack))
        s.pile_size = write_down(s.pile, fields["pile"])
        s.stack_size = write_down(s.stack, fields["stack"])
