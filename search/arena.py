"""Matches between bots, fair by design: every deal is played with the first bot on every seat in turn."""

import json
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import repeat
from pathlib import Path
from typing import Any

from engine_cy.game import Chosen, Game
from engine_cy.records import Record
from engine_cy.registry import game_class, rules_of
from engine_cy.rules import GameRules
from search.cluster import Workers
from search.luck import NO_LUCK, luck
from search.player import Player, Question
from search.programs import held, hold
from search.specs import Spec, spec


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: a game with its options, bot a on one seat and bot b on all others, each by its spec."""

    game: str
    options: dict[str, Any]
    a: str
    b: str
    seed: int = 0
    components: str | None = None  # the file of a component set that is not the standard one
    adjust: int = 0  # playouts for each chance event, to tell luck from play; 0: luck is not looked at

    def rules(self) -> GameRules:
        """The rules of the table; OptionError names what does not fit."""
        return rules_of(self.game, self.options, self.components)


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a match, seen by bot a."""

    index: int
    seat: int
    share: float
    margin: int
    points: int
    best_other: int
    luck_share: float = 0.0  # what of the share and of the margin was luck, if the match looks at it
    luck_margin: float = 0.0


def play_game(match: Match, index: int, records: Path | None = None) -> Played:
    """Game `index`: the deal changes after bot a has sat on every seat. Its record is kept in the folder, if given."""
    played, game = _play_game(match, match.rules(), index)
    if records is not None:
        Record.of(game).save(_record_path(records, index))
    return played


def _record_path(records: Path, index: int) -> Path:
    return records / f"{index:06}.json"


def _play_game(match: Match, rules: GameRules, index: int) -> tuple[Played, Game]:
    deal, seat = divmod(index, rules.players)
    a, b = spec(match.a), spec(match.b)
    game = play(rules, [a if s == seat else b for s in range(rules.players)], match.seed, deal, index)
    points, places = game.state.score()
    winners = [s for s, place in enumerate(places) if place == 1]
    best_other = max(p for s, p in enumerate(points) if s != seat)
    lucky = luck(game, seat, match.adjust, match.seed, index) if match.adjust else NO_LUCK
    played = Played(
        index=index,
        seat=seat,
        share=1 / len(winners) if seat in winners else 0.0,
        margin=points[seat] - best_other,
        points=points[seat],
        best_other=best_other,
        luck_share=lucky.share,
        luck_margin=lucky.margin,
    )
    return played, game


def play(rules: GameRules, specs: Sequence[Spec], seed: int, deal: int, index: int) -> Game:
    """A whole game; each player sees its seat's observation only."""
    game = Game(rules, seed, stream=deal)
    with ExitStack() as stack:
        players: list[Player] = [stack.enter_context(closing(spec.player())) for spec in specs]
        while not game.over:
            seat = game.seat
            assert seat is not None
            own = decision_seed(seed, index, len(game.history))
            answer = players[seat].think(Question(game.observe(seat), specs[seat].budget.limit(), own))
            game.decide(answer.choice)
    return game


def replayed(game: Game) -> Iterator[tuple[Game, Chosen]]:
    """A finished game once more: as it stood before each decision, and that decision. It is one game that goes on."""
    again = Game(game.rules, game.seed, stream=game.stream)
    for event in game.history:
        if isinstance(event, Chosen):
            yield again, event
            again.decide(event.decision)


def decision_seed(seed: int, index: int, event: int) -> int:
    """One for each decision of each game. Bots outside are told it, so the deal does not follow from it; languages with
    one kind of number can hold it."""
    return int.from_bytes(blake2b(f"{seed} {index} {event}".encode(), digest_size=6).digest())


def run(
    match: Match, games: range, jobs: int, records: Path | None = None, workers: Workers | None = None
) -> Iterator[Played]:
    """The games, in order, as they are done: `jobs` at a time, each in its own process, or by workers anywhere."""
    if workers is not None:
        yield from _run_on(workers, match, games, records)
        return
    if jobs == 1:
        with held():
            yield from (play_game(match, index, records) for index in games)
        return
    with ProcessPoolExecutor(jobs, initializer=hold) as pool:
        yield from pool.map(play_game, repeat(match), games, repeat(records))


def _run_on(workers: Workers, match: Match, games: range, records: Path | None) -> Iterator[Played]:
    """The same games, played by workers on any machine; records are kept on this one."""
    file = match.components
    # Other machines have no such file.
    components = tomllib.loads(Path(file).read_text(encoding="utf-8")) if file else None
    job = {"match": asdict(match), "components": components, "record": records is not None}
    texts = (json.dumps({**job, "index": index}) for index in games)
    for index, result in zip(games, workers.map(_play_text, texts), strict=True):
        played, record = json.loads(result)
        if records is not None:
            _record_path(records, index).write_text(record, encoding="utf-8")
        yield Played(**played)


def _play_text(text: str) -> str:
    """A worker's part: the game that a text of `_run_on` asks for, and its record if that is wanted."""
    job = json.loads(text)
    match = Match(**job["match"])
    own = job["components"]
    played_game = game_class(match.game)
    components = None if own is None else played_game.component_set.from_dict(own)
    rules = played_game.from_options(match.options, components)
    played, game = _play_game(match, rules, job["index"])
    return json.dumps([asdict(played), Record.of(game).to_json() if job["record"] else None])
