"""What happens in Goldgräber, in words: a roll and all that follows from it before anybody decides again.

Events say little (a die shows 4); the rest is what differs between the positions before and after. Both are as one seat
sees them, so what others look at in secret is not in them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.text import Text
from saloon_client.v1 import game_pb2, goldgraeber_pb2

from engine_cy.goldgraeber.components import Field
from engine_cy.goldgraeber.state import LOCOMOTIVE
from saloon.screens.golden_map import chip_words, destination, place, sum_of
from saloon.screens.telling import Teller

Position = goldgraeber_pb2.GoldgraeberPosition
Chip = goldgraeber_pb2.GoldgraeberChip


class Story(Teller):
    """Tells of a table with these names."""

    def __init__(self, name: Callable[[int], str], me: int | None, rail: Sequence[Field]) -> None:
        super().__init__(name, me)
        self.rail = rail

    def lines(self, event: game_pb2.Event, before: Position, after: Position) -> list[Text]:
        rolled = [Text(f"  {line}", style="dim") for line in self._rolled(event, before, after)]
        changes = (self._looked, self._turned_up, self._captured, self._lost, self._brought_home)
        lines = [*self._moved(event, before, after), *(line for part in changes for line in part(before, after))]
        return rolled + [Text(f"  {line}") for line in [*lines, *self._ended(before, after)]]

    # ---- Dice

    def _rolled(self, event: game_pb2.Event, before: Position, after: Position) -> Iterator[str]:
        drawn, seat = event.chance.goldgraeber, before.turn.seat
        match drawn.WhichOneof("event"):
            case "first":
                yield self.does(drawn.first, "begins")
            case "die" if drawn.die == LOCOMOTIVE:
                left = len(self.rail) - 1 - self.rail.index(place(after.locomotive))
                yield self.does(seat, f"rolls the locomotive: it goes to {place(after.locomotive)}, {left} to the city")
            case "die":
                stays = after.diggers[seat] == before.diggers[seat] and after.turn.seat != seat
                yield self.does(seat, f"rolls {drawn.die}") + (" and cannot go anywhere" if stays else "")
            case "roll":
                yield self._fought(drawn.roll, before)

    def _fought(self, number: int, before: Position) -> str:
        turn = before.turn
        match turn.fight:
            case goldgraeber_pb2.GOLDGRAEBER_FIGHT_ROBBER:
                here = before.diggers[turn.seat]
                strength = next(robber.strength for robber in before.robbers if robber.field == here)
                return self.does(turn.seat, f"rolls {number} against a robber of {strength}") + _outcome(
                    number, strength
                )
            case goldgraeber_pb2.GOLDGRAEBER_FIGHT_ATTACK:
                return self.does(turn.seat, f"attacks {self.name(turn.defender)} with {number}")
            case goldgraeber_pb2.GOLDGRAEBER_FIGHT_DEFENCE:
                return self.does(turn.defender, f"rolls {number} against {turn.attack}") + _outcome(number, turn.attack)
        return self.does(turn.walker, f"rolls {number} to walk away")

    # ---- What is not as it was

    def _looked(self, before: Position, after: Position) -> Iterator[str]:
        """GG-20: the seat itself learns what the chips are, the others which they were."""
        known = {place(chip.field): set(chip.looked) for chip in before.chips}
        for seat in range(len(after.diggers)):
            new = [chip for chip in after.chips if seat in chip.looked and seat not in known[place(chip.field)]]
            if new and seat == self.me:
                yield "you see " + ", ".join(f"{chip_words(chip.chip)} at {place(chip.field)}" for chip in new)
            elif new:
                yield f"{self.name(seat)} looks in secret at " + ", ".join(str(place(chip.field)) for chip in new)

    def _moved(self, event: game_pb2.Event, before: Position, after: Position) -> Iterator[str]:
        """By the locomotive, or where there was only one way; what a seat decided was told."""
        for seat, (old, new) in enumerate(zip(before.diggers, after.diggers, strict=True)):
            if old == new or place(new) == destination(event.chosen.decision):
                continue
            if event.chance.goldgraeber.die == LOCOMOTIVE:
                yield f"the locomotive pushes {self.name(seat)} back to {place(new)}"
            else:
                yield self.does(seat, f"walks to {place(new)}, the only way")

    def _turned_up(self, before: Position, after: Position) -> Iterator[str]:
        seat, left = before.turn.seat, {place(chip.field) for chip in after.chips}
        robbers = {place(robber.field): robber.strength for robber in after.robbers}
        for field in (place(chip.field) for chip in before.chips):
            if field in robbers and field not in left:
                yield self.does(seat, f"turns up a robber of {robbers[field]} at {field}")
            elif field not in left:
                found = _more(after.open[seat].chips, before.open[seat].chips)
                yield self.does(seat, f"turns up {sum_of(found)} at {field}")

    def _captured(self, before: Position, after: Position) -> Iterator[str]:
        there = {place(robber.field) for robber in after.robbers}
        for robber in before.robbers:
            if place(robber.field) not in there:
                loot = sum_of(robber.loot)
                yield self.does(
                    before.turn.seat, "captures the robber" + (f" and gets {loot} from under it" if loot else "")
                )

    def _lost(self, before: Position, after: Position) -> Iterator[str]:
        loot = {place(robber.field): len(robber.loot) for robber in before.robbers}
        under = [place(robber.field) for robber in after.robbers if len(robber.loot) > loot.get(place(robber.field), 0)]
        seats = range(len(after.diggers))
        winners = [seat for seat in seats if _more(after.open[seat].chips, before.open[seat].chips)]
        for seat in seats:
            brought = _more(after.banked[seat].chips, before.banked[seat].chips)
            lost = sum_of(_more(_more(before.open[seat].chips, after.open[seat].chips), brought))
            if lost and under:
                yield self.does(seat, f"loses {lost}, now under the robber at {under[0]}")
            elif lost:
                yield self.does(winners[0], f"takes {lost} from {self.name(seat)}")

    def _brought_home(self, before: Position, after: Position) -> Iterator[str]:
        for seat in range(len(after.diggers)):
            brought = _more(after.banked[seat].chips, before.banked[seat].chips)
            if brought:
                yield self.does(seat, f"brings home {sum_of(brought)}")

    def _ended(self, before: Position, after: Position) -> Iterator[str]:
        """GG-18."""
        over = goldgraeber_pb2.GOLDGRAEBER_PHASE_OVER
        if after.phase == over and before.phase != over:
            arrived = place(after.locomotive) == self.rail[-1]
            yield "the locomotive is in the city" if arrived else f"only {len(after.chips)} chips are left face down"


def _outcome(number: int, against: int) -> str:
    return " and wins" if number > against else ", the same: again" if number == against else " and loses"


def _more(chips: Iterable[Chip], others: Iterable[Chip]) -> list[Chip]:
    """The chips that are not among the others."""
    more = Counter((chip.kind, chip.value) for chip in chips) - Counter((chip.kind, chip.value) for chip in others)
    return [Chip(kind=kind, value=value) for kind, value in more.elements()]
