"""What a learned judgement sees of one seat: small counts, row by row, and what the seat has already.

Everything here is public: chips that lie face down count by what is left of them all together. A row that starts a
block has a name here; how a block is laid out stands beside it. `Load` is how much a seat carries, in eight steps;
`Way` how many turns it is home, 0 to 9; a roll is one of the numbers 2 to 6 of the die.
"""
from libc.stdint cimport int32_t, uint8_t

from engine_cy.goldgraeber.state cimport Setup, State

cdef enum:
    LOADS = 8                   # 0, 1-2, 3-4, 5-6, 7-9, 10-13, 14-19 points, and more
    WAYS = 10
    TIMES = 12                  # turns every seat may have left: 0 to 6 one by one, then wider

cdef enum:  # Row
    PLAYERS = 0                 # 3 to 6
    RAIL = 4                    # by steps of the locomotive until the end, 0 to 31
    CHIPS = 36                  # by pairs of chips until the end, 0 to 32
    TURNS = 69                  # by turns every seat may have left, 0 to 23
    ORDER = 93                  # by seats that move before this one, 0 to 5
    DUE = 99                    # of the seat at turn: by phase
    LOAD = 109                  # by points carried, 0 to 31
    WAY_HOME = 141              # by half turns, 0 to 23
    LOAD_WAY = 165              # Load, Way
    LOAD_TIME = 245             # Load, time left
    WAY_TIME = 341              # Way, time left
    GROUND = 461                # land, city, house, shore
    HOME_ROLLS = 465            # by rolls that bring it home 0-5; Load
    CHIPS_AT = 513              # of each roll: by face-down chips it can reach, 0-4
    CHIP_ROLLS = 538            # by rolls that reach one, 0-5; Load
    IN_REACH = 586              # by face-down chips that some roll can reach, 0-15
    NEAR_CHIPS = 602            # by chips within six fields, 0-12
    FAR_CHIPS = 615             # by pairs of chips within twelve, 0-12
    GAIN = 628                  # by quarters of a point that a face-down chip brings, 0-15
    KEEP = 644                  # by twelfths of its load that it leaves, 0-11
    ROBBERS_AT = 656            # robbers face up, each by strength 1-5, Load of what lies below: rolls that reach it
    PREY = 696                  # other diggers on land, each by its Load, own Load: rolls that reach it
    THREAT = 760                # the same, if this one stands on land: rolls that reach this one
    TRACK = 824                 # in front of the locomotive: by steps 1-4; Load
    TRACK_PREY = 856            # others there: by steps 1-2, their Load
    RAFT_ROLLS = 872            # by rolls that reach a raft, 0-5
    RIVALS = 878                # other seats by Load
    NEIGHBOURS = 886            # by others within six fields, 0-5
    CHIP_DUE = 892              # it turns up a chip: Load
    ROBBER_DUE = 900            # it fights a robber: by strength; Load
    LOOT_DUE = 940              # the same: by strength; Load of what lies below
    ATTACKS = 980               # it attacks: Load, that of the other
    DEFENDS = 1044              # it is attacked
    AWAY_DUE = 1108             # it has won and walks away
    ROLLED = 1109               # it walks: by number 2-6
    ROLLED_HOME = 1114          # ... may go home: Load
    ROLLED_CHIPS = 1122         # ... by chips it may go to, 0-4
    ROLLED_PREY = 1127          # ... may go to another: Load of the richest
    THREAT_NOW = 1135           # another who walks may come to this one: its Load, own Load
    FERRY_ROLLS = 1199          # it may go ashore: by rolls that reach a chip from the best landing, 0-5
    FERRY_WAY = 1205            # ... by the shortest way home from a landing: Way
    ROWS_OF_FEATURES = 1215

cdef enum:
    GOLD = 0                    # what points are made of
    CAPTURED = 1
    POINT_PARTS = 2


# Count for the seat into `x`, which is zero before; `now` are the points it has by part.
cdef void describe(const Setup* r, const State* s, int seat, uint8_t* x, int32_t* now) noexcept nogil
