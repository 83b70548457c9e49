"""Positions in which pieces were moved about: most contradict themselves, some do not."""

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from engine_cy import Game
from engine_cy.moon_river.components import SPECIALISTS
from engine_cy.moon_river.decisions import PHASES
from tests.property.invariants import laid, rules_of

Position = dict[str, Any]
_PHASES = [name for name in PHASES if name not in ("pass", "next_turn")]


def _one(draw: st.DrawFn, things: list[Any]) -> Any:
    return draw(st.sampled_from(things))


def _maybe(draw: st.DrawFn, things: list[Any]) -> Any:
    """One of them or None."""
    return draw(st.sampled_from([None, *things]))


def _phase(draw: st.DrawFn, p: Position) -> None:
    p["phase"] = _one(draw, _PHASES)


def _seat(draw: st.DrawFn, p: Position) -> None:
    p["turn"]["seat"] = _one(draw, list(range(len(p["hands"]))))


def _claims(draw: st.DrawFn, p: Position) -> None:
    p["turn"]["claims"] += _one(draw, [-1, 1])


def _last_round(draw: st.DrawFn, p: Position) -> None:
    p["last_round"] = not p["last_round"]
    if draw(st.booleans()):
        p["next"], p["pile"] = [], []


def _bonus_taken(draw: st.DrawFn, p: Position) -> None:
    seat = _one(draw, list(range(len(p["hands"]))))
    p["bonus_taken"][seat] = not p["bonus_taken"][seat]


def _plot(draw: st.DrawFn, p: Position) -> None:
    """From a hand or the pile to another, or out of the game."""
    source, target = (_one(draw, [p["pile"], *p["hands"]]) for _ in range(2))
    for _ in range(_one(draw, [1, 1, 2, 4])):
        if source:
            target.append(source.pop())
    if draw(st.integers(0, 3)) == 0:
        target.clear()


def _plots(draw: st.DrawFn, p: Position) -> None:
    """Two plots change places."""
    holders: list[tuple[Any, Any]] = [(home, i) for home in [p["pile"], *p["hands"]] for i in range(len(home))]
    holders += [(slot, "plot") for name in ("current", "next") for slot in p[name]]
    holders += [(entry, "plot") for entry in laid(p)]
    if holders:
        (one, at), (other, there) = _one(draw, holders), _one(draw, holders)
        one[at], other[there] = other[there], one[at]


def _column(draw: st.DrawFn, p: Position) -> None:
    """A column goes back to the pile, or one is drawn."""
    name, size = _one(draw, ["current", "next"]), max(len(p["current"]), len(p["next"]), 4)
    if p[name]:
        p["pile"] += [slot["plot"] for slot in p[name] if slot["plot"] is not None]
        p[name] = []
    else:
        p[name] = [{"plot": plot, "seat": None} for plot in p["pile"][-size:]]
        del p["pile"][-size:]


def _ranchero(draw: st.DrawFn, p: Position) -> None:
    slots = [slot for name in ("current", "next") for slot in p[name]]
    if slots:
        one, other = _one(draw, slots), _one(draw, slots)
        one["seat"], other["seat"] = other["seat"], one["seat"]
        if draw(st.integers(0, 3)) == 0:
            one["seat"] = _maybe(draw, list(range(len(p["hands"]))))


def _collect(draw: st.DrawFn, p: Position) -> None:
    """A plot of a column goes to a hand, with its ranchero or not."""
    slots = [slot for name in ("current", "next") for slot in p[name] if slot["plot"] is not None]
    if slots:
        slot = _one(draw, slots)
        _one(draw, p["hands"]).append(slot["plot"])
        slot["plot"] = None
        slot["seat"] = slot["seat"] if draw(st.booleans()) else None


def _token(draw: st.DrawFn, p: Position) -> None:
    source, target = draw(st.permutations(["saloon", "stack"]))
    if p[source]:
        p[target].append(p[source].pop(_one(draw, list(range(len(p[source]))))))


