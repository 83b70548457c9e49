"""Tests of the Goldgräber oracle alone: every numbered rule in a hand-built situation, and random full games."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine_cy.goldgraeber.components import Field, GoldenMap, standard

from .goldgraeber import Oracle, Robber
from .goldgraeber_map import MapData, Place

TINY = GoldenMap.load(Path(__file__).parent.parent / "data" / "tiny_golden.toml", test=True)
HOUSE_A, DOOR_A = (4, 8), (4, 7)
HOUSE_F, DOOR_F = (0, 6), (1, 5)
F_COLOURS = [5, 0, 1]  # seat 0 lives in house F, whose door is a dig hole between (2, 5) and (2, 6)
LAKE = {(1, 3), (1, 4), (2, 4)}  # the shore fields of the north lake


def table(
    players: int = 3,
    turn: int = 0,
    at: dict[int, Place] | None = None,
    open_: dict[int, list[tuple[str, int]]] | None = None,
    locomotive: int = 0,
    robbers: dict[Place, Robber] | None = None,
    data: MapData = TINY,
    **options: Any,
) -> Oracle:
    """A game in which this seat's turn begins so; no chips lie under the robbers' own fields."""
    oracle = Oracle(data, players, **options)
    for seat, place in (at or {}).items():
        oracle.diggers[seat] = place
    for seat, chips in (open_ or {}).items():
        oracle.open[seat] = list(chips)
    oracle.locomotive = locomotive
    oracle.robbers = dict(robbers or {})
    oracle.face_down -= set(oracle.robbers)
    oracle.reveal("first", turn)
    return oracle


def keep_face_down(oracle: Oracle, *places: Place) -> None:
    oracle.face_down = set(places)


def targets(oracle: Oracle) -> set[Place]:
    """The fields of the options."""
    return {(option[1][0], option[1][1]) for option in oracle.options()}


def walk(oracle: Oracle, number: int, place: Place) -> None:
    """Roll, and choose this field."""
    oracle.reveal("die", number)
    assert oracle.due == "walk"
    oracle.decide(["walk", list(place)])


def turn_up(oracle: Oracle, number: int, place: Place, what: str, value: int) -> None:
    walk(oracle, number, place)
    oracle.reveal("chip", [list(place), [what, value]])


def rolls(oracle: Oracle, *numbers: int) -> None:
    for number in numbers:
        oracle.reveal("roll", number)


# -------------------------------------------------------------------- the map and the setup


def test_kinds_of_fields() -> None:
    """GG-1: shore is lake next to land, streets are not land; odd rows are shoved to the right."""
    board = Oracle(TINY, 3).board
    assert [board.kinds[place] for place in ((1, 2), (1, 5), (4, 4), HOUSE_A)] == ["land", "land", "city", "house"]
    assert [board.kinds[place] for place in ((2, 4), (0, 4), (5, 6))] == ["shore", "water", "water"]
    assert set(board.near[(5, 6)]) == {(4, 6), (4, 7), (5, 5), (6, 6)}  # beside streets, but no land
    assert set(board.near[(4, 4)]) == {(3, 3), (3, 4), (4, 3), (4, 5), (5, 3), (5, 4)}
    assert board.shores((0, 4)) == LAKE


@pytest.mark.parametrize("data", [TINY, standard()])
def test_the_oracle_reads_maps_like_the_loader(data: GoldenMap) -> None:
    """Section 1: the two were written apart."""
    board = Oracle(data, 6).board
    assert set(board.kinds) == set(data.fields)
    for place in board.kinds:
        assert board.kinds[place] == data.kind(place)
        assert board.near[place] == list(data.neighbours(Field(*place)))
    for i, lake in enumerate(data.lakes):
        assert board.lake(lake[0]) == set(lake)
        assert board.shores(lake[0]) == set(data.shores(i))


def test_nobody_steps_between_street_and_lake() -> None:
    """GG-1: a raft beside a street is not boarded from there, nor left that way (GG-8)."""
    oracle = table(at={0: (4, 7)})
    for number in range(2, 7):
        assert all(path[-2] in ((5, 4), (6, 5)) for path in oracle.walks(0, number) if path[-1] == (5, 5))
    assert (5, 5) in {path[-1] for path in oracle.walks(0, 5)}
    oracle.diggers[1] = (5, 5)
    assert {path[1] for path in oracle.walks(1, 3)} == {(5, 4), (6, 5)}


def test_setup() -> None:
    """GG-2: all chips face down on the holes, rafts on the piers, diggers at home, the locomotive at its tunnel."""
    state = Oracle(TINY, 4).snapshot()
    assert state["face_down"] == [list(hole) for hole in TINY.holes]
    assert Counter(map(tuple, state["unseen"])) == {
        ("gold", 1): 3, ("gold", 3): 4, ("gold", 5): 3, ("robber", 2): 2, ("robber", 4): 2,
    }  # fmt: skip
    assert (state["rafts"], state["locomotive"]) == ([[1, 3], [2, 4], [5, 5]], 0)
    assert state["diggers"] == [list(house) for house in TINY.houses[:4]]
    assert len(Oracle(standard(), 6).face_down) == 64


def test_colours() -> None:
    """GG-2a: seat i has colour i unless the option says otherwise; unused houses are closed."""
    oracle = table(colours=[5, 0, 2], at={0: (1, 2)})
    assert oracle.diggers[1:] == [HOUSE_A, (0, 2)]
    oracle = table(at={0: (2, 5)})
    assert all((0, 6) not in path for number in range(2, 7) for path in oracle.walks(0, number))
    for wrong in ([0, 1], [0, 0, 1], [0, 1, 6], [0, 1, 2, 3]):
        with pytest.raises(ValueError, match="GG-2a"):
            Oracle(TINY, 3, colours=wrong)
    for players in (2, 7):
        with pytest.raises(ValueError, match="players"):
            Oracle(TINY, players)


def test_first_player() -> None:
    """GG-3: drawn at random, then clockwise: ascending seats (GG-2a)."""
    oracle = Oracle(TINY, 3)
    assert (oracle.due, oracle.seat) == ("first", None)
    oracle.reveal("first", 2)
    turns = []
    for _ in range(4):
        turns.append(oracle.turn)
        oracle.reveal("die", 1)
    assert turns == [2, 0, 1, 2]


# -------------------------------------------------------------------- the locomotive


def test_locomotive_moves_instead_of_the_digger() -> None:
    """GG-4."""
    oracle = table(at={0: (4, 6)})
    oracle.reveal("die", 1)
    assert (oracle.locomotive, oracle.diggers[0], oracle.turn, oracle.due) == (1, (4, 6), 1, "die")


def test_locomotive_hits_a_digger() -> None:
    """GG-5, GG-5c, GG-5e: gold and robbers go to the roller, who is at home and still has them open."""
    oracle = table(at={1: (4, 4), 2: (4, 3)}, open_={0: [("gold", 1)], 1: [("gold", 5), ("robber", 4)]}, locomotive=2)
    oracle.reveal("die", 1)
    assert oracle.open == [[("gold", 1), ("gold", 5), ("robber", 4)], [], []]
    assert oracle.banked == [[], [], []]
    assert oracle.diggers == [HOUSE_A, (5, 2), (4, 3)]  # (4, 3), the first behind, is not free
    assert (oracle.fight, oracle.due, oracle.turn) == (None, "die", 1)


def test_locomotive_hits_its_own_player() -> None:
    """GG-5a, GG-5b: that costs nothing; with no free field behind the digger goes home, its chips stay open."""
    oracle = table(at={0: (5, 2), 1: (6, 2)}, open_={0: [("gold", 3)]}, locomotive=0)
    oracle.reveal("die", 1)
    assert (oracle.diggers[0], oracle.open[0], oracle.banked[0]) == (HOUSE_A, [("gold", 3)], [])


def test_locomotive_hits_several() -> None:
    """GG-5d: clockwise from the roller's left, the roller last, each to the first free field behind."""
    oracle = table(4, turn=1, at={0: (4, 4), 1: (4, 4), 2: (4, 4), 3: (4, 4)}, locomotive=2)
    oracle.open = [[("gold", 1)], [], [("gold", 3)], [("gold", 5)]]
    oracle.reveal("die", 1)
    assert [oracle.diggers[seat] for seat in (2, 3, 0)] == [(4, 3), (5, 2), (6, 2)]
    assert oracle.diggers[1] == TINY.houses[1]
    assert oracle.open == [[], [("gold", 3), ("gold", 5), ("gold", 1)], [], []]


