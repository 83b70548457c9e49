"""A table of Goldgräber as a picture: the map, beside it how near the end is and what every seat has, and a legend.

Of a chip that lies face down only the back is drawn; a view also shows, faintly, those its seat has looked at.
"""

from engine_cy.goldgraeber.components import HOUSES
from pictures.canvas import shortened, spread
from pictures.goldgraeber.map import MapPicture
from pictures.goldgraeber.painter import Painter
from pictures.goldgraeber.pieces import Pieces
from pictures.goldgraeber.scene import GoldgraeberScene
from pictures.goldgraeber.seat import HEIGHT, WIDTH, ChipPanel
from pictures.page import MARGIN, Page
from pictures.themes import ENDING

_GAP, _HEAD, _STATUS = 12, 56, 124
_MAP_WIDTH, _MAP_HEIGHT, _LARGEST = 1200, 1000, 1.6  # the room for a map, and how far it is scaled to fill it
_LEGEND_ROW, _LEGEND_WIDTH = 31, 210  # least height and width of an entry
_GOLD = "#b87d00"
_Entry = tuple[str, str, str]  # of the legend: symbol, name, words
_LEGEND = (
    ("back", "Chip, face down", "gold or a robber"), ("gold", "Gold", "its value, once banked"),
    ("robber", "Robber", "strength; under it chips: worth"), ("dig", "Dig hole", "nothing left in it"),
    ("house", "House", f"{HOUSES[0]} to {HOUSES[-1]}, by the door only"),
    ("raft", "Raft", "to any shore of its lake"), ("shore", "Shore", "where rafts can lie"),
    ("street", "Street", "nobody fights here"), ("station", "Station", "the locomotive ends the game"),
    ("target", "End of the walk", "what may be chosen"),
)  # fmt: skip
_PROSPECTING = (
    ("seen", "Seen", "by this seat, in secret"),
    ("eye", "Prospecting", "what may be looked at"),
)


