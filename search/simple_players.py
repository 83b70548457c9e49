"""Players without a search: at random, at a glance, and the levels, which err as people do."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import log
from pathlib import Path

from engine_cy.game import View
from engine_cy.network import leads
from engine_cy.state import Generator, State
from search.player import Answer, Limit, Player, Question
from search.search_player import SearchPlayer
from search.trees import Trees

_ENDING = 2_000  # positions of an ending that every level plays exactly
_GLANCE = 300  # iterations for the figures of a level's answer; its choice is made without them
_SLIPS = 1 << 40  # a stream of its own


def _answer(view: View, code: int, seed: int) -> Answer:
    return Answer(view, view.rules.decode(view.state.phase, code), seed=seed)


class RandomPlayer(Player):
    """Any legal decision, uniformly."""

    def think(self, question: Question) -> Answer:
        view = question.view
        return _answer(view, view.state.sample(Generator(question.seed)), question.seed)


def _worths(state: State) -> Sequence[tuple[int, float]]:
    """Every decision with its worth without a search: by what was learned of such games, or else at a glance."""
    return state.appraise() if state.rules.network is None else leads(state)


class GreedyPlayer(Player):
    """The decision worth most without a search; equals fall at random."""

    def think(self, question: Question) -> Answer:
        state = question.view.state
        worths = _worths(state)
        most = max(worth for _, worth in worths)
        equals = [code for code, worth in worths if worth >= most]
        return _answer(question.view, equals[Generator(question.seed).below(len(equals))], question.seed)


@dataclass(frozen=True, slots=True)
class Effort:
    """What a level does in one game: it searches, or decides without and is so unsure, in temperatures of the game."""

    iterations: int = 0  # 0: no search
    slip: float = 0.0


@dataclass(frozen=True, slots=True)
class Level:
    """How strong a level is."""

    name: str
    efforts: Mapping[str, Effort]  # by game

    @property
    def most_iterations(self) -> int:
        """In any game."""
        return max(effort.iterations for effort in self.efforts.values())


@cache
def levels() -> Mapping[str, Level]:
    """Every level, weakest first; levels.toml is the data."""
    games = tomllib.loads((Path(__file__).parent / "levels.toml").read_text(encoding="utf-8"))
    return {
        name: Level(name, {game: Effort(**rows[name]) for game, rows in games.items()})
        for name in next(iter(games.values()))
    }


class LevelPlayer(Player):
    """A player of limited strength: it takes the second best for the best, the more readily the closer they are. An
    ending that can be worked out is played exactly, whatever the level. Its choice is the same whatever the limit is,
    as long as that leaves it the time; if it does not, the level chooses by what it has. The figures, where they are
    wanted, come from a short look around."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._looking = SearchPlayer(reuse=False)
        self._choosing: Trees | None = None
        self._stopped = False

    @property
    def most(self) -> int:
        return self.level.most_iterations + _GLANCE

    def think(self, question: Question) -> Answer:
        choice = _answer(question.view, self._choose(question), question.seed)
        if question.count == 0 and not question.evaluate:
            return choice
        limit = Limit(min(_GLANCE, question.limit.iterations or _GLANCE), question.limit.deadline_ns)
        return replace(self._looking.think(replace(question, limit=limit)), choice=choice.choice)

    def stop(self) -> None:
        self._stopped = True
        if self._choosing is not None:
            self._choosing.stop()
        self._looking.stop()

    def _choose(self, question: Question) -> int:
        state, deadline = question.view.state, question.limit.deadline_ns
        effort = self.level.efforts[question.view.rules.name]
        trees = self._choosing = Trees(state, question.seed)
        if self._stopped:  # before there was anything to stop
            trees.stop()
        exact = trees.solve(_ENDING, deadline)
        if exact is not None:
            return max(exact, key=lambda code: (exact[code], -code))
        if effort.iterations > 0:
            trees.run(effort.iterations, deadline)
            outcomes = trees.known().outcomes
            if any(outcome.visits for outcome in outcomes.values()):
                return max(outcomes, key=lambda code: (outcomes[code].visits, outcomes[code].reward, -code))
        slips = _slips(Generator(question.seed, stream=_SLIPS))
        worths, unsure = dict(_worths(state)), effort.slip * state.rules.temperature
        return max(worths, key=lambda code: worths[code] + unsure * slips())


def _slips(generator: Generator) -> Callable[[], float]:
    """Noise that turns a maximum into a choice with probabilities as exp(value / noise) (Gumbel's trick)."""
    return lambda: -log(-log((generator.below(1 << 30) + 0.5) / (1 << 30)))
