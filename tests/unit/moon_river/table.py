"""Tables for the rule tests: a test names what matters to it, the rest is filled in so that every piece is counted."""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import engine_cy
from engine_cy import Game, MoonRiver, MoonRiverComponents

# The kinds of the standard component set, by their number there. Both forests have a beaver, both farms a cow.
DESERT, DESERT_NUGGET, DESERT_SKULL, DESERT_COW, DESERT_CIRCLE = range(5)
CANYON, CANYON_NUGGET, CANYON_SKULL, CANYON_COW, CANYON_2_COWS, CANYON_CIRCLE = range(5, 11)
MEADOW, MEADOW_NUGGET, MEADOW_COW, MEADOW_2_COWS, MEADOW_CIRCLE, MEADOW_NUGGET_CIRCLE, MEADOW_COW_CIRCLE = range(11, 18)
FOREST, FOREST_COW, FARM, FARM_CIRCLE = range(18, 22)
CORN_3, CORN_4, CORN_5 = range(22, 25)

Cell = tuple[int, int]
Tile = tuple[int, int]  # a bonus tile and its side
Slot = tuple[int | None, int | None]  # of a column: a plot, and the seat of the ranchero on it
COLLECTED: Slot = (None, None)
UNSELECTED: Slot = (CORN_3, None)  # with three players nobody stands on one of the plots


@dataclass(frozen=True)
class Laid:
    """A plot in a ranch with what stands on it."""

    plot: int | Tile
    cows: int = 0
    partner: str | None = None


Ranch = Mapping[Cell, int | Laid]
_NO_RANCHES: Mapping[int, Ranch] = {}
_NO_STORAGES: Mapping[int, Sequence[int]] = {}

# The rancheros behind that of seat 0 in a column, for each number of players.
BEHIND: dict[int, list[Slot]] = {
    2: [(CORN_3, 1), (CORN_3, 1), (CORN_3, 0)],
    3: [(CORN_3, 1), (CORN_3, 2), UNSELECTED],
    4: [(CORN_3, 1), (CORN_3, 2), (CORN_3, 3)],
}

# A ranch that no plot but corn can join: corn on all bridges.
CORN_ONLY: Ranch = {
    (0, 0): CORN_5, (0, 1): CORN_5, (0, 3): CORN_5, (0, 4): CORN_4, (1, 2): CORN_4, (2, 2): CORN_4,
}  # fmt: skip


def table(
    rules: MoonRiver | int = 3,
    *,
    ranch: Ranch | None = None,
    hand: Sequence[int] = (),
    others: Mapping[int, Ranch] = _NO_RANCHES,
    storages: Mapping[int, Sequence[int]] = _NO_STORAGES,
    saloon: Sequence[str] = (),
    current: Sequence[Slot] | None = None,
    upcoming: Sequence[Slot] | None = None,
    seed: int | None = None,
    **changes: Any,
) -> Game:
    """A game in seat 0's turn, in the phase ``build`` unless told otherwise.

    Seat 0 comes first in the round, and the columns are of corn, unless told otherwise. `current` is what is still
    there of the column; `changes` are entries of the position or of its ``turn``. Without a seed chance is the test's.
    """
    if isinstance(rules, int):
        rules = MoonRiver(rules)
    last_round = changes.get("last_round", False)
    if current is None:
        current = BEHIND[rules.players]
    if upcoming is None:
        upcoming = [] if last_round else [(CORN_3, None)] * rules.components.column_size
    ranches = [ranch or {}, *(others.get(seat, {}) for seat in range(1, rules.players))]
    tiles = [_tiles(r) for r in ranches]
    all_tiles = [tile.id for tile in rules.components.bonus_tiles] if rules.players == 2 else []
    position: dict[str, Any] = {
        "game": "moon_river",
        "phase": "build",
        "scenario": rules.scenario,
        "last_round": False,
        "current": _column(rules, current),
        "next": _column(rules, upcoming) if upcoming else [],
        "ranches": [[_laid(cell, plot) for cell, plot in r.items()] for r in ranches],
        "hands": [list(hand), *(list(storages.get(seat, ())) for seat in range(1, rules.players))],
        "saloon": list(saloon),
        "bonus_tiles": [tile for tile in all_tiles if [tile] not in tiles],
        "bonus_taken": [bool(laid) for laid in tiles],
        "turn": {
            "seat": 0,
            "claims": 3 if rules.players == 3 else 4,
            "steps": 0,
            "thief": None,
            "tile": None,
            "skulls": [],
            "circles": [],
        },
    }
    position["supply"] = rules.components.cows - sum(entry["cows"] for r in position["ranches"] for entry in r)
    position["pile"] = [] if last_round else _rest_of_plots(rules, position)
    position["stack"] = _rest_of_tokens(rules, position)
    for key, value in changes.items():
        (position["turn"] if key in position["turn"] else position)[key] = value
    return Game.at(rules, position, seed)


def collect(rules: MoonRiver | int = 3, *, hand: Sequence[int], **more: Any) -> Game:
    """Seat 0, first in its round, collected the last plot of this hand; play went on to the next question asked."""
    current = [(hand[-1], 0), *BEHIND[rules if isinstance(rules, int) else rules.players]]
    game = table(rules, hand=hand[:-1], current=current, saloon=["trapper"] * 4, phase="saloon", **more)
    game.reveal("saloon", ["trapper"])
    return game


