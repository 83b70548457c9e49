"""Commands take the options that games declare: those of a new game come by themselves."""

from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from engine_cy.registry import GAMES
from engine_cy.rules import About, OptionField
from saloon.options import Table, starts_games

POKER = About(
    title="Poker",
    description="",
    options=(
        OptionField("players", "Players", "How many sit down.", "integer", low=2, high=9),
        OptionField("blind_bets", "Blinds", "Who bets before the deal.", "integer_per_seat", low=0, high=5),
        OptionField("wild", "Wild", "Cards that stand for any.", "choice", choices=("none", "twos", "jokers")),
        OptionField("deck", "Deck", "The only one.", "choice", choices=("french",)),
    ),
    components={},
)
ALONE = About(title="Patience", description="", options=(OptionField("hard", "", "Harder.", "boolean"),), components={})

BIG = About(
    title="Big",
    description="",
    options=(OptionField("players", "Players", "More than usual.", "integer", low=5, high=9),),
    components={},
)


def game(about: About) -> Any:
    return type(about.title, (), {"about": classmethod(lambda _: about)})


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    """A command with a flag of its own, that says what it was given."""
    monkeypatch.setitem(GAMES, "poker", game(POKER))
    monkeypatch.setitem(GAMES, "patience", game(ALONE))
    monkeypatch.setitem(GAMES, "big", game(BIG))
    app = typer.Typer()

    @app.command()
    @starts_games(players=4)
    def command(table: Table, seed: int = 0) -> None:
        typer.echo(f"{table.game} {table.options} {seed}")

    return app


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "moon_river {'players': 4} 0"),
        ("--game big", "big {'players': 5} 0"),
        ("--seed 3 --players 0 --legends", "moon_river {'players': 0, 'legends': True} 3"),
        ("--game poker", "poker {'players': 4} 0"),
        ("--game poker --blind-bets 1,x --wild twos", "poker {'players': 4, 'blind_bets': [1, 'x'], 'wild': 'twos'} 0"),
        ("--game poker --boards a,b", "poker {'players': 4, 'boards': ['a', 'b']} 0"),  # the game refuses it
        ("--game patience --hard", "patience {'hard': True} 0"),
    ],
)
def test_what_is_given_arrives(app: typer.Typer, words: str, said: str) -> None:
    assert CliRunner().invoke(app, words.split()).stdout.strip() == said


def test_help_shows_the_options_of_every_game(app: typer.Typer) -> None:
    text = " ".join(CliRunner().invoke(app, ["--help"], env={"COLUMNS": "300", "NO_COLOR": "1"}).stdout.split())
    assert "One of moon_river, goldgraeber, poker, patience, big." in text
    assert "Moon River: How many play (2 to 4). Goldgräber: How many play (3 to 6). Poker: How many sit down (2" in text
    assert "Poker: Who bets before the deal (0 to 5; one for each seat, with commas)." in text
    assert "Poker: Cards that stand for any (none, twos, jokers)." in text
    assert "Patience: Harder." in text
    assert "--deck" not in text  # no choice is left
    assert "with --legends" in text
