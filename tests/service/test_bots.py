"""The Bots service as a front end sees it."""

from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest
from saloon_client.v1 import bots_pb2, game_pb2, moon_river_pb2, rules_pb2

from tests.service.games import Stubs, details, iterations, milliseconds, of


def suggest(stubs: Stubs, situation: game_pb2.Situation, **request: object) -> bots_pb2.Answer:
    return stubs.bots.Suggest(bots_pb2.SuggestRequest(situation=situation, **request)).answer  # type: ignore[arg-type]


def test_a_suggestion_has_figures(stubs: Stubs) -> None:
    answer = suggest(stubs, of(stubs.new_game()), budget=milliseconds(50))
    assert answer.choice == answer.suggestions[0].decision
    assert answer.choice.moon_river.WhichOneof("decision") == "claim"
    assert answer.choice.text.startswith("claim position")
    assert answer.iterations > 0
    assert answer.stopped == bots_pb2.STOP_REASON_TIME
    assert answer.budget.ToMilliseconds() == 50
    assert 30 <= answer.used.ToMilliseconds() < 1000
    assert answer.pacing.ToMilliseconds() > 0
    assert sum(s.share for s in answer.suggestions) == pytest.approx(1)
    for suggestion in answer.suggestions:
        assert sum(suggestion.places) == pytest.approx(1, abs=1e-3)
        assert suggestion.line[0].endswith(suggestion.decision.text)


def test_what_is_believed_of_hidden_things(stubs: Stubs) -> None:
    """The plots that are left, and how likely each kind is in the next column: as counting says."""
    record = stubs.played(3)
    beliefs = suggest(stubs, of(record), budget=iterations(10)).beliefs.moon_river
    left = sum(belief.left for belief in beliefs.plots)
    assert left == 96 - 8
    for belief in beliefs.plots:
        missed = 1.0
        for i in range(4):
            missed *= (left - belief.left - i) / (left - i)
        assert belief.next_column == pytest.approx(1 - missed)
    assert sum(belief.left for belief in beliefs.partners) == 15


def test_an_answer_can_be_had_again(stubs: Stubs) -> None:
    """What `replay` says gives the same figures, bit for bit."""
    situation = of(stubs.played(9))
    first = suggest(stubs, situation, budget=milliseconds(30))
    again = suggest(stubs, situation, bot=first.replay.bot, budget=iterations(first.replay.iterations))
    assert again.suggestions == first.suggestions
    assert again.choice == first.choice


def test_record_and_position_get_the_same_answer(stubs: Stubs) -> None:
    """A bot sees of a record what its seat saw: a position, which holds nothing hidden, gets the same answer."""
    record = stubs.played(12)
    seat = stubs.after(record).status.seat
    position = stubs.rules.Replay(rules_pb2.ReplayRequest(record=record, seat=seat)).position
    bot = bots_pb2.BotSettings(seed=1)
    answers = [
        suggest(stubs, situation, bot=bot, budget=iterations(300))
        for situation in (of(record), game_pb2.Situation(position=position))
    ]
    for answer in answers:
        answer.ClearField("used")
        answer.ClearField("queued")
    assert answers[0] == answers[1]


def test_decisions_asked_for_by_name(stubs: Stubs) -> None:
    situation = of(stubs.played(7))
    worst = suggest(stubs, situation, budget=iterations(500), count=1000).suggestions[-1].decision
    answer = suggest(stubs, situation, budget=iterations(500), evaluate=[worst], count=1)
    assert len(answer.suggestions) == 1
    assert [s.decision for s in answer.evaluated] == [worst]
    assert answer.evaluated[0].visits >= 50


def test_levels_decide_as_measured(stubs: Stubs) -> None:
    """A level's choice depends on its seed alone, and weak ones do not always take the best."""
    situation = of(stubs.played(7))
    choices = {}
    for seed in range(8):
        bot = bots_pb2.BotSettings(level="1", seed=seed)
        answers = [suggest(stubs, situation, bot=bot, budget=milliseconds(n)) for n in (20, 60)]
        assert answers[0].choice == answers[1].choice
        choices[seed] = answers[0].choice.text
    assert len(set(choices.values())) > 1


def test_an_analysis_improves(stubs: Stubs) -> None:
    request = bots_pb2.AnalyzeRequest(situation=of(stubs.played(3)), budget=milliseconds(300))
    answers = list(stubs.bots.Analyze(request))
    assert [a.final for a in answers] == [False] * (len(answers) - 1) + [True]
    assert len(answers) >= 4
    counts = [a.answer.iterations for a in answers]
    assert counts == sorted(counts)


def test_a_whole_turn_can_be_applied(stubs: Stubs) -> None:
    for level in ("", "2", "7"):
        record = stubs.played(11)
        request = bots_pb2.PlayTurnRequest(
            situation=of(record), budget=iterations(200), bot=bots_pb2.BotSettings(level=level, seed=2)
        )
        turn = stubs.bots.PlayTurn(request)
        applied = stubs.after(record, *turn.answers)
        assert applied.status == turn.next
        assert len({answer.seat for answer in turn.answers}) == 1