# -------------------------------------------------------------------- walks


def test_exact_number_over_diggers_and_chips() -> None:
    """GG-6: over diggers and chips, which count; a field may be entered more than once."""
    oracle = table(at={0: (7, 4), 1: (7, 3)})
    keep_face_down(oracle, (7, 3))
    assert [(7, 4), (7, 3), (7, 2)] in oracle.walks(0, 2)
    assert {len(path) for path in oracle.walks(0, 5)} == {6}
    assert any(len(set(path)) < len(path) - 1 for path in oracle.walks(0, 6))
    oracle.reveal("die", 2)
    assert (7, 2) in targets(oracle)
    with pytest.raises(ValueError, match="no option"):
        oracle.decide(["walk", [4, 4]])  # three steps


def test_the_locomotive_blocks() -> None:
    """GG-6, GG-6a: not passed, nor landed on."""
    oracle = table(at={0: (5, 1)}, locomotive=1)
    assert all((5, 2) not in path for number in range(2, 7) for path in oracle.walks(0, number))
    oracle.locomotive = 0
    assert any((5, 2) in path for path in oracle.walks(0, 2))


def test_no_step_back_but_loops() -> None:
    """GG-6b, GG-6c: a walk of 2 never ends where it began, one of 3 may; then the chip there is turned up."""
    oracle = table(at={0: (3, 5)})
    for number in range(2, 7):
        assert all(a != c for path in oracle.walks(0, number) for a, c in zip(path, path[2:], strict=False))
    assert (3, 5) not in {path[-1] for path in oracle.walks(0, 2)}
    turn_up(oracle, 3, (3, 5), "gold", 5)
    assert oracle.open[0] == [("gold", 5)]


