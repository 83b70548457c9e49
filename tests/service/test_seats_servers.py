"""Bot seats that outlive their process: a session goes on at another server with what was decided."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import pytest
from saloon_client import Client
from saloon_client.v1 import seats_pb2

from tests.service.games import Sitting, Stubs, iterations, milliseconds
from tests.service.kept import Kept
from tests.service.processes import server
from tests.service.running import serving
from tests.service.test_seats import bot_to_decide, refusal


@contextmanager
def two_servers(folder: Path, kept: Kept) -> Iterator[list[Stubs]]:
    with ExitStack() as stack:
        services = [stack.enter_context(serving(folder, database=kept.database)) for _ in range(2)]
        yield [Stubs(stack.enter_context(grpc.insecure_channel(service.address))) for service in services]


def test_a_session_goes_on_at_another_server(tmp_path: Path, kept: Kept) -> None:
    """What was decided comes from memory there; the stream of before ends soon."""
    with two_servers(tmp_path, kept) as (one, two):
        situation, seat = bot_to_decide(one)
        first = Sitting(one, seat=seat, budget=milliseconds(20))
        session = first.next().seated.session
        decide = seats_pb2.Decide(id="a", situation=situation)
        first.send(decide=decide)
        before = first.next().decided
        second = Sitting(two, session=session)
        seated = second.next().seated
        assert (seated.resumed, list(seated.decided)) == (True, ["a"])
        second.send(decide=decide)
        after = second.next().decided
        assert (after.from_memory, after.answers) == (True, before.answers)
        second.send(decide=seats_pb2.Decide(id="b", situation=situation, budget=iterations(5)))
        assert not second.next().decided.from_memory
        assert refusal(first).code() == grpc.StatusCode.FAILED_PRECONDITION
        second.send(leave=seats_pb2.Leave())
        assert [response.goodbye.decisions for response in second.rest()] == [2]
        assert refusal(Sitting(one, session=session)).code() == grpc.StatusCode.NOT_FOUND


def test_a_stream_that_does_not_know_yet_decides_nothing(tmp_path: Path, kept: Kept) -> None:
    with two_servers(tmp_path, kept) as (one, two):
        situation, seat = bot_to_decide(one)
        first = Sitting(one, seat=seat, budget=milliseconds(20))
        session = first.next().seated.session
        second = Sitting(two, session=session)
        second.next()
        first.send(decide=seats_pb2.Decide(id="a", situation=situation))
        error = refusal(first)
        assert error.code() == grpc.StatusCode.FAILED_PRECONDITION
        assert "goes on at another stream" in (error.details() or "")
        second.send(leave=seats_pb2.Leave())
        assert [response.goodbye.decisions for response in second.rest()] == [0]


def test_what_is_told_may_come_to_any_server(tmp_path: Path, kept: Kept) -> None:
    """While somebody attends: without the same connection, and without a proxy that knows where."""
    with two_servers(tmp_path, kept) as (one, two):
        situation, seat = bot_to_decide(one)
        sit = seats_pb2.SitDown(seat=seat, budget=iterations(20))
        attending = one.seats.Attend(seats_pb2.AttendRequest(sit=sit))
        session = next(attending).seated.session
        decide = seats_pb2.TellRequest(session=session, decide=seats_pb2.Decide(id="a", situation=situation))
        answers = [stubs.seats.Tell(decide).decided for stubs in (two, one, two)]
        assert [answer.from_memory for answer in answers] == [False, True, True]
        assert all(answer.answers == answers[0].answers for answer in answers)
        leave = seats_pb2.TellRequest(session=session, leave=seats_pb2.Leave())
        assert two.seats.Tell(leave).goodbye.decisions == 1
        assert next(attending).HasField("goodbye")
        with pytest.raises(grpc.RpcError) as error:
            one.seats.Tell(decide)
        code: grpc.StatusCode = error.value.code()
        assert code == grpc.StatusCode.NOT_FOUND


def test_a_session_outlives_its_server(tmp_path: Path, kept: Kept) -> None:
    """Killed, it is begun again on the same database; another one has it meanwhile."""
    flags = ["--database", str(kept.database)]
    with server(tmp_path, *flags) as one, server(tmp_path, *flags) as two:
        with one.channel() as channel:
            situation, seat = bot_to_decide(Stubs(channel))
            first = Sitting(Stubs(channel), seat=seat, budget=iterations(30))
            session = first.next().seated.session
            first.send(decide=seats_pb2.Decide(id="a", situation=situation))
            answers = list(first.next().decided.answers)
            one.kill()
            first.drop()
        one.start()
        for each in (two, one, two):
            with each.channel() as channel:
                again = Sitting(Stubs(channel), session=session)
                assert list(again.next().seated.decided) == ["a"]
                again.send(decide=seats_pb2.Decide(id="a", situation=situation))
                assert list(again.next().decided.answers) == answers
                again.drop()


def test_a_client_that_is_told_to_move_goes_on_with_its_session(tmp_path: Path, kept: Kept) -> None:
    """The server ends as operators end it, and another one takes its address."""
    flags = ["--database", str(kept.database), "--notice-seconds", "1", "--drain-seconds", "1"]
    with server(tmp_path, *flags) as running, Client(running.address, retries=20) as client:
        with running.channel() as channel:
            situation, seat = bot_to_decide(Stubs(channel))
        with client.sit(seat, iterations=20) as bot:
            before = bot.decide(situation, id="a")
            session = bot.session
            running.stop()
            running.start()
            again = bot.decide(situation, id="a")
            assert (again.from_memory, list(again.answers)) == (True, list(before.answers))
            assert bot.session == session


@pytest.mark.parametrize("workers", [2])
def test_workers_share_sessions(tmp_path: Path, workers: int) -> None:
    """Whichever of them has the connection."""
    with server(tmp_path, "--workers", str(workers)) as running:
        with running.channel() as channel:
            situation, seat = bot_to_decide(Stubs(channel))
            first = Sitting(Stubs(channel), seat=seat, budget=iterations(30))
            session = first.next().seated.session
            first.send(decide=seats_pb2.Decide(id="a", situation=situation))
            answers = list(first.next().decided.answers)
            first.drop()
        for number in range(8):
            options = [("grpc.use_local_subchannel_pool", 1), ("saloon.test", number)]
            with grpc.insecure_channel(running.address, options) as channel:
                again = Sitting(Stubs(channel), session=session)
                again.next()
                again.send(decide=seats_pb2.Decide(id="a", situation=situation))
                assert list(again.next().decided.answers) == answers
                again.drop()
                time.sleep(0.01)
