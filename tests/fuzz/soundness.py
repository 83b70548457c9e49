"""What was accepted must be as good as what was reached by playing."""

from engine_cy import Game, Generator, PositionError, View
from search.player import Limit, Question
from search.specs import Spec
from tests.tables import advance

_ITERATIONS = 3


def play_on(game: Game, decisions: int = 20) -> None:
    """Look at it from everywhere, think a little, take some decisions, and play it to its end."""
    rules, state = game.rules, game.state
    assert str(game)
    assert [score.total for score in game.scores()] == list(state.score()[0])
    assert [code for code, _ in state.appraise()] == state.codes()
    views = {}
    for seat in range(rules.players):
        try:
            views[seat] = game.observe(seat)
        except PositionError:  # it does not say what this seat has seen
            assert not game.from_start
    for view in views.values():
        assert bytes(view.state.determinize(Generator(1)).observe(view.viewer)) == bytes(view.state)
        assert View.at(rules, game.position(), view.viewer) == view
    if game.seat in views:
        Spec().player().think(Question(views[game.seat], Limit(_ITERATIONS), seed=1))
    state.copy().playout(Generator(1), range(rules.players))
    again = Game.at(rules, game.position(), seed=1)
    assert again.over == game.over or again.history
    advance(again, Generator(2), decisions)
    again.state.copy().playout(Generator(3))
    assert Game.at(rules, again.position()) == again
