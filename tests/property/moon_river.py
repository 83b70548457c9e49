"""Moon River for the property tests: its variants, what is true of a position, and positions in which pieces were moved
about, of which most contradict themselves and some do not."""

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from engine_cy import Game, MoonRiver, MoonRiverComponents, View
from engine_cy.moon_river.components import LANDSCAPES, SPECIALISTS, STANDARD
from engine_cy.moon_river.rules import SCENARIOS
from engine_cy.moon_river.state import PHASES
from tests.tables import DATA

SETS = tuple(MoonRiverComponents.load(path) for path in (STANDARD, DATA / "crowded.toml", DATA / "scarce.toml"))
WORDS = (
    *PHASES, *SPECIALISTS, *LANDSCAPES, *SCENARIOS,
    "cowboy", "specialist", "stop", "done", "decline", "camp", "mary",
)  # fmt: skip
HIDDEN = ("pile", "stack")
COLUMNS = ("current", "next")


def variants() -> Iterator[tuple[str, MoonRiver]]:
    """Any number of players, base game or legends, any component set."""
    for components in SETS:
        for players in (2, 3, 4):
            name = f"{components.name}, {players} players, "
            yield name + "base game", MoonRiver(players, components=components)
            for scenario in (None, *SCENARIOS):
                rules = MoonRiver(players, legends=True, scenario=scenario, components=components)
                yield name + (scenario or "scenario drawn"), rules


def rules_of(game: Game | View) -> MoonRiver:
    """The rules, known to be Moon River's."""
    assert isinstance(game.rules, MoonRiver)
    return game.rules


def public(position: dict[str, Any]) -> dict[str, Any]:
    """The position without its hidden orders (MR-7)."""
    return {**position, **{name: sorted(position[name]) for name in HIDDEN}}


# ---- What is true of a position


def pieces(position: dict[str, Any]) -> Counter[int]:
    """Every plot that is still in the game, by kind."""
    found = Counter[int](position["pile"])
    for column in ("current", "next"):
        found.update(slot["plot"] for slot in position[column] if slot["plot"] is not None)
    for hand in position["hands"]:
        found.update(hand)
    found.update(entry["plot"] for entry in laid(position) if isinstance(entry["plot"], int))
    return found


def laid(position: dict[str, Any]) -> list[dict[str, Any]]:
    """The plots of all ranches."""
    return [entry for ranch in position["ranches"] for entry in ranch]


def check_cows(rules: MoonRiver, position: dict[str, Any]) -> None:
    """MR-14, MR-15, MR-19, MR-21: supply and ranches add up, and no cow stands on corn."""
    entries = laid(position)
    assert position["supply"] >= 0
    assert all(entry["cows"] >= 0 for entry in entries)
    assert position["supply"] + sum(entry["cows"] for entry in entries) == rules.components.cows
    assert not any(entry["cows"] and landscape(rules, entry) == "corn" for entry in entries)


def check_tokens(rules: MoonRiver, position: dict[str, Any]) -> None:
    """MR-16: stack, saloon and partners add up; what is missing of the specialists lies there as cowboys."""
    partners = Counter(entry["partner"] for entry in laid(position))
    seen = Counter(position["stack"]) + Counter(position["saloon"]) + partners
    missing = {name: rules.components.partners[name] - seen[name] for name in SPECIALISTS}
    assert min(missing.values()) >= 0
    assert sum(missing.values()) == partners["cowboy"]
    assert len(position["saloon"]) <= rules.components.saloon_size
    assert all(circle(rules, entry) for entry in laid(position) if entry["partner"])


def check_ranches(rules: MoonRiver, position: dict[str, Any]) -> None:
    """MR-11, MR-13, MR-26: dominoes on free cells, a tile at most for each seat, no tile twice."""
    rows = 10 if rules.players == 2 else 5
    tiles = list(position["bonus_tiles"])
    for ranch, taken in zip(position["ranches"], position["bonus_taken"], strict=True):
        cells = [tuple(entry["cell"]) for entry in ranch]
        assert len(cells) == len(set(cells)) <= rows * 5 - 1
        assert (0, 2) not in cells
        assert all(0 <= row < rows and 0 <= column < 5 for row, column in cells)
        own = [entry["plot"]["tile"] for entry in ranch if isinstance(entry["plot"], dict)]
        assert len(own) <= taken
        assert (len(ranch) - len(own)) % 2 == 0
        tiles += own
    assert len(tiles) == len(set(tiles))
    assert set(tiles) <= set(range(len(rules.components.bonus_tiles) if rules.players == 2 else 0))


