"""Tests of the Moon River oracle alone: the worked examples (section 9) and random full games."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from .moon_river import Oracle, Pending, Slot
from .moon_river_ranch import Cell, Plot, Ranch
from .moon_river_score import SCENARIOS

COMPONENTS = Path(__file__).resolve().parents[2] / "engine_cy" / "components" / "moon_river.toml"


def load() -> dict[str, Any]:
    return tomllib.loads(COMPONENTS.read_text(encoding="utf-8"))


# -------------------------------------------------------------------- helpers for single situations


def fill(ranch: Ranch, landscape: str, cells: list[Cell], **symbols: Any) -> None:
    for cell in cells:
        ranch.plots[cell] = Plot(-1, landscape, **symbols)


def run(flow: Generator[Pending, Any, None], *answers: list[Any]) -> None:
    """Play a part of the game with exactly these answers; each must be among the options."""
    left = list(answers)
    try:
        pending = next(flow)
        while True:
            assert left, f"unexpected decision {pending}"
            assert left[0] in pending.options, pending
            pending = flow.send(left.pop(0))
    except StopIteration:
        assert not left


# -------------------------------------------------------------------- helpers for whole games


def random_outcome(oracle: Oracle, what: str, rng: random.Random) -> Any:
    state = oracle.snapshot()
    if what == "scenario":
        return rng.choice(SCENARIOS)
    if what == "ranchero":
        placed = {slot["seat"] for slot in state["current"]}
        return rng.choice([seat for seat in range(oracle.players) if seat not in placed])
    if what == "saloon":
        missing = oracle.saloon_size - len(state["saloon"])
        return rng.sample(state["stack"], min(missing, len(state["stack"])))
    assert what == "column"
    drawn = rng.sample(state["pile"], oracle.column_size)
    return sorted(drawn, key=lambda kind: oracle.kinds[kind].number)  # stable: equal numbers as drawn (MR-2)


def count_plots(state: dict[str, Any]) -> int:
    columns = [slot for slot in state["current"] + state["next"] if slot["plot"] is not None]
    built = [name for ranch in state["ranches"] for _, name in ranch["plots"] if isinstance(name, int)]
    return len(state["pile"]) + len(columns) + sum(map(len, state["hands"])) + len(built)


def check_state(state: dict[str, Any], components: dict[str, Any]) -> None:
    """Cows (MR-14, MR-15, MR-21) and tokens (MR-16) are conserved and stand where they may."""
    on_ranches = sum(count for ranch in state["ranches"] for _, count in ranch["cows"])
    assert on_ranches + state["supply"] == components["cows"]
    assert state["supply"] >= 0
    hired = sum(len(ranch["partners"]) for ranch in state["ranches"])
    assert len(state["stack"]) + len(state["saloon"]) + hired == sum(components["partners"].values())
    assert len(state["saloon"]) <= components["saloon_size"]
    for ranch in state["ranches"]:
        built = dict(ranch["plots"])
        assert 2 not in built  # MR-11
        for index, _ in ranch["cows"]:
            name = built[index]
            assert not isinstance(name, int) or components["plot"][name]["landscape"] != "corn"  # MR-19
        for index, _ in ranch["partners"]:
            name = built[index]
            assert not isinstance(name, int) or components["plot"][name].get("circle", False)  # MR-16


def play(oracle: Oracle, components: dict[str, Any], rng: random.Random) -> Counter[str]:
    """Play a random game to its end, checking after every event; returns how often each event came up."""
    events: Counter[str] = Counter()
    plots = count_plots(oracle.snapshot())
    last_round = False
    while oracle.pending() != ("over",):
        pending = oracle.pending()
        events[pending[-1]] += 1
        if pending[0] == "chance":
            oracle.chance(pending[1], random_outcome(oracle, pending[1], rng))
        else:
            options = oracle.options()
            assert len(options) >= 2  # section 10: forced decisions are not asked
            assert len({repr(option) for option in options}) == len(options)
            assert not last_round or pending[2] != "select"  # MR-24
            oracle.apply(rng.choice(options))
        state = oracle.snapshot()
        check_state(state, components)
        assert count_plots(state) <= plots
        plots = count_plots(state)
        assert state["last_round"] or not last_round
        last_round = state["last_round"]
        assert state["phase"] == oracle.pending()[-1]
    return events


GAMES: list[tuple[int, bool, str | None]] = [(players, False, None) for players in (2, 3, 4)]
GAMES += [(players, True, scenario) for players in (2, 3, 4) for scenario in (None, *SCENARIOS)]


@pytest.mark.parametrize(("players", "legends", "scenario"), GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_game(players: int, legends: bool, scenario: str | None, seed: int) -> None:
    """MR-25: 24 columns, MR-24: a last round, MR-22, MR-27: no plots in hand, no two cows on a plot."""
    components = load()
    oracle = Oracle(components, players, legends=legends, scenario=scenario)
    events = play(oracle, components, random.Random(seed))
    assert events["column"] == 24
    assert events["ranchero"] == (1 if players == 2 else players - 1)  # MR-3, MR-4
    assert events["scenario"] == (1 if legends and scenario is None else 0)  # MR-6
    assert (oracle.scenario is None) == (not legends)
    state = oracle.snapshot()
    assert state["last_round"] and state["seat"] is None
    assert state["hands"] == [[]] * players
    assert state["pile"] == state["current"] == state["next"] == []
    assert all(count == 1 for ranch in state["ranches"] for _, count in ranch["cows"])
    assert min(oracle.ranking()) == 1
    for result in oracle.scores():
        parts = ("territories", "resources", "partners", "scenario")
        assert result["total"] == sum(result[part] for part in parts)


def test_wrong_answers_are_refused() -> None:
    """Section 10: only what is pending and possible is accepted, and a refusal changes nothing."""
    oracle = Oracle(load(), 4)
    before = oracle.snapshot()
    for what, outcome in [
        ("column", [0, 0, 0, 0]),
        ("saloon", ["farmer"] * 5),  # there are only 2
        ("saloon", ["desperado"] * 4),
        ("saloon", "desperado"),
    ]:
        with pytest.raises(ValueError):
            oracle.chance(what, outcome)
    with pytest.raises(ValueError):
        oracle.apply(["claim", 0])
    assert oracle.snapshot() == before
    oracle.chance("saloon", ["desperado"] * 5)
    for column in ([1, 0, 0, 0], [9, 9, 9, 9], [0, 0, 0]):  # MR-2: unsorted; more than there are; too few
        with pytest.raises(ValueError):
            oracle.chance("column", column)
    oracle.chance("column", [0, 2, 5, 1])
    oracle.chance("ranchero", 2)
    assert oracle.pending() == ("decision", 2, "claim")
    with pytest.raises(ValueError):
        oracle.apply(["claim", 4])
    oracle.apply(["claim", 3])
    with pytest.raises(ValueError):
        oracle.chance("ranchero", 2)


def test_custom_components() -> None:
    """MR-14a, MR-16, MR-23, MR-24: no cows or tokens, wide columns, a pile empty at once, many tiles."""
    for size, players, tiles in [(5, 4, 0), (6, 3, 0), (8, 2, 4), (4, 2, 3), (4, 2, 1)]:
        components = load()
        components["column_size"] = size
        components["cows"] = 0
        components["partners"] = {}
        components["bonus_tile"] = [{"sides": ["desert", "meadow"]}] * tiles
        components["plot"][0]["count"] += -96 % size
        oracle = Oracle(components, players)
        events = play(oracle, components, random.Random(size))
        assert events["column"] == (96 + -96 % size) // size
        assert events["saloon"] == events["recruit"] == 0
    components = load()
    components["plot"] = components["plot"][:1]
    components["plot"][0]["count"] = 4
    oracle = Oracle(components, 3)
    assert play(oracle, components, random.Random(1))["column"] == 1


# -------------------------------------------------------------------- the examples of section 9


def test_e1_scoring() -> None:
    """E1, MR-28..30: 89 points."""
    oracle = Oracle(load(), 3)
    ranch = oracle.ranches[0]
    fill(ranch, "desert", [(0, 0), (0, 1), (1, 0)])
    fill(ranch, "desert", [(1, 1), (1, 2)], nuggets=1)
    fill(ranch, "canyon", [(0, 3), (0, 4), (1, 3), (1, 4), (2, 3)])
    fill(ranch, "canyon", [(2, 4), (3, 4)], nuggets=1)
    fill(ranch, "meadow", [(2, 0), (2, 1), (2, 2)])
    fill(ranch, "farm", [(3, 0), (3, 1), (3, 2), (3, 3)])
    fill(ranch, "forest", [(4, 0)], beavers=1)
    fill(ranch, "corn", [(4, 1), (4, 2)], cobs=5)
    fill(ranch, "corn", [(4, 3), (4, 4)], cobs=4)
    with_cow = [(0, 0), (0, 3), (2, 3), (3, 4), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (3, 3)]
    ranch.cows = dict.fromkeys(with_cow, 1)
    ranch.partners[(3, 0)] = "farmer"
    assert oracle.scores()[0] == {
        "seat": 0,
        "territories": 5 + 21 + 6 + 16,
        "resources": 4 + 1 + 18,
        "partners": 18,
        "scenario": 0,
        "total": 89,
        "largest_territory": 7,
        "cows": 10,
    }
    assert oracle.ranking() == [1, 2, 2]  # MR-32


def test_ranking_ties() -> None:
    """MR-32: points, then the largest territory (corn too), then cows, then a shared place."""
    oracle = Oracle(load(), 4)
    fill(oracle.ranches[0], "corn", [(0, 0), (0, 1)], cobs=1)  # 2 points, largest 2, no cow
    fill(oracle.ranches[1], "meadow", [(0, 0), (0, 1)])  # 2 points, largest 2, a cow
    oracle.ranches[1].cows[(0, 0)] = 1
    fill(oracle.ranches[2], "meadow", [(0, 0), (0, 1)], nuggets=1)  # 2 points, largest 2, no cow
    fill(oracle.ranches[3], "meadow", [(0, 0)], nuggets=2)  # 2 points, largest 1
    assert [result["total"] for result in oracle.scores()] == [2, 2, 2, 2]
    assert oracle.ranking() == [2, 1, 2, 4]


def put_members(ranch: Ranch, scenario: str, cells: list[Cell]) -> None:
    """Plots that belong to a group of this scenario, of two landscapes where that makes no difference."""
    for number, cell in enumerate(cells):
        mixed = "desert" if number % 2 == 0 else "canyon"
        if scenario == "timber_rafting":
            fill(ranch, "forest", [cell])
        elif scenario == "gold_rush":
            fill(ranch, mixed, [cell], nuggets=1)
        elif scenario == "outlaws":
            fill(ranch, mixed, [cell], circle=True)
            ranch.partners[cell] = "desperado" if number == 0 else "cowboy"
        else:
            fill(ranch, "farm", [cell])


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_e7_scenarios(scenario: str) -> None:
    """E7, MR-31: a group of 6 scores 40, two groups of 3 score 20, groups of 2 nothing."""
    oracle = Oracle(load(), 3, legends=True, scenario=scenario)
    put_members(oracle.ranches[0], scenario, [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (3, 2)])
    put_members(oracle.ranches[1], scenario, [(0, 0), (0, 1), (1, 0)])
    put_members(oracle.ranches[1], scenario, [(0, 3), (0, 4), (1, 4)])
    put_members(oracle.ranches[2], scenario, [(0, 0), (0, 1)])
    put_members(oracle.ranches[2], scenario, [(0, 3), (0, 4)])  # the camp does not connect (0,1) and (0,3)
    assert [result["scenario"] for result in oracle.scores()] == [40, 20, 0]


def test_e7_conditions() -> None:
    """MR-31: rafts need a river cell, a gang a bandit on its specialist side; MR-31a: several nuggets."""
    oracle = Oracle(load(), 3, legends=True, scenario="timber_rafting")
    put_members(oracle.ranches[0], "timber_rafting", [(1, 0), (2, 0), (2, 1)])
    put_members(oracle.ranches[1], "timber_rafting", [(1, 2), (2, 2), (2, 1)])
    assert [result["scenario"] for result in oracle.scores()] == [0, 10, 0]
    oracle = Oracle(load(), 3, legends=True, scenario="outlaws")
    put_members(oracle.ranches[0], "outlaws", [(1, 0), (2, 0), (2, 1)])
    oracle.ranches[0].partners[(1, 0)] = "cowboy"
    put_members(oracle.ranches[1], "outlaws", [(1, 0), (2, 0), (2, 1)])
    oracle.ranches[1].partners[(1, 0)] = "cattle_thief"
    assert [result["scenario"] for result in oracle.scores()] == [0, 10, 0]
    oracle = Oracle(load(), 3, legends=True, scenario="gold_rush")
    fill(oracle.ranches[0], "desert", [(1, 0), (1, 1)], nuggets=2)
    fill(oracle.ranches[1], "desert", [(1, 0), (1, 1), (2, 1)], nuggets=2)
    assert [result["scenario"] for result in oracle.scores()] == [0, 40, 0]


def test_e8_overpopulation() -> None:
    """E8, MR-27: of two cows on a plot one goes back before scoring; asking for the score changes nothing."""
    oracle = Oracle(load(), 4)
    ranch = oracle.ranches[0]
    fill(ranch, "meadow", [(0, 0), (0, 1), (1, 1)])
    ranch.cows = {(0, 0): 2, (1, 1): 1}
    assert oracle.scores()[0]["territories"] == 6
    assert oracle.scores()[0]["cows"] == 2
    assert ranch.cows[(0, 0)] == 2
    oracle.supply = 29
    oracle.overpopulation()
    assert ranch.cows == {(0, 0): 1, (1, 1): 1}
    assert oracle.supply == 30


def test_e2_e3_e4_symbols() -> None:
    """E2..E4, MR-14..16: cows first, then each skull in its own territory, then the circle."""
    oracle = Oracle(load(), 3)  # E2: the second skull finds no cow in the desert
    ranch = oracle.ranches[0]
    fill(ranch, "canyon", [(0, 0), (1, 0)])
    fill(ranch, "canyon", [(2, 0)], skull=True)
    fill(ranch, "desert", [(2, 1)], skull=True)
    ranch.cows = {(0, 0): 1, (1, 0): 1}
    run(oracle.resolve_symbols(0, [(2, 0), (2, 1)]), ["drought", [1, 0]])
    assert ranch.cows == {(0, 0): 1}

    ranch.cows = {(0, 0): 1, (1, 0): 1}  # E3: the second cow's going is forced
    fill(ranch, "canyon", [(2, 1)], skull=True)
    run(oracle.resolve_symbols(0, [(2, 0), (2, 1)]), ["drought", [0, 0]])
    assert ranch.cows == {}

    oracle.saloon = ["farmer"]  # E4
    oracle.supply = 1
    fill(ranch, "farm", [(2, 1)], cows=1, circle=True)
    ranch.cows = {(0, 0): 1}
    run(oracle.resolve_symbols(0, [(2, 0), (2, 1)]), ["recruit", [2, 1], "farmer", "specialist"])
    assert ranch.cows == {(2, 1): 1}
    assert ranch.partners == {(2, 1): "farmer"}
    assert oracle.saloon == []


def test_e5_e6_partners() -> None:
    """E5, MR-21: a partner protects its territory. E6, MR-19: one cow moves 1, another 2, never onto corn."""
    oracle = Oracle(load(), 3)
    thief, victim = oracle.ranches[0], oracle.ranches[1]
    fill(thief, "desert", [(0, 0)], circle=True)
    fill(victim, "meadow", [(0, 0), (0, 1), (1, 1)])
    fill(victim, "canyon", [(1, 2)])
    victim.cows = {(0, 0): 1, (1, 1): 1, (1, 2): 1}
    victim.partners[(0, 1)] = "gold_digger"
    run(oracle.cattle_thief(0, (0, 0)), ["steal", 1, [1, 2]])
    assert victim.cows == {(0, 0): 1, (1, 1): 1}
    assert thief.cows == {(0, 0): 1}
    run(oracle.cattle_thief(0, (0, 0)))  # nothing unprotected is left: not asked
    fill(thief, "corn", [(0, 0)])
    victim.partners.clear()
    run(oracle.cattle_thief(0, (0, 0)))  # MR-21a

    fill(victim, "corn", [(1, 0)])
    steps = [["herd", [0, 0], [0, 1]], ["herd", [1, 1], [0, 1]], ["herd", [0, 1], [1, 1]]]
    run(oracle.cowboy(1), *steps)
    assert victim.cows == {(0, 1): 1, (1, 1): 1}
    for pending in oracle.cowboy(1):
        assert ["herd", [1, 1], [1, 0]] not in pending.options
        assert ["done"] in pending.options
        break


def test_mr10_mr12_building() -> None:
    """MR-10: with a full hand and no placement two plots are discarded; MR-12, MR-13a: bridges."""
    oracle = Oracle(load(), 3)
    ranch = oracle.ranches[0]
    fill(ranch, "corn", [(0, 1), (1, 2), (0, 3)])  # all three bridges are taken
    oracle.hands[0] = [0, 0, 1, 5]
    assert oracle.build_options(0) == []
    run(oracle.build(0), ["discard", 0, 5])
    assert oracle.hands[0] == [0, 1]
    oracle.hands[0] = [0, 23]  # a desert and a corn field, which may connect beside the three corn fields
    placed = oracle.build_options(0)
    assert ["build", 23, [0, 0], 0, [1, 0]] in placed
    assert ["build", 0, [0, 0], 23, [1, 0]] not in placed


def test_mr14a_empty_supply() -> None:
    """MR-14a, MR-15a: the last cow goes to the half on the lower cell index."""
    oracle = Oracle(load(), 4)
    oracle.supply = 1
    fill(oracle.ranches[0], "meadow", [(0, 1), (1, 1)], cows=2)
    run(oracle.resolve_symbols(0, [(0, 1), (1, 1)]))
    assert oracle.ranches[0].cows == {(0, 1): 1}
    assert oracle.supply == 0


def test_mr20_desperado() -> None:
    """MR-20: own hand against another's storage; MR-20a: no two plots of the same kind."""
    oracle = Oracle(load(), 3)
    oracle.hands = [[4, 4, 7], [], [4, 9]]
    swaps = [["swap", 4, 2, 9], ["swap", 7, 2, 4], ["swap", 7, 2, 9]]
    assert next(oracle.desperado(0)).options == [*swaps, ["decline"]]
    run(oracle.desperado(0), ["swap", 4, 2, 9])
    assert [sorted(hand) for hand in oracle.hands] == [[4, 7, 9], [], [4, 4]]
    run(oracle.desperado(1))  # nothing to offer: not asked
    oracle.hands = [[4], [4], []]
    run(oracle.desperado(0))  # only plots of the same kind: not asked


