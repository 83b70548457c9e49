"""Reviews of games over the wire."""

from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest
from saloon_client.v1 import bots_pb2, game_pb2, goldgraeber_pb2, rules_pb2

from engine_cy import Game, Generator, MoonRiver
from search.judging import Judge
from search.player import Limit
from search.puzzles import puzzles
from tests.search.test_puzzles import beginning
from tests.service.games import Stubs, details, iterations, milliseconds, of
from tests.tables import advance
from wire.reading import Reader
from wire.writing import Writer

CLASSES = bots_pb2.DecisionClass.values()[1:]


def review(stubs: Stubs, record: game_pb2.GameRecord, **request: Any) -> list[bots_pb2.ReviewResponse]:
    return list(stubs.bots.Review(bots_pb2.ReviewRequest(record=record, **request), timeout=60))


@pytest.fixture(scope="module")
def record(stubs: Stubs) -> game_pb2.GameRecord:
    return stubs.played(9, players=2)


def test_every_event_then_the_whole(stubs: Stubs, record: game_pb2.GameRecord) -> None:
    *parts, last = review(stubs, record, budget=iterations(15), seed=3)
    assert [part.done for part in parts] == list(range(1, len(record.events) + 1))
    assert {part.events for part in (*parts, last)} == {len(record.events)}
    for part, event in zip(parts, record.events, strict=True):
        if event.HasField("chance"):
            assert part.chance.chance == event.chance
            assert sum(part.chance.luck) == pytest.approx(0, abs=1e-5)
            continue
        said = part.decision
        assert (said.seat, said.chosen) == (event.chosen.seat, event.chosen.decision)
        assert said.quality in CLASSES
        assert (said.quality == bots_pb2.DECISION_CLASS_BEST) == (said.best == said.chosen)
        assert said.lost == 0 or said.quality != bots_pb2.DECISION_CLASS_BEST
        assert said.quality <= bots_pb2.DECISION_CLASS_GOOD or said.lost > said.error
        assert sum(said.wins) == pytest.approx(1, abs=1e-5)
        assert said.suggestions
    summary = last.summary
    assert not summary.over
    assert summary.seed == 3
    for seat in summary.seats:
        assert seat.result == pytest.approx(seat.expected + seat.luck + seat.lost, abs=1e-9)
        assert sum(seat.classes) == seat.decisions
        assert seat.luck == pytest.approx(sum(part.chance.luck[seat.seat] for part in parts if part.HasField("chance")))


def test_the_same_review_again(stubs: Stubs, record: game_pb2.GameRecord) -> None:
    """Who asked with no seed can ask with the one that was said; the record's own seed tells the review nothing."""
    first = review(stubs, record, budget=iterations(15))
    told = game_pb2.GameRecord()
    told.CopyFrom(record)
    told.ClearField("seed")
    assert review(stubs, told, budget=iterations(15), seed=first[-1].summary.seed) == first


def test_a_review_of_the_other_game_by_time(stubs: Stubs) -> None:
    options = game_pb2.Options(goldgraeber=goldgraeber_pb2.GoldgraeberOptions(players=3, prospecting=True))
    game = stubs.rules.NewGame(rules_pb2.NewGameRequest(options=options, seed=2)).record
    for turn in range(3):
        game = stubs.after(game, *stubs.turn(game, turn)).situation.record
    *parts, last = review(stubs, game, budget=milliseconds(400))
    assert len(parts) == len(game.events)
    assert {part.WhichOneof("part") for part in parts} == {"decision", "chance"}
    assert len(last.summary.seats) == 3


def test_a_game_that_has_hardly_begun(stubs: Stubs) -> None:
    *parts, last = review(stubs, stubs.new_game(players=3), budget=iterations(5))
    assert all(part.HasField("chance") for part in parts)
    assert [seat.decisions for seat in last.summary.seats] == [0, 0, 0]
    assert not any(seat.HasField("accuracy") for seat in last.summary.seats)
    assert sum(seat.expected for seat in last.summary.seats) == pytest.approx(1, abs=1e-5)


def test_calls_that_wait_go_first(stubs: Stubs, record: game_pb2.GameRecord) -> None:
    """While reviews run that would take all there is, suggestions come in their time."""
    running = [
        stubs.bots.Review(bots_pb2.ReviewRequest(record=record, budget=milliseconds(20_000)), timeout=60)
        for _ in range(4)
    ]
    next(running[0])
    for _ in range(10):
        request = bots_pb2.SuggestRequest(situation=of(record), budget=milliseconds(50))
        answer = stubs.bots.Suggest(request, timeout=2).answer
        assert answer.stopped == bots_pb2.STOP_REASON_TIME
    for call in running:
        call.cancel()
    stubs.bots.Suggest(bots_pb2.SuggestRequest(situation=of(record), budget=milliseconds(1000)), timeout=5)


def judge(stubs: Stubs, situation: game_pb2.Situation, *decisions: game_pb2.Decision, **request: Any) -> Any:
    return stubs.bots.Judge(bots_pb2.JudgeRequest(situation=situation, decisions=decisions, **request), timeout=60)


