"""What all seats may expect of a game, by what everybody sees of it: without a search, the same for every seat."""

from engine_cy.state import Generator, State

def outlook(seen: State, generator: Generator, looks: int, ahead: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(part of the win, points) of every seat: the mean over so many looks. Each fills in what is hidden, lets chance
    happen that is due, and says how such a game ends: as it was learned, after so many decisions of a playout, or as a
    playout does where nothing was learned."""
