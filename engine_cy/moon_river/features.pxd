"""What a learned judgement sees of one seat: small counts, row by row, and what the seat has already.

Rows speak of properties (how large, how many cows, how much room, how many such plots are to come), never of the
number of a kind, so that a component file with other plots is judged by what lies on them. A row that starts a block
has a name here; how a block is laid out stands beside it. Nothing hidden is read but how often each kind is left,
which everybody knows.
"""
from libc.stdint cimport int32_t, uint8_t

from engine_cy.moon_river.state cimport Setup, State

cdef enum:  # Row
    TO_COME = 0                 # by plots the seat still gets, 0 to 24; with two players pairs of them
    PLAYERS = 25                # 2, 3, 4
    LAND = 28                   # each territory: by plots 1-7, cows 0-4, room 0-3 (free cells beside it)
    HOPE = 168                  # each territory with room: by plots 1-4, cows 0-3, such plots to come for a seat 0-4
    OPEN = 248                  # each landscape with room somewhere: by such plots to come 0-4
    SHUT = 253                  # ... without
    CORN_PLOTS = 258
    CORN_ROOM = 259
    JOINS = 260                 # free cells beside two territories of one landscape
    FREE = 261                  # by free cells, 0 to 24; with two players pairs of them
    LONELY = 286                # by free cells without a free neighbour, 0-4
    PARTS = 291                 # by parts of the room, 0-4
    ODD = 296                   # by cells that dominoes must leave free, 0-5
    BRIDGES = 302               # by free bridges, 0-3
    HAND_SIZE = 306             # by plots in hand, 0-5
    SPACE = 312                 # by plots the storage holds beyond that, 0-4
    FINDS = 317                 # by kind of resource 3, how many 0-7, experts 0-2
    FINDS_TO_COME = 389         # by kind of resource: experts times what is to come for a seat
    FINDS_OFFERED = 392         # by kind of resource: how many, if the saloon shows its expert
    COWS_LEFT = 395             # by cows in the supply for each seat: none, 1, 2-3, 4 and more
    COWS_TO_COME = 399          # cows on plots to come for a seat
    CIRCLES_TO_COME = 400
    SECOND_COWS = 401           # cows that share their plot
    OPEN_COWS = 402             # by plots with a cow that a thief may take, 0-5
    PARTNERS = 408              # by partners in the ranch, 0-4
    WAITING = 413               # by what the seat at turn decides: the phases from BUILD to SELECT
    CIRCLES_DUE = 423
    STEPS_DUE = 424
    CHOOSING = 425              # ranchos the seat still places in the next column, 0-2
    BEFORE = 428                # by seats that place theirs before, 0-3
    IN_HAND = 432               # plots in hand: see Plot
    IN_CURRENT = 462            # claimed in the current column
    IN_NEXT = 492               # claimed in the next
    OFFERED = 522               # free in the next, for a seat that still chooses
    GROUPS = 552                # by scenario 4: each group by members 1-6, room 0-2, whether it has what it needs
    BONUS = 696                 # two players: whether the bonus is still to come, and by the last row built on, 0-9
    SHAPE = 708                 # each territory: by plots 1-10, cows 0-7
    GROWTH = 788                # each territory with room: by cows 0-6, room 1-5, such plots to come for a seat 0-4
    REACH = 963                 # each territory: by cows 0-4, free cells within two steps (none, 1-2, 3-4, 5-6, more)
    PLACES = 988                # each free cell: by territories beside it 0-3, the most cows of one 0-5
    COW_PLACES = 1012           # each free cell: by the plots of the largest territory beside it 0-7
    ROWS_OF_FEATURES = 1020

cdef enum:  # Plot: rows in a block of plots
    FITS = 0                    # by cow symbol 0-1, and the most cows of a territory it can join: none to join, 0-4
    JOINED = 12                 # with a cow: by the plots of the largest it can join: none, 1-5
    VALUE = 18                  # resources with their experts
    SKULL = 19
    SKULL_HURTS = 20
    HAS_CIRCLE = 21
    SECOND_COW = 22
    IS_CORN = 23
    IN_GROUP = 24               # counts for the scenario
    SUCH_TO_COME = 25           # by such plots to come for a seat, 0-4
    PLOT_ROWS = 30

cdef enum:
    TERRITORIES = 0             # what points are made of
    RESOURCES = 1
    EXPERTS = 2
    SCENARIO_GROUPS = 3
    POINT_PARTS = 4


# Count for the seat into `x`, which is zero before; `now` are the points it has by part.
cdef void describe(const Setup* r, const State* s, int seat, uint8_t* x, int32_t* now) noexcept nogil