def _partner(draw: st.DrawFn, p: Position) -> None:
    """A partner turns over, leaves for the stack, or comes from there."""
    if entries := laid(p):
        entry = _one(draw, entries)
        if entry["partner"] in SPECIALISTS and draw(st.booleans()):
            p["stack"].append(entry["partner"])
            entry["partner"] = None
        elif entry["partner"] is None and p["stack"]:
            token = p["stack"].pop()
            entry["partner"] = _one(draw, [token, "cowboy"])
        else:
            entry["partner"] = _maybe(draw, [*SPECIALISTS, "cowboy"])


def _cow(draw: st.DrawFn, p: Position) -> None:
    homes = [(p, "supply"), *((entry, "cows") for entry in laid(p))]
    (one, at), (other, there) = _one(draw, homes), _one(draw, homes)
    n = min(one[at], _one(draw, [1, 1, 2, 40]))
    one[at] -= n
    other[there] += n


def _domino(draw: st.DrawFn, p: Position) -> None:
    """One is taken up, or laid from the pile."""
    ranch = _one(draw, p["ranches"])
    if ranch and draw(st.booleans()):
        for _ in range(2):
            if ranch:
                p["supply"] += ranch.pop(_one(draw, list(range(len(ranch)))))["cows"]
    else:
        taken = [entry["cell"] for entry in ranch]
        rows = 10 if len(p["hands"]) == 2 else 5
        free = [[row, column] for row in range(rows) for column in range(5) if [row, column] not in [[0, 2], *taken]]
        for cell in draw(st.permutations(free))[:2]:
            if p["pile"]:
                ranch.append({"cell": cell, "plot": p["pile"].pop(), "cows": 0, "partner": None})


def _tile(draw: st.DrawFn, p: Position) -> None:
    """A bonus tile is laid where a plot was, or turned, or chosen."""
    seat = _one(draw, list(range(len(p["hands"]))))
    if p["bonus_tiles"]:
        tile = p["bonus_tiles"].pop()
        p["bonus_taken"][seat] = True
        if p["ranches"][seat] and draw(st.booleans()):
            _one(draw, p["ranches"][seat])["plot"] = {"tile": tile, "side": _one(draw, [0, 1])}
        else:
            p["turn"]["tile"] = tile


def _turn(draw: st.DrawFn, p: Position) -> None:
    """A field of the turn, with cells of the seat's ranch."""
    cells = [entry["cell"] for entry in p["ranches"][p["turn"]["seat"]]]
    name = _one(draw, ["steps", "thief", "tile", "skulls", "circles"])
    match name:
        case "steps":
            p["turn"][name] = _one(draw, [0, 1, 2, 3])
        case "tile":
            p["turn"][name] = _maybe(draw, p["bonus_tiles"])
        case "thief":
            p["turn"][name] = _maybe(draw, cells)
        case _:
            p["turn"][name] = [_one(draw, cells) for _ in range(_one(draw, [0, 1, 2]))] if cells else []


_EDITS: list[Callable[[st.DrawFn, Position], None]] = [
    _phase, _phase, _seat, _claims, _last_round, _bonus_taken, _plot, _plot, _plots, _column, _ranchero, _ranchero,
    _collect, _token, _partner, _cow, _cow, _domino, _tile, _turn, _turn,
]  # fmt: skip


@st.composite
def rearranged(draw: st.DrawFn, game: Game) -> Position:
    """The position of a game after one to four such edits; sorted as the game shows it."""
    position = copy.deepcopy(game.position())
    for _ in range(draw(st.integers(1, 4))):
        _one(draw, _EDITS)(draw, position)
    if draw(st.booleans()) and len(position["pile"]) % rules_of(game).components.column_size:
        del position["pile"][: len(position["pile"]) % rules_of(game).components.column_size]
    return position