def check_table(rules: MoonRiver, position: dict[str, Any]) -> None:
    """MR-8..10, MR-17, MR-24: rancheros, columns, storages and the pile fit one another."""
    size, rancheros = rules.components.column_size, 2 if rules.players == 2 else 1
    assert len(position["pile"]) % size == 0
    assert len(position["current"]) in (0, size)
    assert len(position["next"]) in (0, size)
    standing = Counter(slot["seat"] for name in ("current", "next") for slot in position[name])
    turn, over = position["turn"], position["phase"] == "over"
    in_turn = position["phase"] not in ("scenario", "saloon", "column", "ranchero", "claim", "over")
    for seat, hand in enumerate(position["hands"]):
        full = rules.components.boards[rules.boards[seat]].storage + (in_turn and seat == turn["seat"])
        assert len(hand) <= (0 if over else full)
        assert hand == sorted(hand)
        standing[seat] += in_turn and seat == turn["seat"]
        assert standing[seat] <= rancheros
        if turn["claims"] == rancheros * rules.players and not position["last_round"]:
            assert standing[seat] == rancheros
    if position["last_round"]:
        assert not position["pile"]
        assert not position["next"]
    if turn["claims"] == rancheros * rules.players and not over:
        plots_left = [slot["plot"] is not None for slot in position["current"]]
        chosen = [slot["seat"] is not None for slot in position["current"]]
        assert sum(plots_left) - sum(chosen) == size - turn["claims"]
        assert not any(chosen[: max((i for i, left in enumerate(plots_left) if not left), default=0)])
    if over:
        assert position["last_round"]
        assert not position["current"]
        assert all(entry["cows"] <= 1 for entry in laid(position))  # MR-27


def landscape(rules: MoonRiver, entry: dict[str, Any]) -> str:
    plot = entry["plot"]
    if isinstance(plot, dict):
        return str(rules.components.bonus_tiles[plot["tile"]].sides[plot["side"]])
    return str(rules.components.plots[plot].landscape)


def circle(rules: MoonRiver, entry: dict[str, Any]) -> bool:
    return isinstance(entry["plot"], dict) or rules.components.plots[entry["plot"]].circle


def check_results(game: Game | View) -> None:
    """Section 8: the parts of a score add up, and MR-32 ranks."""
    scores = [score.to_dict() for score in game.scores()]
    for score in scores:
        assert score["total"] == sum(score[part] for part in ("territories", "resources", "partners", "scenario"))
    keys = [(score["total"], score["largest_territory"], score["cows"]) for score in scores]
    assert game.ranking() == [1 + sum(other > key for other in keys) for key in keys]


def check(game: Game | View, position: dict[str, Any]) -> None:
    rules = rules_of(game)
    found = pieces(position)
    assert all(0 <= found[plot.id] <= plot.count for plot in rules.components.plots)
    for part in (check_cows, check_tokens, check_ranches, check_table):
        part(rules, position)
    check_results(game)


# ---- Positions in which pieces were moved about

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


# ---- What may be written in several ways

TURN: dict[str, Any] = {"claims": None, "steps": 0, "thief": None, "tile": None, "skulls": [], "circles": []}


def _normal(position: Any) -> dict[str, Any]:
    """With what may be left out, and in one order where the order says nothing."""
    ranches = [
        sorted(({"cows": 0, "partner": None} | entry for entry in ranch), key=lambda entry: list(entry["cell"]))
        for ranch in position["ranches"]
    ]
    turn = {
        name: sorted(value) if isinstance(value, list) and name != "thief" else value
        for name, value in {**TURN, **position["turn"]}.items()
    }
    hands = [sorted(hand) for hand in position["hands"]]
    unordered = {name: sorted(position[name]) for name in ("saloon", "bonus_tiles")}
    columns = {
        name: position[name] if any(slot["plot"] is not None for slot in position[name]) else [] for name in COLUMNS
    }
    taken = position["bonus_taken"] or [False] * len(hands)
    return {**position, **unordered, **columns, "ranches": ranches, "turn": turn, "hands": hands, "bonus_taken": taken}


def same(given: dict[str, Any], read: dict[str, Any]) -> bool:
    """Whether a position was read as it stands."""
    one, other = _normal(given), _normal(read)
    if one["turn"]["claims"] is None:  # left to the engine
        one["turn"]["claims"] = other["turn"]["claims"]
    return one == other
