"""The search tree: nodes in one block of memory, linked by index.

A node stands for a sequence of decisions since the root, whatever chance brought in between (open loop); which of its
children are legal differs from visit to visit. Node 0 is the root; index 0 in a link means none.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from engine_cy.network cimport MAX_OUTPUTS
from engine_cy.ops cimport MAX_FINER, MAX_SEATS

# How one iteration ended.
cdef struct Result:
    float reward[MAX_SEATS]     # what each seat wants more of, 0 to 1
    float wins[MAX_SEATS]       # the part of the win that each seat has,
    float points[MAX_SEATS]     # its points,
    float part[MAX_SEATS][MAX_OUTPUTS]  # and what these are made of, where such games were learned
    float margin                # of the searching seat: how far it is ahead of the best other seat,
    float places[MAX_SEATS]     # and how likely each of its places

# What came of one decision at the root for every seat, summed up over the looks at it.
cdef struct Ends:
    uint64_t looks
    double wins[MAX_SEATS]
    double points[MAX_SEATS]
    double part[MAX_SEATS][MAX_OUTPUTS]
    uint64_t divided            # looks that say what the first part is made of
    double finer[MAX_SEATS][MAX_FINER]

cdef struct Node:
    uint32_t code               # the decision that leads here
    uint32_t child              # its first child, newest first
    uint32_t sibling            # the next child of the same parent
    uint32_t visits             # iterations that came through
    uint32_t seen               # visits of the parent in which this decision was legal (availability)
    uint8_t seat                # whose decision `code` was
    double reward[MAX_SEATS]     # means over the visits
    double square                # of the reward of the searching seat, squared
    double win
    double points
    double margin
    double places[MAX_SEATS]     # how often each place

cdef struct Tree:
    Node* node
    uint32_t size               # nodes in use
    uint32_t capacity


cdef inline uint32_t add_child(Tree* tree, uint32_t parent, uint32_t code, int seat) noexcept nogil:
    """A new leaf; 0 if the memory is full, and the search goes on without it."""
    cdef uint32_t i = tree.size
    cdef Node* node
    if i == tree.capacity:
        return 0
    tree.size += 1
    node = &tree.node[i]
    memset(node, 0, sizeof(Node))
    node.code = code
    node.seat = seat
    node.sibling = tree.node[parent].child
    tree.node[parent].child = i
    return i


cdef inline void record(Node* node, const Result* result, int seat) noexcept nogil:
    """Count one iteration through the node; `seat` is the searching one."""
    cdef double weight
    cdef int s
    node.visits += 1
    weight = <double>1.0 / node.visits
    for s in range(MAX_SEATS):
        node.reward[s] += (result.reward[s] - node.reward[s]) * weight
        node.places[s] += (result.places[s] - node.places[s]) * weight
    node.square += (result.reward[seat] * result.reward[seat] - node.square) * weight
    node.win += (result.wins[seat] - node.win) * weight
    node.points += (result.points[seat] - node.points) * weight
    node.margin += (result.margin - node.margin) * weight


cdef inline void count_end(Ends* ends, const Result* result, int players, int parts) noexcept nogil:
    """Count one look."""
    cdef int s, i
    ends.looks += 1
    for s in range(players):
        ends.wins[s] += result.wins[s]
        ends.points[s] += result.points[s]
        for i in range(parts):
            ends.part[s][i] += result.part[s][i]


cdef inline void count_finer(Ends* ends, float (*points)[MAX_FINER], int players, int finer) noexcept nogil:
    """What the first part was made of at a look."""
    cdef int s, i
    ends.divided += 1
    for s in range(players):
        for i in range(finer):
            ends.finer[s][i] += points[s][i]
