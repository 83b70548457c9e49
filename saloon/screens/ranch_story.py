"""What happens in Moon River, in words: what follows from a decision before anybody decides again.

Events say what was decided; the rest is what differs between the positions before and after: cows that come and go, and
what there was no choice about.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from rich.text import Text
from saloon_client.v1 import common_pb2, game_pb2, moon_river_pb2

from engine_cy.moon_river.components import Cell
from saloon.screens.telling import Teller

Position = moon_river_pb2.MoonRiverPosition
Decision = moon_river_pb2.MoonRiverDecision
Placed = moon_river_pb2.MoonRiverPlaced
Components = moon_river_pb2.MoonRiverComponents
Partner = Callable[[moon_river_pb2.MoonRiverPartner.ValueType], str]
OVER = moon_river_pb2.MOON_RIVER_PHASE_OVER


def at_cell(message: common_pb2.Cell) -> Cell:
    return Cell(message.row, message.column)


class Story(Teller):
    """Tells of a table with these names for seats, plots and partners."""

    def __init__(
        self,
        name: Callable[[int], str],
        me: int | None,
        components: Components,
        plot: Callable[[int], str],
        partner: Partner,
    ) -> None:
        super().__init__(name, me)
        self.components, self.plot, self.partner = components, plot, partner

    def lines(self, event: game_pb2.Event, before: Position, after: Position) -> list[Text]:
        """What came by itself with an event."""
        chosen = event.chosen.decision.moon_river
        seat = event.chosen.seat if event.HasField("chosen") else None
        seats, news = range(len(after.ranches)), list[str]()
        for each in seats:
            mine = chosen if each == seat else Decision()
            news += [*self._ranch(each, mine, before, after), *self._cows(each, chosen, seat, before, after)]
        news += [*self._tiles(chosen, before, after), *self._placed(chosen, before, after)]
        for each in seats:
            news += self._hand(each, chosen, seat, before, after)
        if after.last_round and not before.last_round:
            news.append("the last round begins")
        return [Text(f"  {line}") for line in news]

    # ---- Rancheros

    def _placed(self, chosen: Decision, before: Position, after: Position) -> Iterator[str]:
        """MR-3, MR-17: where only one place is left."""
        moved_up = bool(before.next) and not after.next
        claim = chosen.claim.position if chosen.HasField("claim") else None
        select = chosen.select.position if chosen.HasField("select") else None
        columns = [
            (before.current, [] if moved_up else after.current, "", claim),
            (before.next, after.current if moved_up else after.next, " of the next column", select),
        ]
        for old, new, where, decided in columns:
            for number, (a, b) in enumerate(zip(old, new, strict=False)):
                if b.HasField("seat") and not a.HasField("seat") and number != decided:
                    yield self.does(b.seat, f"takes place {number + 1}{where}, the only one left")

    # ---- What is built

    def _ranch(self, seat: int, chosen: Decision, before: Position, after: Position) -> Iterator[str]:
        had = {at_cell(p.cell): p for p in before.ranches[seat].plots}
        laid = [p for p in after.ranches[seat].plots if at_cell(p.cell) not in had]
        decided = _cells_of(chosen)
        forced = [p for p in laid if at_cell(p.cell) not in decided]
        plots = [f"{self.plot(p.kind)} on {at_cell(p.cell)}" for p in forced if p.WhichOneof("plot") == "kind"]
        if plots:
            yield self.does(seat, f"builds {', '.join(plots)}, the only way")
        for p in forced:
            if p.WhichOneof("plot") == "bonus":
                yield self.does(seat, f"places the bonus tile on {at_cell(p.cell)}, the only way")
        for p in after.ranches[seat].plots:
            old = had.get(at_cell(p.cell))
            new = p.HasField("partner") and not (old and old.HasField("partner"))
            if new and not (chosen.HasField("recruit") and at_cell(chosen.recruit.cell) == at_cell(p.cell)):
                yield self.does(seat, f"recruits a {self.partner(p.partner)} on {at_cell(p.cell)}, the only choice")

    def _tiles(self, chosen: Decision, before: Position, after: Position) -> Iterator[str]:
        """MR-26."""
        for tile in set(before.bonus_tiles) - set(after.bonus_tiles):
            if chosen.HasField("bonus_tile") and chosen.bonus_tile.tile == tile:
                continue
            yield self.does(before.turn.seat, "takes the last bonus tile")
        taken = {*before.bonus_tiles, *([before.turn.tile] if before.turn.HasField("tile") else [])}
        held = {after.turn.tile} if after.turn.HasField("tile") else set()
        lying = {p.bonus.tile for ranch in after.ranches for p in ranch.plots if p.WhichOneof("plot") == "bonus"}
        if taken - set(after.bonus_tiles) - held - lying:
            yield "the bonus tile fits nowhere and leaves the game"

    # ---- Cows

    def _cows(self, seat: int, chosen: Decision, actor: int | None, before: Position, after: Position) -> Iterator[str]:
        """MR-14, MR-15, MR-27. What was decided was told: the cow that a skull removes, moves and thefts."""
        had = {at_cell(p.cell): p.cows for p in before.ranches[seat].plots}
        has = {at_cell(p.cell): p for p in after.ranches[seat].plots}
        came = {at: self._symbols(p) for at, p in has.items() if at not in had}
        expected = Counter({at: had.get(at, 0) + came.get(at, 0) for at in has})
        _decided_cows(expected, seat, chosen, actor, before)
        for at, number in came.items():
            shown = min(number, before.supply)
            if shown:
                yield f"{_cows(shown)} come{'s' * (shown == 1)} to {self.whose(seat)} {self._ground(has[at])} on {at}"
        ended = after.phase == OVER != before.phase
        for at, p in has.items():
            lost = expected[at] - p.cows
            if lost > 0 and ended and p.cows == 1:
                yield self.does(seat, f"loses {_cows(lost)} on {at}, where only one may stay at the end")
            elif lost > 0 and not (at in came and before.supply < came[at]):
                yield self.does(seat, f"loses {_cows(lost)} on {at} to a skull")

    def _symbols(self, placed: Placed) -> int:
        return self.components.plots[placed.kind].cows if placed.WhichOneof("plot") == "kind" else 0

    def _ground(self, placed: Placed) -> str:
        return self.plot(placed.kind).partition("+")[0]

    # ---- Plots in hand

    def _hand(self, seat: int, chosen: Decision, actor: int | None, before: Position, after: Position) -> Iterator[str]:
        """MR-8, MR-10, MR-22: what a seat takes from the column, and what it must do without."""
        had, has = Counter(before.hands[seat].plots), Counter(after.hands[seat].plots)
        known = {at_cell(p.cell) for p in before.ranches[seat].plots}
        new = [p for p in after.ranches[seat].plots if at_cell(p.cell) not in known]
        spent = Counter(p.kind for p in new if p.WhichOneof("plot") == "kind")
        match chosen.WhichOneof("decision") if actor is not None else None:
            case "discard" if seat == actor:
                spent.update((chosen.discard.plot, chosen.discard.other_plot))
            case "swap" if seat in (actor, chosen.swap.seat):
                gone, come = chosen.swap.plot, chosen.swap.other_plot
                had[gone if seat == actor else come] -= 1
                had[come if seat == actor else gone] += 1
        taken = _standing(seat, chosen, actor, before) - _standing(seat, Decision(), None, after)
        taken |= has + spent - had
        for kind in taken.elements():
            yield self.does(seat, f"takes {self.plot(kind)} from the column")
        lost = [self.plot(kind) for kind in (had + taken - spent - has).elements()]
        if lost and (before.last_round or after.last_round):
            yield self.does(seat, f"discards the rest, which fits nowhere: {', '.join(lost)}")
        elif lost:
            yield self.does(seat, f"discards {' and '.join(lost)}, the only way")


def _cells_of(chosen: Decision) -> set[Cell]:
    """Where a decision lays something."""
    match chosen.WhichOneof("decision"):
        case "build":
            return {at_cell(chosen.build.cell), at_cell(chosen.build.other_cell)}
        case "bonus_place":
            return {at_cell(chosen.bonus_place.cell)}
    return set()


def _decided_cows(cows: Counter[Cell], seat: int, chosen: Decision, actor: int | None, before: Position) -> None:
    """What a decision did to the cows of a seat."""
    match chosen.WhichOneof("decision"):
        case "drought" if seat == actor:
            cows[at_cell(chosen.drought.cell)] -= 1
        case "herd" if seat == actor:
            cows[at_cell(chosen.herd.origin)] -= 1
            cows[at_cell(chosen.herd.target)] += 1
        case "steal" if seat == chosen.steal.seat:
            cows[at_cell(chosen.steal.cell)] -= 1
        case "steal" if seat == actor:
            cows[at_cell(before.turn.thief)] += 1


def _standing(seat: int, chosen: Decision, actor: int | None, here: Position) -> Counter[int]:
    """The plots in the columns on which rancheros of a seat stand, with the one just placed."""
    slots = [slot for slot in (*here.current, *here.next) if slot.HasField("seat") and slot.seat == seat]
    found = Counter(slot.plot for slot in slots if slot.HasField("plot"))
    if seat == actor and chosen.HasField("claim"):
        found[here.current[chosen.claim.position].plot] += 1
    if seat == actor and chosen.HasField("select"):
        found[here.next[chosen.select.position].plot] += 1
    return found


def _cows(number: int) -> str:
    return "a cow" if number == 1 else f"{number} cows"
