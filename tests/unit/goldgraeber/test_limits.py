"""The largest map the state can hold: 256 fields, 96 holes, 64 rail fields."""

import json

import pytest

from engine_cy import Game, Generator, Record
from engine_cy.goldgraeber.components import GoldenMap
from engine_cy.goldgraeber.rules import Goldgraeber

STREETS = range(98, 182)
SPURS = [("B", 0, 98), ("C", 4, 98), ("D", 0, 102), ("E", 4, 102), ("F", 0, 106)]


def largest() -> GoldenMap:
    """A line as in table.py, as long as can be."""
    line = "Al" + 96 * "o" + len(STREETS) * "c" + 64 * "l"
    rows = [list(len(line) * ".") for _ in range(5)]
    rows[2] = list(line)
    doors = {"A": [2, 1]}
    for house, row, column in SPURS:
        doors[house] = [1 if row == 0 else 3, column]
        rows[row][column] = house
        rows[doors[house][0]][column] = "c"
    return GoldenMap.from_dict(
        {
            "format": 1,
            "name": "largest",
            "rows": ["".join(row) for row in rows],
            "rail": [[2, column] for column in range(len(line) - 1, len(line) - 65, -1)],
            "doors": [doors[house] for house in "ABCDEF"],
            "piers": [],
            "chips": {
                "gold": [[value, 16] for value in range(1, 6)],
                "robbers": [[1, 3], [2, 3], [3, 3], [4, 3], [5, 4]],
            },
        },
        test=True,
    )


LARGEST = largest()


@pytest.mark.parametrize("prospecting", [False, True])
def test_a_game_on_the_largest_map(prospecting: bool) -> None:
    """Played, told, recorded, shown, and started in the middle like any other."""
    assert (len(LARGEST.fields), len(LARGEST.holes), len(LARGEST.rail)) == (256, 96, 64)
    rules = Goldgraeber(6, prospecting=prospecting, components=LARGEST)
    game, chooser = Game(rules, 5), Generator(6)
    while not game.over:
        options = game.decisions()
        assert len({str(option) for option in options}) == len(options)
        assert len(game.state.appraise()) == len(options)
        if chooser.below(20) == 0:
            assert Game.at(rules, json.loads(json.dumps(game.position()))) == game
            assert game.observe(1).determinize(3).observe(1) == game.observe(1)
        game.decide(options[chooser.below(len(options))])
    assert max(len(line) for line in str(game).splitlines()) > 0
    assert sum(entry["left"] for entry in rules.beliefs(Game(rules, 1).state)["left"]) == 96
    state = rules.compiled.start()
    for _ in range(50):
        state.copy().playout(chooser, informed=range(3))


def test_a_record_of_it() -> None:
    """Records carry fields and chips by name."""
    game, chooser = Game(Goldgraeber(3, prospecting=True, components=LARGEST), 5), Generator(6)
    while not game.over:
        options = game.decisions()
        game.decide(options[chooser.below(len(options))])
    assert Record.from_json(Record.of(game).to_json()).replay(LARGEST) == game
