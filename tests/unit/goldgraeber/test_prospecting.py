"""Prospecting: GG-20, and what a seat may know."""

from dataclasses import replace
from typing import Any

import pytest

from engine_cy import Game, Generator, Happened, IllegalDecision, PositionError, Record, RecordError
from engine_cy.game import View
from engine_cy.goldgraeber.rules import Goldgraeber
from tests.tables import DATA
from tests.unit.goldgraeber.table import (
    carried,
    digger,
    face_down,
    go,
    gold,
    on,
    options,
    robber,
    robbers,
    roll,
    table,
    turn,
    turn_up,
)

VARIANT = {"prospecting": True}


def prospecting(**more: Any) -> Game:
    """Seat 0 on (2, 6), asked whether to prospect."""
    return table(**({"at": {0: on(6)}, "phase": "prospect", "options": VARIANT} | more))


def known(game: Game, seat: int) -> dict[int, Any]:
    """The chips a seat knows, by column."""
    return {
        entry["field"][1]: (entry["chip"]["kind"], entry["chip"]["value"])
        for entry in game.observe(seat).position()["chips"]
        if entry["chip"]
    }


def look(game: Game, *chips: tuple[int, tuple[str, int]]) -> Game:
    game.decide(["prospect"])
    for column, chip in chips:
        game.reveal("chip", [[2, column], list(chip)])
    return game


def test_look_instead_of_walking() -> None:
    """GG-20: at every face-down chip around, in ascending order; then the next seat's turn."""
    game = prospecting()
    assert (game.phase, options(game)) == ("prospect", ["prospect", "roll"])
    look(game, (5, gold(4)), (7, robber(5)))
    assert known(game, 0) == {5: gold(4), 7: robber(5)}
    assert digger(game) == on(6)
    assert turn(game) == 1


def test_known_to_them_alone() -> None:
    """GG-20: the others see only where somebody looked."""
    game = look(prospecting(), (5, gold(4)), (7, robber(5)))
    assert known(game, 1) == known(game, 2) == {}
    looked = {entry["field"][1]: entry["looked"] for entry in game.observe(1).position()["chips"]}
    assert {column for column, seats in looked.items() if seats == [0]} == {5, 7}


def test_all_look_alike_to_the_others() -> None:
    """GG-20: whatever seat 0 saw, the others see the same, byte for byte."""
    one, two = look(prospecting(), (5, gold(4)), (7, robber(5))), look(prospecting(), (5, robber(2)), (7, gold(2)))
    assert bytes(one.observe(1).state) == bytes(two.observe(1).state)
    assert bytes(one.observe(0).state) != bytes(two.observe(0).state)


def test_rolling_instead() -> None:
    """GG-20b: the die is rolled after the choice."""
    game = prospecting()
    game.decide(["roll"])
    assert game.chance == "die"
    with pytest.raises(IllegalDecision):
        game.decide(["prospect"])


def rested(game: Game) -> Any:
    return game.position()["rested"]


def others_roll(game: Game) -> Game:
    """Until seat 0 is at turn again; nobody moves but the locomotive."""
    for seat in (1, 2):
        assert (turn(game), game.phase) == (seat, "prospect")
        game.decide(["roll"])
        game.reveal("die", 1)
    return game


def test_nothing_new_to_see() -> None:
    """GG-20a: the roll may be given up though there is nothing new to see, but not in two turns running."""
    game = prospecting(looked={5: [0], 7: [0]})
    assert (options(game), rested(game)) == (["prospect", "roll"], [])
    game.decide(["prospect"])
    assert (turn(game), rested(game)) == (1, [0])
    others_roll(game)
    assert (turn(game), game.chance, rested(game)) == (0, "die", [])


def test_something_new_is_always_offered() -> None:
    """GG-20a: after a rest too, and to look at it is none."""
    game = others_roll(look(prospecting(rested=[0], looked={5: [0]}), (7, robber(5))))
    assert (turn(game), game.phase, rested(game)) == (0, "prospect", [])
    assert go(table(at={1: on(6)}, looked={5: [1]}, rested=[1], options=VARIANT), 1).phase == "prospect"
    assert go(table(at={1: on(6)}, looked={5: [1], 7: [1]}, rested=[1], options=VARIANT), 1).chance == "die"


