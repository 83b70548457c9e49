"""Plays a game on the compiled engine and on the oracle side by side and compares everything a table shows."""

from typing import Any

from engine_cy import Chosen, Event, Game, Generator, Happened, MoonRiver
from engine_cy.moon_river.components import Cell
from engine_cy.network import divided
from tests.oracle.moon_river import Oracle
from tests.oracle.moon_river_score import points_by_landscape


def as_snapshot(game: Game) -> dict[str, Any]:
    """A position in the oracle's words."""
    p = game.position()
    ranches = []
    for ranch in p["ranches"]:
        cells = [(Cell(*entry["cell"]).flat, entry) for entry in ranch]
        ranches.append(
            {
                "plots": [[i, _plot(e["plot"])] for i, e in cells],
                "cows": [[i, e["cows"]] for i, e in cells if e["cows"]],
                "partners": [[i, e["partner"]] for i, e in cells if e["partner"]],
            }
        )
    return {
        "phase": p["phase"],
        "seat": game.seat,
        "last_round": p["last_round"],
        "scenario": p["scenario"],
        "current": p["current"],
        "next": p["next"],
        "ranches": ranches,
        "hands": p["hands"],
        "saloon": sorted(p["saloon"]),
        "supply": p["supply"],
        "pile": sorted(p["pile"]),
        "stack": sorted(p["stack"]),
        "bonus_tiles": p["bonus_tiles"],
    }


def _plot(plot: Any) -> Any:
    return ["bonus", plot["tile"], plot["side"]] if isinstance(plot, dict) else plot


def play_both(rules: MoonRiver, oracle: Oracle, seed: int) -> int:
    """Play one random game; an AssertionError says where the two disagree. Returns the number of decisions."""
    game = Game(rules, seed)
    chooser = Generator(seed, stream=1)
    seen = decisions = 0
    while True:
        seen = _follow(oracle, game.history, seen)
        assert as_snapshot(game) == oracle.snapshot()
        assert [s.to_dict() for s in game.scores()] == oracle.scores()
        assert game.ranking() == oracle.ranking()
        if game.over:
            for ranch, points in zip(oracle.ranches, divided(game.state), strict=True):
                assert points == [points_by_landscape(ranch)[landscape] for landscape in rules.finer]
            return decisions
        options = [d.to_list() for d in game.decisions()]
        assert len(options) > 1
        assert oracle.pending() == ("decision", game.seat, game.phase)
        assert sorted(options, key=repr) == sorted(oracle.options(), key=repr)
        game.decide(options[chooser.below(len(options))])
        decisions += 1


def _follow(oracle: Oracle, history: list[Event], seen: int) -> int:
    for event in history[seen:]:
        match event:
            case Happened(what, outcome):
                assert oracle.pending() == ("chance", what)
                oracle.chance(what, outcome)
            case Chosen(_, decision):
                oracle.apply(decision.to_list())
    return len(history)
