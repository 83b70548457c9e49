"""Which landscapes the points of territories come from."""
from engine_cy.moon_river.state cimport Setup, State
from engine_cy.ops cimport MAX_FINER

cdef enum:
    SCORING_LANDSCAPES = 5      # all but corn, in their order


# By seat: what so many points of territories are going to be made of.
cdef void divide(const Setup* r, const State* s, const float* points, float (*out)[MAX_FINER]) noexcept nogil
