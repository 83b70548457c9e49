"""What every move of a decision is worth, by long searches: what a ruler is made of (docs/strength.md).

Two halves search on worlds of their own. In each the n-th look at every move meets the same world, so that differences
between moves are known far better than the moves themselves. Looks come in stages, each four times as long; a value is
the mean over the looks of a move's last stage, when the tree below it has grown. Which moves a half looks at again, and
which one it compares all others with, is decided by the other half: who chooses by the same noise that values, finds
the best move better, and the moves given up worse, than they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance

from engine_cy.errors import OptionError
from engine_cy.game import View
from search.player import Limit, Question
from search.search_player import SearchPlayer
from search.specs import spec

MEASURES = ("lead", "points", "win")  # over the best other seat; one's own; the part of the win
STAGES = 3
LEAST_VISITS = 64  # of the last stage: the first one then has one a batch
_GROWTH = 4
_KEPT = (8, 3)  # at most so many moves after a stage
_KEPT_LEAST = 2
_CLEARLY = 3.0  # standard errors behind the best that end a move
_BATCHES = 4  # of a stage: their spread says how sure a mean is

Values = tuple[float, ...]  # by measure


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a decision against the best: what it loses by every measure, on average of both halves."""

    loss: Values
    error: float  # standard error of the loss in lead
    visits: int  # in the half that looked less


@dataclass(frozen=True, slots=True)
class Valued:
    """A decision with all its moves, in the order of its options."""

    best: Values  # what the best move by each measure is worth
    moves: tuple[Move, ...]


class _Half:
    """Looks at moves on worlds of its own."""

    def __init__(self, view: View, valuer: str, visits: int, seed: int) -> None:
        player = spec(valuer).player()
        if not isinstance(player, SearchPlayer):
            raise OptionError("valuer", "a bot that searches, such as ismcts", valuer)
        player.begin(Question(view, Limit(), seed))
        self._trees = player.trees
        self._ends: list[int] = [visits // int(_GROWTH ** (STAGES - 1 - stage)) for stage in range(STAGES)]
        self._seen: dict[int, list[list[Values]]] = {}  # by move: every stage's batches

    def look(self, codes: Sequence[int], stage: int) -> None:
        """At these moves, up to this stage, with all that was left out before."""
        for code in codes:
            stages = self._seen.setdefault(code, [])
            while len(stages) <= stage:
                stages.append(self._batches(code, len(stages)))

    def _batches(self, code: int, stage: int) -> list[Values]:
        begun, end = 0 if stage == 0 else self._ends[stage - 1], self._ends[stage]
        found, sums, visits = [], self._sums(code), begun
        for batch in range(1, _BATCHES + 1):
            before, known = sums, visits
            visits = begun + (end - begun) * batch // _BATCHES
            self._trees.probe(code, visits - known, None)
            sums = self._sums(code)
            found.append(tuple((now - then) / (visits - known) for now, then in zip(sums, before, strict=True)))
        return found

    def _sums(self, code: int) -> Values:
        known = self._trees.known().outcomes[code]
        return tuple(known.visits * mean for mean in (known.margin, known.points, known.win))

    def stage(self, code: int) -> int:
        """The last one of a move."""
        return len(self._seen[code]) - 1

    def visits(self, code: int) -> int:
        return self._ends[self.stage(code)]

    def mean(self, code: int, stage: int, measure: int = 0) -> float:
        return fmean(batch[measure] for batch in self._seen[code][stage])

    def behind(self, code: int, other: int, stage: int, measure: int = 0) -> tuple[float, float]:
        """How much less a move is worth than the other, and the square of that figure's standard error."""
        pairs = zip(self._seen[other][stage], self._seen[code][stage], strict=True)
        differences = [theirs[measure] - own[measure] for theirs, own in pairs]
        return fmean(differences), variance(differences) / len(differences)

    def good(self, stage: int) -> list[int]:
        """The moves of this stage that are not clearly worse than the best."""
        ranked = self._ranked(stage, 0)
        kept: list[int] = []
        for code in ranked[: _KEPT[stage]]:
            less, square = self.behind(code, ranked[0], stage)
            if less <= _CLEARLY * sqrt(square) or len(kept) < _KEPT_LEAST:
                kept.append(code)
        return kept

    def best(self, measure: int) -> int:
        return self._ranked(STAGES - 1, measure)[0]

    def _ranked(self, stage: int, measure: int) -> list[int]:
        there = [code for code, stages in self._seen.items() if len(stages) > stage]
        return sorted(there, key=lambda code: (-self.mean(code, stage, measure), code))


def value(view: View, valuer: str, visits: int, seeds: tuple[int, int]) -> Valued:
    """All moves of the decision that is due, the best of them with so many visits in each half. `valuer`: the spec of
    the search."""
    last = STAGES - 1
    codes = view.state.codes()
    first, second = halves = [_Half(view, valuer, visits, seed) for seed in seeds]
    chosen = [codes, codes]
    for stage in range(STAGES):
        for half, its in zip(halves, chosen, strict=True):
            half.look(its, stage)
        if stage < last:
            chosen = [second.good(stage), first.good(stage)]
    # The other half's best by every measure: what each half compares with.
    against = [[other.best(measure) for measure in range(len(MEASURES))] for other in (second, first)]
    for half, its in zip(halves, against, strict=True):
        half.look(its, last)

    def move(code: int) -> Move:
        losses: list[float] = []
        error = 0.0
        for measure in range(len(MEASURES)):
            behind = [
                half.behind(code, its[measure], half.stage(code), measure)
                for half, its in zip(halves, against, strict=True)
            ]
            losses.append(fmean(less for less, _ in behind))
            if measure == 0:
                error = sqrt(sum(square for _, square in behind)) / len(behind)
        return Move(tuple(losses), error, min(half.visits(code) for half in halves))

    best = tuple(
        fmean(half.mean(its[measure], last, measure) for half, its in zip(halves, against, strict=True))
        for measure in range(len(MEASURES))
    )
    return Valued(best, tuple(move(code) for code in codes))