def test_own_house() -> None:
    """GG-7: through the door and with the exact number only; GG-11: everything open is banked."""
    oracle = table(at={0: (4, 6)}, open_={0: [("gold", 5), ("robber", 4)]})
    for number in range(2, 7):
        assert all(HOUSE_A not in path[:-1] for path in oracle.walks(0, number))
        assert all(path[-2] == DOOR_A for path in oracle.walks(0, number) if path[-1] == HOUSE_A)
    walk(oracle, 2, HOUSE_A)
    assert (oracle.open[0], oracle.banked[0]) == ([], [("gold", 5), ("robber", 4)])
    assert {path[1] for path in oracle.walks(0, 3)} == {DOOR_A}
    oracle.diggers[0] = DOOR_A
    assert HOUSE_A not in {path[-1] for path in oracle.walks(0, 2)}


def test_closed_houses() -> None:
    """GG-7a."""
    oracle = table(at={1: (4, 6), 2: (4, 6)})
    assert all(HOUSE_A not in path for seat in (1, 2) for path in oracle.walks(seat, 2))


def test_ferry() -> None:
    """GG-8, GG-8a, GG-8c: aboard with the last step, at once to any shore field without a raft; then off onto land."""
    oracle = table(at={0: (3, 4)}, open_={0: [("gold", 3)]})
    for number in range(2, 7):
        assert all(not LAKE & set(path[:-1]) for path in oracle.walks(0, number))
        assert (1, 4) not in {path[-1] for path in oracle.walks(0, number)}  # no raft there
    walk(oracle, 2, (2, 4))
    assert (oracle.due, oracle.seat, targets(oracle)) == ("ferry", 0, {(1, 4), (2, 4)})
    oracle.decide(["ferry", [1, 4]])
    assert (oracle.diggers[0], oracle.rafts) == ((1, 4), {(1, 3), (1, 4), (5, 5)})
    assert (oracle.open[0], oracle.turn) == ([("gold", 3)], 1)
    oracle.reveal("die", 1)
    oracle.reveal("die", 1)
    assert {path[1] for path in oracle.walks(0, 3)} == {(1, 5), (2, 5)}
    walk(oracle, 2, (3, 5))
    assert (1, 4) in oracle.rafts


