"""Information-set Monte Carlo tree search over any game of the game interface."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from typing_extensions import disjoint_base

from engine_cy.state import State

def iterations_made() -> int:
    """Iterations of all searches of this process so far; those of a run count when it ends."""

def clock_ns() -> int:
    """The clock of deadlines, in nanoseconds."""

class Outcome(NamedTuple):
    """What is known of one decision: means over its visits, for the searching seat. One never tried has no visits."""

    visits: int
    reward: float
    square: float  # of the reward
    win: float
    points: float
    margin: float
    places: tuple[float, ...]

class Told(NamedTuple):
    """What came of one decision for every seat: means over the looks at it."""

    looks: int
    wins: tuple[float, ...]  # the part of the win
    points: tuple[float, ...]
    parts: tuple[tuple[float, ...], ...]  # of the points, by seat; none if such games were not learned
    finer: tuple[tuple[float, ...], ...]  # of the first of these, by some of the looks

@disjoint_base
class Search:
    """One search from what a seat sees. `run` may be called again and again; `outcomes` is what is known so far."""

    def __new__(
        cls,
        observation: State,
        seed: int,
        *,
        stream: int = 0,
        memory: int = ...,
        exploration: float | None = None,
        prior: float = 1.0,
        temperature: float | None = None,
        win: float = 0.3,
        margin: float = 30.0,
        informed: int = 2,
        flat: bool = False,
        fixed: bool = False,
        average: bool = True,
        paired: bool = True,
        learned: bool = True,
        ahead: int = 8,
        asked: int | None = None,
        glances: int = 4000,
        certainty: float = 3.0,
        whole: float = 0.0,
    ) -> Self: ...
    @property
    def observation(self) -> State: ...
    @property
    def seat(self) -> int: ...
    @property
    def iterations(self) -> int: ...
    @property
    def made(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def solve_nodes(self) -> int: ...
    @property
    def alike(self) -> float:
        """What all looks at a decision have in common, as a part of the variance of one."""

    @property
    def nodes(self) -> int:
        """Nodes in use."""

    @property
    def full(self) -> bool:
        """Whether the memory for nodes is used up; the search goes on without new ones."""

    def stop(self) -> None:
        """Make the `run` that is under way, or else the next one, return after the current iteration; from any
        thread."""

    def run(self, iterations: int | None = None, deadline_ns: int | None = None) -> str:
        """Iterate until the total reaches `iterations` or the clock the deadline or `stop` was called; says which."""

    def probe(self, code: int, iterations: int, deadline_ns: int | None = None) -> int:
        """Make the next iterations take this decision at the root, however bad it is, but none after the deadline or
        `stop`; returns how many there were."""

    def solve(self, positions: int, deadline_ns: int | None = None) -> dict[int, float] | None:
        """The exact reward of every decision at the root for the searching seat, by code, if the rest of the game holds
        no chance and nothing hidden and fits into so many positions; else None. Each seat maximizes its own reward
        (max^n; with two players, whose rewards add up to one, that is minimax)."""

    def follow(self, code: int) -> bool:
        """Take a decision of the seat and go on from there, with what is known already. False, and nothing changed,
        if its turn to decide is over then (another seat or chance comes next)."""

    def adopt(self, observation: State, codes: Sequence[tuple[int, int]]) -> bool:
        """Go on from what the seat sees now, after these decisions, as (seat, code), with what is known already of such
        a course. True if anything is."""

    def outcomes(self) -> dict[int, Outcome]:
        """What is known of every decision at the root, by code."""

    def told(self, code: int) -> Told:
        """What came of a decision at the root for every seat, since this is the root."""

    def line(self, code: int, length: int = 12) -> list[tuple[int, int]]:
        """The principal variation from a decision at the root: the most visited decisions, as (seat, code)."""
