"""How lucky each seat of a finished game was: what chance brought, compared with what it might have brought.

At every chance event, what everybody sees of the state before it is filled in anew at random and chance is let happen
there: outcomes of the same distribution as the real one, whatever the real one was. From the real state and from each
of the others one playout by quick judgement says how the game would end. An event's luck is the mean difference. It is
nothing on average, whoever plays and however little playouts know of how they play, so that a result less any part of
its luck is right on average; and if playouts know something, it varies less.
"""

from dataclasses import dataclass

from engine_cy.errors import OptionError
from engine_cy.game import Chosen, Game
from engine_cy.ops import CHANCE, OVER
from engine_cy.rules import GameRules
from engine_cy.state import Generator, State

_STREAM = 1 << 43  # of each game's comparisons: it has nothing in common with the deal


@dataclass(frozen=True, slots=True)
class Result:
    """What a match counts of a game, for one seat."""

    share: float
    margin: float


NO_LUCK = Result(0.0, 0.0)


def result(state: State, seat: int) -> Result:
    """As if the game ended now."""
    points, places = state.score()
    share = (places[seat] == 1) / places.count(1)
    return Result(share, points[seat] - max(points[:seat] + points[seat + 1 :]))


def check_luck(rules: GameRules) -> None:
    """OptionError if luck cannot be told at this table: seats that decide by what others do not see show it, so that
    what lies hidden is no longer uniform to everybody."""
    if rules.private_facts:
        raise OptionError("adjust", "a table whose chance tells all seats the same", rules.options())


def luck(game: Game, seat: int, playouts: int, seed: int, index: int) -> Result:
    """Of one seat in a finished game that was dealt from its seed; so many playouts for each event and as many for what
    it is compared with. `seed` and `index` are of the comparison."""
    assert game.seed is not None
    dealt, own = Generator(game.seed, game.stream), Generator(seed, _STREAM + index)
    state = game.rules.compiled.start(dealt)
    chosen = iter([event.decision for event in game.history if isinstance(event, Chosen)])
    share = margin = 0.0
    while state.status != OVER:
        if state.status != CHANCE:
            state.apply(game.rules.encode(state.phase, next(chosen)))
            continue
        before = state.spectate()
        state.draw(dealt)
        after = state.spectate()
        for _ in range(playouts):
            other = before.determinize(own)
            other.draw(own)
            common = own.next()  # of both playouts: what comes alike to both is no luck
            real, might = _end(after, seat, common), _end(other.spectate(), seat, common)
            share += (real.share - might.share) / playouts
            margin += (real.margin - might.margin) / playouts
    return Result(share, margin)


def _end(seen: State, seat: int, number: int) -> Result:
    """Of a playout from what everybody sees."""
    generator = Generator(number)
    state = seen.determinize(generator)
    state.playout(generator, range(state.rules.players))
    return result(state, seat)
