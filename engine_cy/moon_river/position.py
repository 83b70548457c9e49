"""Positions: everything a table shows, as plain data with names, and back.

A position is what a front end with its own rules can build, sub-decisions in the middle of a turn included. Reading
one checks it as a whole: every piece counted, every name known, so that the compiled core never meets a state that
the rules cannot reach by counting alone.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine_cy.checks import Checker
from engine_cy.errors import PositionError
from engine_cy.moon_river.components import CAMP_CELL, COWBOY, SPECIALISTS, Cell
from engine_cy.moon_river.state import (
    COLUMNS,
    HERD_STEPS,
    MAX_KINDS,
    NONE,
    PHASES,
    SCENARIO_NAMES,
    TOKEN_NAMES,
    kind_of_side,
    side_of_kind,
)
from engine_cy.rules import waiting
from engine_cy.state import State

if TYPE_CHECKING:
    from engine_cy.moon_river.rules import MoonRiver

_SETUP = ("scenario", "saloon", "column", "ranchero", "claim")
_RESOLVING = ("drought", "recruit", "herd", "swap", "steal")  # the symbols of a domino or a bonus tile
_BONUS = ("bonus_tile", "bonus_place")
_ROW_NINE = Cell(9, 0).flat
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
        "bonus_tiles": _members(f["tiles"]),
        "bonus_taken": f["bonus_taken"],
        "turn": {
            "seat": f["turn"],
            "claims": f["claims"],
            "steps": f["steps"],
            "thief": None if f["thief"] == NONE else list(Cell.at(f["thief"])),
            "tile": None if f["tile"] == NONE else f["tile"],
            "skulls": [list(Cell.at(i)) for i in _members(f["skulls"])],
            "circles": [list(Cell.at(i)) for i in _members(f["circles"])],
        },
    }


def _column(pairs: list[tuple[int, int]]) -> list[dict[str, int | None]]:
    return [{"plot": _or_none(plot), "seat": _or_none(seat)} for plot, seat in pairs]


def _or_none(value: int) -> int | None:
    return None if value == NONE else value


def _members(bits: int) -> list[int]:
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


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
        self.rancheros = 2 if rules.players == 2 else 1  # of each seat
        self.phase = check.choice(data["phase"], "phase", (*PHASES[: PHASES.index("pass")], "over"))

    def read(self) -> dict[str, Any]:
        data, players = self.data, self.rules.players
        check.choice(data["game"], "game", [self.rules.name])
        turn = {**_TURN_DEFAULTS, **check.table(data["turn"], "turn", ("seat",), _TURN_KEYS)}
        fields: dict[str, Any] = {
            "phase": PHASES.index(self.phase),
            "viewer": NONE,
            "scenario": self._scenario(data["scenario"]),
            "last_round": check.boolean(data["last_round"], "last_round"),
            "supply": check.integer(data["supply"], "supply", 0, self.set.cows),
            "current": self._column("current"),
            "next": self._column("next"),
            "ranches": [
                self._ranch(ranch, f"ranches[{i}]")
                for i, ranch in enumerate(check.items(data["ranches"], "ranches", players, players))
            ],
            "hands": [
                self._hand(hand, seat)
                for seat, hand in enumerate(check.items(data["hands"], "hands", players, players))
            ],
            "saloon": self._saloon(data["saloon"]),
            "pile": self._plots(data["pile"], "pile", self._all_plots()),
            "stack": [SPECIALISTS.index(name) for name in self._tokens(data["stack"], "stack")],
            "tiles": self._tiles(data["bonus_tiles"]),
            "bonus_taken": self._bonus_taken(data["bonus_taken"]),
            "turn": check.integer(turn["seat"], "turn.seat", 0, players - 1),
            "claims": NONE,
            "steps": check.integer(turn["steps"], "turn.steps", 0, HERD_STEPS),
            "thief": NONE if turn["thief"] is None else self._cell(turn["thief"], "turn.thief"),
            "tile": NONE if turn["tile"] is None else self._tile(turn["tile"], "turn.tile"),
            "skulls": self._cells(turn["skulls"], "turn.skulls"),
            "circles": self._cells(turn["circles"], "turn.circles"),
        }
        fields["claims"] = self._claims(turn["claims"], fields["current"])
        self._count_plots(fields)
        self._count_tokens(fields)
        self._count_cows(fields)
        self._count_tiles(fields)
        self._check_columns(fields)
        self._check_hands(fields)
        self._check_turn(fields)
        return fields

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

    def _all_plots(self) -> int:
        return sum(plot.count for plot in self.set.plots)

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

    def _hand(self, value: Any, seat: int) -> list[int]:
        storage = self.set.boards[self.rules.boards[seat]].storage
        return sorted(self._plots(value, f"hands[{seat}]", storage + 1))

    def _tokens(self, value: Any, at: str) -> list[str]:
        limit = sum(self.set.partners.values())
        return [check.choice(t, f"{at}[{i}]", SPECIALISTS) for i, t in enumerate(check.items(value, at, 0, limit))]

    def _saloon(self, value: Any) -> list[int]:
        tokens = self._tokens(value, "saloon")
        check.integer(len(tokens), "saloon (tokens in it)", 0, self.set.saloon_size)
        return [tokens.count(name) for name in SPECIALISTS]

    def _claims(self, value: Any, current: list[tuple[int, int]]) -> int:
        """Rancheros placed in the setup; if not given, those that stand there, or all once it is over."""
        rancheros = self.rancheros * self.rules.players
        if value is not None:
            return check.integer(value, "turn.claims", 0, rancheros)
        in_setup = self.phase in ("scenario", "ranchero", "claim") or (
            self.phase in _SETUP and not any(self.data["ranches"])
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

    def _ranch(self, value: Any, at: str) -> list[tuple[int, int, int, int]]:
        plots: dict[int, tuple[int, int, int, int]] = {}
        for i, entry in enumerate(check.items(value, at, 0, self.rules.rows * COLUMNS - 1)):
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
        side = check.integer(table["side"], f"{at}.side", 0, 1)
        return kind_of_side(tile, side), self.set.bonus_tiles[tile].sides[side], True

    # ---- The whole: nothing invented

    def _count_plots(self, f: dict[str, Any]) -> None:
        seen = Counter(f["pile"])
        seen.update(plot for ranch in f["ranches"] for _, plot, _, _ in ranch if plot < MAX_KINDS)
        seen.update(plot for hand in f["hands"] for plot in hand)
        seen.update(plot for column in ("current", "next") for plot, _ in f[column] if plot != NONE)
        for plot in self.set.plots:
            if seen[plot.id] > plot.count:
                raise PositionError(f"plots of kind {plot.id} ({plot})", f"at most {plot.count}", seen[plot.id])
        if len(f["pile"]) % self.set.column_size:
            raise PositionError("pile", f"a multiple of column_size = {self.set.column_size} plots", len(f["pile"]))

    def _count_tokens(self, f: dict[str, Any]) -> None:
        partners = Counter(partner for ranch in f["ranches"] for _, _, _, partner in ranch if partner != NONE)
        left_for_cowboys = 0
        for i, name in enumerate(SPECIALISTS):
            seen = f["saloon"][i] + f["stack"].count(i) + partners[i]
            if seen > self.set.partners[name]:
                raise PositionError(f"{name} tokens", f"at most {self.set.partners[name]}", seen)
            left_for_cowboys += self.set.partners[name] - seen
        if partners[len(SPECIALISTS)] != left_for_cowboys:
            raise PositionError(
                "partners (cowboys)",
                f"{left_for_cowboys}, one for every token not in the stack, the saloon or on its specialist side",
                partners[len(SPECIALISTS)],
            )

    def _count_cows(self, f: dict[str, Any]) -> None:
        total = f["supply"] + sum(cows for ranch in f["ranches"] for _, _, cows, _ in ranch)
        if total != self.set.cows:
            raise PositionError("cows (supply and ranches)", f"{self.set.cows} together", total)

    def _count_tiles(self, f: dict[str, Any]) -> None:
        laid = [side_of_kind(plot)[0] for ranch in f["ranches"] for _, plot, _, _ in ranch if plot >= MAX_KINDS]
        places = laid + _members(f["tiles"]) + [f["tile"]] * (f["tile"] != NONE)
        for tile, n in Counter(places).items():
            if n > 1:
                raise PositionError(f"bonus tile {tile}", "one of it", n)
        for seat, taken in enumerate(f["bonus_taken"]):
            own = sum(plot >= MAX_KINDS for _, plot, _, _ in f["ranches"][seat])
            placing = self.phase in _BONUS and seat == f["turn"]
            if own + placing > taken:
                raise PositionError(f"bonus_taken[{seat}]", "true, and one bonus tile at most", taken)
            covered = any(cell >= _ROW_NINE and plot < MAX_KINDS for cell, plot, _, _ in f["ranches"][seat])
            waits = f["tiles"] and not (seat == f["turn"] and self.phase in _RESOLVING)
            if taken > covered or (covered and waits and not taken):
                raise PositionError(f"bonus_taken[{seat}]", f"{covered}, as row 9 is covered or not (MR-26)", taken)
        tiles = len(self.set.bonus_tiles) if self.rules.players == 2 else 0
        gone = tiles - f["tiles"].bit_count() + (self.phase == "bonus_tile")
        if sum(f["bonus_taken"]) != gone:
            raise PositionError("bonus_taken", f"{gone} times true, once for every bonus tile taken", f["bonus_taken"])

    # ---- The whole: the course of the game

    def _check_columns(self, f: dict[str, Any]) -> None:
        current, upcoming = (Counter(seat for _, seat in f[name] if seat != NONE) for name in ("current", "next"))
        rancheros = self.rancheros * self.rules.players
        if self.phase in _SETUP and f["claims"] < rancheros:
            self._check_setup(f, current)
            return
        check.integer(f["claims"], "turn.claims", rancheros, rancheros)
        if self.phase in ("scenario", "ranchero", "claim"):
            raise PositionError("turn.claims", f"less than {f['claims']} in the setup", f["claims"])
        if f["last_round"] and f["pile"]:
            raise PositionError("pile", "empty in the last round (MR-24)", len(f["pile"]))
        if self.phase == "over":
            self._check_end(f)
            return
        self._check_rancheros(f, current, upcoming)
        wants_next = not f["last_round"] and self.phase != "column"
        if any((plot != NONE) != wants_next for plot, _ in f["next"]):
            raise PositionError("next", "a full column" if wants_next else "[]", self.data["next"])
        left_over = sum(plot != NONE and seat == NONE for plot, seat in f["current"])
        if left_over != self.set.column_size - rancheros:
            raise PositionError("current", "a ranchero on every plot but those nobody chose", self.data["current"])
        first = next((i for i, (_, seat) in enumerate(f["current"]) if seat != NONE), self.set.column_size)
        if any(plot == NONE for plot, _ in f["current"][first:]):
            raise PositionError("current", "no plot collected behind a ranchero (MR-8)", self.data["current"])

    def _check_rancheros(self, f: dict[str, Any], current: Counter[int], upcoming: Counter[int]) -> None:
        """MR-8, MR-17: each stands in a column or is at turn; none is left behind before the last round."""
        in_turn = self.phase not in _SETUP
        for seat in range(self.rules.players):
            n = current[seat] + (upcoming[seat] + (seat == f["turn"]) if in_turn else 0)
            if n > self.rancheros or (n < self.rancheros and not (in_turn and f["last_round"])):
                raise PositionError(f"rancheros of seat {seat}", f"{self.rancheros} in the columns and at turn", n)
            if n == 0 and f["hands"][seat]:
                raise PositionError(f"hands[{seat}]", "empty after the last turn (MR-22)", f["hands"][seat])
        if upcoming and not in_turn:
            raise PositionError("next", "no ranchero between two rounds", self.data["next"])

    def _check_end(self, f: dict[str, Any]) -> None:
        for name in ("current", "next"):
            if any(plot != NONE for plot, _ in f[name]):
                raise PositionError(name, "no column when the game is over", self.data[name])
        if any(f["hands"]) or not f["last_round"]:
            raise PositionError("phase", "empty hands and the last round when the game is over", self.phase)
        if any(cows > 1 for ranch in f["ranches"] for _, _, cows, _ in ranch):
            raise PositionError("ranches", "at most one cow on a plot when the game is over (MR-27)", "more")

    def _check_setup(self, f: dict[str, Any], standing: Counter[int]) -> None:
        if any(f["ranches"]) or any(f["hands"]) or any(plot != NONE for plot, _ in f["next"]) or f["last_round"]:
            raise PositionError("phase", "empty ranches, hands and next column during the setup", self.phase)
        if f["claims"] != sum(standing.values()) or max(standing.values(), default=0) > self.rancheros:
            raise PositionError("turn.claims", f"{sum(standing.values())}, the rancheros placed", f["claims"])
        has_column = self.phase in ("ranchero", "claim")
        if any((plot != NONE) != has_column for plot, _ in f["current"]):
            raise PositionError("current", "a full column once it is drawn, else []", self.data["current"])
        drawn = self.set.column_size * has_column
        check.integer(len(f["pile"]), "pile (plots in it)", *[self._all_plots() - drawn] * 2)
        tokens = sum(self.set.partners.values())
        shown = 0 if self.phase in ("scenario", "saloon") else min(tokens, self.set.saloon_size)
        check.integer(sum(f["saloon"]), "saloon (tokens in it)", shown, shown)
        if self.phase == "claim" and self.rules.players == 2:
            others, own = standing[1 - f["turn"]], standing[f["turn"]]
            if (own, others) not in ((0, 0), (0, 1), (1, 1), (1, 2)):
                raise PositionError("turn.seat", "the seat whose claim it is by MR-4", f["turn"])
        if self.phase == "claim" and self.rules.players > 2 and standing[f["turn"]]:
            raise PositionError("turn.seat", "a seat without a ranchero in the column", f["turn"])

    def _check_hands(self, f: dict[str, Any]) -> None:
        in_turn = PHASES.index("build") <= f["phase"] <= PHASES.index("select")
        for seat, hand in enumerate(f["hands"]):
            limit = self.set.boards[self.rules.boards[seat]].storage
            if in_turn and seat == f["turn"]:  # with the plot of the turn, without a domino just built
                limit += {"build": 1, "discard": 1, "select": 0}.get(self.phase, -1)
            check.integer(len(hand), f"hands[{seat}] (plots in it)", 0, limit)

    def _check_turn(self, f: dict[str, Any]) -> None:
        own = {cell: (plot, cows) for cell, plot, cows, _ in f["ranches"][f["turn"]]}
        partners = {cell: partner for cell, _, _, partner in f["ranches"][f["turn"]]}
        for name, symbol in (("skulls", "skull"), ("circles", "circle")):
            for cell in _members(f[name]):
                plot = own.get(cell, (NONE, 0))[0]
                has = (
                    symbol == "circle"
                    if MAX_KINDS <= plot < NONE
                    else (plot != NONE and getattr(self.set.plots[plot], symbol))
                )
                if not has or (name == "circles" and partners[cell] != NONE):
                    raise PositionError(
                        f"turn.{name}", f"plots of the seat with an unused {symbol}", list(Cell.at(cell))
                    )
        for name, phases in (
            ("skulls", ("drought",)),
            ("circles", ("drought", "recruit", "herd", "swap", "steal")),
            ("steps", ("herd",)),
            ("thief", ("steal",)),
            ("tile", ("bonus_place",)),
        ):
            empty = f[name] == (NONE if name in ("thief", "tile") else 0)
            if not empty and self.phase not in phases:
                raise PositionError(f"turn.{name}", f"none during {self.phase}", self.data["turn"].get(name))
            if empty and self.phase == phases[0] and name != "circles":
                raise PositionError(f"turn.{name}", f"a value during {self.phase}", self.data["turn"].get(name))
        if f["thief"] != NONE and partners.get(f["thief"]) != SPECIALISTS.index("cattle_thief"):
            raise PositionError("turn.thief", "the cell of an own cattle thief", self.data["turn"].get("thief"))
        needed = {"herd": COWBOY, "swap": "desperado"}.get(self.phase)
        if needed and TOKEN_NAMES.index(needed) not in partners.values():
            raise PositionError("ranches", f"an own {needed} during {self.phase}", "none")
        if self.phase == "recruit" and not f["circles"]:
            raise PositionError("turn.circles", "a circle to recruit for", [])
        cells = _members(f["skulls"] | f["circles"] | (0 if f["thief"] == NONE else 1 << f["thief"]))
        apart = cells[-1] - cells[0] if cells else 0
        if len(cells) > 2 or apart not in (0, 1, COLUMNS) or (apart == 1 and cells[1] % COLUMNS == 0):
            raise PositionError("turn", "skulls, circles and thief on one domino", self.data["turn"])
