"""Moon River in memory. This file is the manual: every field, every bit.

Cells. A ranch is a grid of 5 columns and 5 rows (10 with two players), row 0 at the river. A cell's index is
row * 5 + column, so a set of cells fits a 64-bit word, bit i for cell i. The camp fills cell 2 and is
never free.

Decisions are 24-bit codes. The low six bits name one bit of a set, so that all decisions of a kind that differ only
there are one *batch* of `Options`: a base code and a set. That is how they are counted, drawn, checked and listed,
without being enumerated one by one where speed matters.

    bits  0-5   bit     a cell, a position of a column, a kind of plot, a tile or a side of a token
    bits  6-11  a       a kind of plot or a cell
    bits 12-17  b       a kind of plot
    bits 18-19  c       a direction, a seat or a side
    bits 20-23  phase   the phase the decision belongs to; PASS is the one way to say stop, done, decline

    CLAIM        bit position
    BUILD        bit lower cell, a plot there, b plot on the other half, c RIGHT or DOWN of it
    DISCARD      bit higher kind, a lower kind
    DROUGHT      bit cell
    RECRUIT      bit 2 * token, + 1 for its cowboy side, a cell
    HERD         bit from, c direction
    SWAP         bit their plot, a own plot, c their seat
    STEAL        bit cell, c seat
    BONUS_TILE   bit tile
    BONUS_PLACE  bit cell, c side
    SELECT       bit position
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from engine_cy.ops cimport Head

cpdef enum:
    SEATS = 4
    LANDSCAPES = 6
    MAX_KINDS = 64              # kinds of plots in a component file
    MAX_TILES = 4               # bonus tiles; tile t, side s is the kind MAX_KINDS + TILE_SIDES * t + s
    TILE_SIDES = 2
    ALL_KINDS = 72
    MAX_PLOTS = 128
    MAX_TOKENS = 32
    MIN_COLUMN = 4              # every ranchero has a plot
    MAX_COLUMN = 8
    MAX_SALOON = 8
    MAX_HAND = 8                # the largest storage (7) and the plot of the turn
    MAX_COWS = 200              # in the supply
    COLUMNS = 5                 # of a ranch
    ROWS = 5
    ROWS_OF_TWO = 10            # with two players
    BONUS_ROW = 9               # covering it earns a bonus tile (MR-26)
    CELLS = 50                  # of the larger ranch
    ALL_CELLS = 100             # 4 ranches of 25 cells or 2 of 50
    CAMP = 2                    # the cell it fills
    RIVER = 0b10011011          # the cells that touch the river on the printed boards: (0,0) (0,1) (0,3) (0,4) (1,2)
    DIRECTIONS = 4              # Direction
    HERD_STEPS = 3              # MR-19
    TOKENS = 5                  # specialists; also the number of the cowboy side of a partner
    NONE = 255
    MAX_BATCHES = 128           # of one decision: 28 pairs of 8 kinds in hand, 4 batches each, and PASS
    HALVES = 1 << 24            # mark of a base, never part of a decision code
    MAX_DECISIONS = 4800        # 28 pairs, both ways round, on the 85 places of the larger ranch, and PASS

# What a state waits for, in Head.phase. Chance first, then the decisions, in the order a turn meets them.
cpdef enum Phase:
    SCENARIO = 0
    SALOON = 1
    COLUMN = 2
    RANCHERO = 3
    CLAIM = 4
    BUILD = 5
    DISCARD = 6
    DROUGHT = 7
    RECRUIT = 8
    HERD = 9
    SWAP = 10
    STEAL = 11
    BONUS_TILE = 12
    BONUS_PLACE = 13
    SELECT = 14
    PASS = 15                   # in decision codes only
    NEXT_TURN = 16              # never waited for: the next ranchero of the column, or the end of the round
    GAME_OVER = 17

cpdef enum:  # Direction
    RIGHT = 0
    DOWN = 1
    LEFT = 2
    UP = 3

cpdef enum Landscape:
    DESERT = 0
    CORN = 1
    FARM = 2
    CANYON = 3
    MEADOW = 4
    FOREST = 5

cpdef enum Token:
    DESPERADO = 0
    CATTLE_THIEF = 1
    GOLD_DIGGER = 2
    TRAPPER = 3
    FARMER = 4
    COWBOY = 5                  # the back of any token

cpdef enum Scenario:
    BASE_GAME = 0
    TIMBER_RAFTING = 1
    GOLD_RUSH = 2
    OUTLAWS = 3
    MOON_RIVER_CITY = 4
    SCENARIO_DRAWN = 5          # as an option: one of the four, drawn at the start

# One kind of plot (or side of a bonus tile).
cdef struct Kind:
    uint64_t resources          # nuggets, beavers and cobs, 16 bits each
    uint64_t tally              # a byte each: its landscape (six of them), cows, circles; to be added up over a pile
    uint8_t number              # on the back, 1-6
    uint8_t landscape
    uint8_t nuggets
    uint8_t cows
    uint8_t skull               # 0 or 1
    uint8_t circle              # 0 or 1

# What the quick judgement of worth.pyx goes by; the numbers are data, see worth.toml.
cdef enum:  # Weight
    GROWTH = 0                  # plots a territory may yet gain: it counts as (plots + GROWTH) * (cows + HERDS)
    HERDS = 1                   # cows it may yet gain
    HOLD = 2                    # of stopping while building is optional, as long as all plots are to come
    HOLD_EACH = 3               # of every plot kept so
    EXTRA_COW = 4               # of a second cow on a plot, which only herding can use
    LONELY = 5                  # of a free cell that no domino can cover any more
    COMPACT = 6                 # of a taken cell or an edge beside the domino
    BRIDGE = 7                  # of a bridge covered
    DESPERADO_WORTH = 8         # of recruiting a desperado
    COWBOY_WORTH = 9            # a cowboy
    THIEF_WORTH = 10            # a thief, for each plot of its territory
    NUGGETS_TO_COME = 11        # resources an expert may yet find, as long as all plots are to come
    BEAVERS_TO_COME = 12
    COBS_TO_COME = 13
    CIRCLE = 14                 # of a circle, beside the best token for it
    ROBBERY = 15                # of a point taken from another seat
    LATER = 16                  # of every position further back in a column
    OTHER_HALF = 17             # of a plot that can only lie beside another
    GROUP_1 = 18                # of founding a scenario group, and of being its second, third and further member
    GROUP_2 = 19
    GROUP_3 = 20
    GROUP_4 = 21
    PARTNER = 22                # of the protection a partner gives each cow of its territory
    HEM_IN = 23                 # of a plot with a cow, of another landscape, beside the domino
    PROSPECT = 24               # of a plot to take, by landscape (six weights), wherever it will lie
    COWS_TO_COME = 30           # of a cow on it, as long as all plots are to come
    CIRCLES_TO_COME = 31        # of a circle on it
    COBS_MORE = 32              # of each of its cobs
    NOISE = 33                  # in playouts: how unsure of its judgement an informed seat is
    LIKES_COW = 34              # personalities, at the end of the game: of a cow,
    LIKES_BANDIT = 35           # a Desperado or a Cattle Thief,
    LIKES_RESOURCE = 36         # a nugget, beaver or cob
    WEIGHTS = 37

# Options and components of a game, compiled: the `rules` of the game interface.
cdef struct Setup:
    uint64_t grid               # all cells but the camp
    uint64_t bridges[SEATS]     # by seat, from its board
    uint64_t river              # cells that touch it
    uint8_t capacity[SEATS]     # storage slots, by seat
    uint8_t players
    uint8_t rancheros           # rancheros in play: one a seat, two each with two players
    uint8_t cells               # of one ranch, camp included: 25 or 50
    uint8_t scenario            # Scenario, maybe SCENARIO_DRAWN
    uint8_t cows                # in the supply at the start
    uint8_t column_size
    uint8_t saloon_size
    uint8_t tiles               # bonus tiles in play (none with 3-4 players)
    uint8_t plots
    uint8_t tokens
    uint8_t all_plots[MAX_PLOTS]    # the pile in canonical order: by kind
    uint8_t all_tokens[MAX_TOKENS]
    Kind kind[ALL_KINDS]
    float weight[SEATS][WEIGHTS]    # of the quick judgement, by seat (matches give seats different ones)

# What lies in front of one seat.
cdef struct Ranch:
    uint64_t land[LANDSCAPES]   # plots by landscape
    uint64_t free               # cells a plot can still be placed on
    uint64_t cows               # cells with at least one cow; how many: State.cows
    uint64_t partners           # cells with a partner, either side
    uint64_t bandits            # of those, Desperados and Cattle Thieves on their specialist side
    uint64_t nuggets            # cells with at least one nugget
    uint64_t resources          # nuggets, beavers and cobs in the ranch, 16 bits each
    uint8_t experts[3]          # Gold Diggers, Trappers, Farmers on their specialist side
    uint8_t hand_size
    uint8_t bonus_taken         # row 9 was reached and the bonus resolved (MR-26)
    uint64_t hand               # storage, during the own turn storage + collected plot: a byte each, see hand.pxd

# Four to eight plots beside the draw pile, and the rancheros on them.
cdef struct Column:
    uint8_t plot[MAX_COLUMN]    # kind, NONE where none lies (any more)
    uint8_t seat[MAX_COLUMN]    # whose ranchero stands there, or NONE
    uint8_t standing            # set of positions with a ranchero
    uint8_t free                # set of positions with a plot and no ranchero

cdef struct State:
    Head head
    # the table
    uint8_t scenario            # Scenario in force
    uint8_t last_round          # 1: no further Select, MR-22 applies
    uint8_t supply              # cows
    uint8_t tiles               # set of bonus tiles still there
    Column current              # a plot leaves it when it is collected
    Column next                 # empty while there is none
    uint8_t saloon[TOKENS]      # face-up tokens, by specialist
    uint8_t shown               # all of them together
    # the turn
    uint8_t turn                # seat whose turn it is
    uint8_t claims              # rancheros placed in setup
    uint8_t steps               # HERD: cow steps left
    uint8_t thief               # STEAL: cell of the thief
    uint8_t tile                # BONUS_PLACE: the tile chosen
    uint8_t pile_size
    uint8_t stack_size
    uint64_t skulls             # cells whose skull still acts
    uint64_t circles            # cells whose circle is still to be resolved
    Ranch ranch[SEATS]
    # the cells of all ranches: seat * Setup.cells + cell
    uint8_t plot[ALL_CELLS]     # kind, NONE if free
    uint8_t cows[ALL_CELLS]     # number of cows
    uint8_t partner[ALL_CELLS]  # Token, NONE if no partner
    # hidden: the last one is drawn next
    uint8_t pile[MAX_PLOTS]     # kinds
    uint8_t stack[MAX_TOKENS]   # specialists

# The decisions of a state: base[i] + j for every bit j in bits[i]. No batch is empty. A base marked HALVES has a set
# of two halves: bit 32 + j is the decision of bit j with c + 1. See batches.pxd.
cdef struct Options:
    uint32_t n                  # batches in use
    uint32_t total              # decisions in all of them
    uint32_t base[MAX_BATCHES]
    uint32_t before[MAX_BATCHES + 3]     # decisions in the batches before this one
    uint64_t bits[MAX_BATCHES]