def test_a_decision_judged_before_it_is_taken_is_judged_as_a_review_does(stubs: Stubs) -> None:
    """From the record and from what the seat sees: the same, so nothing else is used. What the review calls bad by many
    looks is bad; what it calls best gives nothing away."""
    record = Writer().record(advance(Game(MoonRiver(2), 4), Generator(4), 60))  # at random: much is given away
    *parts, _ = review(stubs, record, budget=iterations(400), seed=3)
    found = [part.decision for part in parts if part.HasField("decision")]
    worst = max(found, key=lambda each: each.lost)
    best = next(each for each in found if each.quality == bots_pb2.DECISION_CLASS_BEST)
    assert worst.quality >= bots_pb2.DECISION_CLASS_MISTAKE
    for each in (worst, best):
        stood = rules_pb2.ReplayRequest(record=record, events=each.event, seat=each.seat)
        seen = game_pb2.Situation(position=stubs.rules.Replay(stood).position)
        told = game_pb2.GameRecord()
        told.CopyFrom(record)
        del told.events[each.event :]
        said = judge(stubs, seen, each.chosen, budget=iterations(400), seed=3)
        assert judge(stubs, of(told), each.chosen, budget=iterations(400), seed=3) == said
        (one,) = said.decisions
        assert (one.event, one.seat, one.chosen) == (0, each.seat, each.chosen)
        assert (one.quality >= bots_pb2.DECISION_CLASS_MISTAKE) == (each is worst)
        assert said.seed == 3


def test_a_whole_turn_is_judged_decision_by_decision(stubs: Stubs, record: game_pb2.GameRecord) -> None:
    """In its time; the answer names its seed, by which it comes again."""
    decisions = [answer.choice for answer in stubs.turn(record, 1, 20)]
    said = judge(stubs, of(record), *decisions, budget=milliseconds(300))
    assert [(each.event, each.chosen) for each in said.decisions] == list(enumerate(decisions))
    assert all(sum(each.wins) == pytest.approx(1, abs=1e-5) for each in said.decisions)
    first = judge(stubs, of(record), *decisions, budget=iterations(20))
    assert judge(stubs, of(record), *decisions, budget=iterations(20), seed=first.seed) == first


def test_what_cannot_be_judged_is_named(stubs: Stubs, record: game_pb2.GameRecord) -> None:
    decisions = [answer.choice for answer in stubs.turn(record, 1, 20)]
    number = len(decisions)
    for wrong, field in (
        ([], "decisions"),
        ([game_pb2.Decision()], "decisions[0]"),
        ([*decisions, decisions[0]], f"decisions[{number}]"),
        (decisions[:1] * 101, "decisions"),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            judge(stubs, of(record), *wrong)
        assert isinstance(caught.value, grpc.Call)
        assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
        assert details(caught.value, BadRequest).field_violations[0].field.startswith(field)


def test_puzzles_are_found_as_here(stubs: Stubs) -> None:
    """Event by event, with the position as the seat sees it, and why."""
    record = Writer().record(beginning(62))
    request = bots_pb2.FindPuzzlesRequest(record=record, budget=iterations(600), seed=1, least=0.02)
    parts = list(stubs.bots.FindPuzzles(request, timeout=60))
    assert [part.done for part in parts] == list(range(1, 63))
    here = [
        each.puzzle for each in puzzles(Reader().record(record, "record"), Limit(600), 1, Judge(), 0.02) if each.puzzle
    ]
    assert here
    told = [part.puzzle for part in parts if part.HasField("puzzle")]
    assert [puzzle.event for puzzle in told] == [puzzle.event for puzzle in here]
    for puzzle, its in zip(told, here, strict=True):
        assert puzzle.best.text == str(its.others[0].best)
        assert [other.lost for other in puzzle.others] == [other.lost for other in its.others]
        assert puzzle.others[0].reasons
        legal = stubs.rules.LegalDecisions(
            rules_pb2.LegalDecisionsRequest(situation=game_pb2.Situation(position=puzzle.position))
        )
        assert legal.status.seat == puzzle.seat
        assert {puzzle.best.text, *(other.chosen.text for other in puzzle.others)} <= {d.text for d in legal.decisions}


@pytest.mark.parametrize(
    ("wrong", "field"), [({"least": 0.0}, "least"), ({"least": 2.0}, "least"), ({"budget": iterations(0)}, "budget")]
)
def test_what_no_puzzle_can_be_found_with_is_named(
    stubs: Stubs, record: game_pb2.GameRecord, wrong: dict[str, Any], field: str
) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        list(stubs.bots.FindPuzzles(bots_pb2.FindPuzzlesRequest(record=record, **wrong), timeout=60))
    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert details(caught.value, BadRequest).field_violations[0].field.startswith(field)


@pytest.mark.parametrize(
    ("broken", "field"),
    [
        ({}, "record.options"),
        ({"budget": milliseconds(0)}, "budget.time"),
        ({"budget": iterations(0)}, "budget.iterations"),
        ({"events": 4}, "record.events[4]"),
    ],
)
def test_what_does_not_fit_is_named(
    stubs: Stubs, record: game_pb2.GameRecord, broken: dict[str, Any], field: str
) -> None:
    sent = game_pb2.GameRecord()
    if broken:
        sent.CopyFrom(record)
    if "events" in broken:
        sent.ClearField("seed")
        sent.events[broken["events"]].Clear()
    with pytest.raises(grpc.RpcError) as caught:
        review(stubs, sent, **{name: value for name, value in broken.items() if name == "budget"})
    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    violations = details(caught.value, BadRequest).field_violations
    assert violations[0].field.startswith(field), violations
