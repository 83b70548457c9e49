"""Goldgräber for the property tests: its variants, what is true of a position, and positions in which pieces were moved
about, of which most contradict themselves and some do not."""

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from engine_cy import Game, GoldenMap, Goldgraeber, View
from engine_cy.goldgraeber.chips import chip_table
from engine_cy.goldgraeber.components import standard
from engine_cy.goldgraeber.state import FIGHT_NAMES, PHASES
from tests.tables import DATA

MAPS = (standard(), GoldenMap.load(DATA / "tiny_golden.toml", test=True))
FIGHTS = FIGHT_NAMES[1:]
WORDS = (*PHASES, *FIGHTS, "gold", "tiny", "golden-city")
_WAITS = [name for name in PHASES if name != "next_turn"]


def variants() -> Iterator[tuple[str, Goldgraeber]]:
    """Any number of players, with and without prospecting, on the standard map and on a crowded one."""
    for golden in MAPS:
        for players in (3, 4, 5, 6):
            for prospecting in (False, True):
                colours = [*range(players - 3, 6), *range(players - 3)][:players]
                name = f"{golden.name}, {players} players{', prospecting' * prospecting}"
                yield name, Goldgraeber(players, prospecting=prospecting, colours=colours, components=golden)


def rules_of(game: Game | View) -> Goldgraeber:
    """The rules, known to be Goldgräber's."""
    assert isinstance(game.rules, Goldgraeber)
    return game.rules


def public(position: dict[str, Any]) -> dict[str, Any]:
    """The position without what lies face down (GG-2, GG-20)."""
    return {**position, "chips": [entry | {"chip": None} for entry in position["chips"]]}


# ---- What is true of a position


def pieces(position: dict[str, Any]) -> Counter[Any]:
    """Every chip, by what it shows; None for those nobody says."""
    found = [entry["chip"] for entry in position["chips"]]
    found += [{"kind": "robber", "value": robber["strength"]} for robber in position["robbers"]]
    found += [chip for robber in position["robbers"] for chip in robber["loot"]]
    found += [chip for name in ("open", "banked") for chips in position[name] for chip in chips]
    return Counter(chip and (chip["kind"], chip["value"]) for chip in found)


def check_chips(rules: Goldgraeber, position: dict[str, Any]) -> None:
    """Section 1, GG-10 to GG-13: each chip is somewhere, and on a hole or with a digger; robbers lie on nothing."""
    golden, found = rules.components, pieces(position)
    unknown = found.pop(None, 0)
    every = Counter({("gold", value): n for value, n in golden.gold})
    every += Counter({("robber", strength): n for strength, n in golden.robbers})
    assert found <= every
    assert found.total() + unknown == every.total()
    fields = [tuple(entry["field"]) for name in ("chips", "robbers") for entry in position[name]]
    assert len(set(fields)) == len(fields)
    assert set(fields) <= set(golden.holes)
    for entry in position["chips"]:
        assert rules.prospecting or not entry["looked"]
        assert set(entry["looked"]) <= set(range(rules.players))


def check_places(rules: Goldgraeber, position: dict[str, Any]) -> None:
    """GG-5 to GG-8: diggers on land, streets, at home or on a raft of their own; rafts in their lakes."""
    golden, rafts = rules.components, [tuple(raft) for raft in position["rafts"]]
    assert len(set(rafts)) == len(rafts) == len(golden.piers)
    for number, lake in enumerate(golden.lakes):
        assert len(set(rafts) & set(golden.shores(number))) == len(set(golden.piers) & set(lake))
    arrived = position["locomotive"] == list(golden.rail[-1])
    afloat = []
    for seat, place in enumerate(tuple(digger) for digger in position["diggers"]):
        kind = golden.kind(place)
        assert kind != "water"
        assert kind != "house" or place == golden.houses[rules.colours[seat]]
        assert arrived or list(place) != position["locomotive"]
        afloat += [place] * (kind == "shore")
    assert len(set(afloat)) == len(afloat)
    assert set(afloat) <= set(rafts)