def test_rolling_ends_a_rest() -> None:
    """GG-20a: what counts is the seat's last turn."""
    game = prospecting(rested=[0, 2], looked={5: [0]})
    game.decide(["roll"])
    assert rested(game) == [2]


def test_everybody_knows_who_rested() -> None:
    """GG-20a: it is public."""
    game = prospecting(rested=[2], looked={5: [0], 7: [0]}, chips={5: gold(4), 7: gold(2)})
    game.decide(["prospect"])
    assert [view.position()["rested"] for view in (game.observe(0), game.observe(1), game.spectate())] == [[0, 2]] * 3
    again = Game.at(game.rules, game.position())
    assert again.position() == game.position()


def test_a_rest_that_cannot_be() -> None:
    """GG-20a: of a position by hand."""
    with pytest.raises(PositionError, match="rested: expected without the seat at turn during die"):
        table(rested=[0], options=VARIANT)
    with pytest.raises(PositionError, match="rested: expected each seat once"):
        table(rested=[1, 1], options=VARIANT)
    with pytest.raises(PositionError, match="rested: expected nobody by these options"):
        table(rested=[1])
    with pytest.raises(PositionError, match="phase: expected die"):  # nothing new to see, and not again
        prospecting(rested=[0], looked={5: [0], 7: [0]})


def test_the_first_edition() -> None:
    """GG-20a as it was: offered only if the seat has not yet looked at one of them."""
    first = {"prospecting": True, "edition": 1}
    game = go(table(at={1: on(6)}, looked={5: [1], 7: [1]}, options=first), 1)
    assert (turn(game), game.chance) == (1, "die")
    game = go(table(at={1: on(6)}, looked={5: [1]}, options=first), 1)
    assert (turn(game), game.phase, game.seat) == (1, "prospect", 1)
    with pytest.raises(PositionError, match="rested: expected nobody by these options"):
        table(rested=[1], options=first)
    assert Goldgraeber(3, edition=1) == Goldgraeber(3)  # the variant's alone


def test_records_of_the_first_edition() -> None:
    """A record that was kept before there was a second one is played as it was, and says so from now on."""
    text = (DATA / "goldgraeber-prospecting-edition-1.json").read_text(encoding="utf-8")
    game = Record.from_json(text).replay()
    assert game.over
    assert game.rules.options()["edition"] == 1
    again = Record.of(game)
    assert again.options["edition"] == 1
    assert again.replay() == game
    with pytest.raises(RecordError):
        replace(again, options={**again.options, "edition": 2}).replay()
    assert Record.of(Game(Goldgraeber(3, prospecting=True), 1)).options["edition"] == 2


def test_what_another_has_seen_is_offered() -> None:
    """GG-20a, section 8: it is new to this seat, but no event any more: nobody sees it for the first time."""
    game = prospecting(looked={5: [2], 7: [2]}, chips={5: gold(4), 7: robber(5)})
    game.decide(["prospect"])
    assert (turn(game), game.phase, rested(game)) == (1, "prospect", [])
    assert known(game, 0) == {5: gold(4), 7: robber(5)}


def test_only_the_new_ones_are_events() -> None:
    """Section 8: a chip is an event when it is first seen by anybody."""
    game = prospecting(looked={5: [2]}, chips={5: gold(4)})
    game.decide(["prospect"])
    game.reveal("chip", [[2, 7], ["gold", 2]])
    assert known(game, 0) == {5: gold(4), 7: gold(2)}
    assert turn(game) == 1


def test_turned_up_later() -> None:
    """Section 8: a chip some seat has looked at is no event when it is turned up."""
    game = go(table(at={0: on(3)}, looked={6: [2]}, chips={6: gold(4)}, options=VARIANT), 3, on(6))
    assert carried(game) == [gold(4)]
    assert turn(game) == 1
    game = go(table(at={0: on(3)}, looked={6: [0]}, chips={6: robber(3)}, options=VARIANT), 3, on(6))
    assert game.chance == "roll"
    roll(game, 6)
    assert carried(game) == [robber(3)]


def test_a_chip_looked_at_stays_what_it_is() -> None:
    """GG-20, section 8: chance reveals no chip that somebody has seen already."""
    game = table(looked={6: [2]}, chips={6: gold(4), 5: gold(4)}, options=VARIANT)
    go(game, 3)
    with pytest.raises(ValueError, match="chip"):
        game.reveal("chip", [[2, 3], ["gold", 6]])
    game.reveal("chip", [[2, 3], ["gold", 4]])
    assert known(game, 2) == {6: gold(4)}


