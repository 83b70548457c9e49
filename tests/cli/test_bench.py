"""`saloon bench` measures; what it measures is not tested, only that it reports it."""

import json

from engine_cy.registry import GAMES
from tests.cli.test_trace import saloon


def test_the_report() -> None:
    report = json.loads(saloon("bench", "engine", "--json", "--games", "200"))
    assert set(report) == {*GAMES, "calibration"}
    assert set(report["moon_river"]) == {"4", "3", "2", "4-legends"}
    for game in GAMES:
        for figures in report[game].values():
            assert figures["games_per_s"] > 0
            assert figures["ns_per_decision"] > 0
            assert figures["copies_per_s"] > 0
    assert all(figures["state_bytes"] <= 1024 for figures in report["moon_river"].values())
    assert report["calibration"]["draws_per_s"] > 0


def test_the_table() -> None:
    assert "4-legends" in saloon("bench", "engine", "--games", "200")


def test_the_search_report() -> None:
    report = json.loads(saloon("bench", "search", "--json", "--seconds", "0.01"))
    assert set(report) == set(GAMES)
    for figures in [row for rows in report.values() for row in rows.values()]:
        assert {"ismcts_uniform_it_per_s", "player_greedy_playouts_per_s", "uniform_playouts_per_s"} <= set(figures)
        assert all(value > 0 for value in figures.values())