def check_course(rules: Goldgraeber, position: dict[str, Any]) -> None:
    """GG-18, and what a turn says of itself."""
    arrived = position["locomotive"] == list(rules.components.rail[-1])
    few = len(position["chips"]) <= rules.players
    assert (position["phase"] == "over") == (arrived or few)
    turn = position["turn"]
    assert (turn["fight"] is not None) == (position["phase"] == "roll")
    assert (turn["steps"] is not None) == (position["phase"] in ("walk", "retreat"))
    assert not turn["looking"] or position["phase"] == "chip"
    assert rules.resting or not position["rested"]
    assert turn["seat"] not in position["rested"] or position["phase"] == "prospect"


def check_results(game: Game | View, position: dict[str, Any]) -> None:
    """GG-19."""
    for score, chips in zip(game.scores(), position["banked"], strict=True):
        gold = sum(chip["value"] for chip in chips if chip["kind"] == "gold")
        assert score.total == gold + 2 * sum(chip["kind"] == "robber" for chip in chips)
    totals = [score.total for score in game.scores()]
    assert game.ranking() == [1 + sum(other > total for other in totals) for total in totals]


def check(game: Game | View, position: dict[str, Any]) -> None:
    rules = rules_of(game)
    for part in (check_chips, check_places, check_course):
        part(rules, position)
    check_results(game, position)
    for entry in position["chips"]:  # GG-20
        if isinstance(game, View):
            assert (entry["chip"] is not None) == (game.viewer in entry["looked"])
        else:
            assert entry["chip"] or entry["looked"]


# ---- Positions in which pieces were moved about

Position = dict[str, Any]


def _one(draw: st.DrawFn, things: Any) -> Any:
    return draw(st.sampled_from(list(things)))


