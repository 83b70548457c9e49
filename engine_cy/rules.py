"""What Python knows of any game: its options, and names for the engine's numbers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

from engine_cy.checks import Checker
from engine_cy.decision import Decision
from engine_cy.errors import IllegalDecision, ImpossibleOutcome, OptionError, PositionError
from engine_cy.judgement import Judgement
from engine_cy.state import Rules, State


class SeatScore(Protocol):
    """A seat's result; every game adds its own breakdown."""

    @property
    def seat(self) -> int: ...
    @property
    def total(self) -> int: ...
    def to_dict(self) -> dict[str, int]: ...


@dataclass(frozen=True, slots=True)
class OptionField:
    """An option of a game, so that a front end can build a form."""

    name: str
    label: str
    help: str
    kind: str  # integer, boolean, choice, choice_per_seat, or integer_per_seat
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    needs: str = ""  # the option that must be on for this one to be used


@dataclass(frozen=True, slots=True)
class About:
    """A game described for people and front ends."""

    title: str
    description: str
    options: tuple[OptionField, ...]
    components: dict[str, Any]  # the component set as plain data


class ComponentSet(Protocol):
    """What a game is played with."""

    @property
    def name(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def tables(self) -> Mapping[str, Any]:
        """What `from_dict` made it of."""

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a component file; a wrong one raises ComponentError, a missing one OSError."""

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Check the tables of a component file, as tomllib gives them."""

    @classmethod
    def keys(cls) -> Sequence[str]:
        """What every such file has at its top."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a game says of a state, as functions of its rules; each stands in the file of its name."""

    score: Callable[..., SeatScore]  # of a seat and its points by rule
    position: Callable[[Any, State], dict[str, Any]]
    restore: Callable[[Any, Any], State]
    beliefs: Callable[[Any, State], dict[str, Any]]
    text: Callable[[Any, State], str]


check = Checker(OptionError)


class GameRules(ABC):
    """The rules of one table. One subclass for each game; `registry.py` lists them."""

    name: ClassVar[str]
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    phases: ClassVar[tuple[str, ...]]  # names of the engine's phases, by number
    parts: ClassVar[tuple[str, ...]] = ()  # what points are made of, as scores name it and the network counts it
    finer: ClassVar[tuple[str, ...]] = ()  # what the first of these is made of, if more is known of it
    option_names: ClassVar[tuple[str, ...]]  # in the constructor, and as attributes; the first one must be given
    shown: ClassVar[Shown]
    component_set: ClassVar[type[ComponentSet]]
    judgement: ClassVar[Judgement]
    players: int
    compiled: Rules
    components: ComponentSet

    @classmethod
    def personalities(cls) -> Sequence[str]:
        """The ways to play that a bot may have, the plain one first."""
        return tuple(cls.judgement.personalities)

    def shaped(self, personality: str, seat: int) -> Rules:
        """The compiled rules with the quick judgement of this seat shaped so; OptionError if there is no such way."""
        known = self.judgement.personalities
        check.choice(personality, "personality", known)
        check.integer(seat, "seat", 0, self.players - 1)
        if (personality, seat) not in self._shaped:
            weights = [known[personality] if s == seat else {} for s in range(self.players)]
            variant = self.from_options(self.options(), self.components, weights)
            self._shaped[personality, seat] = variant.compiled
        return self._shaped[personality, seat]

    @cached_property
    def _shaped(self) -> dict[tuple[str, int], Rules]:
        return {}

    def __init__(self, players: Any, *, components: Any, weights: Any = None) -> None:  # noqa: ARG002
        """What the rules of every game begin with. `weights` shape the quick judgement, seat by seat."""
        self.players = check.integer(players, "players", self.min_players, self.max_players)
        if not isinstance(components, self.component_set):
            raise OptionError("components", self.component_set.__name__, components)
        self.components = components

    @classmethod
    @abstractmethod
    def standard(cls) -> ComponentSet:
        """The printed component set."""

    @classmethod
    @abstractmethod
    def about(cls, components: Any = None) -> About:
        """The game described, with these components or the printed ones."""

    @classmethod
    def players_field(cls) -> OptionField:
        """The option that every game has."""
        return OptionField("players", "Players", "How many play.", "integer", low=cls.min_players, high=cls.max_players)

    def options(self) -> dict[str, Any]:
        """The options as plain data, for records."""
        values = {name: getattr(self, name) for name in self.option_names}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def as_kept(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a game that was kept, with those that nobody could say yet when it was."""
        return dict(options)

    @classmethod
    def from_options(cls, options: Any, components: Any = None, weights: Any = None) -> Self:
        """The rules for such options; OptionError names what does not fit."""
        if not isinstance(options, Mapping):
            raise OptionError("options", "a table", options)
        given = check.table(options, "", (), cls.option_names)
        first = cls.option_names[0]  # if it is not there, the error says what it should be
        return cls(**{first: None, **given}, components=components, weights=weights)

    @property
    def component_name(self) -> str:
        return self.components.name

    @property
    def component_hash(self) -> str:
        return self.components.digest

    @property
    def printed(self) -> bool:
        """Whether it is played with the printed set."""
        return self.component_hash == self.standard().digest

    @property
    def private_facts(self) -> bool:
        """Whether chance may tell one seat what it does not tell the others."""
        return False

    def unshown(self, what: str, outcome: Any) -> Any:  # noqa: ARG002
        """The outcome as it is told to those who may not see it; None if everybody may."""
        return None

    @property
    def missing_parts(self) -> frozenset[str]:
        """Those parts of the points that nobody gets at this table."""
        return frozenset()

    def header(self) -> dict[str, Any]:
        """What the first event of a trace says of the table: options, and the component set where they do not."""
        return {**self.options(), "components": self.component_name}

    def ending(self, state: State) -> dict[str, Any]:  # noqa: ARG002
        """What is said of a game that is over beside its points."""
        return {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameRules) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(repr(self._identity()))

    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.options(), self.component_hash

    # ---- Names for the engine's numbers

    def phase_name(self, phase: int) -> str:
        """The kind of decision or event, e.g. ``build``."""
        return self.phases[phase]

    def decode(self, phase: int, code: int) -> Decision:
        """The decision of a code that the engine gave while it waited in the phase."""
        return self._decision(self.phases[phase], code).offered(self, phase, code)

    def encode(self, phase: int, option: Decision | Sequence[Any]) -> int:
        """The code of a decision, given as an object or in its list form; IllegalDecision if it has the wrong form.
        Says nothing about legality."""
        if isinstance(option, Decision):
            code = option.code_for(self, phase)
            if code is not None:
                return code
            option = option.to_list()
        try:
            if not isinstance(option, list | tuple):
                raise TypeError
            return self._code(self.phases[phase], option)
        except (ValueError, TypeError, LookupError) as error:
            expected = f"one of the options of {self.phases[phase]}, in list form"
            raise IllegalDecision("decision", expected, option) from error

    def outcome(self, phase: int, items: Sequence[int]) -> Any:
        """A chance event's outcome as plain data."""
        return self._outcome(self.phases[phase], items)

    def items(self, what: str, outcome: Any) -> tuple[int, tuple[int, ...]]:
        """The engine's numbers for an outcome; ImpossibleOutcome if it has the wrong form."""
        try:
            return self.phases.index(what), self._items(what, outcome)
        except (ValueError, TypeError, LookupError) as error:
            raise ImpossibleOutcome(str(what), "an outcome of this event", outcome) from error

    @abstractmethod
    def _decision(self, phase: str, code: int) -> Decision: ...

    @abstractmethod
    def _code(self, phase: str, option: Sequence[Any]) -> int:
        """Of a list form; ValueError, TypeError or LookupError if it has the wrong form."""

    @abstractmethod
    def _outcome(self, phase: str, items: Sequence[int]) -> Any: ...

    @abstractmethod
    def _items(self, phase: str, outcome: Any) -> tuple[int, ...]:
        """ValueError, TypeError or LookupError for an outcome of the wrong form."""

    # ---- Everything a table shows

    def scores(self, state: State) -> Sequence[SeatScore]:
        """By seat, as if the game ended now."""
        return [self.shown.score(seat, **points) for seat, points in enumerate(self.compiled.points(state))]

    def position(self, state: State) -> dict[str, Any]:
        """The state as plain data with names."""
        return self.shown.position(self, state)

    def told(self, state: State) -> dict[str, Any]:
        """The same of a state that came from a position, with what that said of what seats know; nothing hidden."""
        return self.position(state.spectate())

    def view(self, state: State, seat: int) -> State:
        """What the seat knows of a state that may lack something of it, since it came from a position or from the
        record of another seat; PositionError if it does."""
        return state.observe(seat)

    def restore(self, data: Any) -> State:
        """The state of a position; PositionError names what does not fit."""
        return self.shown.restore(self, data)

    def beliefs(self, state: State) -> dict[str, Any]:
        """What may be said of the hidden things by what a view shows, as plain data."""
        return self.shown.beliefs(self, state)

    def text(self, state: State) -> str:
        """A table a person can read in a terminal."""
        return self.shown.text(self, state)


def waiting(rules: GameRules, state: State, phase: str, unmoved: bool) -> State:
    """The state read from a position, if it waits in the phase it was said to, and reading moved nothing on; otherwise
    a PositionError."""
    if rules.phase_name(state.phase) != phase:
        expected = f"{rules.phase_name(state.phase)}, which is what this position waits for"
        raise PositionError("phase", expected, phase)
    if not unmoved:
        raise PositionError("phase", "a decision with at least two options", phase)
    return state
