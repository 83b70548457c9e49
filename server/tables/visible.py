# May know: engine_cy.
"""What of a game may be shown to whom, and how chance is dealt without saying more than it must."""

from collections.abc import Sequence

from engine_cy.game import Event, Game, Happened
from engine_cy.own_record import OwnRecord
from engine_cy.rules import GameRules
from engine_cy.state import Generator, State


def may_know(seat: int | None, event: Event) -> bool:
    """Whether a seat, or a spectator (None), may know of an event."""
    return not isinstance(event, Happened) or event.seen(seat)


def visible_state(game: Game, seat: int | None) -> State:
    """The state as a seat, or a spectator (None), may see it."""
    return game.state.spectate() if seat is None else game.state.observe(seat)


class OwnEvents:
    """What a watcher's own record has for every event, where that is not just the event."""

    def __init__(self, rules: GameRules, seat: int | None) -> None:
        self.rules, self.seat = rules, seat
        self.differ = rules.private_facts
        self._own = OwnRecord(rules, seat)
        self._events: list[Sequence[Event]] = []  # by the number of the event

    def follow(self, history: Sequence[Event]) -> None:
        """This is what has happened so far."""
        for event in history[len(self._events) :]:
            seen = self._own.see(event)
            self._events.append(() if seen == [event] else seen)

    def beside(self, number: int) -> Sequence[Event]:
        """In place of an event that was followed."""
        return self._events[number] if self.differ else ()


def can_deal_without_seed(rules: GameRules) -> bool:
    """Whether chance can be dealt for a game whose seed nobody told: not if seats know different things, since what
    one of them was told could be dealt again."""
    return not rules.private_facts


def deal_chance(game: Game, luck: int) -> None:
    """Let chance happen that is due in a game without a seed: uniformly of all that the table does not contradict.

    The luck of the table and the number of the event decide, so that it comes out alike wherever it is dealt."""
    while game.chance is not None:
        seed = Generator(luck, len(game.history)).next()
        dealt = game.spectate().determinize(seed)  # goes on by itself as far as chance is due
        for event in dealt.history:
            assert isinstance(event, Happened)
            game.reveal(event.what, event.outcome)