def _field(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> list[int]:
    """Some field; most often one where something is."""
    used = [*p["diggers"], *p["rafts"], p["locomotive"], *(entry["field"] for entry in p["chips"] + p["robbers"])]
    return list(_one(draw, [*used, *rules.components.fields]))


def _digger(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    p["diggers"][_one(draw, range(rules.players))] = _field(draw, rules, p)


def _home(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    seat = _one(draw, range(rules.players))
    p["diggers"][seat] = list(rules.components.houses[rules.colours[seat]])


def _raft(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    shores = [shore for lake in range(len(rules.components.lakes)) for shore in rules.components.shores(lake)]
    p["rafts"][_one(draw, range(len(p["rafts"])))] = list(_one(draw, shores))


def _locomotive(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    p["locomotive"] = list(_one(draw, rules.components.rail))


def _found(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    """Chips go from where they lie to a digger, one or most of them."""
    for _ in range(_one(draw, [1, 1, 3, 60])):
        if len(p["chips"]) > 1:
            entry = p["chips"].pop(_one(draw, range(len(p["chips"]))))
            if entry["chip"] is not None:
                _one(draw, p["open"] + p["banked"]).append(entry["chip"])


def _purse(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    """Chips of one go to another, home, under a robber, or out of the game."""
    holders = [*p["open"], *p["banked"], *(robber["loot"] for robber in p["robbers"]), []]
    source, target = _one(draw, holders), _one(draw, holders)
    for _ in range(_one(draw, [1, 2, 60])):
        if source:
            target.append(source.pop())


def _swap(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    one, other = _one(draw, p["chips"]), _one(draw, p["chips"])
    one["chip"], other["chip"] = other["chip"], one["chip"]


def _unknown(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    """One chip, or all of them, as a front end would say it that does not know them."""
    for entry in draw(st.sampled_from([p["chips"], [_one(draw, p["chips"])]])):
        entry["chip"] = None


def _looked(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    _one(draw, p["chips"])["looked"] = sorted(draw(st.sets(st.integers(0, rules.players - 1), max_size=3)))


def _rested(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    p["rested"] = sorted(draw(st.sets(st.integers(0, rules.players - 1), max_size=3)))


def _robber(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    """A chip is turned up, or a robber turned down, or it stands elsewhere."""
    hidden = [entry for entry in p["chips"] if entry["chip"] and entry["chip"]["kind"] == "robber"]
    if p["robbers"] and draw(st.booleans()):
        _one(draw, p["robbers"])["field"] = _field(draw, rules, p)
    elif hidden and len(p["chips"]) > 1:
        entry = _one(draw, hidden)
        p["chips"].remove(entry)
        p["robbers"].append({"field": entry["field"], "strength": entry["chip"]["value"], "loot": []})


def _chip(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    _one(draw, p["chips"])["chip"] = chip_table(draw(st.integers(0, 9)))


def _turn(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    seats, name = range(rules.players), _one(draw, sorted(p["turn"]))
    match name:
        case "seat":
            p["turn"][name] = _one(draw, seats)
        case "fight":
            p["turn"][name] = _one(draw, [None, *FIGHTS])
        case "looking":
            p["turn"][name] = draw(st.booleans())
        case "steps" | "attack":
            p["turn"][name] = _one(draw, [None, 1, 2, 3, 4, 5, 6])
        case _:
            p["turn"][name] = _one(draw, [None, *seats])


def _phase(draw: st.DrawFn, rules: Goldgraeber, p: Position) -> None:
    """Another one; with what it needs, or as it is."""
    p["phase"] = _one(draw, _WAITS)
    if draw(st.booleans()):
        steps = draw(st.integers(2, 6)) if p["phase"] in ("walk", "retreat") else None
        p["turn"] = {"seat": p["turn"]["seat"], "steps": steps}
        if p["phase"] == "roll":
            p["turn"]["fight"] = _one(draw, FIGHTS)


_EDITS: list[Callable[[st.DrawFn, Goldgraeber, Position], None]] = [
    _digger, _digger, _home, _raft, _locomotive, _found, _purse, _purse, _swap, _unknown, _looked, _rested, _robber,
    _chip, _turn, _turn, _phase, _phase,
]  # fmt: skip


@st.composite
def rearranged(draw: st.DrawFn, game: Game) -> Position:
    """The position of a game after one to four such edits."""
    position = copy.deepcopy(game.position())
    for _ in range(draw(st.integers(1, 4))):
        _one(draw, _EDITS)(draw, rules_of(game), position)
    return position


# ---- What may be written in several ways

_TURN = {"steps": None, "fight": None, "defender": None, "attack": None, "walker": None, "looking": False}


def _normal(position: Position) -> Position:
    """With what may be left out, and in one order where the order says nothing."""

    def ordered(chips: Any) -> list[Any]:
        return sorted(chips, key=lambda chip: (chip["kind"], chip["value"]))

    chips = [{"chip": None, "looked": []} | entry for entry in position["chips"]]
    robbers = [{"loot": []} | robber for robber in position["robbers"]]
    return {
        **position,
        "rafts": sorted(list(raft) for raft in position["rafts"]),
        "chips": sorted(
            (entry | {"looked": sorted(entry["looked"])} for entry in chips), key=lambda entry: list(entry["field"])
        ),
        "robbers": sorted(
            (robber | {"loot": ordered(robber["loot"])} for robber in robbers), key=lambda robber: list(robber["field"])
        ),
        "open": [ordered(held) for held in position["open"]],
        "banked": [ordered(held) for held in position["banked"]],
        "turn": {**_TURN, **position["turn"]},
        "rested": sorted(position.get("rested", [])),
    }


def same(given: Position, read: Position) -> bool:
    """Whether a position was read as it stands; chips it did not say may be any."""
    one, other = _normal(given), _normal(read)
    for entry, known in zip(one["chips"], other["chips"], strict=False):
        if entry["chip"] is None:
            entry["chip"] = known["chip"]
    return one == other
