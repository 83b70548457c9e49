"""A game being played, and what one seat sees of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine_cy.decision import Decision
from engine_cy.errors import IllegalDecision, ImpossibleOutcome
from engine_cy.ops import CHANCE, DECISION, EVERYBODY, OVER
from engine_cy.rules import GameRules, SeatScore
from engine_cy.state import Generator, State


@dataclass(frozen=True, slots=True)
class Chosen:
    """A decision that was taken."""

    seat: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class Happened:
    """A chance event that took place."""

    what: str
    outcome: Any
    seen_by: int = EVERYBODY  # a set of seats (bit i: seat i)

    def seen(self, seat: int | None) -> bool:
        """Whether a seat, or a spectator (None), knows how it came out."""
        return self.seen_by == EVERYBODY or (seat is not None and bool(self.seen_by >> seat & 1))


Event = Chosen | Happened


class _Position:
    """What games and views have in common: a state one can look at."""

    def __init__(self, rules: GameRules, state: State) -> None:
        self.rules = rules
        self.state = state

    @property
    def over(self) -> bool:
        return self.state.status == OVER

    @property
    def seat(self) -> int | None:
        """Whose decision is due; None if none is."""
        return self.state.seat

    @property
    def phase(self) -> str:
        """The kind of decision or chance event that is due, or ``over``."""
        return self.rules.phase_name(self.state.phase)

    @property
    def chance(self) -> str | None:
        """The chance event that is due; None if none is."""
        return self.phase if self.state.status == CHANCE else None

    def decisions(self) -> list[Decision]:
        """The options of the seat, at least two; empty if no decision is due."""
        return [self.rules.decode(self.state.phase, code) for code in self.state.codes()]

    def scores(self) -> Sequence[SeatScore]:
        """By seat, with a breakdown, as if the game ended now."""
        return self.rules.scores(self.state)

    def ranking(self) -> list[int]:
        """Every seat's place; 1 is best, equal places share a number."""
        return list(self.state.score()[1])

    def position(self) -> dict[str, Any]:
        """Everything in plain data, by names; `Game.at` and `View.at` read it back."""
        return self.rules.position(self.state)

    def __str__(self) -> str:
        return self.rules.text(self.state)

    def __eq__(self, other: object) -> bool:
        """The same rules, the same state, hidden orders included; generators and history do not count."""
        return isinstance(other, type(self)) and self.rules == other.rules and self.state == other.state

    __hash__ = None  # type: ignore[assignment]


class Game(_Position):
    """A game being played.

    With a seed, chance takes care of itself. Without one the dice and piles are yours: whenever `chance` says that an
    event is due, tell what came with `reveal`.

    >>> game = Game(MoonRiver(players=2), seed=7)
    >>> while not game.over:
    ...     game.decide(game.decisions()[0])
    >>> game.ranking()
    """

    def __init__(self, rules: GameRules, seed: int | None = None, *, stream: int = 0) -> None:
        self.generator = None if seed is None else Generator(seed, stream)
        super().__init__(rules, rules.compiled.start(self.generator))
        self.seed = seed
        self.stream = stream
        self.history: list[Event] = []
        self.from_start = True
        self.whole = True  # it holds whatever any seat knows
        self._let_chance()

    @classmethod
    def at(cls, rules: GameRules, position: Any, seed: int | None = None) -> "Game":
        """A game that starts in the middle, with no history: such a game cannot be recorded."""
        return cls._resume(rules, rules.restore(position), None if seed is None else Generator(seed))

    @classmethod
    def _resume(cls, rules: GameRules, state: State, generator: Generator | None) -> "Game":
        game = cls.__new__(cls)
        _Position.__init__(game, rules, state)
        game.generator, game.seed, game.stream, game.history = generator, None, 0, []
        game.from_start = game.whole = False
        game._let_chance()
        return game

    def decide(self, decision: Decision | Sequence[Any]) -> None:
        """Take one of the options, given as an object or in its list form; IllegalDecision if it is none of them."""
        if self.state.status != DECISION:
            raise IllegalDecision("decision", f"none: {self._due()}", decision)
        seat, phase = self.state.seat, self.state.phase
        assert seat is not None
        code = self.rules.encode(phase, decision)
        try:
            self.state.apply(code)
        except ValueError:  # a decision is due, so it is this one that is not legal
            option = decision.to_list() if isinstance(decision, Decision) else decision
            expected = f"one of the {len(self.state.codes())} options of {self.phase}"
            raise IllegalDecision("decision", expected, option) from None
        self.history.append(Chosen(seat, self.rules.decode(phase, code)))
        self._let_chance()

    def reveal(self, what: str, outcome: Any) -> None:
        """Say how the chance event that is due came out; ImpossibleOutcome if it cannot. What others alone saw may be
        left open, as `GameRules.unshown` has it."""
        if self.state.status != CHANCE:
            raise ImpossibleOutcome("event", f"none: {self._due()}", what)
        if what != self.phase:
            raise ImpossibleOutcome("event", self.phase, what)
        phase, items = self.rules.items(what, outcome)
        audience = self.state.audience()
        if not self.state.reveal(phase, items):
            raise ImpossibleOutcome(what, "an outcome that can still come", outcome)
        event = Happened(what, self.rules.outcome(phase, items), audience)
        self.whole = self.whole and event.outcome != self.rules.unshown(what, event.outcome)
        self.history.append(event)
        self._let_chance()

    def play(self, event: Event) -> None:
        """Let an event of another game of these rules happen in this one."""
        match event:
            case Chosen(_, decision):
                self.decide(decision)
            case Happened(what, outcome):
                self.reveal(what, outcome)

    def _let_chance(self) -> None:
        while self.generator is not None and self.state.status == CHANCE:
            phase, items, audience = self.state.draw(self.generator)
            self.history.append(Happened(self.rules.phase_name(phase), self.rules.outcome(phase, items), audience))

    def _due(self) -> str:
        if self.state.status == DECISION:
            return f"seat {self.state.seat} has to decide ({self.phase})"
        return f"the {self.phase} has to be revealed" if self.state.status == CHANCE else "the game is over"

    def copy(self) -> "Game":
        """An independent game that goes on from here, with the same future if it is seeded."""
        game = Game.__new__(Game)
        _Position.__init__(game, self.rules, self.state.copy())
        game.generator = None if self.generator is None else self.generator.copy()
        game.seed, game.stream, game.history = self.seed, self.stream, list(self.history)
        game.from_start, game.whole = self.from_start, self.whole
        return game

    def observe(self, seat: int) -> "View":
        """What the seat knows, and nothing else; PositionError if it knows what nobody said."""
        return View(self.rules, self.state.observe(seat) if self.whole else self.rules.view(self.state, seat))

    def spectate(self) -> "View":
        """What everybody knows, and nothing else; its viewer is a seat that does not play."""
        return View(self.rules, self.state.spectate())


class View(_Position):
    """What one seat knows of a game: the same whatever is hidden from it."""

    @classmethod
    def at(cls, rules: GameRules, position: Any, viewer: int) -> "View":
        """The view of a seat in a position that a front end describes."""
        return cls(rules, rules.view(rules.restore(position), viewer))

    @property
    def viewer(self) -> int:
        """The seat that sees this."""
        viewer = self.state.viewer
        assert viewer is not None
        return viewer

    def determinize(self, seed: int) -> Game:
        """A full game that agrees with this view, uniformly one of all that do; goes on by itself from the seed."""
        generator = Generator(seed)
        return Game._resume(self.rules, self.state.determinize(generator), generator)