def final(rules: MoonRiver | int, *ranches: Ranch) -> Game:
    """A finished game with these ranches, seat by seat."""
    others = dict(enumerate(ranches))
    ended: dict[str, Any] = {"current": [], "upcoming": [], "phase": "over", "last_round": True, "pile": []}
    return table(rules, ranch=others.pop(0), others=others, **ended)


def full_except(*free: Cell) -> dict[Cell, int | Laid]:
    """A ranch of 5 rows with only these cells free: corn from the river on, from the middle on canyons."""
    cells = [(row, column) for row in range(5) for column in range(5) if (row, column) not in {(0, 2), *free}]
    kinds = [CORN_4] * 6 + [CORN_5] * 5 + [CANYON_NUGGET] * 5 + [CANYON_SKULL] * 4 + [CANYON] * 2
    return dict(zip(cells, kinds[: len(cells)], strict=True))


def component_set(**changes: Any) -> MoonRiverComponents:
    """The standard component set with some of its entries changed."""
    return MoonRiverComponents.from_dict({**standard_data(), **changes})


def standard_data() -> dict[str, Any]:
    """The standard component file as plain data."""
    path = Path(engine_cy.__file__).parent / "components" / "moon_river.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


# ---- Looking at a game


def options(game: Game) -> list[list[Any]]:
    """What the seat can do, in list form, sorted."""
    return sorted(decision.to_list() for decision in game.decisions())


def places(game: Game) -> set[tuple[Cell, Cell]]:
    """Where dominoes can be placed, whatever they are."""
    builds = [option for option in options(game) if option[0] == "build"]
    return {((a[0], a[1]), (b[0], b[1])) for _, _, a, _, b in builds}


def plots(game: Game, seat: int = 0) -> dict[Cell, Any]:
    return {cell: entry["plot"] for cell, entry in _ranch(game, seat).items()}


def cows(game: Game, seat: int = 0) -> dict[Cell, int]:
    return {cell: entry["cows"] for cell, entry in _ranch(game, seat).items() if entry["cows"]}


def partners(game: Game, seat: int = 0) -> dict[Cell, str]:
    return {cell: entry["partner"] for cell, entry in _ranch(game, seat).items() if entry["partner"]}


def hand(game: Game, seat: int = 0) -> list[int]:
    return sorted(game.position()["hands"][seat])


def supply(game: Game) -> int:
    return int(game.position()["supply"])


def column(game: Game, name: str) -> list[Slot]:
    return [(slot["plot"], slot["seat"]) for slot in game.position()[name]]


def plots_in_game(game: Game) -> Counter[int]:
    """All plots on the table and in the pile, by kind."""
    return _plots_in(game.position())


def let_chance(game: Game) -> None:
    """Let some outcome of the chance event come that is due."""
    p, rules = game.position(), game.rules
    assert isinstance(rules, MoonRiver)
    match game.chance:
        case "column":
            drawn = p["pile"][: rules.components.column_size]
            game.reveal("column", sorted(drawn, key=lambda kind: rules.components.plots[kind].number))
        case "saloon":
            game.reveal("saloon", p["stack"][: rules.components.saloon_size - len(p["saloon"])])
        case "ranchero":
            game.reveal("ranchero", p["turn"]["claims"])


# ---- Filling in


def _laid(cell: Cell, plot: int | Laid) -> dict[str, Any]:
    laid = plot if isinstance(plot, Laid) else Laid(plot)
    name = laid.plot if isinstance(laid.plot, int) else {"tile": laid.plot[0], "side": laid.plot[1]}
    return {"cell": list(cell), "plot": name, "cows": laid.cows, "partner": laid.partner}


def _tiles(ranch: Ranch) -> list[int]:
    return [plot.plot[0] for plot in ranch.values() if isinstance(plot, Laid) and isinstance(plot.plot, tuple)]


def _column(rules: MoonRiver, slots: Sequence[Slot]) -> list[dict[str, int | None]]:
    padding = [COLLECTED] * (rules.components.column_size - len(slots))
    return [{"plot": plot, "seat": seat} for plot, seat in [*padding, *slots]]


def _plots_in(position: dict[str, Any]) -> Counter[int]:
    seen: Counter[int] = Counter(position.get("pile", []))
    seen.update(slot["plot"] for name in ("current", "next") for slot in position[name] if slot["plot"] is not None)
    seen.update(plot for hand in position["hands"] for plot in hand)
    seen.update(entry["plot"] for r in position["ranches"] for entry in r if isinstance(entry["plot"], int))
    return seen


def _rest_of_plots(rules: MoonRiver, position: dict[str, Any]) -> list[int]:
    """What is nowhere else is in the pile, but for a few plots that are out of the game."""
    left = Counter({plot.id: plot.count for plot in rules.components.plots})
    left.subtract(_plots_in(position))
    pile = sorted(left.elements())
    return pile[: len(pile) - len(pile) % rules.components.column_size]


def _rest_of_tokens(rules: MoonRiver, position: dict[str, Any]) -> list[str]:
    laid = Counter(entry["partner"] for r in position["ranches"] for entry in r if entry["partner"])
    cowboys = laid.pop("cowboy", 0)
    left = Counter(rules.components.partners)
    left.subtract(laid)
    left.subtract(position["saloon"])
    stack = list(left.elements())
    return stack[: len(stack) - cowboys]


def _ranch(game: Game, seat: int) -> dict[Cell, dict[str, Any]]:
    return {(entry["cell"][0], entry["cell"][1]): entry for entry in game.position()["ranches"][seat]}
