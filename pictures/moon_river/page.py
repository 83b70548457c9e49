"""A table of Moon River as a picture: what all share on the left, every seat's ranch beside it, and a legend."""

from pictures.canvas import spoken, spread
from pictures.moon_river.market import WIDTH as MARKET
from pictures.moon_river.market import Market
from pictures.moon_river.painter import Painter
from pictures.moon_river.ranch import RanchPanel
from pictures.moon_river.scene import MoonRiverScene
from pictures.page import MARGIN, Page
from pictures.themes import ENDING

_GAP, _HEAD, _LEGEND_HEIGHT = 16, 64, 146
_LEGEND = (
    ("nugget", "1 point each"), ("beaver", "1 point each"), ("cob", "1 point each"), ("cow", "scores its territory"),
    ("skull", "removes a cow"), ("circle", "room for a partner"), ("desperado", "swaps a plot"),
    ("cattle_thief", "takes a cow"), ("gold_digger", "1 point a nugget"), ("trapper", "1 point a beaver"),
    ("farmer", "1 point a cob"), ("cowboy", "herds for 3 steps"), ("number", "sorts a column"),
)  # fmt: skip


class MoonRiverPage(Page):
    scene_of = MoonRiverScene
    canvas_of = Painter
    scene: MoonRiverScene
    canvas: Painter

    def panel(self, seat: int) -> RanchPanel:
        return RanchPanel(self.canvas, self.scene, seat)

    def table(self) -> str:
        players, market = self.scene.rules.players, Market(self.canvas, self.scene)
        panels = [self.panel(seat) for seat in range(players)]
        wide, high = panels[0].width, panels[0].height
        if players == 2:  # one row of panels, as high as the market beside them
            high = max(high, market.least_height())
        right, top = MARGIN + MARKET + _GAP, MARGIN + _HEAD
        width = right + 2 * wide + _GAP + MARGIN
        places = [(right + i % 2 * (wide + _GAP), top + i // 2 * (high + _GAP)) for i in range(4)]
        for panel, place in zip(panels, places, strict=False):
            panel.height = high
            panel.draw(*place)
        bottom = max(places[players - 1][1] + high, top + market.least_height())
        if players == 3:  # the legend takes the fourth ranch's room
            self._legend(*places[3], wide, high, 7)
        self._headline(width)
        market.draw(MARGIN, top, bottom - top)
        if players != 3:
            self._legend(MARGIN, bottom + _GAP, width - 2 * MARGIN, _LEGEND_HEIGHT, 3)
            bottom += _GAP + _LEGEND_HEIGHT
        return self.canvas.document(width, bottom + MARGIN, self.scene.title(), self.scene.description())

    def _headline(self, width: float) -> None:
        canvas, scene = self.canvas, self.scene
        canvas.text(MARGIN + 4, MARGIN + 33, scene.title(), 27, more='font-weight="800"')
        right = self.now_pill(width - MARGIN, MARGIN + 7)
        if scene.position["last_round"] and not scene.over:
            canvas.pill(right, MARGIN + 7, "Last round", ENDING, 17)

    def _legend(self, x: float, y: float, width: float, height: float, rows: int) -> None:
        """What every symbol means, in so many rows."""
        canvas = self.canvas
        entries = [*self._landscapes(), *_LEGEND]
        places = spread(16, 10, width - 16, height - 20, len(entries), rows)
        with canvas.part("legend", x, y, width, height):
            canvas.panel(0, 0, width, height)
            for (name, words), (left, middle) in zip(entries, places, strict=True):
                if name == "number":
                    canvas.number(3, left + 8, middle - 9)
                else:
                    canvas.icon(name, left, middle - 17, 34)
                canvas.text(left + 40, middle - 2, spoken(name).capitalize(), 13, more='font-weight="600"')
                canvas.text(left + 40, middle + 13, words, 10.5, canvas.theme.faint)

    def _landscapes(self) -> list[tuple[str, str]]:
        plots = self.scene.rules.components.plots
        counts = {name: sum(p.count for p in plots if p.landscape == name) for name in self.canvas.palette.landscapes}
        return [(name, f"{count} plots{', no cows' * (name == 'corn')}") for name, count in counts.items()]
