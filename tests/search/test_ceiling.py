"""What bots could win that know more than a seat can: `all` knows what comes, `nested` knows no more than its seat."""

import json

import pytest
import typer

from benchmarks.ceiling import Nested, by_judgement, command, lead_at_end
from engine_cy import Game, Goldgraeber, MoonRiver
from engine_cy.rules import GameRules


def late(rules: GameRules, seed: int, left: int) -> Game:
    """A game played by judgement, so many decisions before its end."""
    decisions = 0
    game = Game(rules, seed)
    while not game.over:
        play_on(game)
        decisions += 1
    game = Game(rules, seed)
    for _ in range(decisions - left):
        play_on(game)
    return game


def play_on(game: Game) -> None:
    game.decide(game.rules.decode(game.state.phase, by_judgement(game.state)))


@pytest.mark.parametrize("rules", [MoonRiver(2), Goldgraeber(3)], ids=["moon_river", "goldgraeber"])
def test_who_knows_all_knows_how_it_ends(rules: GameRules) -> None:
    game = late(rules, 5, 30)
    seat = game.seat
    assert seat is not None
    knows = Nested(1, 64, sees_chips=True, sees_all=True)
    codes = game.state.codes()
    said = dict(zip(codes, knows.ends(game, codes, 1, 0), strict=True))
    assert said[knows(game, 1)] == max(said.values())
    for code in codes[:3]:
        again = game.copy()
        again.decide(rules.decode(again.state.phase, code))
        while not again.over:
            play_on(again)
        points = again.state.score()[0]
        assert said[code] == points[seat] - (sum(points) - points[seat]) / (rules.players - 1)


@pytest.mark.parametrize("rules", [MoonRiver(2), Goldgraeber(3)], ids=["moon_river", "goldgraeber"])
def test_nested_goes_by_what_its_seat_sees(rules: GameRules) -> None:
    game = late(rules, 6, 40)
    assert game.seat is not None
    view = game.observe(game.seat)
    nested = Nested(2, 4)
    choices = {nested(view.determinize(seed), 9) for seed in range(4)}
    assert choices == {nested(game, 9)}


def test_playing_on_ends_the_game() -> None:
    game = late(MoonRiver(2), 7, 10)
    assert game.generator is not None
    copy = game.state.copy()
    lead_at_end(copy, game.generator.copy(), 0)
    while not game.over:
        play_on(game)
    assert copy == game.state


def test_the_command_says_what_each_won(capsys: pytest.CaptureFixture[str]) -> None:
    app = typer.Typer()
    app.command()(command)
    words = ["--game", "goldgraeber", "--players", "3", "--games", "1", "--worlds", "1", "--moves", "2"]
    app([*words, "--bot", "greedy"], standalone_mode=False)
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [name for row in said for name in row] == ["nested", "chips", "all", "gained"]
    assert all(row[name]["games"] == 1 for row in said[:3] for name in row)
    with pytest.raises(typer.BadParameter, match="of which something was learned"):
        app(["--game", "goldgraeber", "--prospecting"], standalone_mode=False)
    with pytest.raises(typer.BadParameter, match="expected one of nested"):
        app([*words, "--only", "some"], standalone_mode=False)
