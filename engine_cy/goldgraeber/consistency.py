"""Whether a position agrees with itself and the rules: every chip counted, diggers, fights and the turn."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine_cy.checks import Checker
from engine_cy.errors import PositionError
from engine_cy.goldgraeber.chips import chip_list
from engine_cy.goldgraeber.state import FIGHT_NAMES, KINDS, LOCOMOTIVE, NONE, PIPS
from engine_cy.problems import each

if TYPE_CHECKING:
    from engine_cy.goldgraeber.rules import Goldgraeber

check = Checker(PositionError)


class Consistency:
    """The checks of one position as a whole; `data` is what was read, and errors quote it."""

    def __init__(self, rules: "Goldgraeber", data: Any) -> None:
        self.rules = rules
        self.golden = rules.components
        self.data = data
        self.phase: str = data["phase"]
        self.players = rules.players
        self.last = len(self.golden.rail) - 1

    def check(self, f: dict[str, Any]) -> None:
        """PositionError names what does not fit in these fields (CompiledRules.fields); chips of unknown kind get the
        kinds that are left."""
        parts = (self._count_chips, self._check_diggers, self._check_end, self._check_turn, self._check_setup)
        each(parts, lambda _, part: part(f))

    # ---- Nothing invented

    def _count_chips(self, f: dict[str, Any]) -> None:
        """Every chip is somewhere; those nobody described lie face down, in ascending order."""
        total = Counter(self.rules.all_chips)
        seen = Counter(kind for _, kind, _, _ in f["down"] if kind != NONE)
        seen.update(kind for _, kind, _ in f["robbers"])
        for chips in (*(loot for _, _, loot in f["robbers"]), *f["open"], *f["home"]):
            seen.update(chips)
        for kind in range(KINDS):
            if seen[kind] > total[kind]:
                name, value = chip_list(kind)
                raise PositionError("chips", f"at most {total[kind]} {name} chips of {value} in the game", seen[kind])
        left = sorted((total - seen).elements())
        unknown = sum(kind == NONE for _, kind, _, _ in f["down"])
        if unknown != len(left):
            raise PositionError("chips", f"{len(left)} of unknown kind, so that all chips are there", unknown)
        f["down"] = [(hole, left.pop(0) if kind == NONE else kind, *known) for hole, kind, *known in f["down"]]
        both = {hole for hole, *_ in f["down"]} & {hole for hole, _, _ in f["robbers"]}
        if both:
            raise PositionError("robbers", "no face-down chip on their fields", list(self.golden.holes[min(both)]))

    def _check_diggers(self, f: dict[str, Any]) -> None:
        ashore: set[int] = set()
        for seat, number in enumerate(f["diggers"]):
            at, field = f"diggers[{seat}]", self.golden.fields[number]
            kind = self.golden.kind(field)
            own = field == self.golden.houses[self.rules.colours[seat]]
            if kind == "water" or (kind == "house" and not own):
                raise PositionError(at, "land, a street, the own house or a raft", list(field))
            if kind == "shore" and (number not in f["rafts"] or number in ashore):
                raise PositionError(at, "on a lake a raft of its own", list(field))
            if kind == "shore":
                ashore.add(number)
            arrived = self.phase == "over" and f["locomotive"] == self.last
            if field == self.golden.rail[f["locomotive"]] and not arrived:
                raise PositionError(at, "not the field of the locomotive", list(field))

    def _check_end(self, f: dict[str, Any]) -> None:
        """GG-18."""
        ended = f["locomotive"] == self.last or len(f["down"]) <= self.players
        if ended != (self.phase == "over"):
            expected = "over, as the locomotive or the last chips have it" if ended else "not over"
            raise PositionError("phase", expected, self.phase)

    def _check_setup(self, f: dict[str, Any]) -> None:
        if self.phase != "first":
            return
        start = self.rules.compiled.fields(self.rules.compiled.start())
        for name in ("locomotive", "diggers", "rafts", "turn", "rested"):
            if f[name] != start[name]:
                raise PositionError(name, "as at the start before the first player is known", self.data[name])
        if len(f["down"]) != len(self.rules.holes) or any(seats for _, _, seats, _ in f["down"]):
            raise PositionError("chips", "all of them face down, nobody having looked", len(f["down"]))

    def _check_turn(self, f: dict[str, Any]) -> None:
        """What a turn says is there in the phases that need it, and in no other."""
        phase, fight = self.phase, FIGHT_NAMES[f["fight"]]
        given = self.data["turn"]
        for name, empty, needed in (
            ("steps", 0, phase in ("walk", "retreat")),
            ("fight", 0, phase == "roll"),
            ("defender", NONE, fight in ("attack", "defence", "away")),
            ("attack", 0, fight == "defence"),
            ("walker", NONE, phase == "retreat" or fight == "away"),
        ):
            if (f[name] != empty) != needed:
                raise PositionError(f"turn.{name}", "a value" if needed else "none", given.get(name))
        if f["looking"] and not (phase == "chip" and self.rules.prospecting):
            raise PositionError("turn.looking", f"false during {phase}", True)
        if f["rested"] >> f["turn"] & 1 and phase != "prospect":
            raise PositionError("rested", f"without the seat at turn during {phase}", self.data["rested"])
        if phase == "walk":
            check.integer(f["steps"], "turn.steps", LOCOMOTIVE + 1, PIPS)
        elif phase == "ferry":
            if self._kind(f["diggers"][f["turn"]]) != "shore":
                raise PositionError(f"diggers[{f['turn']}]", "a raft during ferry", given["seat"])
        elif phase == "prospect" and not self.rules.prospecting:
            raise PositionError("phase", "not prospect without prospecting", phase)
        elif phase == "chip":
            self._check_chip(f)
        elif phase == "roll":
            self._check_fight(f, fight)
        elif phase == "retreat":
            self._check_retreat(f)

    def _kind(self, number: int) -> str:
        return self.golden.kind(self.golden.fields[number])

    def _on_hole(self, number: int, f: dict[str, Any], name: str) -> tuple[Any, ...] | None:
        """The entry of `down` or `robbers` on a field."""
        hole = self.rules.holes.get(self.golden.fields[number], NONE)
        entries: list[tuple[Any, ...]] = f[name]
        return next((entry for entry in entries if entry[0] == hole), None)

    def _defender(self, f: dict[str, Any]) -> int:
        """GG-11g: the next clockwise from the seat at turn on its field, outside the city; or NONE."""
        here = f["diggers"][f["turn"]]
        if self._kind(here) != "land":
            return NONE
        seats = [(f["turn"] + i) % self.players for i in range(1, self.players)]
        return next((seat for seat in seats if f["diggers"][seat] == here), NONE)

    def _check_chip(self, f: dict[str, Any]) -> None:
        seat = f["turn"]
        here = f["diggers"][seat]
        if f["looking"]:
            for near in self.golden.neighbours(self.golden.fields[here]):
                entry = self._on_hole(self.rules.numbers[near], f, "down")
                if entry and entry[3] and not entry[2] >> seat & 1:
                    raise PositionError("chips", f"seat {seat} looking at those others know first", list(near))
            return
        entry = self._on_hole(here, f, "down")
        if entry is None or entry[3] or self._defender(f) != NONE:
            expected = "a field with a chip that is not known, and no other digger"
            raise PositionError(f"diggers[{seat}]", expected, list(self.golden.fields[here]))

    def _check_fight(self, f: dict[str, Any], fight: str) -> None:
        seat, defender = f["turn"], self._defender(f)
        if fight == "robber":
            if defender != NONE or self._on_hole(f["diggers"][seat], f, "robbers") is None:
                raise PositionError(f"diggers[{seat}]", "alone with a robber", self.data["diggers"][seat])
        elif defender == NONE or f["defender"] != defender:
            expected = "none" if defender == NONE else f"{defender}, the next seat on the field (GG-11g)"
            raise PositionError("turn.defender", expected, f["defender"])
        elif fight == "away":
            self._check_brawl(f, defender)

    def _check_brawl(self, f: dict[str, Any], defender: int) -> None:
        """GG-14: the walker is the winner of the brawl of the turn."""
        seat, walker = f["turn"], f["walker"]
        if walker not in (seat, defender):
            raise PositionError("turn.walker", f"{seat} or {defender}", walker)
        loser = defender if walker == seat else seat
        if f["open"][loser]:
            raise PositionError(f"open[{loser}]", "nothing after a lost brawl", self.data["open"][loser])

    def _check_retreat(self, f: dict[str, Any]) -> None:
        defender = self._defender(f)
        if defender != NONE:
            self._check_brawl(f, defender)
            return
        robber = self._on_hole(f["diggers"][f["turn"]], f, "robbers")
        if f["walker"] != f["turn"] or robber is None:
            expected = f"{f['turn']}, who lost to a robber, or the winner of a brawl"
            raise PositionError("turn.walker", expected, f["walker"])
        check.integer(f["steps"], "turn.steps", 1, chip_list(robber[1])[1] - 1)
        if f["open"][f["turn"]]:
            raise PositionError(f"open[{f['turn']}]", "nothing after a lost fight", self.data["open"][f["turn"]])
