"""Moon River oracle, part 3: the course of the game, decision by decision.

The game is written as one Python generator that reads like the rules: wherever the rules ask a player or the
draw pile, it yields a `Pending` and gets the answer back. (So an Oracle cannot be copied in the middle of a
game; replay its answers instead.) Rule numbers (MR-...) refer to the consolidated rules text.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from .moon_river_ranch import CORN, PRINTED_RIVER, Cell, Plot, Ranch, cell_index
from .moon_river_score import SCENARIOS, places, score

LEGENDS_BOARDS = ("mary", "wesley", "calamity", "big_jo")  # MR-6, in the order of the default
Option = list[Any]


@dataclass
class Pending:
    """What the game waits for: `what` as returned by Oracle.pending(), and the options of a decision."""

    what: tuple[Any, ...]
    options: list[Option] = field(default_factory=list)


Flow = Generator[Pending, Any, None]
Asking = Generator[Pending, Any, Option]


@dataclass
class Slot:
    """One position of a column: its plot until collected, and the seat of the ranchero that stands there."""

    plot: int | None
    seat: int | None = None

    def collect(self) -> tuple[int, int]:
        """MR-8: take the ranchero and its plot; returns (seat, kind)."""
        if self.plot is None or self.seat is None:
            raise RuntimeError("nothing to collect here")
        seat, kind = self.seat, self.plot
        self.seat = self.plot = None
        return seat, kind


def read_plots(components: dict[str, Any]) -> list[Plot]:
    """The kinds of plot, numbered by their table in the component file."""
    return [
        Plot(
            name=kind,
            landscape=entry["landscape"],
            number=entry["number"],
            nuggets=entry.get("nuggets", 0),
            beavers=entry.get("beavers", 0),
            cobs=entry.get("cobs", 0),
            cows=entry.get("cows", 0),
            skull=bool(entry.get("skull", False)),
            circle=bool(entry.get("circle", False)),
        )
        for kind, entry in enumerate(components["plot"])
    ]


def choose_boards(players: int, legends: bool, boards: list[str] | None) -> list[str]:
    """MR-6: the Camp for everybody, or in Legends one of the four boards each, none twice."""
    if not legends:
        if boards is not None and boards != ["camp"] * players:
            raise ValueError("MR-6: in the base game everybody has the camp board")
        return ["camp"] * players
    if boards is None:
        return list(LEGENDS_BOARDS[:players])
    if len(boards) != players or len(set(boards)) != players or not set(boards) <= set(LEGENDS_BOARDS):
        raise ValueError("MR-6: one of the four Legends boards for each player, no board twice")
    return list(boards)


class Oracle:
    """One game of Moon River."""

    def __init__(
        self,
        components: dict[str, Any],
        players: int,
        legends: bool = False,
        scenario: str | None = None,
        boards: list[str] | None = None,
    ) -> None:
        if players not in (2, 3, 4):
            raise ValueError("2, 3 or 4 players")
        if scenario is not None and (not legends or scenario not in SCENARIOS):
            raise ValueError("MR-6: no such scenario, or no scenario in the base game")
        self.players = players
        self.legends = legends
        self.scenario = scenario
        self.kinds = read_plots(components)
        self.column_size: int = components["column_size"]
        self.saloon_size: int = components["saloon_size"]
        self.river: frozenset[Cell] = frozenset((row, column) for row, column in components.get("river", PRINTED_RIVER))

        # MR-1, MR-7: what is hidden is known as a multiset.
        self.pile: Counter[int] = Counter()
        for kind, entry in enumerate(components["plot"]):
            self.pile[kind] = entry["count"]
        if self.pile.total() == 0 or self.pile.total() % self.column_size != 0:
            raise ValueError("MR-24a: the number of plots must be a multiple of the column size")
        self.stack: Counter[str] = Counter(components["partners"])
        self.saloon: list[str] = []
        self.supply: int = components["cows"]

        self.tile_sides: list[list[str]] = [tile["sides"] for tile in components.get("bonus_tile", [])]
        self.bonus_tiles: list[int] = list(range(len(self.tile_sides))) if players == 2 else []

        by_name = {board["name"]: board for board in components["board"]}
        self.ranches: list[Ranch] = []
        for name in choose_boards(players, legends, boards):
            bridges = {(row, column) for row, column in by_name[name]["bridges"]}
            self.ranches.append(Ranch(10 if players == 2 else 5, by_name[name]["storage"], bridges))

        self.hands: list[list[int]] = [[] for _ in range(players)]  # storage, or the hand during a turn
        self.current: list[Slot] = []
        self.next: list[Slot] = []
        self.last_round = False
        self.undrawn_rancheros = set(range(players))

        self._game = self.game()
        self._pending: Pending | None = next(self._game, None)

    # ---------------------------------------------------------------- what callers use

    def pending(self) -> tuple[Any, ...]:
        """("chance", what), ("decision", seat, kind) or ("over",)."""
        return ("over",) if self._pending is None else self._pending.what

    def chance(self, what: str, outcome: Any) -> None:
        """Report the outcome of the pending chance event."""
        if self.pending() != ("chance", what):
            raise ValueError(f"no chance event {what!r} is pending, but {self.pending()!r}")
        if not self.is_possible(what, outcome):
            raise ValueError(f"impossible outcome of {what}: {outcome!r}")
        self._resume(copy.deepcopy(outcome))

    def options(self) -> list[Option]:
        """The options of the pending decision; none while no decision is pending."""
        return [] if self._pending is None else copy.deepcopy(self._pending.options)

    def apply(self, option: Option) -> None:
        """Take one of the options."""
        if option not in self.options():
            raise ValueError(f"{option!r} is no option of {self.pending()!r}")
        self._resume(copy.deepcopy(option))

    def _resume(self, answer: Any) -> None:
        try:
            self._pending = self._game.send(answer)
        except StopIteration:
            self._pending = None

    def scores(self) -> list[dict[str, int]]:
        """Section 8, as if the game ended now."""
        return [score(ranch, seat, self.scenario, self.river) for seat, ranch in enumerate(self.ranches)]

    def ranking(self) -> list[int]:
        """MR-32: the place of each seat."""
        return places(self.scores())

    def snapshot(self) -> dict[str, Any]:
        """The public state as plain data."""
        what = self.pending()

        def column(slots: list[Slot]) -> list[dict[str, int | None]]:
            return [{"plot": slot.plot, "seat": slot.seat} for slot in slots]

        def name(plot: Plot) -> Any:
            return list(plot.name) if isinstance(plot.name, tuple) else plot.name

        def ranch(r: Ranch) -> dict[str, Any]:
            return {
                "plots": [[cell_index(cell), name(r.plots[cell])] for cell in sorted(r.plots)],
                "cows": [[cell_index(cell), r.cows[cell]] for cell in sorted(r.cows)],
                "partners": [[cell_index(cell), r.partners[cell]] for cell in sorted(r.partners)],
            }

        return {
            "phase": what[-1],  # "over", or the name of the chance event, or the kind of decision
            "seat": what[1] if what[0] == "decision" else None,
            "last_round": self.last_round,
            "scenario": self.scenario,
            "current": column(self.current),
            "next": column(self.next),
            "ranches": [ranch(r) for r in self.ranches],
            "hands": [sorted(hand) for hand in self.hands],
            "saloon": sorted(self.saloon),
            "supply": self.supply,
            "pile": sorted(self.pile.elements()),
            "stack": sorted(self.stack.elements()),
            "bonus_tiles": list(self.bonus_tiles),
        }

    # ---------------------------------------------------------------- asking and drawing

    def decide(self, seat: int, kind: str, options: list[Option]) -> Asking:
        """Section 10: ask a seat; a decision with exactly one legal option is not asked."""
        if len(options) == 1:
            return options[0]
        answer: Option = yield Pending(("decision", seat, kind), options)
        return answer

    def is_possible(self, what: str, outcome: Any) -> bool:
        """Can this be the outcome of the pending chance event?"""
        if what == "scenario":
            return outcome in SCENARIOS
        if what == "ranchero":
            return type(outcome) is int and outcome in self.undrawn_rancheros
        if what == "saloon":
            return (
                isinstance(outcome, list)
                and all(isinstance(token, str) for token in outcome)
                and len(outcome) == self.tokens_to_draw()
                and Counter(outcome) <= self.stack
            )
        if what == "column":
            return (
                isinstance(outcome, list)
                and all(type(kind) is int for kind in outcome)
                and len(outcome) == self.column_size
                and Counter(outcome) <= self.pile
                and self.is_sorted([self.kinds[kind].number for kind in outcome])
            )
        return False

    @staticmethod
    def is_sorted(numbers: list[int]) -> bool:
        """MR-2: ascending; plots of equal number may stand in any order."""
        return numbers == sorted(numbers)

    def tokens_to_draw(self) -> int:
        """MR-23: the saloon is refilled to its size from the stack while that lasts."""
        return max(0, min(self.saloon_size - len(self.saloon), self.stack.total()))

    def refill_saloon(self) -> Flow:
        if self.tokens_to_draw() > 0:  # drawing nothing is no event
            drawn: list[str] = yield Pending(("chance", "saloon"))
            self.stack.subtract(drawn)
            self.saloon += drawn

    def draw_column(self) -> Generator[Pending, Any, list[Slot]]:
        """MR-2; the pile is not empty."""
        drawn: list[int] = yield Pending(("chance", "column"))
        self.pile.subtract(drawn)
        return [Slot(kind) for kind in drawn]

    def draw_next_column(self) -> Flow:
        """MR-5, MR-23: a new next column; MR-24: with an empty pile the last round comes instead."""
        self.next = []
        if self.pile.total() == 0:
            self.last_round = True
        else:
            self.next = yield from self.draw_column()

    # ---------------------------------------------------------------- the course of the game

    def game(self) -> Flow:
        yield from self.setup()
        while True:
            for slot in self.current:  # section 3: by position, 0 first
                if slot.seat is not None:
                    yield from self.turn(slot)
            if self.last_round:
                break
            # MR-23. Plots of the old column that nobody stood on leave the game with it.
            self.current = self.next
            yield from self.draw_next_column()
            yield from self.refill_saloon()
        self.current = []
        self.next = []
        self.overpopulation()

    def setup(self) -> Flow:
        """Section 2, with the events in the order of section 10."""
        if self.legends and self.scenario is None:
            self.scenario = yield Pending(("chance", "scenario"))
        yield from self.refill_saloon()  # MR-1
        self.current = yield from self.draw_column()  # MR-2
        if self.players == 2:
            yield from self.claims_of_two()
        else:
            yield from self.claims_of_many()
        yield from self.draw_next_column()  # MR-5
        yield from self.refill_saloon()  # only MR-24 would want it here, and the saloon is as full as can be

    def claims_of_two(self) -> Flow:
        """MR-4: the player drawn first places one, the other both, the first their second."""
        first: int = yield Pending(("chance", "ranchero"))
        other = 1 - first
        for seat in (first, other, other, first):
            yield from self.place_ranchero(seat, "claim", self.current)

    def claims_of_many(self) -> Flow:
        """MR-3: rancheros are drawn one by one; the last one is no event."""
        while self.undrawn_rancheros:
            if len(self.undrawn_rancheros) > 1:
                seat: int = yield Pending(("chance", "ranchero"))
            else:
                [seat] = self.undrawn_rancheros
            self.undrawn_rancheros.remove(seat)
            yield from self.place_ranchero(seat, "claim", self.current)

    def place_ranchero(self, seat: int, kind: str, column: list[Slot]) -> Flow:
        """MR-3, MR-4 (claim) and MR-17 (select): onto a free plot of the column."""
        free = [[kind, position] for position, slot in enumerate(column) if slot.seat is None]
        choice = yield from self.decide(seat, kind, free)
        column[choice[1]].seat = seat

    def overpopulation(self) -> None:
        """MR-27: at most one cow stays on each plot."""
        for ranch in self.ranches:
            for cell in ranch.cows:
                self.supply += ranch.cows[cell] - 1
                ranch.cows[cell] = 1

    # ---------------------------------------------------------------- a turn (section 3)

    def turn(self, slot: Slot) -> Flow:
        seat, kind = slot.collect()  # MR-8
        self.hands[seat].append(kind)
        # MR-22a: with two rancheros in the last round, only the turn of the second one is the last turn.
        if self.last_round and all(other.seat != seat for other in self.current):
            yield from self.build_in_last_turn(seat)
        else:
            yield from self.build(seat)
        if not self.last_round:
            yield from self.place_ranchero(seat, "select", self.next)  # MR-17

    def build(self, seat: int) -> Flow:
        """MR-9, MR-10: an ordinary turn's building."""
        hand = self.hands[seat]
        while True:
            builds = self.build_options(seat)
            mandatory = len(hand) > self.ranches[seat].capacity
            if mandatory and not builds:
                if len(hand) < 2:
                    raise ValueError("MR-10 cannot be obeyed on a board without storage")
                choice = yield from self.decide(seat, "discard", self.discard_options(seat))
                hand.remove(choice[1])
                hand.remove(choice[2])
                continue
            choice = yield from self.decide(seat, "build", builds if mandatory else [*builds, ["stop"]])
            if choice == ["stop"]:
                return
            yield from self.place_domino(seat, choice)

    def build_in_last_turn(self, seat: int) -> Flow:
        """MR-22: build while any pair can be placed, then the rest of the hand is discarded."""
        while builds := self.build_options(seat):
            choice = yield from self.decide(seat, "build", builds)
            yield from self.place_domino(seat, choice)
        self.hands[seat].clear()

    def build_options(self, seat: int) -> list[Option]:
        """MR-11, MR-12: every legal placement of every pair in hand; the half on the lower cell first."""
        ranch = self.ranches[seat]
        free = ranch.free_cells()
        hand = Counter(self.hands[seat])
        options: list[Option] = []
        for kind_1 in sorted(hand):
            for kind_2 in sorted(hand):
                if kind_1 == kind_2 and hand[kind_1] < 2:
                    continue
                for cell_1 in free:
                    for cell_2 in ranch.neighbours(cell_1):
                        if cell_2 not in free or cell_index(cell_2) < cell_index(cell_1):
                            continue
                        # Neither half lies in the ranch yet, so they cannot count for each other (MR-12).
                        legal_1 = ranch.connects(cell_1, self.kinds[kind_1].landscape)
                        legal_2 = ranch.connects(cell_2, self.kinds[kind_2].landscape)
                        if legal_1 or legal_2:
                            options.append(["build", kind_1, list(cell_1), kind_2, list(cell_2)])
        return options

    def discard_options(self, seat: int) -> list[Option]:
        """MR-10: every pair of kinds in hand, the lower kind first."""
        hand = Counter(self.hands[seat])
        return [
            ["discard", low, high]
            for low in sorted(hand)
            for high in sorted(hand)
            if low < high or (low == high and hand[low] >= 2)
        ]

    def place_domino(self, seat: int, build: Option) -> Flow:
        """MR-9: place the domino, resolve its symbols, then look at MR-26."""
        ranch = self.ranches[seat]
        _, kind_1, cell_1, kind_2, cell_2 = build
        halves: list[Cell] = []
        for kind, (row, column) in ((kind_1, cell_1), (kind_2, cell_2)):
            self.hands[seat].remove(kind)
            ranch.plots[(row, column)] = self.kinds[kind]
            halves.append((row, column))
        yield from self.resolve_symbols(seat, halves)
        if self.players == 2 and not ranch.reached_last_row and any(row == 9 for row, _ in halves):
            ranch.reached_last_row = True
            yield from self.bonus_tile(seat)

    # ---------------------------------------------------------------- symbols (section 5)

    def resolve_symbols(self, seat: int, halves: list[Cell]) -> Flow:
        """MR-14..16 for the plots just placed, given in the order of MR-15a: lower cell index first."""
        plots = self.ranches[seat].plots
        for cell in halves:
            self.cow_symbols(seat, cell)
        for cell in halves:
            if plots[cell].skull:
                yield from self.drought(seat, cell)
        yield from self.recruit(seat, {cell for cell in halves if plots[cell].circle})

    def cow_symbols(self, seat: int, cell: Cell) -> None:
        """MR-14: a cow from the supply for each symbol; MR-14a: no effect once the supply is empty."""
        ranch = self.ranches[seat]
        for _ in range(ranch.plots[cell].cows):
            if self.supply > 0:
                self.supply -= 1
                ranch.add_cow(cell)

    def drought(self, seat: int, skull: Cell) -> Flow:
        """MR-15: one cow of the skull's territory goes back to the supply."""
        ranch = self.ranches[seat]
        with_cow = [cell for cell in sorted(ranch.territory_of(skull)) if cell in ranch.cows]
        if not with_cow:
            return
        choice = yield from self.decide(seat, "drought", [["drought", list(cell)] for cell in with_cow])
        row, column = choice[1]
        ranch.remove_cow((row, column))
        self.supply += 1

    def recruit(self, seat: int, circles: set[Cell]) -> Flow:
        """MR-16: mandatory for each circle while the saloon holds a token; one after the other."""
        unresolved = set(circles)
        while unresolved and self.saloon:
            options: list[Option] = [
                ["recruit", list(cell), token, side]
                for cell in sorted(unresolved)
                for token in sorted(set(self.saloon))
                for side in ("specialist", "cowboy")
            ]
            choice = yield from self.decide(seat, "recruit", options)
            _, (row, column), token, side = choice
            partner = token if side == "specialist" else "cowboy"
            unresolved.remove((row, column))
            self.saloon.remove(token)
            self.ranches[seat].partners[(row, column)] = partner
            if partner == "cowboy":
                yield from self.cowboy(seat)
            elif partner == "desperado":
                yield from self.desperado(seat)
            elif partner == "cattle_thief":
                yield from self.cattle_thief(seat, (row, column))

    def cowboy(self, seat: int) -> Flow:
        """MR-19: up to three steps of own cows, never onto corn; MR-19a: cows may share a plot."""
        ranch = self.ranches[seat]
        for _ in range(3):
            steps = [
                ["herd", list(start), list(end)]
                for start in sorted(ranch.cows)
                for end in ranch.neighbours(start)
                if end in ranch.plots and ranch.plots[end].landscape != CORN
            ]
            choice = yield from self.decide(seat, "herd", [*steps, ["done"]])
            if choice == ["done"]:
                return
            _, (from_row, from_column), (to_row, to_column) = choice
            ranch.remove_cow((from_row, from_column))
            ranch.add_cow((to_row, to_column))

    def desperado(self, seat: int) -> Flow:
        """MR-20: swap an own plot with one in another player's storage; MR-20a: of another kind."""
        swaps = [
            ["swap", own, victim, theirs]
            for victim in range(self.players)
            if victim != seat
            for own in sorted(set(self.hands[seat]))
            for theirs in sorted(set(self.hands[victim]))
            if own != theirs
        ]
        choice = yield from self.decide(seat, "swap", [*swaps, ["decline"]])
        if choice == ["decline"]:
            return
        _, own, victim, theirs = choice
        self.hands[seat].remove(own)
        self.hands[victim].remove(theirs)
        self.hands[seat].append(theirs)
        self.hands[victim].append(own)

    def cattle_thief(self, seat: int, thief: Cell) -> Flow:
        """MR-21: take one unprotected cow from another ranch; MR-21a: not onto a corn field."""
        if self.ranches[seat].plots[thief].landscape == CORN:
            return
        thefts: list[Option] = [
            ["steal", victim, list(cell)]
            for victim in range(self.players)
            if victim != seat
            for cell in sorted(self.ranches[victim].cows)
            if not self.ranches[victim].is_protected(cell)
        ]
        choice = yield from self.decide(seat, "steal", [*thefts, ["decline"]])
        if choice == ["decline"]:
            return
        _, victim, (row, column) = choice
        self.ranches[victim].remove_cow((row, column))
        self.ranches[seat].add_cow(thief)

    # ---------------------------------------------------------------- two players (section 7)

    def bonus_tile(self, seat: int) -> Flow:
        """MR-26: choose a tile (MR-26a: any), place it if a side fits, resolve its circle."""
        ranch = self.ranches[seat]
        if not self.bonus_tiles:
            return
        tiles_left: list[Option] = [["bonus_tile", tile] for tile in self.bonus_tiles]
        choice = yield from self.decide(seat, "bonus_tile", tiles_left)
        tile: int = choice[1]
        self.bonus_tiles.remove(tile)
        spots: list[Option] = [
            ["bonus_place", side, list(cell)]
            for side, landscape in enumerate(self.tile_sides[tile])
            for cell in ranch.free_cells()
            if ranch.connects(cell, landscape)
        ]
        if not spots:
            return  # the tile leaves the game
        choice = yield from self.decide(seat, "bonus_place", spots)
        _, side, (row, column) = choice
        landscape = self.tile_sides[tile][side]
        ranch.plots[(row, column)] = Plot(("bonus", tile, side), landscape, circle=True)  # MR-26b
        yield from self.recruit(seat, {(row, column)})
