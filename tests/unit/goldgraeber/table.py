"""Tables for the rule tests: a test names what matters to it, the rest is filled in so that every chip is counted.

The map is a line, so that walks can be counted by hand. Row 2, from the left: house A, its door, nine dig holes, eight
streets, and the rail, which comes from the right. Below the holes is a lake, below the streets one that has no shore.
The other houses stand on doors of their own at the streets.

    column      0    1    2 ... 10   11 ... 18   19 ... 24
    row 2       A    l    o ... o    c ... c     l ... l
    row 3                 w w w (4-6)
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine_cy import Game
from engine_cy.goldgraeber.components import GoldenMap
from engine_cy.goldgraeber.rules import Goldgraeber

MAP = GoldenMap.from_dict(
    {
        "format": 1,
        "name": "line",
        "rows": [
            "...........B..D..F.......",
            "...........c..c..c.......",
            "Aloooooooooccccccccllllll",
            "....www....cw.c..........",
            ".....w.....C..E..........",
        ],
        "rail": [[2, column] for column in range(24, 18, -1)],
        "doors": [[2, 1], [1, 11], [3, 11], [1, 14], [3, 14], [1, 17]],
        "piers": [[3, 4], [3, 6]],
        "chips": {"gold": [[2, 3], [4, 2]], "robbers": [[2, 1], [3, 1], [4, 1], [5, 1]]},
    },
    test=True,
)

Field = tuple[int, int]
Chip = tuple[str, int]
HOUSE_A, DOOR_A = (2, 0), (2, 1)
HOUSE_B, DOOR_B = (0, 11), (1, 11)
PIERS = ((3, 4), (3, 6))
NOTHING: Mapping[Any, Any] = {}


def gold(value: int) -> Chip:
    return "gold", value


def robber(strength: int) -> Chip:
    return "robber", strength


def on(column: int) -> Field:
    """A field of the line."""
    return 2, column


def rules(players: int = 3, **options: Any) -> Goldgraeber:
    return Goldgraeber(players, components=MAP, **options)


def table(
    players: int = 3,
    *,
    at: Mapping[int, Field] = NOTHING,
    phase: str = "die",
    locomotive: Field = (2, 24),
    rafts: Sequence[Field] = PIERS,
    chips: Mapping[int, Chip] = NOTHING,
    empty: Sequence[int] = (),
    looked: Mapping[int, Sequence[int]] = NOTHING,
    robbers: Mapping[int, tuple[int, Sequence[Chip]]] = NOTHING,
    rested: Sequence[int] = (),
    carried: Mapping[int, Sequence[Chip]] = NOTHING,
    banked: Mapping[int, Sequence[Chip]] = NOTHING,
    seed: int | None = None,
    options: Mapping[str, Any] = NOTHING,
    **turn: Any,
) -> Game:
    """A game in seat 0's turn, about to roll the die unless told otherwise; who is not `at` a field is at home.

    `chips` are those known by column, `empty` and `robbers` what else is on dig holes; the other holes have a chip face
    down, but for the last ones where chips are carried or banked. Chips that are nowhere then are banked by the last
    seat. Without a seed chance is the test's.
    """
    made = rules(players, **options)
    empty = [*empty, *_emptied(empty, {*chips, *looked}, robbers, [*carried.values(), *banked.values()])]
    position: dict[str, Any] = {
        "game": "goldgraeber",
        "phase": phase,
        "locomotive": list(locomotive),
        "diggers": [list(at.get(seat, MAP.houses[made.colours[seat]])) for seat in range(players)],
        "rafts": [list(field) for field in rafts],
        "chips": [
            {
                "field": list(field),
                "chip": _chip(chips[field.column]) if field.column in chips else None,
                "looked": list(looked.get(field.column, ())),
            }
            for field in MAP.holes
            if field.column not in empty and field.column not in robbers
        ],
        "robbers": [
            {"field": list(on(column)), "strength": strength, "loot": [_chip(chip) for chip in loot]}
            for column, (strength, loot) in robbers.items()
        ],
        "open": [[_chip(chip) for chip in carried.get(seat, ())] for seat in range(players)],
        "banked": [[_chip(chip) for chip in banked.get(seat, ())] for seat in range(players)],
        "turn": {"seat": 0, **turn},
        "rested": list(rested),
    }
    position["banked"][-1] += _left_over(position)
    return Game.at(made, position, seed)


def _emptied(
    empty: Sequence[int],
    used: set[int],
    robbers: Mapping[int, tuple[int, Sequence[Chip]]],
    chips: Sequence[Sequence[Chip]],
) -> list[int]:
    """The holes that are empty besides, from the right, for the chips that are somewhere else."""
    away = sum(map(len, chips)) + sum(len(loot) for _, loot in robbers.values())
    free = [hole.column for hole in MAP.holes if hole.column not in {*empty, *used, *robbers}]
    return free[::-1][: max(0, away - len(empty))]


def _chip(chip: Chip) -> dict[str, Any]:
    return {"kind": chip[0], "value": chip[1]}


def _left_over(position: dict[str, Any]) -> list[dict[str, Any]]:
    """What is nowhere and does not lie face down either, the cheapest first."""
    seen = [entry["chip"] for entry in position["chips"] if entry["chip"]]
    seen += [chip for name in ("open", "banked") for chips in position[name] for chip in chips]
    for entry in position["robbers"]:
        seen += [_chip(robber(entry["strength"])), *entry["loot"]]
    left = Counter({gold(value): n for value, n in MAP.gold})
    left += Counter({robber(strength): n for strength, n in MAP.robbers})
    left -= Counter((chip["kind"], chip["value"]) for chip in seen)
    unknown = sum(entry["chip"] is None for entry in position["chips"])
    return [_chip(chip) for chip in sorted(left.elements())][: left.total() - unknown]


# ---- Looking at a game


def options(game: Game) -> list[Any]:
    """What the seat can do: fields as tuples, or names; sorted."""
    return sorted(tuple(d.to_list()[-1]) if len(d.to_list()) > 1 else d.to_list()[0] for d in game.decisions())


def columns(game: Game) -> list[int]:
    """The columns of the line where the seat can end its walk."""
    return [column for row, column in options(game) if row == 2]


def digger(game: Game, seat: int = 0) -> Field:
    row, column = game.position()["diggers"][seat]
    return row, column


def carried(game: Game, seat: int = 0) -> list[Chip]:
    return [(chip["kind"], chip["value"]) for chip in game.position()["open"][seat]]


def banked(game: Game, seat: int = 0) -> list[Chip]:
    return [(chip["kind"], chip["value"]) for chip in game.position()["banked"][seat]]


def face_down(game: Game) -> list[int]:
    """The columns with a chip face down."""
    return [entry["field"][1] for entry in game.position()["chips"]]


def robbers(game: Game) -> dict[int, tuple[int, list[Chip]]]:
    """Robbers face up by column, with what lies under them."""
    return {
        entry["field"][1]: (entry["strength"], [(chip["kind"], chip["value"]) for chip in entry["loot"]])
        for entry in game.position()["robbers"]
    }


def turn(game: Game) -> int:
    """Whose turn it is."""
    return int(game.position()["turn"]["seat"])


def go(game: Game, number: int, target: Field | None = None) -> Game:
    """Roll the die and, if there is a choice, walk there."""
    game.reveal("die", number)
    if target is not None:
        game.decide(["walk", list(target)])
    return game


def turn_up(game: Game, chip: Chip) -> Game:
    """The chip under the digger at turn is this one."""
    game.reveal("chip", [list(digger(game, turn(game))), list(chip)])
    return game


def roll(game: Game, *numbers: int) -> Game:
    for number in numbers:
        game.reveal("roll", number)
    return game
