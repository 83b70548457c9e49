"""The map in a picture: grounds, shores, the line, houses and coordinates; nothing that moves."""

from functools import lru_cache

from engine_cy.goldgraeber.components import HOUSES, Field, GoldenMap
from pictures.canvas import number
from pictures.goldgraeber.icons import HEX, HIGH, WIDE
from pictures.goldgraeber.painter import Painter
from pictures.themes import COLOURS

Point = tuple[float, float]

_PITCH = HIGH * 3 // 4  # from row to row
_CORNERS: tuple[Point, ...] = ((0, -34), (30, -17), (30, 17), (0, 34), (-30, 17), (-30, -17))
_SIDES = ((5, 0), (0, 1), (4, 5), (1, 2), (3, 4), (2, 3))  # the corners of the side to each field of Field.around
_GRASS = ("grass", "scrub", "stones", "grass", "stones")
MARGIN = 34  # for the coordinates


class Layout:
    """Where the fields of a map lie, its empty rows and columns left out."""

    def __init__(self, golden: GoldenMap) -> None:
        self.golden = golden
        rows, columns = ({field[i] for field in golden.fields} for i in (0, 1))
        self.rows = range(min(rows), max(rows) + 1)
        self.columns = range(min(columns), max(columns) + 1)
        self.width = WIDE * len(self.columns) + WIDE // 2 + 2 * MARGIN
        self.height = _PITCH * len(self.rows) + HIGH - _PITCH + 2 * MARGIN

    def middle(self, field: tuple[int, int]) -> Point:
        row, column = field
        x = MARGIN + WIDE * (column - self.columns.start) + WIDE / 2 * (1 + row % 2)
        return x, MARGIN + HIGH / 2 + _PITCH * (row - self.rows.start)

    def side(self, field: Field, near: Field) -> tuple[Point, Point]:
        """The ends of the side between a field and one next to it."""
        (x, y), ends = self.middle(field), _SIDES[field.around.index(near)]
        (x1, y1), (x2, y2) = (_CORNERS[end] for end in ends)
        return (x + x1, y + y1), (x + x2, y + y2)


@lru_cache(maxsize=8)
def _gaps(rows: tuple[str, ...]) -> tuple[Field, ...]:
    """The hexes without a field that fields enclose."""
    height, width = len(rows), len(rows[0])

    def empty(field: Field) -> bool:
        inside = 0 <= field.row < height and 0 <= field.column < width
        return not inside or rows[field.row][field.column] == "."

    outside, todo = {Field(-1, -1)}, [Field(-1, -1)]
    while todo:
        for near in todo.pop().around:
            if -1 <= near.row <= height and -1 <= near.column <= width and near not in outside and empty(near):
                outside.add(near)
                todo.append(near)
    places = (Field(row, column) for row in range(height) for column in range(width))
    return tuple(field for field in places if empty(field) and field not in outside)