def test_bots_are_listed(stubs: Stubs) -> None:
    listed = stubs.bots.ListBots(bots_pb2.ListBotsRequest())
    assert [level.name for level in listed.levels] == [*map(str, range(1, 11)), "max"]
    assert listed.personalities[0].game == "moon_river"
    assert listed.personalities[0].names[0] == "balanced"
    ratings = [strength.rating for level in listed.levels for strength in level.measured if strength.players == 2]
    assert ratings == sorted(ratings)
    assert len(ratings) == 11


def test_personalities_and_settings_think_differently(stubs: Stubs) -> None:
    situation = of(stubs.played(15))
    wanted = [
        bots_pb2.BotSettings(seed=1),
        bots_pb2.BotSettings(seed=1, personality="herder"),
        bots_pb2.BotSettings(seed=1, search=bots_pb2.SearchSettings(win=0.0, exploration=2.0)),
    ]
    figures = [suggest(stubs, situation, bot=bot, budget=iterations(300)).suggestions for bot in wanted]
    assert figures[0] != figures[1]
    assert figures[0] != figures[2]


def test_too_little_time_is_said(stubs: Stubs) -> None:
    request = bots_pb2.SuggestRequest(situation=of(stubs.new_game()), budget=milliseconds(100))
    with pytest.raises(grpc.RpcError) as caught:
        stubs.bots.Suggest(request, timeout=0.012)
    assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED


def test_the_answer_comes_before_the_deadline(stubs: Stubs) -> None:
    """A budget longer than the call's deadline is cut."""
    request = bots_pb2.SuggestRequest(situation=of(stubs.new_game()), budget=milliseconds(60_000))
    answer = stubs.bots.Suggest(request, timeout=0.5).answer
    assert answer.budget.ToMilliseconds() < 500


def bad_requests(stubs: Stubs) -> list[tuple[bots_pb2.SuggestRequest, str]]:
    """Requests that do not fit, and the field that is at fault."""
    situation = of(stubs.new_game())
    far = moon_river_pb2.MoonRiverDecision(claim=moon_river_pb2.MoonRiverClaim(position=9))
    wrong = game_pb2.Decision(moon_river=far)
    requests = [
        ({}, "situation"),
        ({"situation": game_pb2.Situation(record=game_pb2.GameRecord())}, "situation.record.options"),
        ({"situation": game_pb2.Situation(position=game_pb2.Position())}, "situation.position"),
        ({"situation": situation, "count": -1}, "count"),
        ({"situation": situation, "budget": milliseconds(0)}, "budget.time"),
        ({"situation": situation, "budget": iterations(0)}, "budget.iterations"),
        ({"situation": situation, "bot": bots_pb2.BotSettings(level="0")}, "bot.level"),
        ({"situation": situation, "bot": bots_pb2.BotSettings(personality="x")}, "bot.personality"),
        ({"situation": situation, "bot": bots_pb2.BotSettings(level="3", personality="herder")}, "bot.level"),
        (
            {"situation": situation, "bot": bots_pb2.BotSettings(search=bots_pb2.SearchSettings(win=float("nan")))},
            "bot.search.win",
        ),
        ({"situation": situation, "evaluate": [wrong]}, "evaluate[0]"),
        ({"situation": situation, "evaluate": [game_pb2.Decision()]}, "evaluate[0]"),
        ({"situation": situation, "evaluate": [wrong] * 21}, "evaluate"),
    ]
    return [(bots_pb2.SuggestRequest(**fields), field) for fields, field in requests]  # type: ignore[arg-type]


def test_what_does_not_fit_is_named(stubs: Stubs) -> None:
    for request, field in bad_requests(stubs):
        with pytest.raises(grpc.RpcError) as caught:
            stubs.bots.Suggest(request)
        assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT, field
        violation = details(caught.value, BadRequest).field_violations[0]
        assert violation.field == field
        assert "expected" in violation.description


def test_nobody_has_to_decide(stubs: Stubs) -> None:
    with pytest.raises(grpc.RpcError, match="chance comes next") as caught:
        stubs.bots.Suggest(bots_pb2.SuggestRequest(situation=of(stubs.new_game(seed=None))))
    assert caught.value.code() == grpc.StatusCode.FAILED_PRECONDITION


def test_bytes_that_are_no_message(channel: grpc.Channel) -> None:
    """Nothing of what went wrong inside is told."""
    call: Any = channel.unary_unary("/saloon.v1.Bots/Suggest")
    with pytest.raises(grpc.RpcError) as caught:
        call(b"\xff\xff\xff")
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert details(caught.value, BadRequest).field_violations[0].field == "request"
