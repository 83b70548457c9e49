"""The thinnest Python objects over the game interface: numbers in, numbers out. Names are in game.py."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

from typing_extensions import disjoint_base

from engine_cy.network import Network

@disjoint_base
class Generator:
    """A source of random numbers: the same seed and stream, the same numbers."""

    def __new__(cls, seed: int, stream: int = 0) -> Self: ...
    def below(self, n: int) -> int:
        """Uniform in [0, n)."""

    def next(self) -> int:
        """64 random bits."""

    def copy(self) -> Generator: ...

@disjoint_base
class Rules:
    """A game's options and components, compiled. Immutable; a subclass for each game fills it."""

    network: Network | None  # what was learned of how its games end
    @property
    def players(self) -> int: ...
    @property
    def features(self) -> int:
        """Counts that describe a seat for a learned judgement, 0 if there is no such thing."""

    @property
    def parts(self) -> int:
        """What points are made of, for a learned judgement."""

    @property
    def temperature(self) -> float:
        """Points of the quick judgement that make a first thought e times as likely: what a point is worth here."""

    def start(self, generator: Generator | None = None) -> State:
        """A state before its first event; hidden orders shuffled if a generator is given, else in canonical order."""

    def points(self, state: State) -> list[dict[str, int]]:
        """By seat: the points by rule, with their names (scoring.pxd of the game)."""

    def fields(self, state: State) -> dict[str, Any]:
        """Everything the state holds, as numbers; `restore` reads it back."""

    def restore(self, fields: dict[str, Any]) -> State:
        """A state from its fields. They come checked from position.py; the game goes on from their phase."""

@disjoint_base
class State:
    """One state of a game. Made by Rules.start, copy, observe and determinize."""

    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def rules(self) -> Rules: ...
    @property
    def status(self) -> int:
        """0 a decision is due, 1 a chance event, 2 the game is over."""

    @property
    def phase(self) -> int:
        """The game's number for the kind of decision or event that is due."""

    @property
    def seat(self) -> int | None:
        """Who decides, or None."""

    @property
    def viewer(self) -> int | None:
        """The seat whose observation this is, or None for a full state."""

    @property
    def turn_number(self) -> int:
        """The same number for all decisions of one turn, another for the next turn."""

    @property
    def determined(self) -> bool:
        """Whether nothing hidden and no chance can matter any more."""

    def copy(self) -> State: ...
    def __copy__(self) -> State: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def codes(self) -> list[int]:
        """The legal decisions as codes; empty unless a decision is due."""

    def is_legal(self, code: object) -> bool: ...
    def apply(self, code: int) -> None:
        """Take a legal decision."""

    def after(self, code: int) -> State:
        """The state after a legal decision; this one stays. Of an observation: what the seat sees then."""

    def sample(self, generator: Generator) -> int:
        """One of the legal decisions, uniformly."""

    def draw(self, generator: Generator) -> tuple[int, tuple[int, ...], int]:
        """Let the chance event happen; returns its (phase, items) and who saw it, as `audience` says it."""

    def audience(self) -> int:
        """Who sees how the chance event that is due comes out: a set of seats (bit i: seat i), or EVERYBODY."""

    def reveal(self, phase: int, items: Sequence[int]) -> bool:
        """Let the chance event come out as told; False, and nothing changed, if it cannot."""

    def under(self, rules: Rules) -> State:
        """The same state under other rules of the same game and table, such as those of a personality."""

    def observe(self, seat: int) -> State:
        """What the seat knows, as a state with a canonical filling where it knows nothing."""

    def spectate(self) -> State:
        """What everybody knows: the observation of a seat that does not play."""

    def determinize(self, generator: Generator) -> State:
        """A full state that agrees with this observation, uniformly one of all that do."""

    def playout(self, generator: Generator, informed: Iterable[int] = ()) -> int:
        """Play to the end; returns how many decisions that took. Seats in `informed` decide by the game's quick
        judgement, the others uniformly at random."""

    def appraise(self) -> list[tuple[int, float]]:
        """The legal decisions with the game's quick judgement of each, in points: [(code, worth)]."""

    def score(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(points by seat, places by seat) as if the game ended now."""