class MapPicture:
    """Paints the map; `owners` are the seats by colour of the houses that are open."""

    def __init__(self, canvas: Painter, golden: GoldenMap, owners: dict[int, int]) -> None:
        self.canvas = canvas
        self.palette = canvas.palette
        self.golden = golden
        self.layout = Layout(golden)
        self.owners = owners

    def draw(self) -> None:
        self._board()
        self._coordinates()
        for field in self.golden.fields:
            self.canvas.ground(self._ground(field), *self.layout.middle(field), self._hint(field), field)
        self._shores()
        self._line()
        for colour in range(len(HOUSES)):
            self._house(colour)

    # ---- Grounds

    def _board(self) -> None:
        """One sheet under all hexes, wider than they are."""
        gaps = _gaps(self.golden.rows)
        places = [self.layout.middle(field) for field in (*self.golden.fields, *gaps)]
        path = "".join(f"M{number(x)} {number(y)}{HEX}" for x, y in places)
        for colour, width in ((self.palette.rim, 17), (self.palette.base, 12)):
            style = f'fill="{colour}" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
            self.canvas.add(f'<path d="{path}" {style}/>')
        for field in gaps:
            streets = sum(self.golden.letter(near) == "c" for near in field.around)
            with self.canvas.group(*self.layout.middle(field)):
                self.canvas.hexagon("block" if streets > 2 else "rock", self.palette.line)

    def _coordinates(self) -> None:
        layout, more = self.layout, 'text-anchor="middle" font-weight="700"'
        for row in layout.rows:
            y = layout.middle((row, 0))[1] + 4.5
            for x in (12.0, layout.width - 12):
                self.canvas.text(x, y, row + 1, 13, self.canvas.theme.faint, more)
        for column in layout.columns:
            letters, x = str(Field(0, column))[:-1], layout.middle((0, column))[0] + WIDE / 4
            for y in (19.0, layout.height - 9):
                self.canvas.text(x, y, letters, 13, self.canvas.theme.faint, more)

    def _ground(self, field: Field) -> str:
        match self.golden.kind(field):
            case "land" if self.golden.letter(field) == "o":
                return "dig"
            case "land":
                variant = 0 if field in self.golden.rail else field.row * 7 + field.column * 3
                return _GRASS[variant % len(_GRASS)]
            case "city":
                return "street"
            case "house":
                return "yard"
            case lake:
                return lake

    def _hint(self, field: Field) -> str:
        letter, words = self.golden.letter(field), {"city": "street", "water": "lake"}
        kind = self.golden.kind(field)
        name = f"house {letter}" if kind == "house" else "dig hole" if letter == "o" else words.get(kind, kind)
        return f"{field}: {name}" + ", railway" * (field in self.golden.rail)

    def _shores(self) -> None:
        """Banks where one gets on land, quays where a lake ends otherwise."""
        banks, quays = "", ""
        for lake in self.golden.lakes:
            for field in lake:
                for near in field.around:
                    if near in lake:
                        continue
                    (x1, y1), (x2, y2) = self.layout.side(field, near)
                    side = f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
                    if self.golden.letter(near) in "lo":
                        banks += side
                    else:
                        quays += side
        for path, colour, width in ((quays, self.palette.quay, 6), (banks, self.palette.foam, 10)):
            self.canvas.line(path, colour, width, 'stroke-linecap="round"')
        self.canvas.line(banks, self.palette.bank, 6, 'stroke-linecap="round"')

    # ---- The line

    def _line(self) -> None:
        """Ballast, sleepers and two rails, with the tunnel and the station at its ends."""
        canvas, palette = self.canvas, self.palette
        canvas.line(self._track(0), palette.ballast, 22, 'stroke-linecap="round" stroke-opacity=".8"')
        canvas.line(self._track(0), palette.sleeper, 18, 'stroke-dasharray="3.4 5.6"')
        for offset in (-5.5, 5.5):
            canvas.line(self._track(offset), palette.steel, 2.2)
        x, y = self.layout.middle(self.golden.rail[0])
        ahead = self._way_out()
        with canvas.group(x + 0.55 * ahead[0], y + 0.55 * ahead[1], tunnel=self.golden.rail[0]):
            canvas.hint(f"{self.golden.rail[0]}: the tunnel")
            canvas.piece("tunnel", 0, -4, 40)
        x, y = self.layout.middle(self.golden.rail[-1])
        with canvas.group(x, y, station=self.golden.rail[-1]):
            canvas.hint(f"{self.golden.rail[-1]}: the game ends when the locomotive is here")
            canvas.piece("station", 0, -2, 38)

    def _way_out(self) -> Point:
        """From the middle of the first rail field towards the missing hex that lies most straight behind it."""
        first, second = self.golden.rail[:2]
        (x, y), (x2, y2) = self.layout.middle(first), self.layout.middle(second)
        outside = [near for near in first.around if self.golden.letter(near) == "."]
        ways = [(px - x, py - y) for px, py in map(self.layout.middle, outside)]
        return min(ways, key=lambda way: way[0] * (x2 - x) + way[1] * (y2 - y))

    def _track(self, offset: float) -> str:
        """The way of a rail that runs so far to the right of the line's middle."""
        middles = [self.layout.middle(field) for field in self.golden.rail]
        (x, y), (dx, dy) = middles[0], self._way_out()
        places = [(x + dx * 0.9, y + dy * 0.9), *middles]
        path = ""
        for before, here, after in zip(places, places[1:], [*places[2:], None], strict=False):
            start = _between(before, here)
            n1 = _normal(start, here)
            if after is None:
                path += f"L{_shown(here, n1, offset)}"
                break
            end = _between(here, after)
            n2 = _normal(here, end)
            bend = offset / (1 + n1[0] * n2[0] + n1[1] * n2[1])
            corner = _shown(here, (n1[0] + n2[0], n1[1] + n2[1]), bend)
            path += f"{'L' if path else 'M'}{_shown(start, n1, offset)}Q{corner} {_shown(end, n2, offset)}"
        return path

    # ---- Houses

    def _house(self, colour: int) -> None:
        """With the path to its door in its colour; of nobody's house the door is closed."""
        house, door, owner = self.golden.houses[colour], self.golden.doors[colour], self.owners.get(colour)
        x, y = self.layout.middle(house)
        ends = self.layout.side(house, door)
        mx, my = _between(*ends)
        tint = COLOURS[colour] if owner is not None else self.palette.quay
        with self.canvas.group(0, 0, house=house, door=door):
            who = "nobody's" if owner is None else f"seat {owner}'s"
            self.canvas.hint(f"{house}: house {HOUSES[colour]}, {who}; its door is at {door}")
            way = f"M{number(x)} {number(y)}L{number(mx)} {number(my)}"
            self.canvas.line(way, self.palette.grounds["street"][0], 15)
            (x1, y1), (x2, y2) = (((px + mx) / 2, (py + my) / 2) for px, py in ends)
            gate = f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
            self.canvas.line(gate, self.palette.halo, 8.5, 'stroke-linecap="round"')
            self.canvas.line(gate, tint, 5.5, 'stroke-linecap="round"')
            self.canvas.piece("house" if owner is not None else "closed", x, y - 3, 44, f'color="{tint}"')
            self.canvas.badge(x - 20, y + 16, HOUSES[colour], 9)


def _between(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _normal(a: Point, b: Point) -> Point:
    """Of length one, to the right of the way from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = (dx * dx + dy * dy) ** 0.5
    return -dy / length, dx / length


def _shown(point: Point, normal: Point, offset: float) -> str:
    return f"{number(point[0] + normal[0] * offset)} {number(point[1] + normal[1] * offset)}"
