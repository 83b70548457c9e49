"""A seat's own record holds all that the seat has seen, and nothing that it has not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_cy import Game, ImpossibleOutcome, PositionError, Record
from engine_cy.game import Chosen, Happened
from engine_cy.own_record import OwnRecord
from tests.property.strategies import examples, games, retold
from tests.property.test_secrets import everything, prospected, told_two_ways


def views(game: Game, seat: int | None) -> bytes:
    return bytes((game.spectate() if seat is None else game.observe(seat)).state)


@examples(0.5)
@given(st.one_of(games(), prospected()), st.data())
def test_it_shows_at_every_moment_what_the_seat_sees(game: Game, data: st.DataObject) -> None:
    """The seat, and everybody: only while a seat looks around some chips come one after the other that come at once in
    the game."""
    seat = data.draw(st.sampled_from([*range(game.rules.players), None]))
    own, true = OwnRecord(game.rules, seat), Game(game.rules)
    for event in game.history:
        true.play(event)
        seen = own.see(event)
        assert all(isinstance(one, Happened) for one in seen[1:])
        assert (own.game.phase, own.game.seat) == (true.phase, true.seat)
        if true.chance != "chip":
            assert views(own.game, seat) == views(true, seat)
            assert views(own.game, None) == views(true, None)
    decisions = [event for event in own.game.history if isinstance(event, Chosen)]
    assert decisions == [event for event in game.history if isinstance(event, Chosen)]


@examples(0.5)
@given(st.one_of(games(), prospected()), st.data())
def test_it_is_a_record_like_any(game: Game, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, game.rules.players - 1))
    own = OwnRecord.of(game.rules, game.history, seat).game
    again = Record.from_json(Record.of(own).to_json()).replay(game.rules.components)
    assert again == own
    assert again.history == own.history
    assert again.whole == own.whole
    assert again.seed is None
    if game.seat == seat:
        assert everything(again.observe(seat)) == everything(game.observe(seat))


@given(prospected(), st.data())
def test_it_says_nothing_that_others_saw(game: Game, data: st.DataObject) -> None:
    """Whatever a seat has looked at in secret, the records of the others are the same; who needs it is refused."""
    one, other, looker = told_two_ways(game, data)
    for seat in [*range(game.rules.players), None]:
        first, second = (OwnRecord.of(each.rules, each.history, seat).game for each in (one, other))
        assert (first.history == second.history) == (seat != looker)
        if seat != looker:
            with pytest.raises(PositionError, match=f"expected what seat {looker} saw at"):
                first.observe(looker)


@given(prospected())
def test_only_a_look_may_be_left_open(game: Game) -> None:
    """What everybody sees is told."""
    for at, event in enumerate(game.history):
        if isinstance(event, Happened) and event.seen(None):
            outcome = [event.outcome[0], None] if event.what == "chip" else None
            with pytest.raises(ImpossibleOutcome):
                retold(game, at).reveal(event.what, outcome)
