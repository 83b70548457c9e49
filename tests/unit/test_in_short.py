"""The rules in short: every topic once, phases that exist, the same in every language."""

import pytest

from engine_cy import Game, Generator, Goldgraeber, MoonRiver
from engine_cy.in_short import in_short
from engine_cy.registry import GAMES
from engine_cy.rules import GameRules


@pytest.mark.parametrize("game", GAMES)
def test_topics_and_phases(game: str) -> None:
    english, german = in_short(game), in_short(game, "de")
    topics = [section.topic for section in english.sections]
    assert len(set(topics)) == len(topics) > 4
    assert topics == [section.topic for section in german.sections]
    assert english.why_not.keys() == german.why_not.keys()
    for known in (english, german):
        named = {phase for section in known.sections for phase in section.explains} | known.why_not.keys()
        assert named <= set(GAMES[game].phases)
        assert all(section.title and all(section.text) for section in known.sections)
        assert known.parts.keys() == {*GAMES[game].parts, *GAMES[game].finer}


@pytest.mark.parametrize("rules", [MoonRiver(2), Goldgraeber(3, prospecting=True)], ids=lambda rules: rules.name)
def test_every_decision_of_a_game_is_explained(rules: GameRules) -> None:
    explained = {phase for section in in_short(rules.name).sections for phase in section.explains}
    for seed in range(5):
        game, chooser = Game(rules, seed), Generator(seed)
        while not game.over:
            assert game.phase in explained
            options = game.decisions()
            game.decide(options[chooser.below(len(options))])


def test_every_scenario_has_its_line() -> None:
    legends = in_short("moon_river").section("legends")
    assert legends is not None
    lines = {line.partition(":")[0] for line in legends.text}
    assert {"Timber Rafting", "Gold Rush", "Outlaws", "Moon River City"} <= lines


def test_a_game_without_has_none() -> None:
    assert in_short("chess").sections == ()