def test_ferry_may_stay() -> None:
    """GG-8."""
    oracle = table(at={0: (3, 4)})
    walk(oracle, 2, (2, 4))
    oracle.decide(["ferry", [2, 4]])
    assert (oracle.diggers[0], (2, 4) in oracle.rafts, oracle.turn) == ((2, 4), True, 1)


def test_one_digger_a_raft() -> None:
    """GG-8, GG-11a: a raft with a digger is not entered, so nobody fights there; GG-8b: the own one is."""
    oracle = table(at={0: (3, 4), 1: (2, 4)})
    assert all((2, 4) not in path for number in range(2, 7) for path in oracle.walks(0, number))
    oracle = table(turn=1, at={0: HOUSE_A, 1: (2, 4)})
    assert [(2, 4), (3, 3), (3, 4), (2, 4)] in oracle.walks(1, 3)
    walk(oracle, 3, (2, 4))
    assert targets(oracle) == {(1, 4), (2, 4)}


def locked() -> GoldenMap:
    """The door of house E is a dig hole, and the locomotive stands on the only field next to it."""
    rows = (*TINY.rows[:3], "..llooo..", "Eo.lccccA", *TINY.rows[5:])
    rail = (Field(5, 1), *TINY.rail[1:])
    return replace(TINY, rows=rows, rail=rail, gold=((1, 3), (3, 4), (5, 2)))


@pytest.mark.parametrize("number", range(2, 7))
def test_no_walk(number: int) -> None:
    """GG-9: the digger stays and does not arrive: the chip under it is not turned up."""
    oracle = table(data=locked(), colours=[4, 0, 1], at={0: (4, 1)})
    oracle.reveal("die", number)
    assert (oracle.diggers[0], (4, 1) in oracle.face_down) == ((4, 1), True)
    assert (oracle.due, oracle.turn) == ("die", 1)


# -------------------------------------------------------------------- where the walk ends


def test_gold() -> None:
    """GG-10: turned up for all and taken, open in front of the player."""
    oracle = table(at={0: (2, 5)})
    turn_up(oracle, 2, (3, 5), "gold", 5)
    assert (oracle.open[0], oracle.banked[0], (3, 5) in oracle.face_down) == ([("gold", 5)], [], False)
    assert (oracle.unseen[("gold", 5)], oracle.turn, oracle.due) == (2, 1, "die")


def test_banked_chips_are_safe() -> None:
    """GG-11: the locomotive takes only what is open."""
    oracle = table(at={1: (5, 2)}, open_={1: [("gold", 1)]})
    oracle.banked[1] = [("gold", 5)]
    oracle.reveal("die", 1)
    assert (oracle.open[0], oracle.banked[1]) == ([("gold", 1)], [("gold", 5)])


def test_a_digger_on_a_chip() -> None:
    """GG-11a, GG-11b: a fight, and the chip stays face down."""
    oracle = table(at={0: (2, 5), 1: (3, 5)})
    walk(oracle, 2, (3, 5))
    assert oracle.due == "roll"
    assert oracle.snapshot()["fight"] == {
        "field": [3, 5], "attacker": 0, "defender": 1, "rolled": None, "winner": None,
    }  # fmt: skip
    assert (3, 5) in oracle.face_down


def test_peace_in_the_city() -> None:
    """GG-11c, GG-11d: city fields, the line's too, may be shared."""
    oracle = table(at={0: (3, 5), 1: (4, 5)}, open_={1: [("gold", 1)]})
    walk(oracle, 2, (4, 5))
    assert (oracle.diggers[0], oracle.open[1], oracle.due, oracle.turn) == ((4, 5), [("gold", 1)], "die", 1)


