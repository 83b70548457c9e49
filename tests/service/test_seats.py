"""A bot on a seat of a table that a front end runs, as that front end sees it."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, RetryInfo
from saloon_client.v1 import bots_pb2, game_pb2, seats_pb2

from tests.service.games import Sitting, Stubs, details, iterations, milliseconds, of
from tests.service.running import serving


def refusal(sitting: Sitting) -> grpc.RpcError:
    with pytest.raises(grpc.RpcError) as caught:
        list(sitting.rest())
    return caught.value


def test_a_bot_plays_a_whole_game(stubs: Stubs) -> None:
    """It sits on seat 1 of 3, decides whole turns when it has to, and says when the game is over."""
    sitting = Sitting(stubs, seat=1, budget=iterations(30), bot=bots_pb2.BotSettings(seed=4))
    assert not sitting.next().seated.resumed
    record, number, own = stubs.new_game(players=3), 0, 0
    status = stubs.after(record).status
    while status.HasField("seat"):
        if status.seat == 1:
            own += 1
            sitting.send(decide=seats_pb2.Decide(id=f"turn {number}", situation=of(record), turn=True))
            decided = sitting.next().decided
            assert (decided.id, decided.from_memory) == (f"turn {number}", False)
            answers = list(decided.answers)
        else:
            answers = list(stubs.bots.PlayTurn(turn_request(record)).answers)
        applied = stubs.after(record, *answers)
        if status.seat == 1:
            assert decided.next in (
                applied.status,
                game_pb2.Status(waiting=game_pb2.WAITING_CHANCE, phase=decided.next.phase),
            )
        record, status, number = applied.situation.record, applied.status, number + 1
    assert own > 20
    sitting.send(watch=seats_pb2.Watch(situation=of(record)))
    (goodbye,) = sitting.rest()
    assert goodbye.goodbye.decisions == own


def turn_request(record: game_pb2.GameRecord) -> bots_pb2.PlayTurnRequest:
    return bots_pb2.PlayTurnRequest(situation=of(record), budget=iterations(5))


def bot_to_decide(stubs: Stubs, turns: int = 5) -> tuple[game_pb2.Situation, int]:
    record = stubs.played(turns)
    return of(record), stubs.after(record).status.seat


def test_a_decision_is_never_taken_twice(stubs: Stubs) -> None:
    """After a dropped connection the same id gets the same answer, from memory; figures and all."""
    situation, seat = bot_to_decide(stubs)
    first = Sitting(stubs, seat=seat, budget=milliseconds(20))
    session = first.next().seated.session
    decide = seats_pb2.Decide(id="a", situation=situation)
    first.send(decide=decide)
    before = first.next().decided
    first.drop()
    again = Sitting(stubs, session=session)
    seated = again.next().seated
    assert seated.resumed
    assert list(seated.decided) == ["a"]
    again.send(decide=decide)
    after = again.next().decided
    assert after.from_memory
    assert after.answers == before.answers
    again.send(decide=seats_pb2.Decide(id="a", situation=of(stubs.played(6))))
    error = refusal(again)
    assert error.code() == grpc.StatusCode.FAILED_PRECONDITION
    assert "'a'" in (error.details() or "")


def test_a_session_can_be_taken_over(stubs: Stubs) -> None:
    """The old connection may not know yet that it is dead, and even be thinking."""
    situation, seat = bot_to_decide(stubs)
    old = Sitting(stubs, seat=seat)
    session = old.next().seated.session
    old.send(decide=seats_pb2.Decide(id="slow", situation=situation, budget=milliseconds(5000)))
    time.sleep(0.1)
    begun = time.monotonic()
    new = Sitting(stubs, session=session)
    assert list(new.next().seated.decided) == []
    new.send(decide=seats_pb2.Decide(id="slow", situation=situation, budget=iterations(50)))
    assert new.next().decided.answers[0].iterations == 50
    assert time.monotonic() - begun < 4
    error = refusal(old)
    assert error.code() == grpc.StatusCode.FAILED_PRECONDITION
    assert "goes on at another stream" in (error.details() or "")
    new.drop()


def test_thinking_ahead_is_used(stubs: Stubs) -> None:
    """While the seat before it decides, a bot ponders; when it has to decide, it has done a part of the work."""
    record = stubs.played(40)
    status = stubs.after(record).status
    used = 0.0
    for _ in range(12):
        answers = list(stubs.bots.PlayTurn(turn_request(record)).answers)
        applied = stubs.after(record, *answers)
        if not applied.status.HasField("seat"):
            break
        if applied.status.seat != status.seat and used == 0.0:
            sitting = Sitting(stubs, seat=applied.status.seat, budget=iterations(100), ponder=True)
            sitting.next()
            sitting.send(watch=seats_pb2.Watch(situation=of(record)))
            time.sleep(0.5)
            sitting.send(decide=seats_pb2.Decide(id="a", situation=of(applied.situation.record)))
            decided = sitting.next().decided
            used = decided.pondered.ToMilliseconds()
            sitting.drop()
        record, status = applied.situation.record, applied.status
    assert used > 100


def test_what_does_not_fit_is_refused(stubs: Stubs) -> None:
    situation, seat = bot_to_decide(stubs)
    decide = seats_pb2.Decide(id="x", situation=situation)
    unknown = bots_pb2.BotSettings(personality="pirate")
    cases: list[tuple[dict[str, Any], dict[str, Any] | None, str, str | None]] = [
        ({"seat": -1}, None, "INVALID_ARGUMENT", "sit.seat"),
        ({"bot": bots_pb2.BotSettings(level="11")}, None, "INVALID_ARGUMENT", "sit.bot.level"),
        ({"budget": milliseconds(0)}, None, "INVALID_ARGUMENT", "sit.budget.time"),
        ({"session": "unknown"}, None, "NOT_FOUND", None),
        ({}, {"decide": seats_pb2.Decide(situation=situation)}, "INVALID_ARGUMENT", "decide.id"),
        ({}, {"decide": seats_pb2.Decide(id="x")}, "INVALID_ARGUMENT", "decide.situation"),
        ({}, {"sit": seats_pb2.SitDown()}, "FAILED_PRECONDITION", None),
        ({}, {}, "INVALID_ARGUMENT", "message"),
        ({"seat": (seat + 1) % 4}, {"decide": decide}, "INVALID_ARGUMENT", "decide.situation"),
        ({"seat": seat, "bot": unknown}, {"decide": decide}, "INVALID_ARGUMENT", "sit.bot.personality"),
    ]
    for sit, message, code, field in cases:
        sitting = Sitting(stubs, **sit)
        if message is not None:
            sitting.send(**message)
        error = refusal(sitting)
        assert error.code().name == code, (sit, message)
        if field:
            assert details(error, BadRequest).field_violations[0].field == field


def test_a_wrong_first_message(stubs: Stubs) -> None:
    call = stubs.seats.Sit(iter([seats_pb2.SitRequest(leave=seats_pb2.Leave())]))
    with pytest.raises(grpc.RpcError, match="first message"):
        list(call)


def test_leaving_forgets_the_session(stubs: Stubs) -> None:
    sitting = Sitting(stubs, seat=0)
    session = sitting.next().seated.session
    sitting.send(leave=seats_pb2.Leave())
    assert [response.WhichOneof("message") for response in sitting.rest()] == ["goodbye"]
    assert refusal(Sitting(stubs, session=session)).code() == grpc.StatusCode.NOT_FOUND


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Stubs]:
    with (
        serving(tmp_path, max_sessions=2, client_share=1) as service,
        grpc.insecure_channel(service.address) as channel,
    ):
        yield Stubs(channel)


def test_seats_are_limited(small: Stubs) -> None:
    taken = [Sitting(small, seat=0) for _ in range(2)]
    for sitting in taken:
        sitting.next()
    error = refusal(Sitting(small, seat=0))
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert details(error, RetryInfo).retry_delay.seconds > 0
    for sitting in taken:
        sitting.hang_up()
