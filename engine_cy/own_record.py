"""A game as one seat saw it, event by event: what its own record holds.

Where others looked at something the record says that they did, and not what they saw. And it holds what is no event of
the game, since somebody had seen it before, once this seat sees it too. So it can be played again like any record, and
at every moment the seat knows what it knew in the game.
"""

from collections.abc import Iterable
from typing import Self

from engine_cy.errors import ImpossibleOutcome
from engine_cy.game import Chosen, Event, Game, Happened
from engine_cy.rules import GameRules


class OwnRecord:
    """What a seat, or a spectator (None), sees of a game that goes on."""

    def __init__(self, rules: GameRules, seat: int | None) -> None:
        self.seat = seat
        self.game = Game(rules)  # as the seat saw it, without a seed: its history is the record
        self._hidden: list[Happened] = []  # what others have seen

    @classmethod
    def of(cls, rules: GameRules, history: Iterable[Event], seat: int | None) -> Self:
        """All of a game so far."""
        own = cls(rules, seat)
        for event in history:
            own.see(event)
        return own

    def see(self, event: Event) -> list[Event]:
        """One more event of the game happens; returns what the seat sees of it."""
        before = len(self.game.history)
        if isinstance(event, Chosen) or event.seen(self.seat):
            self.game.play(event)
        else:
            self.game.reveal(event.what, self.game.rules.unshown(event.what, event.outcome))
            self._hidden.append(event)
        while any(self._comes_up(known) for known in self._hidden):
            pass
        return self.game.history[before:]

    def _comes_up(self, known: Happened) -> bool:
        """Whether chance is due here, but not in the game, since somebody has seen this; if so it happens."""
        if self.game.chance != known.what:
            return False
        mine = Happened(known.what, known.outcome, self.game.state.audience()).seen(self.seat)
        outcome = known.outcome if mine else self.game.rules.unshown(known.what, known.outcome)
        try:
            self.game.reveal(known.what, outcome)
        except ImpossibleOutcome:
            return False  # something else is due
        return True
