"""Whole loops without the interpreter, for benchmarks and tuning."""

from engine_cy.state import Generator, State

def play_games(first: State, generator: Generator, games: int, informed: int) -> tuple[list[float], list[float]]:
    """Play so many games from the start, the seats in the set `informed` by quick judgement and the others at random;
    returns by seat the games won (a shared win counts by its part) and the points, all together."""

def bench_games(first: State, generator: Generator, games: int, informed: int = 0) -> int:
    """Play `games` games from the start, the seats in the set `informed` by quick judgement and the others at random;
    returns the decisions taken."""

def bench_copies(state: State, copies: int) -> None:
    """Copy a state there and back."""

def bench_draws(generator: Generator, draws: int) -> int:
    """Draw random numbers; returns their exclusive or."""