def test_mr22_last_turn() -> None:
    """MR-22: building is mandatory, the rest is discarded; MR-22a: with two players in turn two only."""
    oracle = Oracle(load(), 2)
    oracle.last_round = True
    oracle.current = [Slot(0, 0), Slot(5, 1), Slot(5, 0), Slot(5, 1)]
    oracle.hands[0] = [0]
    run(oracle.turn(oracle.current[0]), ["stop"])  # and no select follows
    assert oracle.hands[0] == [0, 0]
    options = next(oracle.turn(Slot(5, 0))).options
    assert ["stop"] in options  # the second ranchero still stands in the column
    oracle.hands[0] = [0, 0]
    flow = oracle.turn(oracle.current[2])
    assert ["stop"] not in next(flow).options
    with pytest.raises(StopIteration):
        flow.send(["build", 0, [0, 3], 5, [1, 3]])  # a desert is left over
    assert oracle.hands[0] == []


def test_mr6_boards() -> None:
    """MR-6: the Camp for everybody in the base game, else a Legends board each and none twice."""
    assert [ranch.capacity for ranch in Oracle(load(), 2).ranches] == [3, 3]
    assert [ranch.capacity for ranch in Oracle(load(), 4, legends=True).ranches] == [4, 3, 3, 2]
    oracle = Oracle(load(), 2, legends=True, scenario="outlaws", boards=["big_jo", "mary"])
    assert [(ranch.capacity, len(ranch.bridges)) for ranch in oracle.ranches] == [(2, 3), (4, 1)]
    for boards in (["mary", "mary"], ["mary"], ["camp", "mary"]):
        with pytest.raises(ValueError):
            Oracle(load(), 2, legends=True, boards=boards)
    with pytest.raises(ValueError):
        Oracle(load(), 2, boards=["mary", "wesley"])
    with pytest.raises(ValueError):
        Oracle(load(), 2, scenario="outlaws")


