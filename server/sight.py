"""What of a game may be shown to whom, and how chance is dealt without saying more than it must.

A game in which chance tells some seats what it does not tell others says so by fulfilling `KeepsSecrets`. In all other
games, such as Moon River, every outcome is public.
"""

from typing import Any, Protocol, runtime_checkable

from engine_cy.game import Event, Game, Happened
from engine_cy.rules import GameRules
from engine_cy.state import Generator, State


@runtime_checkable
class KeepsSecrets(Protocol):
    """Rules of a game with private facts."""

    def sees(self, seat: int | None, what: str, outcome: Any) -> bool:
        """Whether the seat, or everybody (None), sees the outcome of this chance event."""


def sees(rules: GameRules, seat: int | None, event: Event) -> bool:
    """Whether a seat, or a spectator (None), may know of an event."""
    if isinstance(event, Happened) and isinstance(rules, KeepsSecrets):
        return rules.sees(seat, event.what, event.outcome)
    return True


def shown(game: Game, seat: int | None) -> State:
    """The state as a seat, or a spectator (None), may see it."""
    return game.state.spectate() if seat is None else game.state.observe(seat)


def deals_without_seed(rules: GameRules) -> bool:
    """Whether chance can be dealt for a game whose seed nobody told."""
    return not isinstance(rules, KeepsSecrets)


def deal(game: Game, luck: int) -> None:
    """Let chance happen that is due in a game without a seed: uniformly of all that the table does not contradict.

    The luck of the table and the number of the event decide, so that it comes out alike wherever it is dealt."""
    while game.chance is not None:
        seed = Generator(luck, len(game.history)).next()
        dealt = game.spectate().determinize(seed)  # goes on by itself as far as chance is due
        for event in dealt.history:
            assert isinstance(event, Happened)
            game.reveal(event.what, event.outcome)
