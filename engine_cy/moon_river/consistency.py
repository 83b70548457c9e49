"""Whether a position agrees with itself and the rules: every piece counted, columns, hands and the turn."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine_cy.checks import Checker
from engine_cy.errors import PositionError
from engine_cy.moon_river.components import COWBOY, SPECIALISTS, Cell, Plot, members
from engine_cy.moon_river.state import BONUS_ROW, COLUMNS, MAX_KINDS, NONE, PHASES, TOKEN_NAMES, side_of_kind
from engine_cy.problems import each

if TYPE_CHECKING:
    from engine_cy.moon_river.rules import MoonRiver

SETUP = ("scenario", "saloon", "column", "ranchero", "claim")
_RESOLVING = ("drought", "recruit", "herd", "swap", "steal")  # the symbols of a domino or a bonus tile
_BONUS = ("bonus_tile", "bonus_place")
_ROW_NINE = Cell(BONUS_ROW, 0).flat

check = Checker(PositionError)


def _count(found: int, field: str, what: str, low: int, high: int) -> None:
    if not low <= found <= high:
        raise PositionError(field, f"{low} {what}" if low == high else f"{low} to {high} {what}", found)


class Consistency:
    """The checks of one position as a whole; `data` is what was read, and errors quote it."""

    def __init__(self, rules: "MoonRiver", data: Any) -> None:
        self.rules = rules
        self.set = rules.components
        self.data = data
        self.phase: str = data["phase"]

    def check(self, f: dict[str, Any]) -> None:
        """PositionError names what does not fit in these fields (CompiledRules.fields)."""
        parts = (
            self._count_plots,
            self._count_tokens,
            self._count_cows,
            self._count_tiles,
            self._check_columns,
            self._check_hands,
            self._check_turn,
        )
        each(parts, lambda _, part: part(f))

    # ---- Nothing invented

    def _count_plots(self, f: dict[str, Any]) -> None:
        seen = Counter(f["pile"])
        seen.update(plot for ranch in f["ranches"] for _, plot, _, _ in ranch if plot < MAX_KINDS)
        seen.update(plot for hand in f["hands"] for plot in hand)
        seen.update(plot for column in ("current", "next") for plot, _ in f[column] if plot != NONE)

        def count(_: int, plot: Plot) -> None:
            if seen[plot.id] > plot.count:
                raise PositionError("pile", f"at most {plot.count} plots of kind {plot.id} in the game", seen[plot.id])

        each(self.set.plots, count)
        if len(f["pile"]) % self.set.column_size:
            expected = f"plots in a multiple of column_size = {self.set.column_size}"
            raise PositionError("pile", expected, len(f["pile"]))

    def _count_tokens(self, f: dict[str, Any]) -> None:
        partners = Counter(partner for ranch in f["ranches"] for _, _, _, partner in ranch if partner != NONE)
        left_for_cowboys = 0
        for i, name in enumerate(SPECIALISTS):
            seen = f["saloon"][i] + f["stack"].count(i) + partners[i]
            if seen > self.set.partners[name]:
                raise PositionError("stack", f"at most {self.set.partners[name]} {name} tokens in the game", seen)
            left_for_cowboys += self.set.partners[name] - seen
        if partners[len(SPECIALISTS)] != left_for_cowboys:
            raise PositionError(
                "ranches",
                f"{left_for_cowboys} cowboys, one for each token not in stack or saloon or on its specialist side",
                partners[len(SPECIALISTS)],
            )

    def _count_cows(self, f: dict[str, Any]) -> None:
        total = f["supply"] + sum(cows for ranch in f["ranches"] for _, _, cows, _ in ranch)
        if total != self.set.cows:
            raise PositionError("supply", f"{self.set.cows} cows together with those on ranches", total)

    def _count_tiles(self, f: dict[str, Any]) -> None:
        laid = [side_of_kind(plot)[0] for ranch in f["ranches"] for _, plot, _, _ in ranch if plot >= MAX_KINDS]
        places = laid + members(f["tiles"]) + [f["tile"]] * (f["tile"] != NONE)
        for tile, n in Counter(places).items():
            if n > 1:
                raise PositionError("bonus_tiles", f"tile {tile} in one place", n)
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

    # ---- The course of the game

    def _check_columns(self, f: dict[str, Any]) -> None:
        current, upcoming = (Counter(seat for _, seat in f[name] if seat != NONE) for name in ("current", "next"))
        rancheros = self.rules.rancheros * self.rules.players
        if self.phase in SETUP and f["claims"] < rancheros:
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
        in_turn = self.phase not in SETUP
        for seat in range(self.rules.players):
            n = current[seat] + (upcoming[seat] + (seat == f["turn"]) if in_turn else 0)
            own = self.rules.rancheros
            if n > own or (n < own and not (in_turn and f["last_round"])):
                raise PositionError("current", f"{own} rancheros of seat {seat} in the columns and at turn", n)
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
        if f["claims"] != sum(standing.values()) or max(standing.values(), default=0) > self.rules.rancheros:
            raise PositionError("turn.claims", f"{sum(standing.values())}, the rancheros placed", f["claims"])
        has_column = self.phase in ("ranchero", "claim")
        if any((plot != NONE) != has_column for plot, _ in f["current"]):
            raise PositionError("current", "a full column once it is drawn, else []", self.data["current"])
        drawn = self.set.column_size * has_column
        _count(len(f["pile"]), "pile", "plots", *[self.set.plot_count - drawn] * 2)
        tokens = sum(self.set.partners.values())
        shown = 0 if self.phase in ("scenario", "saloon") else min(tokens, self.set.saloon_size)
        _count(sum(f["saloon"]), "saloon", "tokens", shown, shown)
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
            _count(len(hand), f"hands[{seat}]", "plots", 0, limit)

    def _check_turn(self, f: dict[str, Any]) -> None:
        own = {cell: (plot, cows) for cell, plot, cows, _ in f["ranches"][f["turn"]]}
        partners = {cell: partner for cell, _, _, partner in f["ranches"][f["turn"]]}
        for name, symbol in (("skulls", "skull"), ("circles", "circle")):
            for cell in members(f[name]):
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
        cells = members(f["skulls"] | f["circles"] | (0 if f["thief"] == NONE else 1 << f["thief"]))
        apart = cells[-1] - cells[0] if cells else 0
        if len(cells) > 2 or apart not in (0, 1, COLUMNS) or (apart == 1 and cells[1] % COLUMNS == 0):
            raise PositionError("turn", "skulls, circles and thief on one domino", self.data["turn"])
