"""What chance may bring right after the best decision."""

from typing import Any

import pytest
from saloon_client.v1 import bots_pb2, game_pb2, goldgraeber_pb2, rules_pb2

from tests.service.games import Stubs, iterations, of


def suggested(stubs: Stubs, situation: game_pb2.Situation, **more: Any) -> bots_pb2.Answer:
    bot = bots_pb2.BotSettings(seed=4)
    request = bots_pb2.SuggestRequest(situation=situation, bot=bot, budget=iterations(300), count=3, outs=True, **more)
    return stubs.bots.Suggest(request).answer


@pytest.fixture(scope="module")
def walking(stubs: Stubs) -> game_pb2.GameRecord:
    """Goldgräber, where the best is to walk to a chip that nobody has seen."""
    options = game_pb2.Options(goldgraeber=goldgraeber_pb2.GoldgraeberOptions(players=3))
    game = stubs.rules.NewGame(rules_pb2.NewGameRequest(options=options, seed=2)).record
    for turn in range(40):
        outs = suggested(stubs, of(game)).suggestions[0].outs
        if outs and outs[0].chance.goldgraeber.HasField("chip"):
            return game
        game = stubs.after(game, *stubs.turn(game, turn, 20)).situation.record
    pytest.fail("nobody walks to a chip")


def test_what_a_chip_may_be(stubs: Stubs, walking: game_pb2.GameRecord) -> None:
    """From the record and from what the seat sees: the same. Together the ways are all there is, and on average worth
    what the decision is."""
    answer = suggested(stubs, of(walking))
    seen = rules_pb2.ReplayRequest(record=walking, seat=answer.seat)
    position = stubs.rules.Replay(seen).position
    assert suggested(stubs, game_pb2.Situation(position=position)).suggestions == answer.suggestions
    best, *others = answer.suggestions
    outs = best.outs
    assert 2 <= len(outs) <= 40
    assert sum(out.probability for out in outs) == pytest.approx(1)
    assert [out.probability for out in outs] == sorted((out.probability for out in outs), reverse=True)
    assert sum(out.probability * out.win for out in outs) == pytest.approx(best.win, abs=0.02)
    assert all(out.changes == (out.win < others[0].win) for out in outs)
    assert not any(other.outs for other in others)
    chips = {out.chance.goldgraeber.chip.chip.SerializeToString() for out in outs}
    assert len(chips) == len(outs)

    # What comes is one of them.
    event = game_pb2.Event(chosen=game_pb2.Chosen(seat=answer.seat, decision=best.decision))
    after = stubs.rules.Apply(rules_pb2.ApplyRequest(situation=of(walking), events=[event])).situation.record
    came = after.events[len(walking.events) + 1].chance
    assert came in [out.chance for out in outs]


def test_nothing_is_said_where_there_is_nothing_to_say(stubs: Stubs, walking: game_pb2.GameRecord) -> None:
    """Unless it is asked for, and where a column of plots, or somebody else, comes next."""
    plain = bots_pb2.SuggestRequest(situation=of(walking), budget=iterations(50))
    assert not stubs.bots.Suggest(plain).answer.suggestions[0].outs
    assert not suggested(stubs, of(stubs.played(9, players=2))).suggestions[0].outs


def test_an_analysis_says_it_in_the_end(stubs: Stubs, walking: game_pb2.GameRecord) -> None:
    request = bots_pb2.AnalyzeRequest(situation=of(walking), budget=iterations(2000), outs=True)
    *_, last = stubs.bots.Analyze(request)
    assert last.final
    first = last.answer.suggestions[0]
    assert first.outs or not suggested(stubs, of(walking), evaluate=[first.decision]).evaluated[0].outs