def test_revealed_robber() -> None:
    """GG-11e, GG-11f: whoever lands there challenges, and may win what lies under it (GG-12)."""
    oracle = table(at={0: (2, 5)}, robbers={(3, 5): Robber(4, [("gold", 3), ("robber", 2)])})
    walk(oracle, 2, (3, 5))
    rolls(oracle, 5)
    assert oracle.open[0] == [("robber", 4), ("gold", 3), ("robber", 2)]
    assert (oracle.robbers, oracle.turn) == ({}, 1)


def test_two_diggers_on_a_field() -> None:
    """GG-11g: the next clockwise from the attacker defends; a robber under a digger is left alone."""
    for turn, pair, defender in ((0, (2, 3), 2), (1, (0, 3), 3), (2, (1, 3), 3), (3, (1, 2), 1)):
        at = dict.fromkeys(pair, (3, 5)) | {turn: (2, 5)}
        oracle = table(4, turn=turn, at=at, robbers={(3, 5): Robber(2)})
        walk(oracle, 2, (3, 5))
        assert oracle.fight is not None
        assert (oracle.fight.attacker, oracle.fight.defender) == (turn, defender)
        rolls(oracle, 2, 5, 6)  # more than the robber's strength, if anybody asked
        assert (3, 5) in oracle.robbers


# -------------------------------------------------------------------- fights


def test_robber_captured() -> None:
    """GG-12: roll until different; higher captures. A locomotive is a one and does not move (section 5)."""
    oracle = table(at={0: (2, 5)}, open_={0: [("gold", 1)]})
    turn_up(oracle, 2, (3, 5), "robber", 2)
    rolls(oracle, 2, 2)
    assert oracle.due == "roll"
    rolls(oracle, 3)
    assert (oracle.open[0], oracle.diggers[0], oracle.turn) == ([("gold", 1), ("robber", 2)], (3, 5), 1)


def test_robber_wins() -> None:
    """GG-13, GG-16b: all open chips go under it, and the player chooses a field as far away as the roll."""
    oracle = table(at={0: (2, 5), 1: (3, 4)}, open_={0: [("gold", 5), ("robber", 2)]}, locomotive=3)
    turn_up(oracle, 2, (3, 5), "robber", 4)
    rolls(oracle, 4, 1)
    assert oracle.snapshot()["robbers"] == [[[3, 5], 4, [["gold", 5], ["robber", 2]]]]
    assert (oracle.due, oracle.seat, oracle.steps, oracle.open[0]) == ("retreat", 0, 1, [])
    assert targets(oracle) == {(2, 5), (2, 6), (3, 6), (4, 5), (4, 6)}  # not (3, 4): a digger (GG-16a)
    assert oracle.locomotive == 3
    oracle.decide(["retreat", [3, 6]])
    assert ((3, 6) in oracle.face_down, oracle.due, oracle.turn) == (True, "die", 1)  # GG-16, GG-17


def test_brawl() -> None:
    """GG-14, GG-15: again while equal; the higher takes all, rolls once more and walks; the loser stays."""
    oracle = table(at={0: (2, 5), 1: (3, 5)}, open_={0: [("gold", 1)], 1: [("gold", 3), ("robber", 4)]})
    walk(oracle, 2, (3, 5))
    rolls(oracle, 3)
    assert oracle.fight is not None
    assert oracle.fight.rolled == 3
    rolls(oracle, 3, 6, 5)
    assert (oracle.fight.winner, oracle.open[:2]) == (0, [[("gold", 1), ("gold", 3), ("robber", 4)], []])
    rolls(oracle, 2)
    assert (oracle.due, oracle.seat, oracle.steps) == ("retreat", 0, 2)
    oracle.decide(["retreat", [1, 5]])
    assert (oracle.diggers[:2], oracle.turn, (1, 5) in oracle.face_down) == ([(1, 5), (3, 5)], 1, True)


