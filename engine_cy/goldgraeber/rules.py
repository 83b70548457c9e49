"""Goldgräber with its options: what `Game` needs to know of it in names."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from engine_cy.checks import Checker
from engine_cy.decision import Decision
from engine_cy.errors import OptionError
from engine_cy.goldgraeber import about, position, text
from engine_cy.goldgraeber.chips import all_chips, chip_list, kind_of_list
from engine_cy.goldgraeber.compiled import CompiledRules
from engine_cy.goldgraeber.components import HOUSES, GoldenMap, standard
from engine_cy.goldgraeber.decisions import code_of, decision_of, field_of
from engine_cy.goldgraeber.state import GROUND_NAMES, NONE, PHASES, SEATS
from engine_cy.judgement import Judgement, Lesson
from engine_cy.rules import About, GameRules, Shown
from engine_cy.state import State

GOLD = "gold"  # what was taught

JUDGEMENT = Judgement(
    Path(__file__).parent,
    tables=({"players": 3}, {"players": 4}, {"players": 5}, {"players": 4, "prospecting": True}),
    lessons=(
        Lesson(
            GOLD,
            3_000,
            ((0.6, {"players": 4}), (0.2, {"players": 3}), (0.12, {"players": 5}), (0.08, {"players": 6})),
            glances=(3_000, 3_000, 3_000),
            tried=12,
            noise=1,
            kept=2,
            rounds=30,
        ),
    ),
)

EDITION = 2  # of the rules, the newest one

check = Checker(OptionError)


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one seat: what it has banked (GG-19)."""

    seat: int
    gold: int
    robbers: int
    total: int

    def to_dict(self) -> dict[str, int]:
        return asdict(self)


class Goldgraeber(GameRules):
    """The rules of one table: 3 to 6 players, a map, and whether there is prospecting (GG-20).

    `edition` is that of the prospecting rule (GG-20a): in the first one it is offered only where there is something new
    to see, in the second, the usual one, at every turn, though without that not in two of a seat's turns running.

    `colours` gives every seat its house (default: seat i has colour i). A map other than the standard one is given as
    `components`; `map` is then its name.
    """

    components: GoldenMap
    component_set = GoldenMap
    judgement = JUDGEMENT
    name = "goldgraeber"
    phases = PHASES
    parts = ("gold", "robbers")  # as features.pxd counts them
    min_players, max_players = 3, SEATS
    option_names = ("players", "prospecting", "map", "colours", "edition")
    shown = Shown(Score, position.describe, position.restore, about.beliefs, text.table)

    def __init__(
        self,
        players: int = 4,
        *,
        prospecting: bool = False,
        map: str | None = None,
        colours: Sequence[int] | None = None,
        edition: int = EDITION,
        components: GoldenMap | None = None,
        weights: Sequence[Mapping[str, float]] | None = None,
    ) -> None:
        super().__init__(players, components=standard() if components is None else components)
        self.prospecting = check.boolean(prospecting, "prospecting")
        self.map = self.components.name
        if map is not None:
            check.choice(map, "map", [self.map])
        self.colours = self._check_colours(colours)
        self.edition = check.integer(edition, "edition", 1, EDITION)
        self.resting = prospecting and edition > 1  # a turn may be given up with nothing new to see (GG-20a)
        golden = self.components
        self.numbers = {field: number for number, field in enumerate(golden.fields)}
        self.holes = {field: number for number, field in enumerate(golden.holes)}
        self.all_chips = all_chips(golden)
        self.compiled = CompiledRules(
            players=players,
            prospecting=prospecting,
            resting=self.resting,
            grounds=[GROUND_NAMES.index(golden.kind(field)) for field in golden.fields],
            neighbours=[[self.numbers[near] for near in golden.neighbours(field)] for field in golden.fields],
            houses=[self.numbers[golden.houses[colour]] for colour in self.colours],
            rail=[self.numbers[field] for field in golden.rail],
            holes=[self.numbers[field] for field in golden.holes],
            chips=self.all_chips,
            lakes=[[self.numbers[field] for field in golden.shores(lake)] for lake in range(len(golden.lakes))],
            piers=[self.numbers[field] for field in golden.piers],
            weights=JUDGEMENT.rows(weights, players),
            network=None if prospecting else JUDGEMENT.network(GOLD),
        )

    def _check_colours(self, colours: Any) -> tuple[int, ...]:
        if colours is None:
            return tuple(range(self.players))
        for seat, colour in enumerate(check.items(colours, "colours", self.players, self.players)):
            check.integer(colour, f"colours[{seat}]", 0, len(HOUSES) - 1)
            if colour in colours[:seat]:
                raise OptionError(f"colours[{seat}]", "no colour twice", colour)
        return tuple(colours)

    @classmethod
    def standard(cls) -> GoldenMap:
        return standard()

    @classmethod
    def about(cls, components: GoldenMap | None = None) -> About:
        return about.about(cls.players_field(), components or standard())

    @classmethod
    def as_kept(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"edition": 1, **options} if options.get("prospecting") else dict(options)

    def options(self) -> dict[str, Any]:
        """Editions differ in prospecting alone."""
        options = super().options()
        return options if self.prospecting else {name: options[name] for name in options if name != "edition"}

    @property
    def private_facts(self) -> bool:
        """GG-20: a chip that one seat has looked at."""
        return self.prospecting

    def unshown(self, what: str, outcome: Any) -> Any:
        """A chip that is looked at lies where everybody sees it."""
        return [outcome[0], None] if what == "chip" else None

    def header(self) -> dict[str, Any]:
        """The options name the map."""
        return self.options()

    def ending(self, state: State) -> dict[str, Any]:
        return {"ended_by": self.ended_by(state)}

    def told(self, state: State) -> dict[str, Any]:
        return position.told(self, state)

    def view(self, state: State, seat: int) -> State:
        seen = super().view(state, seat)
        position.check_view(self, state, seat)
        return seen

    # ---- Names for the engine's numbers

    def _decision(self, phase: str, code: int) -> Decision:
        return decision_of(self.components, phase, code)

    def _code(self, phase: str, option: Sequence[Any]) -> int:
        return code_of(self.numbers, phase, option)

    def _outcome(self, phase: str, items: Sequence[int]) -> Any:
        if phase != "chip":
            return items[0]
        field, kind = items
        return [list(self.components.fields[field]), None if kind == NONE else chip_list(kind)]

    def _items(self, phase: str, outcome: Any) -> tuple[int, ...]:
        match phase:
            case "chip" if isinstance(outcome, list | tuple):
                field, chip = outcome
                return self.numbers[field_of(field)], NONE if chip is None else kind_of_list(chip)
            case "first" | "die" | "roll" if type(outcome) is int:
                return (outcome,)
        raise ValueError

    def ended_by(self, state: State) -> Literal["locomotive", "chips"] | None:
        """What ended the game (GG-18); None while it goes on."""
        if PHASES[state.phase] != "over":
            return None
        return "locomotive" if self.compiled.fields(state)["locomotive"] == len(self.components.rail) - 1 else "chips"