def test_not_the_own_chip() -> None:
    """GG-20b: the chip under the digger is not adjacent."""
    game = look(prospecting(empty=[7]), (5, gold(2)))
    assert known(game, 0) == {5: gold(2)}


def test_from_a_raft() -> None:
    """GG-20b: all adjacent land counts."""
    game = prospecting(at={0: (3, 5)}, rafts=[(3, 5), (3, 6)])
    assert known(look(game, (5, gold(2)), (6, gold(4))), 0) == {5: gold(2), 6: gold(4)}


def test_from_the_city() -> None:
    """GG-20: from a street the chips on adjacent fields count as well."""
    game = prospecting(at={0: on(11)})
    assert known(look(game, (10, gold(2))), 0) == {10: gold(2)}


def test_at_home() -> None:
    """GG-20b: in a house only the door's field, which has no hole here: whoever prospects there rests (GG-20a)."""
    game = go(table(seat=2, options=VARIANT), 1)
    assert (turn(game), game.phase) == (0, "prospect")
    game.decide(["prospect"])
    assert (turn(game), rested(game)) == (1, [0])


def test_without_the_variant() -> None:
    """GG-20: it is an option of the rules."""
    assert go(table(at={1: on(6)}), 1).chance == "die"
    with pytest.raises(PositionError, match="looked"):
        table(looked={6: [1]})
    with pytest.raises(PositionError, match="phase"):
        table(at={0: on(6)}, phase="prospect")


def test_views_keep_what_was_seen() -> None:
    """GG-20: whatever is filled in for a seat, what it has seen stays; the rest is shuffled."""
    game = prospecting(looked={2: [0], 3: [1], 4: [0, 1]}, chips={2: robber(5), 3: gold(4), 4: gold(2)})
    view, others = game.observe(0), set()
    for seed in range(60):
        filled = view.determinize(seed)
        assert known(filled, 0) == {2: robber(5), 4: gold(2)}
        others.add(known(filled, 1)[3])
    assert others == {gold(2), gold(4), robber(2), robber(3), robber(4)}


@pytest.mark.parametrize("players", [3, 6])
def test_spectators(players: int) -> None:
    """Who does not play has looked at nothing, and sees where others did."""
    looked: dict[str, Any] = {"looked": {2: range(players), 3: [1]}, "chips": {2: robber(5), 3: gold(4)}}
    game = go(table(players, options=VARIANT, **looked), 1)
    position = game.spectate().position()
    assert all(entry["chip"] is None for entry in position["chips"])
    assert [entry["looked"] for entry in position["chips"]][:3] == [list(range(players)), [1], []]
    view = game.state.spectate()
    assert bytes(view.determinize(Generator(3)).spectate()) == bytes(view)


def test_who_sees_a_chip() -> None:
    """GG-20: a chip looked at is seen by the seat alone, one turned up by everybody."""
    game = look(prospecting(at={0: on(6), 1: on(2)}), (5, gold(4)), (7, robber(5)))
    seats = [event.seen_by for event in game.history if isinstance(event, Happened)]
    assert seats == [1, 1]
    game.decide(["roll"])
    turn_up(go(game, 2), gold(4))
    assert game.history[-1] == Happened("chip", [[2, 4], ["gold", 4]], 255)
    assert Goldgraeber(3, **VARIANT).private_facts  # type: ignore[arg-type]
    assert not Goldgraeber(3).private_facts


def test_a_view_does_not_know_what_comes() -> None:
    """GG-20: in what a seat sees a chip that another one has looked at comes as any chip does."""
    setting: dict[str, Any] = {"looked": {5: [2], 7: [2]}, "chips": {5: gold(4), 7: robber(5)}, "options": VARIANT}
    game = go(table(at={0: on(2)}, **setting), 3)
    code = game.rules.encode(game.state.phase, ["walk", [2, 5]])
    for seat, due in ((0, "chip"), (1, "chip"), (2, "prospect")):
        view = table(at={0: on(2), 1: on(9)}, **setting)
        view = go(view, 3)
        assert game.rules.phase_name(view.observe(seat).state.after(code).phase) == due
    asked = prospecting(**setting)
    after = asked.observe(0).state.after(asked.rules.encode(asked.state.phase, ["prospect"]))
    assert asked.rules.phase_name(after.phase) == "chip"


