"""What decides for a seat: one protocol for every player, from a coin to a search over many machines.

A `Question` is asked, an `Answer` is given. Everything starts from a `View`, so that nothing hidden can be used.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine_cy.decision import Decision
from engine_cy.game import View
from engine_cy.state import State
from search.ismcts import clock_ns
from search.outs import Out


@dataclass(frozen=True, slots=True)
class Budget:
    """What a decision may cost: seconds, iterations, or whichever ends first."""

    seconds: float | None = None
    iterations: int | None = None

    def limit(self) -> "Limit":
        """The same from now on."""
        return Limit(self.iterations, None if self.seconds is None else clock_ns() + int(self.seconds * 1e9))


@dataclass(frozen=True, slots=True)
class Limit:
    """Where thinking ends: after so many iterations, at this moment of `clock_ns`, or whichever comes first."""

    iterations: int | None = None
    deadline_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that is due: what its seat sees, what thinking may cost, and what is to be said beside the choice."""

    view: View
    limit: Limit
    seed: int = 0
    count: int | None = 0  # suggestions, best first; None: all
    evaluate: Sequence[int] = ()  # codes of decisions that need figures, however bad they are
    outs: bool = False  # whether to say what chance may bring after the best


@dataclass(frozen=True, slots=True)
class SeatEnd:
    """How the game is thought to end for one seat."""

    win: float
    points: float
    parts: dict[str, float]  # what the points are made of; nothing where that was not learned
    finer: dict[str, dict[str, float]] = field(default_factory=dict)  # what a part is made of, if more is known of it


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What is believed of one decision, for the seat that decides."""

    decision: Decision
    visits: int
    share: float  # of all visits
    reward: float  # what the search maximizes, 0 to 1
    error: float  # standard error of the reward, as other searches would be off; 0 if it is exact, and only then
    win: float  # probability; shared wins count by their part
    points: float
    margin: float  # ahead of the best other seat
    places: tuple[float, ...]  # how likely each place
    line: tuple[str, ...] = ()  # the principal variation in words, "seat: decision"
    seats: tuple[SeatEnd, ...] = ()  # what it means for every seat; none if nothing was looked at since it is due
    outs: tuple[Out, ...] = ()  # what chance may bring right after it


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player decides, what it knows, and how it came to know it."""

    view: View
    choice: Decision
    suggestions: tuple[Suggestion, ...] = ()  # looked at, best first; a player that errs need not choose the first
    evaluated: tuple[Suggestion, ...] = ()  # the decisions asked for by name
    stopped: str = "iterations"  # time, iterations, settled (nothing could change any more), solved, cancelled
    final: bool = True  # whether thinking has ended with it
    iterations: int = 0
    nodes: int = 0
    depth: int = 0
    options: int = 0  # decisions there are, whether suggested or not
    seconds: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn, up to where another seat or chance comes next."""

    answers: tuple[Answer, ...]  # one for each decision
    alternatives: tuple[tuple[Decision, ...], ...] = ()  # the best turns that begin otherwise

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(answer.choice for answer in self.answers)


class Player(ABC):
    """Decides for one seat of one game. Fresh players answer the same questions in the same order alike, unless time
    is the limit. One that searches goes on from what it knows when its turn does."""

    improves: ClassVar[bool] = False  # whether it knows more the longer it thinks

    @property
    def made(self) -> int:
        """Iterations that say how fast it searches, of all answers together."""
        return 0

    @property
    def most(self) -> int | None:
        """Iterations that a decision takes at most, whatever the limit; None if it uses all that the limit leaves."""
        return None

    @abstractmethod
    def think(self, question: Question) -> Answer:
        """One decision."""

    def improve(self, question: Question) -> Iterator[Answer]:
        """Answers that get better; the last one is final."""
        yield self.think(question)

    def turn(self, question: Question) -> Turn:
        """All decisions of the turn within one limit."""
        answers = [self.think(question)]
        while (view := rest_of_turn(answers[-1])) is not None and answers[-1].stopped != "cancelled":
            answers.append(self.think(Question(view, question.limit, question.seed, question.count)))
        return Turn(tuple(answers))

    def follow(self, view: View, codes: Sequence[tuple[int, int]]) -> bool:  # noqa: ARG002
        """These decisions, as (seat, code), have led to this view: whether something is known of it already. Nothing is
        under way; a player that was stopped thinks again."""
        return False

    def stop(self) -> None:  # noqa: B027 most have nothing to stop
        """Answer at once, from any thread, now and in all that follows."""

    def pause(self) -> None:  # noqa: B027
        """Rest, from any thread, until `resume`, `stop` or the deadline."""

    def resume(self) -> None:  # noqa: B027
        """Go on."""

    def close(self) -> None:  # noqa: B027
        """The game is over. Whoever made a player closes it; most have nothing to close."""


def code_of(view: View, decision: Decision) -> int:
    return view.rules.encode(view.state.phase, decision)


def rest_of_turn(answer: Answer) -> View | None:
    """What the seat sees once its choice is carried out; None if its turn is over with it."""
    view = answer.view
    after = view.state.after(code_of(view, answer.choice))
    return View(view.rules, after) if same_turn(view.state, after) else None


def same_turn(state: State, later: State) -> bool:
    """Whether the seat that decides in the one still does so, in the same turn, in the other."""
    return (later.seat, later.turn_number) == (state.seat, state.turn_number)
