"""Goldgräber in a terminal: the map with everything on it, and every way a digger can go in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from saloon_client.v1 import game_pb2, goldgraeber_pb2

from engine_cy.goldgraeber.components import HOUSES, Field
from saloon.screens.golden_map import FINE, PLAIN, WIDTH, MapDrawing, chip_words, destination, place, sum_of
from saloon.screens.golden_story import Story
from saloon.screens.screen import FIELD, SEATS, Choice, Screen

_SIDE = 42  # what stands beside the map where there is room
_CITY, _HOUSE = goldgraeber_pb2.GOLDGRAEBER_GROUND_CITY, goldgraeber_pb2.GOLDGRAEBER_GROUND_HOUSE
_SHORE, _WATER = goldgraeber_pb2.GOLDGRAEBER_GROUND_SHORE, goldgraeber_pb2.GOLDGRAEBER_GROUND_WATER
_NO_TURN = (goldgraeber_pb2.GOLDGRAEBER_PHASE_FIRST, goldgraeber_pb2.GOLDGRAEBER_PHASE_OVER)
# In the order of what one would rather know first; home is that only to those who bring something.
_HOME, _KNOWN, _CHIP, _ROBBER, _DIGGER, _RAFT, _STREET, _LAND, _NOTHING_TO_BRING = range(9)
_GROUPS = {_CHIP: "chips", _RAFT: "rafts", _STREET: "streets", _LAND: "land with nothing on it"}


class GoldgraeberScreen(Screen):
    """The map, and what every digger has."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        options = self.options.goldgraeber
        self.colours = list(options.colours) or list(range(options.players))
        owners = {colour: seat for seat, colour in enumerate(self.colours)}
        painted = [SEATS[colour] for colour in self.colours]
        components = self.info.components.goldgraeber
        self.map = MapDrawing(components, owners, painted, FINE if self.fine else PLAIN)
        self.teller = Story(self.name, self.me, self.map.rail)

    def seat_style(self, seat: int) -> Style:
        """That of the house."""
        return Style(color=SEATS[self.colours[seat]], bold=True)

    # ---- Words

    def at_turn(self, position: game_pb2.Position) -> int | None:
        here = position.goldgraeber
        return None if here.phase in _NO_TURN else here.turn.seat

    def chance(self, event: game_pb2.Chance) -> str:
        drawn = event.goldgraeber
        match drawn.WhichOneof("event"):
            case "first":
                return f"{self.name(drawn.first)} to begin"
            case "die":
                return "the die of the turn: " + ("the locomotive" if drawn.die == 1 else str(drawn.die))
            case "roll":
                return f"the die of a fight: {drawn.roll}"
            case "chip" if not drawn.chip.HasField("chip"):
                return f"looked at, in secret: {place(drawn.chip.field)}"
            case "chip":
                return f"seen at {place(drawn.chip.field)}: {chip_words(drawn.chip.chip)}"
        return super().chance(event)

    def story(self, event: game_pb2.Event, before: game_pb2.Position, after: game_pb2.Position) -> Sequence[Text]:
        return self.teller.lines(event, before.goldgraeber, after.goldgraeber)

    def due(self, status: game_pb2.Status, position: game_pb2.Position) -> str:
        steps = position.goldgraeber.turn.steps
        known = {
            "prospect": "roll, or look around",
            "walk": f"walk {steps} fields",
            "ferry": "take the raft",
            "retreat": f"walk away {steps} fields",
        }
        return known.get(status.phase) or super().due(status, position)

    def why(
        self, words: Sequence[str], status: game_pb2.Status, position: game_pb2.Position, ways: Sequence[Choice]
    ) -> list[str]:
        here = position.goldgraeber
        known = [line.replace("{0}", str(here.turn.steps)) for line in super().why(words, status, position, ways)]
        if status.phase not in self.rules.why_not or (known and known[0].startswith("you can")):
            return known
        return [*(line for word in words for line in self._why_not(word, here)), *known]

    def _why_not(self, word: str, here: goldgraeber_pb2.GoldgraeberPosition) -> list[str]:
        """What stands against a field, of what can be seen at a glance."""
        if not FIELD.fullmatch(word):
            return []
        field = next((field for field in self.map.kinds if str(field) == word), None)
        ground = None if field is None else self.map.kinds[field]
        walker = here.turn.walker if here.turn.HasField("walker") else here.turn.seat
        if field is None:
            return [f"{word} is no field of the map"]
        if field == place(here.locomotive):
            return [f"{field}: the locomotive stands there"]
        if ground == _HOUSE and field != self.map.houses[self.colours[walker]]:
            return [f"{field} is not your house"]
        if ground == _WATER:
            return [f"{field} is water"]
        if ground == _SHORE and field not in {place(raft) for raft in here.rafts}:
            return [f"{field} is a shore without a raft"]
        least = self.map.steps_between(place(here.diggers[walker]), field)
        return [f"{field} is {least} steps away at least"] if least is not None and least > here.turn.steps else []

    def choices(self, decisions: Iterable[game_pb2.Decision], position: game_pb2.Position) -> list[Choice]:
        """What is worth more first; of the same kind what is nearer to home."""
        here = position.goldgraeber
        walker = here.turn.walker if here.turn.HasField("walker") else here.turn.seat
        home = self.map.steps_home(walker)
        found = [self._choice(decision, here, walker, home) for decision in decisions]
        return [choice for _, choice in sorted(found, key=lambda pair: pair[0])]

    def _choice(
        self,
        decision: game_pb2.Decision,
        here: goldgraeber_pb2.GoldgraeberPosition,
        walker: int,
        home: Mapping[Field, int],
    ) -> tuple[tuple[int, int, Field], Choice]:
        """A line of the menu, and what puts it in order."""
        what, field = decision.goldgraeber.WhichOneof("decision"), destination(decision)
        if field is None:
            around = f": {self._around(here, walker)}" if what == "prospect" else ""
            return (0, what == "prospect", Field(0, 0)), Choice(decision, decision.text, decision.text + around)
        if what == "ferry":
            beside = sum(place(chip.field) in field.around for chip in here.chips)
            words = f"{field}: {beside} chip{'s' * (beside != 1)} next to it"
            return (0, -beside, field), Choice(decision, decision.text, words)
        kind, words = self._at(field, here, walker, what == "walk")
        away = f", {home[field]} from home" if field in home else ""
        choice = Choice(decision, decision.text, f"{field}: {words}{away}", _GROUPS.get(kind, ""))
        return (kind, home.get(field, 0), field), choice

    def _around(self, here: goldgraeber_pb2.GoldgraeberPosition, seat: int) -> str:
        """The face-down chips next to a digger."""
        around = place(here.diggers[seat]).around
        chips = [chip for chip in here.chips if place(chip.field) in around]
        if all(seat in chip.looked for chip in chips):
            return "nothing new to see, so you have to roll in your next turn, unless there is then"
        return "the chips at " + ", ".join(str(place(chip.field)) for chip in chips)

    def _at(
        self, field: Field, here: goldgraeber_pb2.GoldgraeberPosition, walker: int, arrives: bool
    ) -> tuple[int, str]:
        """What is on a field, and what it means to the digger; walking away from a fight one stirs nothing."""
        ground = self.map.kinds[field]
        if ground == _HOUSE:
            carried = sum_of(here.open[walker].chips)
            return (_HOME, f"home with {carried}") if carried else (_NOTHING_TO_BRING, "home with nothing")
        if ground == _SHORE:
            return _RAFT, "a raft"
        seats = [(here.turn.seat + i) % len(here.diggers) for i in range(1, len(here.diggers))]
        others = [seat for seat in seats if place(here.diggers[seat]) == field and seat != walker]
        if ground == _CITY:
            return _STREET, "street"
        if others and arrives:
            carried = sum_of(here.open[others[0]].chips) or "nothing"
            return _DIGGER, f"a fight with {self.name(others[0])}, who has {carried}"
        for robber in here.robbers:
            if place(robber.field) == field:
                loot = sum_of(robber.loot)
                return _ROBBER, f"a fight with a robber of {robber.strength}" + (f" that has {loot}" if loot else "")
        for chip in here.chips:
            if place(chip.field) == field and chip.HasField("chip"):
                return _KNOWN, f"{chip_words(chip.chip)}, as you know" if self.me is not None else chip_words(chip.chip)
            if place(chip.field) == field:
                return _CHIP, "a chip" if arrives else "a chip, which stays as it is"
        return _LAND, "nothing"

    # ---- Pictures

    def table(
        self,
        position: game_pb2.Position,
        scores: Iterable[game_pb2.SeatScore],
        legal: Sequence[game_pb2.Decision] = (),
    ) -> RenderableType:
        here = position.goldgraeber
        marked = {field for field in map(destination, legal) if field is not None}
        title = Text(self._title(here), style="bold")
        drawn = Group(*self.map.lines(here, marked))
        totals = {score.seat: score.total for score in scores}
        wide = self.console.width >= WIDTH + _SIDE
        legend = self._legend(_SIDE if wide else self.console.width, here.options.prospecting, bool(marked))
        beside: list[RenderableType] = [self._seats(here, totals), Text(), *self._facts(here), Text(), legend]
        if not wide:
            return Group(title, drawn, Text(), *beside)
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_row(drawn, Group(Text(), *beside))
        return Group(title, grid)

    def turn_played(
        self, position: game_pb2.Position, seat: int, scores: Iterable[game_pb2.SeatScore]
    ) -> RenderableType:
        """The map and who has what, without all that is said below."""
        del seat
        here = position.goldgraeber
        totals = {score.seat: score.total for score in scores}
        drawn = Group(*self.map.lines(here))
        return Group(Text(self._title(here), style="bold"), drawn, Text(), self._seats(here, totals), Text())

    def _title(self, here: goldgraeber_pb2.GoldgraeberPosition) -> str:
        """What game it is, and who has to do what."""
        name = self.title + (", with prospecting" if here.options.prospecting else "")
        turn = here.turn
        if here.phase == goldgraeber_pb2.GOLDGRAEBER_PHASE_OVER:
            return f"{name}: it is over"
        if here.phase == goldgraeber_pb2.GOLDGRAEBER_PHASE_RETREAT:
            return f"{name}: {self.name(turn.walker)} to walk away, {turn.steps} fields"
        if here.phase == goldgraeber_pb2.GOLDGRAEBER_PHASE_WALK:
            return f"{name}: {self.name(turn.seat)} to walk {turn.steps} fields"
        return f"{name}: {self.name(turn.seat)} at turn"

    def _seats(self, here: goldgraeber_pb2.GoldgraeberPosition, totals: dict[int, int]) -> Table:
        table = Table(box=None, padding=(0, 1), show_edge=False, pad_edge=False)
        for name in ("", "digger", "at", "carries"):
            table.add_column(name, no_wrap=name != "carries")
        table.add_column("points", justify="right")
        going = here.phase not in _NO_TURN
        for seat, cell in enumerate(here.diggers):
            style = self.seat_style(seat)
            table.add_row(
                ">" if going and seat == here.turn.seat else "",
                Text.assemble((str(seat), style), f" {self.name(seat)} ({HOUSES[self.colours[seat]]})"),
                str(place(cell)),
                sum_of(here.open[seat].chips) or "-",
                str(totals.get(seat, "")),
            )
        return table

    def _facts(self, here: goldgraeber_pb2.GoldgraeberPosition) -> list[Text]:
        left = len(self.map.rail) - 1 - self.map.rail.index(place(here.locomotive))
        facts = [
            Text(f"locomotive at {place(here.locomotive)}, {left} fields from the city"),
            Text(f"{len(here.chips)} chips face down; with {len(here.diggers)} it is over"),
        ]
        if here.rested:
            names = ", ".join(self.name(seat) for seat in here.rested)
            facts.append(Text(f"gave up the last turn with nothing new to see: {names}"))
        return facts

    def _legend(self, width: int, prospecting: bool, marked: bool) -> Text:
        """What the signs mean."""
        s = self.map.signs
        words = [f"{s.chip} chip", f"{s.hole} empty hole", "R3 robber", "L locomotive", f"{s.rail} rail"]
        words += [f"{s.raft} raft", "- shore", "~ lake", ": street", "A house", "a its door"]
        words += ["g4 r3 chips you know"] * prospecting + ["* where you can go"] * marked
        lines = [""]
        for word in words:  # not wrapped within one
            if len(lines[-1]) + len(word) + 2 > width:
                lines.append("")
            lines[-1] += ("  " if lines[-1] else "") + word
        return Text("\n".join(lines), style="dim")
