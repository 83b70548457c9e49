"""How much is there to win? Bots that no seat could have, for measuring only: `make ceiling GAME=goldgraeber`.

`nested` plays every move to the end of the game many times, all seats deciding by what was learned; `chips` does so in
the world as it is, and knows what lies hidden; `all` knows the dice to come as well, and what the others will do. Each
plays one seat against others who decide by what was learned, without a search; and it is told how many points `nested`
gains on a bot a decision. docs/search.md says what came of it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Annotated

import typer

from benchmarks.commands import run
from engine_cy.game import Game
from engine_cy.network import leads
from engine_cy.ops import CHANCE, OVER
from engine_cy.registry import game_class
from engine_cy.rules import GameRules
from engine_cy.state import Generator, State
from saloon.options import Table, starts_games
from search.arena import decision_seed
from search.player import Question, code_of
from search.specs import spec
from search.stats import interval, mean_by_game

_WORLD_STREAM, _LUCK_STREAM, _CHECK_STREAM = 1 << 45, 1 << 46, 1 << 47  # apart from those of games
_ASKED = 16  # of so many decisions of a game, one is asked about

Decider = Callable[[Game, int], int]  # the game as it is and a seed, to a code


def by_judgement(state: State) -> int:
    """What is worth most by what was learned, without a search."""
    return max(leads(state), key=lambda worth: (worth[1], -worth[0]))[0]


def lead_at_end(state: State, generator: Generator, seat: int) -> float:
    """Play on by judgement; the seat's lead over the average of the others."""
    while state.status != OVER:
        if state.status == CHANCE:
            state.draw(generator)
        else:
            state.apply(by_judgement(state))
    return _lead(state.score()[0], seat)


def _lead(points: Sequence[int], seat: int) -> float:
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


@dataclass(frozen=True, slots=True)
class Nested:
    """Moves by how games end in so many worlds, the same for every move; only the most promising moves."""

    worlds: int
    moves: int
    sees_chips: bool = False
    sees_all: bool = False

    def __call__(self, game: Game, seed: int) -> int:
        codes = [code for code, _ in sorted(leads(game.state), key=lambda worth: -worth[1])[: self.moves]]
        ends = self.ends(game, codes, seed, _WORLD_STREAM)
        return max(zip(ends, codes, strict=True), key=lambda end: end[0])[1]

    def ends(self, game: Game, codes: list[int], seed: int, stream: int) -> list[float]:
        """The mean lead that each move leads to."""
        seat = game.seat
        assert seat is not None
        totals = [0.0] * len(codes)
        for number in range(self.worlds):
            world = self._world(game, seat, seed, stream + number)
            for index, code in enumerate(codes):
                totals[index] += lead_at_end(world.after(code), self._luck(game, seed, number), seat)
        return [total / self.worlds for total in totals]

    def _world(self, game: Game, seat: int, seed: int, stream: int) -> State:
        if self.sees_chips:
            return game.state
        return game.observe(seat).state.determinize(Generator(seed, stream))

    def _luck(self, game: Game, seed: int, number: int) -> Generator:
        if self.sees_all and game.generator is not None:
            return game.generator.copy()
        return Generator(seed, _LUCK_STREAM + number)


def match(rules: GameRules, decide: Decider, games: int, seed: int) -> dict[str, object]:
    """One seat decides so, in turn each, the others by judgement."""
    shares, ahead = [], []
    for number in range(games):
        deal, own = divmod(number, rules.players)
        game = Game(rules, seed, stream=deal)
        while not game.over:
            own_turn = game.seat == own
            seed_now = decision_seed(seed, number, len(game.history))
            code = decide(game, seed_now) if own_turn else by_judgement(game.state)
            game.decide(rules.decode(game.state.phase, code))
        points, places = game.state.score()
        shares.append(1 / places.count(1) if places[own] == 1 else 0.0)
        ahead.append(_lead(points, own))
    low, high = interval(shares, rules.players)
    return {"games": games, "share": round(fmean(shares), 4), "ci95": [round(low, 4), round(high, 4)],
            "lead": round(fmean(ahead), 2)}  # fmt: skip


def gained(rules: GameRules, nested: Nested, bot: str, games: int, seed: int) -> dict[str, object]:
    """What `nested` gains on a bot a decision, in points of the lead: by ends in worlds that neither of them saw."""
    found = list(_gains(rules, nested, bot, games, seed))
    return {"bot": bot, "decisions": len(found), **mean_by_game(found).plain()}


def _gains(rules: GameRules, nested: Nested, bot: str, games: int, seed: int) -> Iterator[tuple[int, float, float]]:
    asked = spec(bot)
    for number in range(games):
        game, luck = Game(rules, seed, stream=number), Generator(seed, _CHECK_STREAM + number)
        while not game.over:
            assert game.seat is not None
            if luck.below(_ASKED) == 0:
                own = decision_seed(seed, number, len(game.history))
                view = game.observe(game.seat)
                chosen = code_of(view, asked.player().think(Question(view, asked.budget.limit(), own)).choice)
                best = nested(game, own)
                ends = [0.0, 0.0] if best == chosen else nested.ends(game, [best, chosen], own, _CHECK_STREAM)
                yield number, 1.0, ends[0] - ends[1]
            game.decide(rules.decode(game.state.phase, by_judgement(game.state)))


@starts_games(players=4)
def command(
    table: Table,
    bot: Annotated[str, typer.Option(help="The bot that nested is compared with.")] = "ismcts:iterations=2000",
    games: Annotated[int, typer.Option(min=1, help="Of each match, and to ask about decisions in.")] = 40,
    worlds: Annotated[int, typer.Option(min=1, help="In which every move is played to the end.")] = 16,
    moves: Annotated[int, typer.Option(min=1, help="That are looked at, the most promising ones.")] = 6,
    only: Annotated[str | None, typer.Option(help="nested, chips, all or gained; all of them, if not given.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**20)] = 1,
) -> None:
    """How much more bots win that know more, or think longer, than any seat can."""
    rules = game_class(table.game).from_options(table.options)
    if rules.compiled.network is None:
        raise typer.BadParameter(f"expected a table of which something was learned, got {table.options}")
    nested = Nested(worlds, moves)
    measures: dict[str, Callable[[], dict[str, object]]] = {
        "nested": lambda: match(rules, nested, games, seed),
        "chips": lambda: match(rules, Nested(worlds, moves, sees_chips=True), games, seed),
        "all": lambda: match(rules, Nested(1, 64, sees_chips=True, sees_all=True), games, seed),
        "gained": lambda: gained(rules, nested, bot, games, seed),
    }
    if only is not None and only not in measures:
        raise typer.BadParameter(f"expected one of {', '.join(measures)}, got {only!r}", param_hint="--only")
    for name in measures if only is None else [only]:
        typer.echo(json.dumps({name: measures[name]()}))


if __name__ == "__main__":
    run(command, "ceiling")
