"""Moon River with its options: what `Game` needs to know of it in names."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine_cy.checks import Checker
from engine_cy.decision import Decision
from engine_cy.errors import OptionError
from engine_cy.judgement import Judgement, Lesson
from engine_cy.moon_river import about, position, text
from engine_cy.moon_river.compiled import CompiledRules
from engine_cy.moon_river.components import LANDSCAPES, SPECIALISTS, Components, standard
from engine_cy.moon_river.decisions import code_of, decision_of
from engine_cy.moon_river.state import PHASES, ROWS, ROWS_OF_TWO, SCENARIO_NAMES, SEATS
from engine_cy.rules import About, GameRules, Shown

RANCH_25, RANCH_50 = "ranch-25", "ranch-50"  # cells: what a network was taught on

JUDGEMENT = Judgement(
    Path(__file__).parent,
    tables=({"players": 2}, {"players": 4}, {"players": 4}, {"players": 3, "legends": True}),
    lessons=(
        Lesson(
            RANCH_25,
            25_000,
            (
                (0.45, {"players": 4}),
                (0.2, {"players": 3}),
                (0.2, {"players": 4, "legends": True}),
                (0.15, {"players": 3, "legends": True}),
            ),
        ),
        Lesson(RANCH_50, 12_000, ((0.6, {"players": 2}), (0.4, {"players": 2, "legends": True}))),
    ),
)

SCENARIOS = SCENARIO_NAMES[1:-1]  # but for the base game, and one that is to be drawn

check = Checker(OptionError)


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one seat, by rule (section 8), and what breaks ties (MR-32)."""

    seat: int
    territories: int
    resources: int
    partners: int
    scenario: int
    total: int
    largest_territory: int
    cows: int

    def to_dict(self) -> dict[str, int]:
        return asdict(self)


class MoonRiver(GameRules):
    """The rules of one table: 2 to 4 players, base game or Legends of the West, and a component set.

    With legends, `boards` names the board of every seat (default: the component set's first ones) and `scenario` the
    shared one (default: drawn at the start).
    """

    components: Components
    component_set = Components
    judgement = JUDGEMENT
    name = "moon_river"
    phases = PHASES
    parts = ("territories", "resources", "partners", "scenario")  # as features.pxd counts them
    finer = tuple(name for name in LANDSCAPES if name != "corn")  # as landscapes.pxd has them
    min_players, max_players = 2, SEATS
    option_names = ("players", "legends", "scenario", "boards")
    shown = Shown(Score, position.describe, position.restore, about.beliefs, text.table)

    def __init__(
        self,
        players: int = 4,
        *,
        legends: bool = False,
        scenario: str | None = None,
        boards: Sequence[str] | None = None,
        components: Components | None = None,
        weights: Sequence[Mapping[str, float]] | None = None,
    ) -> None:
        super().__init__(players, components=standard() if components is None else components)
        self.rows = ROWS_OF_TWO if players == 2 else ROWS
        self.rancheros = 2 if players == 2 else 1  # of each seat
        self.legends = check.boolean(legends, "legends")
        if scenario is not None:
            check.choice(scenario, "scenario", SCENARIOS)
            if not legends:
                raise OptionError("scenario", "none without legends", scenario)
        self.scenario = scenario
        self.boards = self._check_boards(boards)
        set_ = self.components
        chosen = [set_.boards[name] for name in self.boards]
        self.compiled = CompiledRules(
            players=players,
            scenario=SCENARIO_NAMES.index((scenario or "scenario_drawn") if legends else "base_game"),
            river=[cell.flat for cell in set_.river],
            boards=[(board.storage, [cell.flat for cell in board.bridges]) for board in chosen],
            kinds=[
                (p.number, LANDSCAPES.index(p.landscape), p.nuggets, p.beavers, p.cobs, p.cows, p.skull, p.circle)
                for p in set_.plots
            ],
            counts=[p.count for p in set_.plots],
            tiles=[tuple(LANDSCAPES.index(side) for side in tile.sides) for tile in set_.bonus_tiles],
            tokens=[set_.partners[name] for name in SPECIALISTS],
            cows=set_.cows,
            column_size=set_.column_size,
            saloon_size=set_.saloon_size,
            weights=JUDGEMENT.rows(weights, players),
            network=JUDGEMENT.network(RANCH_50 if players == 2 else RANCH_25),
        )

    @property
    def missing_parts(self) -> frozenset[str]:
        return frozenset() if self.legends else frozenset({"scenario"})

    def _check_boards(self, boards: Sequence[str] | None) -> tuple[str, ...]:
        known = self.components.legends_boards
        if not self.legends:
            camps = ["camp"] * self.players
            if boards is not None and (not isinstance(boards, list | tuple) or list(boards) != camps):
                raise OptionError("boards", "none without legends: everybody has the camp (MR-6)", boards)
            return tuple(camps)
        if boards is None:
            if len(known) < self.players:
                raise OptionError("boards", f"a component set with {self.players} legends boards", list(known))
            return known[: self.players]
        names = check.items(boards, "boards", self.players, self.players)
        for seat, name in enumerate(names):
            check.choice(name, f"boards[{seat}]", known)
            if name in names[:seat]:
                raise OptionError(f"boards[{seat}]", "no board twice (MR-6)", name)
        return tuple(names)

    @classmethod
    def standard(cls) -> Components:
        return standard()

    @classmethod
    def about(cls, components: Components | None = None) -> About:
        return about.about(cls.players_field(), components or standard(), SCENARIOS)

    # ---- Names for the engine's numbers

    def _decision(self, phase: str, code: int) -> Decision:
        return decision_of(self.components, phase, code)

    def _code(self, phase: str, option: Sequence[Any]) -> int:
        return code_of(phase, option)

    def _outcome(self, phase: str, items: Sequence[int]) -> Any:
        match phase:
            case "scenario":
                return SCENARIO_NAMES[items[0]]
            case "saloon":
                return [SPECIALISTS[i] for i in items]
            case "column":
                return list(items)
            case _:
                return items[0]

    def _items(self, phase: str, outcome: Any) -> tuple[int, ...]:
        match phase:
            case "scenario":
                return (SCENARIO_NAMES.index(outcome, 1, -1),)
            case "saloon" if isinstance(outcome, list | tuple):
                return tuple(SPECIALISTS.index(name) for name in outcome)
            case "column" if isinstance(outcome, list | tuple):
                return tuple(outcome)
            case "ranchero":
                return (outcome,)
        raise ValueError
