"""Positions: read back whole, and refused with the name of what does not fit."""

import copy
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from engine_cy import Game, Generator, PositionError
from engine_cy.goldgraeber.components import GoldenMap
from engine_cy.goldgraeber.rules import Goldgraeber
from tests.tables import DATA
from tests.unit.goldgraeber.table import go, gold, on, robber, roll, rules, table, turn_up

TINY = GoldenMap.load(DATA / "tiny_golden.toml", test=True)


def waiting() -> dict[str, Game]:
    """A game that waits for each thing a game can wait for."""
    variant = {"prospecting": True}
    fight = go(table(at={0: on(4), 1: on(6)}, carried={0: [gold(2)], 1: [gold(4)]}), 2, on(6))
    look = table(at={0: on(6)}, phase="prospect", options=variant)
    looking = look.copy()
    looking.decide(["prospect"])
    return {
        "first": Game(rules(3)),
        "die": table(),
        "prospect": look,
        "looking": looking,
        "chip": go(table(), 3),
        "walk": go(table(at={0: on(6)}), 3),
        "ferry": go(table(at={0: on(2)}), 3, (3, 4)),
        "robber": turn_up(go(table(), 3), robber(5)),
        "attack": fight,
        "defence": roll(fight.copy(), 3),
        "away": roll(fight.copy(), 3, 2),
        "retreat": roll(fight.copy(), 3, 2, 2),
        "retreat of the defender": roll(fight.copy(), 2, 3, 2),
        "retreat from a robber": roll(turn_up(go(table(at={0: on(4)}), 2, on(6)), robber(5)), 2),
        "over": go(table(locomotive=on(20)), 1),
    }


WAITING = waiting()


@pytest.mark.parametrize("name", WAITING)
def test_read_back(name: str) -> None:
    """Whatever a game waits for, its position is plain data and goes on as the game."""
    game = WAITING[name]
    data = json.loads(json.dumps(game.position()))
    assert Game.at(game.rules, data) == game


def test_the_order_of_lists_does_not_matter() -> None:
    game = table(robbers={5: (4, [gold(2)]), 9: (3, [])}, carried={1: [gold(4), gold(2)]})
    data = game.position()
    for name in ("chips", "robbers", "rafts"):
        data[name].reverse()
    data["open"][1].reverse()
    data["robbers"][1]["loot"].reverse()
    assert Game.at(game.rules, data) == game


def test_what_may_be_left_out() -> None:
    """Nobody has looked, nothing is under a robber, and a turn is about to begin."""
    game = table(robbers={5: (4, [])})
    data = game.position()
    data["turn"] = {"seat": 0}
    for entry in data["chips"]:
        del entry["looked"]
    for entry in data["robbers"]:
        del entry["loot"]
    assert Game.at(game.rules, data) == game


def test_unknown_chips() -> None:
    """Chips whose kind nobody says are what is left of all, in ascending order."""
    game = Game(rules(3))
    data = game.position()
    for entry in data["chips"]:
        entry["chip"] = None
    assert Game.at(game.rules, data) == game
    del data["chips"][0]
    with pytest.raises(PositionError, match="chips"):
        Game.at(game.rules, data)


def refused(game: Game, change: Callable[[dict[str, Any]], Any]) -> str:
    """The field a changed position is refused for."""
    data = copy.deepcopy(game.position())
    change(data)
    with pytest.raises(PositionError) as caught:
        Game.at(game.rules, data)
    return caught.value.field


def change_turn(position: dict[str, Any], name: str, value: Any) -> None:
    position["turn"][name] = value


