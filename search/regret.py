"""How much a bot loses a decision, by a ruler (docs/strength.md)."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

from search.player import Question, code_of
from search.programs import held
from search.ruler import Position, Ruler
from search.specs import Spec, spec
from search.stats import Mean, mean_by_game
from search.valuing import MEASURES, Move

_EQUAL = 0.0005  # what the file rounds away

Row = tuple[Position, Move, bool]  # a decision, the move that was chosen, whether none is better


def chosen(ruler: Ruler, bot: Spec, decisions: int | None = None, seed: int = 1) -> Iterator[Row]:
    """What the bot decides in the first positions, each as a player that knows nothing yet."""
    rules = ruler.header.rules
    with held():
        for number, (position, valued) in enumerate(zip(ruler.positions[:decisions], ruler.values, strict=False)):
            view = position.view(rules)
            with closing(bot.player()) as player:
                answer = player.think(Question(view, bot.budget.limit(), (seed << 20) + number))
            move = valued.moves[view.state.codes().index(code_of(view, answer.choice))]
            least = min(other.loss[0] for other in valued.moves)
            yield position, move, move.loss[0] <= least + _EQUAL


def mean_of(values: Sequence[tuple[Position, float]]) -> Mean:
    return mean_by_game((position.game, position.weight, value) for position, value in values)


def report(ruler: Ruler, text: str, rows: Sequence[Row]) -> dict[str, Any]:
    """The figures of one bot. Points are of the lead over the best other seat unless something else is said."""
    header = ruler.header
    losses = {
        name: mean_of([(position, move.loss[number]) for position, move, _ in rows])
        for number, name in enumerate(MEASURES)
    }
    best = mean_of([(position, float(right)) for position, _, right in rows])
    return {
        "bot": text,
        "decisions": len(rows),
        "lost_a_decision": {name: loss.plain() for name, loss in losses.items()},
        "lost_a_game": {name: round(loss.mean * header.decisions_a_seat, 3) for name, loss in losses.items()},
        "best_chosen": best.plain(),
        "by_kind": _parts(rows, lambda position: position.kind),
        "by_third": _parts(rows, lambda position: str(position.third)),
    }


def _parts(rows: Sequence[Row], part: Callable[[Position], str]) -> dict[str, Any]:
    """The loss in lead by parts of the ruler."""
    parts: dict[str, list[tuple[Position, float]]] = defaultdict(list)
    for position, move, _ in rows:
        parts[part(position)].append((position, move.loss[0]))
    return {name: {"decisions": len(values), **mean_of(values).plain()} for name, values in sorted(parts.items())}


def less(first: Sequence[Row], other: Sequence[Row]) -> Mean:
    """By how much the other loses less a decision than the first, in lead; of the same decisions, so that this is known
    better than either loss."""
    pairs = zip(first, other, strict=True)
    return mean_of([(position, move.loss[0] - its.loss[0]) for (position, move, _), (_, its, _) in pairs])


def measured(ruler: Ruler, texts: Sequence[str], decisions: int | None = None, seed: int = 1) -> dict[str, Any]:
    """All figures of these bots."""
    header = ruler.header
    rows = [list(chosen(ruler, spec(text), decisions, seed)) for text in texts]
    bots = [report(ruler, text, its) for text, its in zip(texts, rows, strict=True)]
    for bot, its in zip(bots[1:], rows[1:], strict=True):
        bot["loses_less_than_first"] = less(rows[0], its).plain()
    return {
        "game": header.game,
        "options": header.options,
        "ruler": {"valuer": header.valuer, "visits": header.visits, "seed": header.seed, "code": header.code},
        "decisions_a_seat_a_game": header.decisions_a_seat,
        "seed": seed,
        "bots": bots,
    }
