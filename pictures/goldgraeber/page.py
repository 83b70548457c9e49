"""A table as a picture: one SVG document with everything that the text board shows, in a light and a dark theme.

The same state gives the same bytes. Of a chip that lies face down only the back is drawn; a view also shows, faintly,
those its seat has looked at.
"""

from engine_cy.goldgraeber import decisions
from engine_cy.goldgraeber.components import HOUSES, Field
from engine_cy.goldgraeber.rules import Goldgraeber
from engine_cy.state import State
from pictures.canvas import shortened
from pictures.goldgraeber.icons import COLOURS
from pictures.goldgraeber.map import MapPicture
from pictures.goldgraeber.painter import Painter
from pictures.goldgraeber.pieces import Pieces
from pictures.goldgraeber.seat import HEIGHT, WIDTH, SeatPanel

_MARGIN, _GAP, _HEAD, _STATUS = 20, 12, 56, 124
_MAP_WIDTH, _MAP_HEIGHT, _LARGEST = 1200, 1000, 1.6  # the room for a map, and how far it is scaled to fill it
_LEGEND_ROW, _LEGEND_WIDTH = 31, 210
_NOBODY, _LAST = "#6f655a", "#b0174f"  # headlines when no seat has to decide, and when the end is near


class GoldgraeberPage:
    """One picture."""

    def __init__(self, rules: Goldgraeber, state: State, theme: str) -> None:
        self.rules = rules
        self.state = state
        self.position = rules.position(state)
        self.scores = rules.scores(state)
        self.canvas = Painter(theme)
        self.targets: set[Field] = set()  # where the decision due may end
        self.looks: set[Field] = set()  # what it may look at (GG-20)
        self._find_targets()

    def _find_targets(self) -> None:
        for code in self.state.codes():
            match self.rules.decode(self.state.phase, code):
                case decisions.Walk(field=field) | decisions.Ferry(field=field) | decisions.Retreat(field=field):
                    self.targets.add(field)
                case decisions.Prospect():
                    here = self.position["diggers"][self.state.seat or 0]  # without a seat there are no codes
                    down = {Field(*entry["field"]) for entry in self.position["chips"]}
                    self.looks = down.intersection(self.rules.components.neighbours(here))

    # ---- The two pictures

    def seat(self, seat: int) -> str:
        """What lies in front of one seat, and where its digger is."""
        self._panel(seat, _MARGIN, _MARGIN)
        score, opened = self.scores[seat], len(self.position["open"][seat])
        words = f"Seat {seat}: {score.total} points banked, {opened} chips open."
        return self.canvas.document(WIDTH + 2 * _MARGIN, HEIGHT + 2 * _MARGIN, f"{self._name()}: seat {seat}", words)

    def table(self) -> str:
        """The map with all that is on it, how far the game is, and what every seat has."""
        owners = {colour: seat for seat, colour in enumerate(self.rules.colours)}
        painted = MapPicture(self.canvas, self.rules.components, owners)
        layout = painted.layout
        room = _STATUS + self.rules.players * (_GAP + HEIGHT)  # what stands beside the map
        scale = min(_LARGEST, _MAP_WIDTH / layout.width, max(_MAP_HEIGHT, room) / layout.height)
        wide, top = scale * layout.width, _MARGIN + _HEAD
        right = _MARGIN + wide + _GAP
        width = right + WIDTH + _MARGIN
        self._headline(width)
        high = scale * layout.height
        self.canvas.panel(_MARGIN, top, wide, max(high, room))
        with self.canvas.group(_MARGIN, top + max(0, room - high) / 2, scale, map=self.rules.map):
            painted.draw()
            known = self.state.viewer is not None
            Pieces(self.canvas, self.rules, self.position, layout, known=known).draw(
                self.targets, self.looks, self.state.seat
            )
        self._status(right, top)
        for seat in range(self.rules.players):
            self._panel(seat, right, top + _STATUS + _GAP + seat * (HEIGHT + _GAP))
        bottom = self._legend(right, top + room + _GAP, top + max(high, room), width)
        return self.canvas.document(width, bottom + _MARGIN, self._name(), self._description())

    # ---- Words

    def _name(self) -> str:
        return "Goldgräber" + (", with prospecting" if self.rules.prospecting else "")

    def _who(self) -> int | None:
        """Whose move or roll it is."""
        turn, phase = self.position["turn"], self.position["phase"]
        if phase in ("first", "over"):
            return None
        if self.state.seat is not None:
            return self.state.seat
        names = {"defence": "defender", "away": "walker"}
        seat: int = turn[names.get(turn["fight"], "seat")]
        return seat

    def _now(self) -> str:
        """What is due, as words that follow a seat."""
        turn, phase = self.position["turn"], self.position["phase"]
        if phase == "roll":
            return {
                "robber": f"fights a robber of strength {self._robber()}",
                "attack": f"attacks seat {turn['defender']}",
                "defence": f"defends against seat {turn['seat']}'s {turn['attack']}",
                "away": "has won and rolls to walk away",
            }[turn["fight"]]
        fields = f"{turn['steps']} field{'s' * (turn['steps'] != 1)}"
        looks = "looks at the chips around" if turn["looking"] else "turns up a chip"
        return {
            "first": "The first player is drawn", "die": "rolls the die", "chip": looks,
            "prospect": "rolls, or looks at the chips around", "walk": f"walks {fields}",
            "ferry": "takes the raft", "retreat": f"walks away {fields}", "over": self._end(),
        }[phase]  # fmt: skip

    def _robber(self) -> int | None:
        here = self.position["diggers"][self.position["turn"]["seat"]]
        strengths: list[int] = [entry["strength"] for entry in self.position["robbers"] if entry["field"] == here]
        return strengths[0] if strengths else None

    def _end(self) -> str:
        arrived = self.rules.ended_by(self.state) == "locomotive"
        return "The game is over: " + ("the locomotive has arrived" if arrived else "few chips are left")

    def _sentence(self) -> str:
        who = self._who()
        return self._now() if who is None else f"Seat {who} {self._now()}"

    def _steps_left(self) -> int:
        rail = self.rules.components.rail
        return len(rail) - 1 - rail.index(Field(*self.position["locomotive"]))

    def _description(self) -> str:
        p, golden = self.position, self.rules.components
        diggers = ", ".join(f"seat {seat} {Field(*place)}" for seat, place in enumerate(p["diggers"]))
        points = ", ".join(f"seat {score.seat} {score.total}" for score in self.scores)
        return (
            f"{self._sentence()}. Points: {points}. Diggers: {diggers}. {len(p['chips'])} chips face down, "
            f"{len(p['robbers'])} robbers revealed, the locomotive {self._steps_left()} fields from the city. "
            f"Map: {golden.name}."
        )

    # ---- Around the map

    def _headline(self, width: float) -> None:
        canvas, turn, who = self.canvas, self.position["turn"], self._who()
        canvas.text(_MARGIN + 4, _MARGIN + 30, "Goldgräber", 27, more='font-weight="800"')
        words = ["prospecting"] * self.rules.prospecting + [shortened(self.rules.map, 40)]
        viewer = self.state.viewer
        if self.rules.prospecting and viewer is not None and viewer < self.rules.players:
            words.append(f"as seat {viewer} sees it")
        canvas.text(_MARGIN + 196, _MARGIN + 30, " · ".join(words), 14, canvas.theme.faint)
        colour = _NOBODY if who is None else COLOURS[self.rules.colours[who]]
        right = width - _MARGIN
        right -= canvas.pill(right, _MARGIN + 4, self._sentence(), colour, 17) + 12
        rolled = turn["steps"] or turn["attack"]
        if rolled:
            canvas.die(rolled, right - 17, _MARGIN + 19, 34)

    def _panel(self, seat: int, x: float, y: float) -> None:
        place = self.state.score()[1][seat] if self.position["phase"] == "over" else None
        panel = SeatPanel(self.canvas, self.rules, self.position, seat)
        panel.draw(x, y, self.scores[seat], place, deciding=seat == self._who())

    def _status(self, x: float, y: float) -> None:
        """How near the end is, by the locomotive and by the chips (GG-18)."""
        left, down = self._steps_left(), len(self.position["chips"])
        rail, chips, players = len(self.rules.components.rail) - 1, len(self.rules.all_chips), self.rules.players
        words = f"{left} field{'s' * (left != 1)} to the city" if left else "in the city"
        with self.canvas.group(x, y, 1, rails_left=left, chips_left=down):
            self.canvas.panel(0, 0, WIDTH, _STATUS)
            self._bar(16, "locomotive", "Locomotive", words, 1 - left / rail, near=left <= 3)
            more = f"{down} face down, the end at {players}"
            done = min(1.0, (chips - down) / (chips - players))
            self._bar(70, "back", "Chips", more, done, near=down <= players + 3)

    def _bar(self, y: float, icon: str, name: str, words: str, share: float, *, near: bool) -> None:
        canvas, long = self.canvas, WIDTH - 92.0
        colour = _LAST if near else "#b87d00"
        canvas.icon(icon, 18, y + 1, 38)
        canvas.text(70, y + 14, name, 13, more='font-weight="700"')
        tone = canvas.theme.accent if near else canvas.theme.faint
        canvas.text(WIDTH - 22, y + 14, words, 13, tone, 'text-anchor="end" font-weight="600"')
        canvas.rect(70, y + 24, long, 11, canvas.theme.slot, 5.5, f'stroke="{canvas.theme.edge}"')
        if share > 0:
            canvas.rect(70, y + 24, max(11, long * share), 11, colour, 5.5)

    def _legend(self, x: float, y: float, end: float, width: float) -> float:
        """Below the panels if there is room, else below the map; returns where the picture ends."""
        entries = self._legend_entries()
        rows = -(-len(entries) // 2)
        if y + rows * _LEGEND_ROW + 8 <= end:
            self._legend_at(x, y, WIDTH, end - y, rows)
            return end
        rows = -(-len(entries) // int((width - 2 * _MARGIN) // _LEGEND_WIDTH))
        high = rows * 36 + 12
        self._legend_at(_MARGIN, end + _GAP, width - 2 * _MARGIN, high, rows)
        return end + _GAP + high

    def _legend_at(self, x: float, y: float, width: float, height: float, rows: int) -> None:
        canvas, entries = self.canvas, self._legend_entries()
        canvas.panel(x, y, width, height)
        columns = -(-len(entries) // rows)
        for i, (icon, name, words) in enumerate(entries):
            left = x + 14 + i // rows * (width - 20) / columns
            top = y + 4 + (i % rows + 0.5) * (height - 8) / rows
            self._symbol(icon, left + 15, top)
            canvas.text(left + 36, top - 1, name, 12, more='font-weight="600"')
            canvas.text(left + 36, top + 12, words, 10, canvas.theme.faint)

    def _symbol(self, icon: str, x: float, y: float) -> None:
        canvas, tint = self.canvas, COLOURS[self.rules.colours[0]]
        with canvas.group(x, y):
            if icon in ("gold", "robber"):
                canvas.chip(icon, 4, 0, 0, 30)
            elif icon in ("dig", "shore", "street", "target"):
                with canvas.group(0, 0, 0.46):
                    canvas.hexagon(icon, tint)
            elif icon == "seen":
                canvas.disc(0, 0, 9, 0, tint, "#fff")
            else:
                canvas.piece(icon, 0, 0, 30, f'color="{tint}"')

    def _legend_entries(self) -> list[tuple[str, str, str]]:
        """(icon, name, words)."""
        entries = [
            ("back", "Chip, face down", "gold or a robber"), ("gold", "Gold", "its value, once banked"),
            ("robber", "Robber", "strength; under it chips: worth"), ("dig", "Dig hole", "nothing left in it"),
            ("house", "House", f"{HOUSES[0]} to {HOUSES[-1]}, by the door only"),
            ("raft", "Raft", "to any shore of its lake"), ("shore", "Shore", "where rafts can lie"),
            ("street", "Street", "nobody fights here"),
            ("station", "Station", "the locomotive ends the game"), ("target", "End of the walk", "what may be chosen"),
        ]  # fmt: skip
        if self.rules.prospecting:
            entries += [("seen", "Seen", "by this seat, in secret"), ("eye", "Prospecting", "what may be looked at")]
        return entries
