"""Goldgräber in memory. This file is the manual: every field, every bit.

Fields of the map are numbers from 0, in the order of (row, column), water included; `Fields` is a set of them. Dig
holes are numbered in the same order, and every hole has its chip, lying face down, lying open as a robber, or gone.

Chips are kinds: 0 to 4 gold of value 1 to 5, 5 to 9 robbers of strength 1 to 5. A `Purse` is any number of chips that
nobody tells apart, in two words that are added as wholes: a byte for the count of each kind, and the total on top.

    gold     bits  0-39 the counts of the values 1 to 5, bits 40-63 their points
    robbers  bits  0-39 the counts of the strengths 1 to 5, bits 40-63 how many

Decisions are 12-bit codes:

    bits 0-7    the field to end on; in PROSPECT TO_ROLL or TO_LOOK
    bits 8-11   the phase the decision belongs to

Outcomes of chance: FIRST the seat, DIE and ROLL the number (LOCOMOTIVE or more), CHIP the field and the kind, which is
NONE where a seat looks and nobody says what it sees.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from engine_cy.ops cimport Head

cpdef enum:
    SEATS = 6
    MAX_FIELDS = 256
    WORDS = 4                   # of a set of fields
    MAX_HOLES = 96
    MAX_RAIL = 64
    MAX_LAKES = 4
    KINDS = 10
    VALUES = 5                  # kinds of gold; a kind from here on is a robber
    NONE = 255
    PIPS = 6                    # of the die
    LOCOMOTIVE = 1              # on the die (GG-4)
    LENGTHS = 7                 # of walks: 1 to PIPS, and 0 for any of those a die can bring, LOCOMOTIVE + 1 to PIPS
    ROBBER_POINTS = 2           # of one that is banked (GG-19)
    MAX_DECISIONS = 256
    TO_ROLL = 0                 # in place of a field
    TO_LOOK = 1

# What a state waits for, in Head.phase. Chance first, then the decisions.
cpdef enum Phase:
    FIRST = 0                   # who begins (GG-3)
    DIE = 1                     # at the start of a turn
    CHIP = 2                    # a chip that nobody has seen yet
    ROLL = 3                    # in a fight
    PROSPECT = 4                # look at the chips around, or roll (GG-20)
    WALK = 5
    FERRY = 6                   # where to go ashore (GG-8)
    RETREAT = 7                 # the walk after a fight (GG-13, GG-15)
    NEXT_TURN = 8               # never waited for
    GAME_OVER = 9

cpdef enum Ground:  # what a field is
    LAND = 0
    CITY = 1
    HOUSE = 2
    SHORE = 3
    WATER = 4

cpdef enum Fight:  # who rolls
    NO_FIGHT = 0
    ROBBER = 1                  # the digger, against a robber (GG-12)
    ATTACK = 2                  # the attacker of a brawl (GG-14)
    DEFENCE = 3                 # its defender
    AWAY = 4                    # its winner, for the walk away (GG-15)

# What the quick judgement of worth.pyx goes by; the numbers are data, see worth.toml.
cdef enum:  # Weight
    RATE = 0                    # points that a turn is worth
    RISK = 1                    # open chips lose this part of their worth with every turn until they are home
    HASTE = 2                   # turns wanted for each turn until then, lest the game ends before
    PACE = 3                    # chips turned up in a turn, to guess how long the game lasts
    BANK = 4                    # of a point brought home, above its worth
    FEAR = 5                    # of a point lost to a robber, besides its worth
    HUNT = 6                    # of a point another seat loses
    SHIELD = 7                  # of an own point lost to another digger, besides its worth
    DANGER = 8                  # part of the open chips lost for each digger that may come
    RAILS = 9                   # part of the open chips lost in front of the locomotive
    RAFT = 10                   # of standing on a raft
    NEXT = 11                   # how likely a turn finds a chip, where every roll reaches one,
    NEAR = 12                   # where eight lie within six fields,
    FAR = 13                    # and where sixteen lie within twelve
    AGAIN = 14                  # the same of the turns after that, with eight within six fields
    STALK = 15                  # of a point that a digger has more than this one, within a roll
    PRIZE = 16                  # of a point that fighting a robber face up would bring on average, within a roll
    LOOK = 17                   # of a chip looked at
    ROLLING = 18                # of a roll, which looking costs
    NOISE = 19                  # in playouts: how unsure of its judgement an informed seat is
    LIKES_GOLD = 20             # personalities, at the end of the game: of a point of gold at home,
    LIKES_ROBBER = 21           # of a robber there,
    LIKES_RUIN = 22             # of a point that the others lack, on average
    WEIGHTS = 23

cdef struct Fields:
    uint64_t word[WORDS]        # bit i % 64 of word i / 64: field i

cdef struct Purse:
    uint64_t gold
    uint64_t robbers

# Options and map of a game, compiled: the `rules` of the game interface.
cdef struct Setup:
    uint8_t players
    uint8_t prospecting
    uint8_t resting                     # whether a turn may be given up with nothing new to see (GG-20a)
    uint16_t fields
    uint8_t holes
    uint8_t rail_size
    uint8_t rail[MAX_RAIL]              # fields, from the tunnel to the city
    uint8_t house[SEATS]                # the field of the seat's house
    uint8_t ground[MAX_FIELDS]          # Ground
    uint8_t hole[MAX_FIELDS]            # the number of the hole on a field, or NONE
    uint8_t field[MAX_HOLES]            # the field of a hole
    uint8_t lake[MAX_FIELDS]            # of a shore field
    uint8_t all_chips[MAX_HOLES]        # kinds, ascending
    Purse all_together                  # those as a purse
    Fields holes_set                    # fields with a hole
    Fields city
    Fields piers
    Fields shores[MAX_LAKES]
    Fields open_to[SEATS]               # where the seat may end a walk, rafts apart: land, city, its house
    Fields around[MAX_FIELDS]           # adjacent fields; of a house its door alone
    Fields near[MAX_FIELDS]             # fields within six steps
    Fields far[MAX_FIELDS]              # fields within twelve
    const Fields* walk                  # [rail][field][LENGTHS]: where walks may end, see walks.pyx
    float way_home[SEATS][MAX_FIELDS]   # turns the seat takes on average to get home from there, on foot
    float weight[SEATS][WEIGHTS]        # of the quick judgement, by seat (matches give seats different ones)

cdef struct State:
    Head head
    # the turn
    uint8_t turn                # seat whose turn it is
    uint8_t steps               # WALK, RETREAT: the number of fields to walk, else 0
    uint8_t fight               # ROLL: Fight, else NO_FIGHT
    uint8_t defender            # ATTACK, DEFENCE, AWAY: the seat attacked, else NONE
    uint8_t attack              # DEFENCE: what the attacker rolled, else 0
    uint8_t walker              # AWAY, RETREAT: the seat that walks away, else NONE
    uint8_t looking             # CHIP: 1 while a prospecting seat looks, 0 when a chip is turned up
    uint8_t rested              # the set of seats that gave up their last turn with nothing new to see (GG-20a)
    # the table
    uint8_t locomotive          # its place on the rail
    uint8_t digger[SEATS]       # fields
    uint8_t down_size           # face-down chips
    Fields down                 # fields with a face-down chip
    Fields robbers              # fields with a robber face up
    Fields rafts                # fields with a raft, with or without a digger on it
    Fields looked[SEATS + 1]    # fields whose face-down chip the seat has looked at; the last is for spectators, empty
    Fields known                # those of them that chance need not tell; a position may not say what was seen
    Purse buried                # what lies face down, all together: everybody can count that
    Purse open[SEATS]           # in front of the seats
    Purse home[SEATS]           # banked
    Purse loot[MAX_HOLES]       # under the robber that lies face up on the hole
    uint8_t chip[MAX_HOLES]     # kind, NONE where it is gone; hidden while it lies face down, but for who has looked

# The decisions of a state: base + i for every field i of the set.
cdef struct Options:
    uint32_t base
    Fields fields