def test_the_defender_wins() -> None:
    """GG-15, GG-16b, GG-17: the defender walks and chooses; the next turn is that of the attacker's left."""
    oracle = table(at={0: (2, 5), 2: (3, 5)}, open_={0: [("gold", 1)]})
    walk(oracle, 2, (3, 5))
    rolls(oracle, 2, 5, 1)  # a locomotive: one field
    assert (oracle.due, oracle.seat, oracle.turn, oracle.locomotive) == ("retreat", 2, 0, 0)
    oracle.decide(["retreat", [2, 6]])
    assert (oracle.open[2], oracle.diggers[2], oracle.turn) == ([("gold", 1)], (2, 6), 1)


def test_retreat_to_the_own_house() -> None:
    """GG-16a: a walk away may bank; with a single field left there is nothing to choose (section 8)."""
    at = {0: (3, 5), 1: DOOR_F, 2: (2, 5)}
    oracle = table(4, at=at | {3: (2, 6)}, colours=[*F_COLOURS, 2], open_={1: [("gold", 5)]})
    walk(oracle, 2, DOOR_F)
    rolls(oracle, 6, 1, 1)
    assert (oracle.diggers[0], oracle.banked[0], oracle.due, oracle.turn) == (HOUSE_F, [("gold", 5)], "die", 1)


@pytest.mark.parametrize("what", ["digger", "robber"])
def test_nowhere_to_retreat(what: str) -> None:
    """GG-16a: the digger stays; it did not arrive (GG-16b), and the field is shared from then on."""
    blocked = {} if what == "digger" else {(2, 6): Robber(5)}
    at = {0: (3, 5), 1: DOOR_F, 2: (2, 5)} | ({3: (2, 6)} if what == "digger" else {})
    oracle = table(4, at=at, colours=[1, 0, 2, 3], robbers=blocked)
    walk(oracle, 2, DOOR_F)
    rolls(oracle, 6, 1, 1)
    assert (oracle.diggers[:2], oracle.due, oracle.turn) == ([DOOR_F, DOOR_F], "die", 1)
    assert DOOR_F in oracle.face_down


def test_a_defender_that_cannot_go() -> None:
    """GG-16a: likewise; its roll comes all the same (section 8)."""
    oracle = table(4, at={0: (3, 5), 1: DOOR_F, 2: (2, 5), 3: (2, 6)}, colours=[1, 0, 2, 3])
    walk(oracle, 2, DOOR_F)
    rolls(oracle, 1, 6)
    assert oracle.due == "roll"
    rolls(oracle, 1)
    assert (oracle.diggers[:2], oracle.turn) == ([DOOR_F, DOOR_F], 1)


def test_retreats_keep_off_rafts_and_robbers() -> None:
    """GG-16a, GG-6b, GG-7: like a walk, but not onto a raft or a robber; onto a shared street."""
    oracle = table(at={0: (2, 5), 1: (4, 4)}, robbers={(2, 3): Robber(5)})
    turn_up(oracle, 2, (3, 4), "robber", 4)
    rolls(oracle, 2)
    assert not targets(oracle) & {(2, 4), (2, 3), (3, 4)}
    oracle = table(at={0: (2, 5), 1: (4, 4)})
    turn_up(oracle, 2, (3, 4), "robber", 4)
    rolls(oracle, 1)
    assert targets(oracle) == {(2, 5), (3, 3), (3, 5), (4, 4), (4, 5)}


# -------------------------------------------------------------------- the end


def test_the_locomotive_arrives() -> None:
    """GG-18, GG-18b: at once; the last step hits nobody."""
    oracle = table(at={1: (4, 6)}, open_={1: [("gold", 5)]}, locomotive=4)
    oracle.reveal("die", 1)
    assert (oracle.due, oracle.seat, oracle.ended_by, oracle.options()) == ("over", None, "locomotive", [])
    assert (oracle.open[1], oracle.diggers[1]) == ([("gold", 5)], (4, 6))


@pytest.mark.parametrize(("what", "number"), [("gold", 3), ("robber", 4)])
def test_the_chips_run_out(what: str, number: int) -> None:
    """GG-18, GG-18a, GG-18b: as many as players, those under diggers counted; a robber is not fought."""
    oracle = table(at={0: (2, 5), 1: (7, 3)}, robbers={(7, 2): Robber(5, [("gold", 1), ("gold", 1)])})
    keep_face_down(oracle, (3, 5), (7, 3), (6, 4), (6, 5))
    turn_up(oracle, 2, (3, 5), what, number)
    assert (oracle.due, oracle.ended_by) == ("over", "chips")