def test_every_field_is_checked() -> None:
    die = WAITING["die"]
    assert refused(die, lambda p: p.update(game="moon_river")) == "game"
    assert refused(die, lambda p: p.update(phase="dice")) == "phase"
    assert refused(die, lambda p: p.update(phase="over")) == "phase"
    assert refused(die, lambda p: p.pop("rafts")) == "rafts"
    assert refused(die, lambda p: p.update(more=1)) == "more"
    assert refused(die, lambda p: p.update(locomotive=[2, 5])) == "locomotive"
    assert refused(die, lambda p: p.update(locomotive=[2, 19])) == "phase"
    assert refused(die, lambda p: p["diggers"].pop()) == "diggers"
    assert refused(die, lambda p: p["diggers"].__setitem__(1, [0, 0])) == "diggers[1]"
    assert refused(die, lambda p: p["diggers"].__setitem__(1, [2, 0])) == "diggers[1]"
    assert refused(die, lambda p: p["diggers"].__setitem__(1, [3, 5])) == "diggers[1]"
    assert refused(die, lambda p: p["diggers"].__setitem__(1, [4, 5])) == "diggers[1]"
    assert refused(die, lambda p: p["diggers"].__setitem__(1, [2, 24])) == "diggers[1]"
    assert refused(die, lambda p: p.update(diggers=[[2, 0], [3, 4], [3, 4]])) == "diggers[2]"
    assert refused(die, lambda p: p.update(rafts=[[3, 4]])) == "rafts"
    assert refused(die, lambda p: p.update(rafts=[[3, 4], [3, 4]])) == "rafts"
    assert refused(die, lambda p: p.update(rafts=[[3, 4], [3, 12]])) == "rafts"
    assert refused(die, lambda p: p["chips"][0].update(field=[2, 1])) == "chips[0].field"
    assert refused(die, lambda p: p["chips"][0].update(field=[2, 3])) == "chips[1].field"
    assert refused(die, lambda p: p["chips"][0]["chip"].update(value=6)) == "chips[0].chip.value"
    assert refused(die, lambda p: p["chips"][0]["chip"].update(kind="lead")) == "chips[0].chip.kind"
    assert refused(die, lambda p: p["chips"][0].update(chip={"kind": "gold", "value": 5})) == "chips"
    assert refused(die, lambda p: p["chips"][0].update(looked=[0])) == "chips[0].looked"
    assert refused(die, lambda p: p["open"][0].append({"kind": "robber", "value": 3})) == "chips"
    assert refused(die, lambda p: p["banked"].append([])) == "banked"
    assert refused(die, lambda p: p["robbers"].append({"field": [2, 3], "strength": 9})) == "robbers[0].strength"
    assert refused(die, lambda p: p["turn"].update(seat=3)) == "turn.seat"
    assert refused(die, lambda p: p["turn"].update(looking=1)) == "turn.looking"
    for name, value in (("steps", 3), ("fight", "attack"), ("defender", 1), ("attack", 2), ("walker", 0)):
        assert refused(die, partial(change_turn, name=name, value=value)) == f"turn.{name}"


def test_a_chip_on_a_robber() -> None:
    game = table(robbers={5: (4, [gold(2)])})
    assert refused(game, lambda p: p["chips"][0].update(field=[2, 5])) == "robbers"


def test_chips_decide_the_end() -> None:
    """GG-18."""
    game = turn_up(go(table(empty=[6, 7, 8, 9, 10], chips={3: gold(4)}), 3), gold(4))
    assert game.over
    assert refused(game, lambda p: p.update(phase="die")) == "phase"


