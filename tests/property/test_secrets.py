"""What one seat has looked at in secret (GG-20) shows to no other: not in what it sees, nor in what may be done, judged
or believed."""

import copy
import random
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from engine_cy import Game, Generator, ImpossibleOutcome, View
from engine_cy.game import Happened
from engine_cy.goldgraeber.chips import chip_list
from pictures import picture
from tests.property.goldgraeber import public
from tests.property.invariants import attempt
from tests.property.kinds import KINDS
from tests.property.strategies import SEEDS, play, retold

PROSPECTING = [name for name in KINDS["goldgraeber"].variants if "prospecting" in name]


@st.composite
def prospected(draw: st.DrawFn) -> Game:
    """A game in which somebody knows chips that others do not."""
    rules = KINDS["goldgraeber"].variants[draw(st.sampled_from(PROSPECTING))]
    seed = draw(SEEDS)
    game = play(Game(rules, seed), seed, draw(st.integers(5, 120)))
    assume(not game.over and any(entry["looked"] for entry in game.position()["chips"]))
    return game


def told_two_ways(game: Game, data: st.DataObject) -> tuple[Game, Game, int]:
    """Up to some look in secret, which shows another chip in the second game; and the seat that looks."""
    looks = [i for i, event in enumerate(game.history) if isinstance(event, Happened) and not event.seen(None)]
    at = data.draw(st.sampled_from(looks))
    field, chip = game.history[at].outcome  # type: ignore[union-attr]
    kind = data.draw(st.integers(0, 9).map(chip_list).filter(lambda other: other != chip))
    one, other = retold(game, at), retold(game, at)
    looker = one.position()["turn"]["seat"]
    one.reveal("chip", [field, chip])
    _, refused = attempt(ImpossibleOutcome, lambda: other.reveal("chip", [field, kind]))
    assume(not refused)
    return one, other, looker


def everything(view: View) -> list[Any]:
    """All that anybody gets out of a view."""
    state = view.state
    return [
        bytes(state),
        view.position(),
        str(view),
        picture(view.rules, state),
        view.rules.beliefs(state),
        view.decisions(),
        view.scores(),
        state.appraise() if state.codes() else [],
        bytes(view.determinize(7).state),
    ]


@given(prospected(), st.randoms(use_true_random=False))
def test_what_others_have_seen_may_be_anything(game: Game, luck: random.Random) -> None:
    """Whatever lies where a seat has not looked, known to others or not, it sees the same, and so do spectators."""
    spectated = game.spectate()
    for viewer in range(game.rules.players):
        position = copy.deepcopy(game.position())
        unseen = [entry for entry in position["chips"] if viewer not in entry["looked"]]
        chips = [entry["chip"] for entry in unseen]
        luck.shuffle(chips)
        for entry, chip in zip(unseen, chips, strict=True):
            entry["chip"] = chip
        other = Game.at(game.rules, position)
        assert everything(other.observe(viewer)) == everything(game.observe(viewer))
        assert bytes(other.spectate().state) == bytes(spectated.state)
        assert public(other.position()) == public(game.position())


@given(prospected(), st.data())
def test_what_a_look_brings_is_told_to_one(game: Game, data: st.DataObject) -> None:
    """However it comes out: the seat that looks sees the difference, the others see the same."""
    one, other, looker = told_two_ways(game, data)
    for seat in range(game.rules.players):
        assert (everything(one.observe(seat)) == everything(other.observe(seat))) == (seat != looker)
    assert bytes(one.spectate().state) == bytes(other.spectate().state)


@given(prospected(), SEEDS)
def test_a_guess_keeps_what_the_seat_has_seen(game: Game, seed: int) -> None:
    """And who has looked where; the rest is of the chips that are left."""
    for viewer in range(game.rules.players):
        view = game.observe(viewer)
        guess = Game.at(game.rules, game.rules.position(view.state.determinize(Generator(seed))))
        for true, guessed in zip(game.position()["chips"], guess.position()["chips"], strict=True):
            assert guessed["looked"] == true["looked"]
            assert viewer not in true["looked"] or guessed["chip"] == true["chip"]
