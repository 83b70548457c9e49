"""What is true of any game at any time; what only one game can say of itself is in its kind."""

from collections.abc import Callable
from typing import Any, TypeVar

from engine_cy import Game, View
from tests.property.kinds import kind_of

T = TypeVar("T")
E = TypeVar("E", bound=Exception)


def attempt(error: type[E], call: Callable[[], T]) -> tuple[T, None] | tuple[None, E]:
    """What the call returns, or the one error it may raise."""
    try:
        return call(), None
    except error as refusal:
        return None, refusal


def check_decisions(game: Game | View) -> None:
    """At least two different options, all of the phase, and none unless a decision is due."""
    options = game.decisions()
    lists = [option.to_list() for option in options]
    if game.over or game.chance:
        assert game.seat is None
        assert not options
        return
    assert game.seat is not None
    assert len(options) >= 2
    assert len({repr(option) for option in lists}) == len(options) == len(set(options))
    codes = [game.rules.encode(game.state.phase, option) for option in lists]
    assert codes == game.state.codes()
    assert all(game.state.is_legal(code) for code in codes)


def check(game: Game | View) -> dict[str, Any]:
    """All of it; returns the position."""
    position = game.position()
    kind_of(game).check(game, position)
    assert [score.total for score in game.scores()] == list(game.state.score()[0])
    check_decisions(game)
    assert str(game)
    return position
