"""The compiled engine of Goldgräber against the oracle, decision by decision: 3 to 6 players, with and without
prospecting, on the standard map and on a tiny one where everything is crowded.

Each test plays a batch: 8 variants x 40 games on the standard map, 8 x 120 on the tiny one.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine_cy import Chosen, Event, Game, Generator, Happened
from engine_cy.goldgraeber.components import GoldenMap, standard
from engine_cy.goldgraeber.rules import EDITION, Goldgraeber
from tests.oracle.goldgraeber import Oracle

SCALE = int(os.environ.get("SALOON_TEST_SCALE", "1"))
TINY = GoldenMap.load(Path(__file__).parent.parent / "data" / "tiny_golden.toml", test=True)
VARIANTS = [(players, prospecting) for players in (3, 4, 5, 6) for prospecting in (False, True)]


def as_snapshot(game: Game) -> dict[str, Any]:
    """A position in the oracle's words."""
    p = game.position()
    chips = [(entry["field"], _chip(entry["chip"]), entry["looked"]) for entry in p["chips"]]
    rules = game.rules
    assert isinstance(rules, Goldgraeber)
    return {
        "phase": p["phase"],
        "seat": game.seat,
        "turn": p["turn"]["seat"],
        "steps": p["turn"]["steps"],
        "fight": _fight(p),
        "locomotive": [list(field) for field in rules.components.rail].index(p["locomotive"]),
        "diggers": p["diggers"],
        "rafts": p["rafts"],
        "face_down": [field for field, _, _ in chips],
        "known": [[field, chip] for field, chip, looked in chips if looked],
        "looked": [[field, looked] for field, _, looked in chips if looked],
        "rested": p["rested"],
        "unseen": sorted(chip for _, chip, looked in chips if not looked),
        "robbers": [[entry["field"], entry["strength"], _chips(entry["loot"])] for entry in p["robbers"]],
        "open": [_chips(chips) for chips in p["open"]],
        "banked": [_chips(chips) for chips in p["banked"]],
        "ended_by": rules.ended_by(game.state),
    }


def _chip(chip: dict[str, Any]) -> list[Any]:
    return [chip["kind"], chip["value"]]


def _chips(chips: Sequence[dict[str, Any]]) -> list[list[Any]]:
    return sorted(_chip(chip) for chip in chips)


def _fight(p: dict[str, Any]) -> dict[str, Any] | None:
    """Decisions fall in fights when somebody is to walk away; a fight against a robber is one without a defender."""
    if p["phase"] != "retreat":
        return None
    seat, walker = p["turn"]["seat"], p["turn"]["walker"]
    field, players = p["diggers"][seat], len(p["diggers"])
    others = [(seat + i) % players for i in range(1, players)]
    defender = next((other for other in others if p["diggers"][other] == field), None)
    winner = None if defender is None else walker
    return {"field": field, "attacker": seat, "defender": defender, "rolled": None, "winner": winner}


def play_both(rules: Goldgraeber, seed: int) -> int:
    """Play one game, uniformly random or (odd seeds) mostly with sense, so that chips get home; an AssertionError says
    where the two disagree. Returns the number of decisions."""
    oracle = Oracle(rules.components, rules.players, rules.prospecting, list(rules.colours), rules.edition)
    game, chooser = Game(rules, seed), Generator(seed, stream=1)
    seen = decisions = 0
    while True:
        seen = _follow(oracle, game.history, seen)
        assert as_snapshot(game) == oracle.snapshot()
        assert [score.to_dict() for score in game.scores()] == oracle.scores()
        assert game.ranking() == oracle.ranking()
        if game.over:
            return decisions
        options = [decision.to_list() for decision in game.decisions()]
        assert sorted(options, key=repr) == sorted(oracle.options(), key=repr)
        number = chooser.below(len(options))
        if seed % 2 and chooser.below(4):
            worths = [worth for _, worth in game.state.appraise()]
            number = worths.index(max(worths))
        game.decide(options[number])
        decisions += 1


def _follow(oracle: Oracle, history: Sequence[Event], seen: int) -> int:
    for event in history[seen:]:
        match event:
            case Happened(what, outcome):
                assert oracle.due == what
                oracle.reveal(what, outcome)
            case Chosen(seat, decision):
                assert oracle.seat == seat
                oracle.decide(decision.to_list())
    return len(history)


def agree(golden: GoldenMap, players: int, prospecting: bool, games: int, edition: int = EDITION) -> None:
    for seed in range(games):
        first = seed % 6
        colours = [*range(first, 6), *range(first)][:players]
        rules = Goldgraeber(players, prospecting=prospecting, colours=colours, components=golden, edition=edition)
        assert play_both(rules, seed) > 0


@pytest.mark.parametrize(("players", "prospecting"), VARIANTS)
def test_the_engine_agrees_with_the_oracle(players: int, prospecting: bool) -> None:
    """Option sets, states, scores and places after every decision."""
    agree(standard(), players, prospecting, 40 * SCALE)


@pytest.mark.parametrize(("players", "prospecting"), VARIANTS)
def test_on_the_tiny_map(players: int, prospecting: bool) -> None:
    """The same where diggers meet, rails are full and chips run out."""
    agree(TINY, players, prospecting, 120 * SCALE)


@pytest.mark.parametrize("players", [3, 6])
def test_the_first_edition(players: int) -> None:
    """As it was before a seat could rest (GG-20a): records of then are played so."""
    agree(standard(), players, True, 10 * SCALE, edition=1)
    agree(TINY, players, True, 40 * SCALE, edition=1)