def test_a_view_as_a_position() -> None:
    """A position from one seat's eyes has its own chips by kind and the others without; a view starts from it again."""
    game = prospecting(looked={2: [0], 3: [1], 4: [0, 1]}, chips={2: robber(5), 3: gold(4), 4: gold(2)})
    for seat in range(3):
        view = game.observe(seat)
        assert View.at(game.rules, view.position(), seat) == view


def test_what_is_not_said_is_told_by_chance() -> None:
    """GG-20: of a chip that others have looked at a position from one seat's eyes does not say what it is. Whoever
    turns it up is not given one that happens to be left: chance tells it, any that nobody said."""
    game = go(table(at={0: on(2)}, looked={5: [2], 4: [0]}, chips={4: gold(4)}, options=VARIANT), 3, on(5))
    assert game.chance == "chip"
    with pytest.raises(ValueError, match="chip"):
        game.reveal("chip", [[2, 5], ["gold", 5]])  # there is none
    game.reveal("chip", [[2, 5], ["robber", 3]])
    assert robbers(game) == {5: (3, [])}
    roll(game, 6)
    assert 5 not in face_down(game)
    assert carried(game) == [robber(3)]


def test_nobody_is_asked_who_has_seen_what_is_not_said() -> None:
    """GG-20: nothing is filled in for what a seat knows."""
    game = prospecting(looked={2: [1], 4: [0]}, chips={4: gold(4)})
    assert known(game, 0) == {4: gold(4)}
    with pytest.raises(PositionError, match=r"chips: expected what seat 1 saw at \[2, 2\]"):
        game.observe(1)
    with pytest.raises(PositionError, match=r"what seat 1 saw at \[2, 2\]"):
        View.at(game.rules, game.position(), 1)
    assert all(entry["chip"] is None for entry in game.spectate().position()["chips"])
    full = prospecting(looked={2: [1], 4: [0]}, chips={2: robber(5), 4: gold(4)})
    assert bytes(game.observe(0).state) == bytes(full.observe(0).state)  # not said, it is as unknown as what is hidden


def test_what_is_said_stays_said() -> None:
    """GG-20: what the position of a seat says of what it saw is in those that follow."""
    game = prospecting(looked={2: [1], 4: [0], 3: [0, 1]}, chips={4: gold(4), 3: robber(4)})
    look(game, (5, gold(2)), (7, robber(2)))
    told = {entry["field"][1]: entry["chip"] for entry in game.rules.told(game.state)["chips"]}
    kinds = {column: (chip["kind"], chip["value"]) for column, chip in told.items() if chip}
    assert kinds == {3: robber(4), 4: gold(4), 5: gold(2), 7: robber(2)}
    again = Game.at(game.rules, game.rules.told(game.state))
    assert again.rules.told(again.state) == game.rules.told(game.state)
    assert known(again, 0) == kinds


def test_beliefs() -> None:
    """What a seat has seen is certain; all other chips are equally likely."""
    game = prospecting(looked={2: [0]}, chips={2: robber(5)})
    assert isinstance(game.rules, Goldgraeber)
    beliefs = game.rules.beliefs(game.observe(0).state)
    assert beliefs["chips"][0]["known"] == {"kind": "robber", "value": 5}
    assert beliefs["chips"][0]["robbers"] == [{"strength": 5, "chance": 1.0}]
    assert beliefs["chips"][1]["gold"] == pytest.approx(5 / 8)
    assert beliefs["chips"][1]["value"] == pytest.approx(14 / 8)
    assert sum(entry["left"] for entry in beliefs["left"]) == 8
    unaware = game.rules.beliefs(game.observe(1).state)
    assert unaware["chips"][0]["known"] is None
    assert unaware["chips"][0]["gold"] == pytest.approx(5 / 9)


def test_prospecting_ends() -> None:
    """GG-20a: whoever always prospects comes to roll in the end."""
    game = Game(Goldgraeber(3, **VARIANT), 4)  # type: ignore[arg-type]
    chooser = Generator(1)
    for _ in range(2000):
        if game.over:
            break
        choices = game.decisions()
        game.decide(choices[0] if game.phase != "prospect" and chooser.below(2) else choices[-1])
    assert game.over