def test_the_chips_last() -> None:
    """GG-18: one more than players, and the game goes on."""
    oracle = table(at={0: (2, 5)})
    keep_face_down(oracle, (3, 5), (7, 3), (6, 4), (6, 5), (3, 6))
    turn_up(oracle, 2, (3, 5), "gold", 3)
    assert (oracle.due, oracle.ended_by, len(oracle.face_down)) == ("die", None, 4)


def test_points() -> None:
    """GG-19, GG-19a: banked gold by value, banked robbers 2 each, open chips nothing; equal points share the place."""
    oracle = table(4, open_={0: [("gold", 5)]})
    oracle.banked = [[("gold", 3)], [("robber", 4), ("gold", 1), ("robber", 1)], [("gold", 5)], []]
    assert oracle.scores()[1] == {"seat": 1, "gold": 1, "robbers": 4, "total": 5}
    assert [score["total"] for score in oracle.scores()] == [3, 5, 5, 0]
    assert oracle.ranking() == [3, 1, 1, 4]


# -------------------------------------------------------------------- prospecting


def test_prospecting() -> None:
    """GG-20, section 8: no roll, no move; all adjacent chips in order, each an event only when first seen."""
    oracle = table(prospecting=True, at={0: (3, 5), 1: (3, 5)})
    assert (oracle.due, oracle.seat, oracle.options()) == ("prospect", 0, [["prospect"], ["roll"]])
    oracle.decide(["prospect"])
    oracle.reveal("chip", [[2, 6], ["gold", 5]])  # GG-20b: not (3, 5) itself
    oracle.reveal("chip", [[3, 4], ["robber", 4]])
    assert not oracle.can_come("chip", [[2, 6], ["gold", 1]])
    oracle.reveal("chip", [[3, 6], ["gold", 1]])
    assert (oracle.turn, oracle.due, oracle.diggers[0]) == (1, "prospect", (3, 5))
    oracle.decide(["prospect"])  # nothing that nobody has seen
    state = oracle.snapshot()
    assert state["looked"] == [[[2, 6], [0, 1]], [[3, 4], [0, 1]], [[3, 6], [0, 1]]]
    assert state["known"] == [[[2, 6], ["gold", 5]], [[3, 4], ["robber", 4]], [[3, 6], ["gold", 1]]]
    assert (oracle.turn, oracle.due) == (2, "prospect")  # GG-20a: though at home, where its door is no hole


def others_roll(oracle: Oracle) -> None:
    for _ in range(oracle.players - 1):
        oracle.decide(["roll"])
        oracle.reveal("die", 1)


def test_prospecting_once() -> None:
    """GG-20a: with nothing new to see not in two turns running; what was looked at is no event when it is turned up."""
    oracle = table(prospecting=True, at={0: (1, 5)}, colours=[0, 2, 3])
    oracle.decide(["prospect"])
    oracle.reveal("chip", [[2, 6], ["gold", 5]])
    assert oracle.rested == set()  # it saw something
    others_roll(oracle)
    assert (oracle.turn, oracle.due) == (0, "prospect")
    oracle.decide(["prospect"])
    assert oracle.rested == {0}
    others_roll(oracle)
    assert (oracle.turn, oracle.due, oracle.rested) == (0, "die", set())
    oracle.diggers[0] = (3, 6)
    walk(oracle, 2, (2, 6))
    assert (oracle.open[0], oracle.known, oracle.looked) == ([("gold", 5)], {}, {})


def test_prospecting_from_raft_and_house() -> None:
    """GG-20b: on a raft all land around counts, in a house the door's field."""
    oracle = table(prospecting=True, at={0: (2, 4)})
    assert oracle.in_sight(0) == [(2, 3), (3, 4)]
    oracle = table(prospecting=True, colours=F_COLOURS)
    assert (oracle.due, oracle.in_sight(0), oracle.in_sight(1)) == ("prospect", [DOOR_F], [])
    assert table(prospecting=False, at={0: (3, 5)}).due == "die"