class GoldgraeberPage(Page):
    scene_of = GoldgraeberScene
    canvas_of = Painter
    scene: GoldgraeberScene
    canvas: Painter

    def panel(self, seat: int) -> ChipPanel:
        return ChipPanel(self.canvas, self.scene, seat)

    def table(self) -> str:
        scene = self.scene
        owners = {colour: seat for seat, colour in enumerate(scene.rules.colours)}
        painted = MapPicture(self.canvas, scene.rules.components, owners)
        layout = painted.layout
        room = _STATUS + scene.rules.players * (_GAP + HEIGHT)  # what stands beside the map
        scale = min(_LARGEST, _MAP_WIDTH / layout.width, max(_MAP_HEIGHT, room) / layout.height)
        wide, high, top = scale * layout.width, scale * layout.height, MARGIN + _HEAD
        right = MARGIN + wide + _GAP
        width = right + WIDTH + MARGIN
        self._headline(width)
        with self.canvas.part("map", MARGIN, top, wide, max(high, room)):
            self.canvas.panel(0, 0, wide, max(high, room))
            with self.canvas.group(0, max(0, room - high) / 2, scale, map=scene.rules.map):
                painted.draw()
                Pieces(self.canvas, scene, layout).draw()
        self._status(right, top)
        for seat in range(scene.rules.players):
            self.panel(seat).draw(right, top + _STATUS + _GAP + seat * (HEIGHT + _GAP))
        bottom = self._legend(right, top + room + _GAP, top + max(high, room), width)
        return self.canvas.document(width, bottom + MARGIN, scene.title(), scene.description())

    def _headline(self, width: float) -> None:
        canvas, scene = self.canvas, self.scene
        canvas.text(MARGIN + 4, MARGIN + 30, "Goldgräber", 27, more='font-weight="800"')
        words = ["prospecting"] * scene.rules.prospecting + [shortened(scene.rules.map, 40)]
        if scene.rules.prospecting and scene.viewer is not None and scene.viewer < scene.rules.players:
            words.append(f"as seat {scene.viewer} sees it")
        canvas.text(MARGIN + 196, MARGIN + 30, " · ".join(words), 14, canvas.theme.faint)
        right = self.now_pill(width - MARGIN, MARGIN + 4)
        rolled = scene.turn["steps"] or scene.turn["attack"]
        if rolled:
            canvas.die(rolled, right - 17, MARGIN + 19, 34)

    def _status(self, x: float, y: float) -> None:
        """How near the end is, by the locomotive and by the chips (GG-18)."""
        rules, left, down = self.scene.rules, self.scene.steps_left(), len(self.scene.position["chips"])
        rail, chips, players = len(rules.components.rail) - 1, len(rules.all_chips), rules.players
        words = f"{left} field{'s' * (left != 1)} to the city" if left else "in the city"
        with self.canvas.part("status", x, y, WIDTH, _STATUS, rails_left=left, chips_left=down):
            self.canvas.panel(0, 0, WIDTH, _STATUS)
            self._bar(16, "locomotive", "Locomotive", words, 1 - left / rail, near=left <= 3)
            more = f"{down} face down, the end at {players}"
            done = min(1.0, (chips - down) / (chips - players))
            self._bar(70, "back", "Chips", more, done, near=down <= players + 3)

    def _bar(self, y: float, icon: str, name: str, words: str, share: float, *, near: bool) -> None:
        canvas, long = self.canvas, WIDTH - 92.0
        colour = ENDING if near else _GOLD
        canvas.icon(icon, 18, y + 1, 38)
        canvas.text(70, y + 14, name, 13, more='font-weight="700"')
        tone = canvas.theme.accent if near else canvas.theme.faint
        canvas.text(WIDTH - 22, y + 14, words, 13, tone, 'text-anchor="end" font-weight="600"')
        canvas.rect(70, y + 24, long, 11, canvas.theme.slot, 5.5, f'stroke="{canvas.theme.edge}"')
        if share > 0:
            canvas.rect(70, y + 24, max(11, long * share), 11, colour, 5.5)

    # ---- What the symbols mean

    def _legend(self, x: float, y: float, end: float, width: float) -> float:
        """Below the panels if there is room, else below the map; returns where the picture ends."""
        entries = _LEGEND + _PROSPECTING * self.scene.rules.prospecting
        rows = -(-len(entries) // 2)
        if y + rows * _LEGEND_ROW + 8 <= end:
            self._entries(x, y, WIDTH, end - y, entries, rows)
            return end
        wide = width - 2 * MARGIN
        rows = -(-len(entries) // int(wide // _LEGEND_WIDTH))
        high = rows * 36 + 12
        self._entries(MARGIN, end + _GAP, wide, high, entries, rows)
        return end + _GAP + high

    def _entries(self, x: float, y: float, width: float, height: float, entries: tuple[_Entry, ...], rows: int) -> None:
        canvas = self.canvas
        places = spread(14, 4, width - 20, height - 8, len(entries), rows)
        with canvas.part("legend", x, y, width, height):
            canvas.panel(0, 0, width, height)
            for (icon, name, words), (left, middle) in zip(entries, places, strict=True):
                with canvas.group(left + 15, middle):
                    self._symbol(icon)
                canvas.text(left + 36, middle - 1, name, 12, more='font-weight="600"')
                canvas.text(left + 36, middle + 12, words, 10, canvas.theme.faint)

    def _symbol(self, icon: str) -> None:
        canvas, tint = self.canvas, self.scene.tint(0)
        if icon in ("gold", "robber"):
            canvas.chip(icon, 4, 0, 0, 30)
        elif icon in ("dig", "shore", "street", "target"):
            with canvas.group(0, 0, 0.46):
                canvas.hexagon(icon, tint)
        elif icon == "seen":
            canvas.disc(0, 0, 9, 0, tint, "#fff")
        else:
            canvas.piece(icon, 0, 0, 30, f'color="{tint}"')