def test_fights_are_checked() -> None:
    """GG-11g to GG-16: who stands where and has what."""
    attack, away, robber_ = WAITING["attack"], WAITING["away"], WAITING["robber"]
    retreat, from_robber = WAITING["retreat"], WAITING["retreat from a robber"]
    assert refused(attack, lambda p: p["turn"].update(defender=2)) == "turn.defender"
    assert refused(attack, lambda p: p["turn"].update(defender=None)) == "turn.defender"
    assert refused(attack, lambda p: p["turn"].update(attack=3)) == "turn.attack"
    assert refused(attack, lambda p: p["diggers"].__setitem__(1, [2, 7])) == "turn.defender"
    assert refused(away, lambda p: p["turn"].update(walker=2)) == "turn.walker"
    assert refused(away, lambda p: p["turn"].update(walker=1)) == "open[0]"
    assert refused(away, lambda p: p["turn"].update(walker=None)) == "turn.walker"
    assert refused(robber_, lambda p: p["diggers"].__setitem__(0, [2, 4])) == "diggers[0]"
    assert refused(robber_, lambda p: p["diggers"].__setitem__(1, [2, 3])) == "diggers[0]"
    assert refused(retreat, lambda p: p["turn"].update(steps=None)) == "turn.steps"
    assert refused(retreat, lambda p: p["turn"].update(steps=7)) == "turn.steps"
    assert refused(from_robber, lambda p: p["turn"].update(steps=5)) == "turn.steps"
    assert refused(from_robber, lambda p: p["turn"].update(walker=1)) == "turn.walker"


def test_decisions_are_choices() -> None:
    """Section 8: what has one option is not waited for."""
    walk, ferry, chip = WAITING["walk"], WAITING["ferry"], WAITING["chip"]
    assert refused(walk, lambda p: p["diggers"].__setitem__(0, [2, 0])) in ("phase", "turn.steps")
    assert refused(walk, lambda p: p["turn"].update(steps=1)) == "turn.steps"
    assert refused(ferry, lambda p: p["diggers"].__setitem__(0, [2, 5])) == "diggers[0]"
    assert refused(chip, lambda p: p["diggers"].__setitem__(0, [2, 1])) == "diggers[0]"
    assert refused(chip, lambda p: p["diggers"].__setitem__(1, [2, 3])) == "diggers[0]"
    asked = table(at={0: on(6)}, phase="prospect", options={"prospecting": True}, looked={5: [0]}, rested=[0])
    assert refused(asked, lambda p: p["chips"][5].update(looked=[0])) == "phase"


def test_the_setup_is_the_setup() -> None:
    first = WAITING["first"]
    assert refused(first, lambda p: p["diggers"].__setitem__(0, [2, 5])) == "diggers"
    assert refused(first, lambda p: p["turn"].update(seat=1)) == "turn"
    assert refused(first, lambda p: p.update(locomotive=[2, 23])) == "locomotive"


def damaged(data: Any, generator: Generator) -> None:
    """Replace something somewhere."""
    while True:
        key = generator.below(len(data)) if isinstance(data, list) else [*data][generator.below(len(data))]
        if not isinstance(data[key], dict | list) or not data[key] or generator.below(8) == 0:
            break
        data = data[key]
    others: list[Any] = [
        None,
        -1,
        0,
        1,
        2,
        3,
        5,
        6,
        7,
        200,
        255,
        256,
        10**30,
        True,
        "gold",
        "robber",
        [],
        {},
        [2, 3],
        "die",
        1.5,
    ]
    old = data[key]
    data[key] = old + 1 if type(old) is int and generator.below(2) else others[generator.below(len(others))]


@pytest.mark.parametrize("prospecting", [False, True])
def test_no_position_breaks_the_engine(prospecting: bool) -> None:
    """After any accidents a position is refused by name, or is a sound game that can be played to its end."""
    made = Goldgraeber(3, prospecting=prospecting, components=TINY)
    generator, sound = Generator(17), 0
    for seed in range(400):
        game = Game(made, seed)
        for _ in range(generator.below(40)):
            if not game.over:
                game.state.apply(game.state.sample(generator))
                game._let_chance()
        data = json.loads(json.dumps(game.position()))
        for _ in range(1 + generator.below(2)):
            damaged(data, generator)
        try:
            other = Game.at(made, data, seed)
        except PositionError:
            continue
        sound += 1
        assert Game.at(made, other.position()) == other
        other.state.playout(generator)
        assert other.over
    assert sound > 10