def test_mr26_bonus_tile() -> None:
    """MR-26: the first domino on row 9 brings a tile; it is a plot (MR-26b) and its circle recruits."""
    oracle = Oracle(load(), 2)
    ranch = oracle.ranches[0]
    fill(ranch, "desert", [(8, 0)])
    oracle.saloon = ["trapper"]
    oracle.hands[0] = [0, 5, 0, 5]
    run(
        oracle.place_domino(0, ["build", 0, [9, 0], 5, [9, 1]]),
        ["bonus_tile", 0],
        ["bonus_place", 0, [8, 1]],
        ["recruit", [8, 1], "trapper", "cowboy"],
    )
    assert oracle.bonus_tiles == [1]
    assert oracle.snapshot()["ranches"][0]["plots"] == [[40, -1], [41, ["bonus", 0, 0]], [45, 0], [46, 5]]
    run(oracle.place_domino(0, ["build", 0, [9, 2], 5, [9, 3]]))  # only the first time
    assert oracle.bonus_tiles == [1]
    other = oracle.ranches[1]
    fill(other, "corn", [(0, 1), (1, 2), (0, 3), (8, 0)])  # all three bridges are taken, nothing else fits
    oracle.hands[1] = [22, 22]
    run(oracle.place_domino(1, ["build", 22, [9, 0], 22, [9, 1]]))  # the tile left over leaves the game
    assert oracle.bonus_tiles == []
    assert len(other.plots) == 6
