"""The tables that the suites for all games play at: a few rules of every game, by name."""

from pathlib import Path

from engine_cy import GameRules, Generator, GoldenMap, Goldgraeber, MoonRiver, MoonRiverComponents
from engine_cy.game import Game

DATA = Path(__file__).parent / "data"


def tables() -> dict[str, GameRules]:
    scarce = MoonRiverComponents.load(DATA / "scarce.toml")
    crowded = MoonRiverComponents.load(DATA / "crowded.toml")
    tiny = GoldenMap.load(DATA / "tiny_golden.toml", test=True)
    return {
        "moon_river-2": MoonRiver(2),
        "moon_river-3": MoonRiver(3),
        "moon_river-4": MoonRiver(4),
        "moon_river-4-legends": MoonRiver(4, legends=True),
        "moon_river-3-gold_rush": MoonRiver(3, legends=True, scenario="gold_rush"),
        "moon_river-2-outlaws": MoonRiver(2, legends=True, scenario="outlaws", boards=["big_jo", "mary"]),
        "moon_river-2-scarce": MoonRiver(2, components=scarce),
        "moon_river-4-scarce-legends": MoonRiver(4, legends=True, components=scarce),
        "moon_river-3-crowded-legends": MoonRiver(3, legends=True, components=crowded),
        "goldgraeber-3": Goldgraeber(3),
        "goldgraeber-4-prospecting": Goldgraeber(4, prospecting=True),
        "goldgraeber-6-colours": Goldgraeber(6, colours=[5, 3, 1, 0, 2, 4]),
        "goldgraeber-3-tiny-prospecting": Goldgraeber(3, prospecting=True, components=tiny),
        "goldgraeber-4-tiny": Goldgraeber(4, colours=[2, 0, 5, 1], components=tiny),
    }


def advance(game: Game, chooser: Generator, decisions: int | None = None) -> Game:
    """Take so many uniformly random decisions (None: all there are) and return the game."""
    while not game.over and decisions != 0:
        options = game.decisions()
        game.decide(options[chooser.below(len(options))])
        decisions = None if decisions is None else decisions - 1
    return game