# -------------------------------------------------------------------- whole games


def random_outcome(oracle: Oracle, rng: random.Random) -> Any:
    if oracle.due == "first":
        return rng.randrange(oracle.players)
    if oracle.due == "chip":
        assert oracle.chip_due is not None
        return [list(oracle.chip_due), list(rng.choice(sorted(oracle.unseen.elements())))]
    return rng.randint(1, 6)


def check_state(oracle: Oracle, chips: Counter[tuple[str, int]]) -> None:
    """No chip is lost, every raft floats alone on its lake, every digger stands where it may."""
    under = [chip for robber in oracle.robbers.values() for chip in [*robber.under, ("robber", robber.strength)]]
    owned = [chip for chips_of_one in oracle.open + oracle.banked for chip in chips_of_one]
    seen = [*owned, *under, *oracle.known.values()]
    assert oracle.unseen + Counter(seen) == chips
    assert oracle.unseen.total() == len(oracle.face_down) - len(oracle.known.keys() & oracle.face_down)
    assert set(oracle.looked) == set(oracle.known) <= oracle.face_down or oracle.due == "chip"
    assert all(oracle.board.kinds[raft] == "shore" for raft in oracle.rafts)
    for seat, place in enumerate(oracle.diggers):
        kind = oracle.board.kinds[place]
        assert kind in ("land", "city") or place in oracle.rafts or place == TINY.houses[oracle.colours[seat]]
        assert kind != "shore" or oracle.diggers.count(place) == 1
        assert place != oracle.board.rail[oracle.locomotive] or oracle.ended_by == "locomotive"


@pytest.mark.parametrize("prospecting", [False, True])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_games(players: int, prospecting: bool) -> None:
    """GG-18: every game ends; section 8: nothing is asked that has one answer."""
    events: Counter[str] = Counter()
    for seed in range(6):
        rng = random.Random(seed)
        oracle = Oracle(TINY, players, prospecting, rng.sample(range(6), players))
        chips = oracle.unseen.copy()
        rafts = len(oracle.rafts)
        while oracle.due != "over":
            events[oracle.due] += 1
            if oracle.seat is None:
                oracle.reveal(oracle.due, random_outcome(oracle, rng))
            else:
                assert len(oracle.options()) > 1
                oracle.decide(rng.choice(oracle.options()))
            check_state(oracle, chips)
            assert len(oracle.rafts) == rafts
        assert oracle.ended_by == ("locomotive" if oracle.locomotive == 5 else "chips")
        assert (len(oracle.face_down) <= players) == (oracle.ended_by == "chips")
    kinds = {"first", "die", "walk", "ferry", "chip", "roll", "retreat"}
    assert set(events) == (kinds | {"prospect"} if prospecting else kinds)


def test_wrong_answers_are_refused() -> None:
    """Section 8: only what is due and possible is accepted, and a refusal changes nothing."""
    oracle = Oracle(TINY, 3)
    before = oracle.snapshot()
    for what, outcome in [("first", 3), ("first", -1), ("first", True), ("die", 3), ("over", None), ("walk", [1, 5])]:
        assert not oracle.can_come(what, outcome)
        with pytest.raises(ValueError):
            oracle.reveal(what, outcome)
    assert oracle.snapshot() == before
    oracle.reveal("first", 0)
    assert not any(oracle.can_come("die", number) for number in (0, 7, "2", None))
    assert not oracle.can_come("roll", 3)
    oracle.diggers[0] = (2, 5)
    walk(oracle, 2, (3, 5))
    right: list[Any] = [[3, 5], ["gold", 5]]
    assert oracle.can_come("chip", right)
    wrong: list[Any] = [None, [3, 5], [[3, 4], ["gold", 5]], [[3, 5], ["gold", 2]], [[3, 5], ["gold"]], [[3, 5], 5]]
    assert not any(oracle.can_come("chip", outcome) for outcome in [*wrong, [[3, 5], [["gold"], 5]]])
