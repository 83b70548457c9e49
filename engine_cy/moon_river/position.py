"""Positions: everything a table shows, as plain data with names, and back.

A position is what a front end with its own rules can build, sub-decisions in the middle of a turn included. Reading
one checks it as a whole: every piece counted, every name known, so that the compiled core never meets a state that
the rules cannot reach by counting alone.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine_cy.checks import Checker
from engine_cy.errors import PositionError
from engine_cy.moon_river.components import CAMP_CELL, SPECIALISTS, Cell, members
from engine_cy.moon_river.consistency import SETUP, Consistency
from engine_cy.moon_river.state import (
    COLUMNS,
    HERD_STEPS,
    MAX_KINDS,
    NONE,
    PHASES,
    SCENARIO_NAMES,
    TILE_SIDES,
    TOKEN_NAMES,
    kind_of_side,
    side_of_kind,
)
from engine_cy.problems import by_name, each
from engine_cy.rules import waiting
from engine_cy.state import State

if TYPE_CHECKING:
    from engine_cy.moon_river.rules import MoonRiver

_KEYS = (
    "game", "phase", "scenario", "last_round", "current", "next", "ranches", "hands", "saloon", "supply", "pile",
    "stack", "bonus_tiles", "bonus_taken", "turn",
)  # fmt: skip
_TURN_DEFAULTS: dict[str, Any] = {"claims": None, "steps": 0, "thief": None, "tile": None, "skulls": [], "circles": []}
_TURN_KEYS = ("seat", "claims", "steps", "thief", "tile", "skulls", "circles")

check = Checker(PositionError)


def describe(rules: "MoonRiver", state: State) -> dict[str, Any]:
    """The position of a state. Of a view the pile and the stack are sorted, of a full state in their hidden order."""
    f = rules.compiled.fields(state)
    phase = PHASES[f["phase"]]
    laid = phase not in ("scenario", "over") and (f["claims"] or any(plot != NONE for plot, _ in f["current"]))
    return {
        "game": rules.name,
        "phase": phase,
        "scenario": SCENARIO_NAMES[f["scenario"]] if f["scenario"] else None,
        "last_round": f["last_round"],
        "current": _column(f["current"]) if laid else [],
        "next": _column(f["next"]) if any(plot != NONE for plot, _ in f["next"]) else [],
        "ranches": [[_describe_plot(entry) for entry in ranch] for ranch in f["ranches"]],
        "hands": f["hands"],
        "saloon": [name for name, n in zip(SPECIALISTS, f["saloon"], strict=True) for _ in range(n)],
        "supply": f["supply"],
        "pile": f["pile"],
        "stack": [SPECIALISTS[i] for i in f["stack"]],
        "bonus_tiles": members(f["tiles"]),
        "bonus_taken": f["bonus_taken"],
        "turn": {
            "seat": f["turn"],
            "claims": f["claims"],
            "steps": f["steps"],
            "thief": None if f["thief"] == NONE else list(Cell.at(f["thief"])),
            "tile": None if f["tile"] == NONE else f["tile"],
            "skulls": [list(Cell.at(i)) for i in members(f["skulls"])],
            "circles": [list(Cell.at(i)) for i in members(f["circles"])],
        },
    }


def _column(pairs: list[tuple[int, int]]) -> list[dict[str, int | None]]:
    return [{"plot": _or_none(plot), "seat": _or_none(seat)} for plot, seat in pairs]


def _or_none(value: int) -> int | None:
    return None if value == NONE else value


def _bits(members: list[int], at: str) -> int:
    if len(set(members)) < len(members):
        raise PositionError(at, "each once", members)
    return sum(1 << member for member in members)


def _describe_plot(entry: tuple[int, int, int, int]) -> dict[str, Any]:
    cell, plot, cows, partner = entry
    tile, side = side_of_kind(plot)
    return {
        "cell": list(Cell.at(cell)),
        "plot": plot if plot < MAX_KINDS else {"tile": tile, "side": side},
        "cows": cows,
        "partner": None if partner == NONE else TOKEN_NAMES[partner],
    }


def restore(rules: "MoonRiver", data: Any) -> State:
    """The state of a position; PositionError names the field that does not fit."""
    reader = _Reader(rules, check.table(data, "", _KEYS))
    fields = reader.read()
    # A discard is what building comes to when it must and cannot be (MR-10): the engine finds out whether it does.
    begin = PHASES.index("build") if reader.phase == "discard" else fields["phase"]
    state = rules.compiled.restore(fields | {"phase": begin})
    return waiting(rules, state, reader.phase, rules.compiled.fields(state) == fields)


class _Reader:
    """Reads one position; a method for each group of fields."""

    def __init__(self, rules: "MoonRiver", data: Any) -> None:
        self.rules = rules
        self.set = rules.components
        self.data = data
        self.phase = check.choice(data["phase"], "phase", (*PHASES[: PHASES.index("pass")], "over"))

    def read(self) -> dict[str, Any]:
        data, players = self.data, self.rules.players
        check.choice(data["game"], "game", [self.rules.name])
        turn = {**_TURN_DEFAULTS, **check.table(data["turn"], "turn", ("seat",), _TURN_KEYS)}
        fields = by_name({
            "scenario": lambda: self._scenario(data["scenario"]),
            "last_round": lambda: check.boolean(data["last_round"], "last_round"),
            "supply": lambda: check.integer(data["supply"], "supply", 0, self.set.cows),
            "current": lambda: self._column("current"),
            "next": lambda: self._column("next"),
            "ranches": lambda: self._of_seats("ranches", self._ranch),
            "hands": lambda: self._of_seats("hands", self._hand),
            "saloon": lambda: self._saloon(data["saloon"]),
            "pile": lambda: self._plots(data["pile"], "pile", self.set.plot_count),
            "stack": lambda: [SPECIALISTS.index(name) for name in self._tokens(data["stack"], "stack")],
            "tiles": lambda: self._tiles(data["bonus_tiles"]),
            "bonus_taken": lambda: self._bonus_taken(data["bonus_taken"]),
            "turn": lambda: check.integer(turn["seat"], "turn.seat", 0, players - 1),
            "steps": lambda: check.integer(turn["steps"], "turn.steps", 0, HERD_STEPS),
            "thief": lambda: NONE if turn["thief"] is None else self._cell(turn["thief"], "turn.thief"),
            "tile": lambda: NONE if turn["tile"] is None else self._tile(turn["tile"], "turn.tile"),
            "skulls": lambda: self._cells(turn["skulls"], "turn.skulls"),
            "circles": lambda: self._cells(turn["circles"], "turn.circles"),
        })  # fmt: skip
        fields["phase"], fields["viewer"] = PHASES.index(self.phase), NONE
        fields["claims"] = self._claims(turn["claims"], fields["current"])
        Consistency(self.rules, data).check(fields)
        return fields

    def _of_seats(self, name: str, read: Callable[[Any, str, int], Any]) -> list[Any]:
        players = self.rules.players
        given = check.items(self.data[name], name, players, players)
        return each(given, lambda seat, value: read(value, f"{name}[{seat}]", seat))

    # ---- Fields one by one

    def _scenario(self, value: Any) -> int:
        option = self.rules.scenario
        if not self.rules.legends or (self.phase == "scenario" and option is None):
            if value is not None:
                raise PositionError("scenario", "null", value)
            return 0
        known = SCENARIO_NAMES[1:-1] if option is None else [option]
        return SCENARIO_NAMES.index(check.choice(value, "scenario", known))

    def _cell(self, value: Any, at: str) -> int:
        row, column = check.items(value, at, 2, 2)
        check.integer(row, f"{at}[0]", 0, self.rules.rows - 1)
        check.integer(column, f"{at}[1]", 0, COLUMNS - 1)
        if (row, column) == CAMP_CELL:
            raise PositionError(at, "not the camp's cell", value)
        return Cell(row, column).flat

    def _cells(self, value: Any, at: str) -> int:
        return _bits([self._cell(cell, f"{at}[{i}]") for i, cell in enumerate(check.items(value, at, 0, 2))], at)

    def _plot(self, value: Any, at: str) -> int:
        return check.integer(value, at, 0, len(self.set.plots) - 1)

    def _plots(self, value: Any, at: str, limit: int) -> list[int]:
        return [self._plot(plot, f"{at}[{i}]") for i, plot in enumerate(check.items(value, at, 0, limit))]

    def _tile(self, value: Any, at: str) -> int:
        return check.integer(value, at, 0, len(self.set.bonus_tiles) - 1 if self.rules.players == 2 else -1)

    def _tiles(self, value: Any) -> int:
        tiles = check.items(value, "bonus_tiles", 0, len(self.set.bonus_tiles))
        return _bits([self._tile(tile, f"bonus_tiles[{i}]") for i, tile in enumerate(tiles)], "bonus_tiles")

    def _bonus_taken(self, value: Any) -> list[bool]:
        players = self.rules.players
        if not check.items(value, "bonus_taken", 0, players):
            return [False] * players
        return [
            check.boolean(taken, f"bonus_taken[{i}]")
            for i, taken in enumerate(check.items(value, "bonus_taken", players, players))
        ]

    def _hand(self, value: Any, at: str, seat: int) -> list[int]:
        storage = self.set.boards[self.rules.boards[seat]].storage
        return sorted(self._plots(value, at, storage + 1))

    def _tokens(self, value: Any, at: str) -> list[str]:
        limit = sum(self.set.partners.values())
        return [check.choice(t, f"{at}[{i}]", SPECIALISTS) for i, t in enumerate(check.items(value, at, 0, limit))]

    def _saloon(self, value: Any) -> list[int]:
        tokens = self._tokens(value, "saloon")
        if len(tokens) > self.set.saloon_size:
            raise PositionError("saloon", f"0 to {self.set.saloon_size} tokens", len(tokens))
        return [tokens.count(name) for name in SPECIALISTS]

    def _claims(self, value: Any, current: list[tuple[int, int]]) -> int:
        """Rancheros placed in the setup; if not given, those that stand there, or all once it is over."""
        rancheros = self.rules.rancheros * self.rules.players
        if value is not None:
            return check.integer(value, "turn.claims", 0, rancheros)
        in_setup = self.phase in ("scenario", "ranchero", "claim") or (
            self.phase in SETUP and not any(self.data["ranches"])
        )
        return sum(seat != NONE for _, seat in current) if in_setup else rancheros

    def _column(self, name: str) -> list[tuple[int, int]]:
        size = self.set.column_size
        entries = check.items(self.data[name], name, 0, size)
        if entries:
            check.items(entries, name, size, size)
        column = []
        for i, entry in enumerate(entries):
            at = f"{name}[{i}]"
            table = check.table(entry, at, ("plot", "seat"))
            plot = NONE if table["plot"] is None else self._plot(table["plot"], f"{at}.plot")
            last = self.rules.players - 1
            seat = NONE if table["seat"] is None else check.integer(table["seat"], f"{at}.seat", 0, last)
            if seat != NONE and plot == NONE:
                raise PositionError(f"{at}.seat", "null where no plot is", seat)
            column.append((plot, seat))
        return column + [(NONE, NONE)] * (size - len(column))

    def _ranch(self, value: Any, at: str, _seat: int) -> list[tuple[int, int, int, int]]:
        plots: dict[int, tuple[int, int, int, int]] = {}

        def read(i: int, entry: Any) -> None:
            here = f"{at}[{i}]"
            table = check.table(entry, here, ("cell", "plot"), ("cows", "partner"))
            cell = self._cell(table["cell"], f"{here}.cell")
            if cell in plots:
                raise PositionError(f"{here}.cell", "each cell once", list(table["cell"]))
            plot, landscape, circle = self._laid(table["plot"], f"{here}.plot")
            cows = check.integer(table.get("cows", 0), f"{here}.cows", 0, 0 if landscape == "corn" else self.set.cows)
            partner = NONE
            if table.get("partner") is not None:
                if not circle:
                    raise PositionError(f"{here}.partner", "null on a plot without a circle", table["partner"])
                partner = TOKEN_NAMES.index(check.choice(table["partner"], f"{here}.partner", TOKEN_NAMES))
            plots[cell] = (cell, plot, cows, partner)

        each(check.items(value, at, 0, self.rules.rows * COLUMNS - 1), read)
        if sum(plot < MAX_KINDS for _, plot, _, _ in plots.values()) % 2:
            raise PositionError(at, "an even number of plots, since only dominoes are built", len(plots))
        return [plots[cell] for cell in sorted(plots)]

    def _laid(self, value: Any, at: str) -> tuple[int, str, bool]:
        """(the engine's number, landscape, circle) of a plot or a side of a bonus tile."""
        if not isinstance(value, dict):
            plot = self.set.plots[self._plot(value, at)]
            return plot.id, plot.landscape, plot.circle
        table = check.table(value, at, ("tile", "side"))
        tile = self._tile(table["tile"], f"{at}.tile")
        side = check.integer(table["side"], f"{at}.side", 0, TILE_SIDES - 1)
        return kind_of_side(tile, side), self.set.bonus_tiles[tile].sides[side], True
