"""The numbers of ops.pxd for Python: every `cpdef enum` there is an attribute here."""


def names(numbers):
    """The names of an enum of a state.pxd as the rest of the world has them, in order; GAME_OVER is `over`."""
    return tuple(name.lower().removeprefix("game_") for name in numbers.__members__)
