"""What goes wrong comes as an exception that says what to do; what may help is tried again, and everything ends."""

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import grpc
import pytest
from grpc_status import rpc_status
from saloon_client import (
    Client,
    InvalidRequest,
    NotAllowed,
    NotFound,
    NotNow,
    NotReachable,
    Overloaded,
    SaloonError,
    ServerFault,
    Taken,
    TooLate,
    moon_river,
)
from saloon_client.channel import connection
from saloon_client.v1 import bots_pb2, game_pb2, moon_river_pb2, tables_pb2

from server.basics import refusals
from server.calls.statuses import status_of
from tests.service.running import serving
from tests.service.test_operations import certificate

GAME = game_pb2.GameRecord()
CODE = grpc.StatusCode

# ---- From a real server


def test_a_wrong_request_names_its_field(saloon: Client) -> None:
    with pytest.raises(InvalidRequest) as error:
        saloon.new_game(moon_river(players=7))
    assert error.value.field == "options.moon_river.players"
    assert error.value.problems == [("options.moon_river.players", "expected an integer from 2 to 4, got 7")]
    assert error.value.code == CODE.INVALID_ARGUMENT
    assert "options.moon_river.players: expected" in str(error.value)
    with pytest.raises(InvalidRequest) as error:
        saloon.new_game(game_pb2.Options(moon_river=moon_river_pb2.MoonRiverOptions()))
    ((field, said),) = error.value.problems
    assert (field, said[:37]) == ("options.moon_river.players", "expected an integer from 2 to 4, got ")


def test_a_game_that_waits_for_nobody(saloon: Client) -> None:
    with pytest.raises(NotNow, match="no seat has to decide: chance comes next"):
        saloon.suggest(saloon.new_game(moon_river(players=2)))


def test_no_such_table(saloon: Client) -> None:
    with pytest.raises(NotFound):
        saloon.table("nowhere")


def test_a_token_is_asked_for(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(f'[me]\nsha256 = "{hashlib.sha256(b"secret").hexdigest()}"\n', encoding="utf-8")
    with serving(tmp_path, tokens=tokens) as service:
        with Client(service.address) as saloon, pytest.raises(NotAllowed, match="expected metadata 'authorization"):
            saloon.games()
        with Client(service.address, token="secret") as saloon:
            assert saloon.games()
            with pytest.raises(SaloonError), saloon.sit(0) as bot:
                bot.decide(GAME)


def test_nobody_there() -> None:
    begun = monotonic()
    with Client("127.0.0.1:1") as saloon:
        with pytest.raises(
            NotReachable, match=r"no Saloon server answers at 127\.0\.0\.1:1; start one with `saloon serve`"
        ):
            saloon.games()
        with pytest.raises(NotReachable), saloon.sit(0) as bot:
            bot.decide(GAME)
    assert monotonic() - begun < 8


def test_a_closed_client(address: str) -> None:
    with Client(address) as saloon:
        assert saloon.games()
    for call in (saloon.games, lambda: list(saloon.watch("t")), lambda: saloon.sit(0).decide(GAME)):
        with pytest.raises(SaloonError, match="this client is closed; make another one"):
            call()


def test_those_who_do_not_agree_on_how_to_speak(tmp_path: Path, address: str) -> None:
    """It is not said that nobody answers: what does not fit is."""
    cert, key = certificate(tmp_path, "server")
    with serving(tmp_path, tls_cert=cert, tls_key=key) as service:
        port = service.address.rpartition(":")[2]
        for client, problem in (
            (Client(f"localhost:{port}", retries=0), "hangs up before a word is said"),
            (
                Client(f"localhost:{port}", tls=True, retries=0),
                f"the certificate of the server at localhost:{port} is not",
            ),
            (Client(address.replace("127.0.0.1", "localhost"), tls=True, retries=0), "does not speak TLS"),
        ):
            with client, pytest.raises(NotReachable, match=problem):
                client.games()
        with Client(f"localhost:{port}", root_certificates=cert) as saloon:
            assert saloon.games()


# ---- From one that does what it is told


class Obedient(grpc.GenericRpcHandler):
    """Answers every call with the next of its replies; the last one stays."""

    def __init__(self, *replies: Callable[[grpc.ServicerContext], Any]) -> None:
        self.replies = list(replies)
        self.calls: list[tuple[str, bytes]] = []

    def service(self, details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[Any, Any]":
        streams = details.method.endswith(("Analyze", "WatchTable"))

        def next_reply(request: bytes, context: grpc.ServicerContext) -> Any:
            self.calls.append((details.method, request))
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
            return reply(context)

        make = grpc.unary_stream_rpc_method_handler if streams else grpc.unary_unary_rpc_method_handler
        return make(next_reply)


@contextmanager
def obeying(*replies: Callable[[grpc.ServicerContext], Any], **settings: Any) -> Iterator[tuple[Obedient, Client]]:
    handler = Obedient(*replies)
    server = grpc.server(ThreadPoolExecutor(4), handlers=[handler])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with Client(f"127.0.0.1:{port}", seed=1, **settings) as saloon:
            yield handler, saloon
    finally:
        server.stop(0).wait()


def fails(code: grpc.StatusCode, text: str = "so it is") -> Callable[[grpc.ServicerContext], Any]:
    def reply(context: grpc.ServicerContext) -> Any:
        context.abort(code, text)

    return reply


def busy(seconds: float) -> Callable[[grpc.ServicerContext], Any]:
    def reply(context: grpc.ServicerContext) -> Any:
        context.abort_with_status(rpc_status.to_status(status_of(refusals.Overloaded("no time", seconds))))

    return reply


def cannot_store(seconds: float) -> Callable[[grpc.ServicerContext], Any]:
    def reply(context: grpc.ServicerContext) -> Any:
        context.abort_with_status(rpc_status.to_status(status_of(refusals.Unavailable("not just now", seconds))))

    return reply


def answers(context: grpc.ServicerContext) -> bytes:
    return bots_pb2.SuggestResponse(answer=bots_pb2.Answer(seat=1)).SerializeToString()


def sleeps(context: grpc.ServicerContext) -> bytes:
    while context.is_active():
        sleep(0.01)
    return b""


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    begun = monotonic()
    with obeying(busy(0.2), busy(0.1), answers) as (handler, saloon):
        assert saloon.suggest(GAME, time=0.1).seat == 1
    assert len(handler.calls) == 3
    assert 0.3 <= monotonic() - begun < 2


def test_a_server_that_is_away_is_asked_again() -> None:
    with obeying(fails(CODE.UNAVAILABLE), fails(CODE.UNAVAILABLE), answers) as (handler, saloon):
        assert saloon.suggest(GAME, time=0.1).seat == 1
    assert len(handler.calls) == 3


def test_a_server_that_cannot_store_is_there() -> None:
    """It is asked again when it says, and nobody is told to start one."""
    with obeying(cannot_store(0.1), answers) as (handler, saloon):
        assert saloon.suggest(GAME, time=0.1).seat == 1
    with obeying(cannot_store(0.1)) as (handler, saloon):
        with pytest.raises(Overloaded, match=r"^not just now$") as error:
            saloon.create_table(moon_river())
        assert error.value.retry_after == pytest.approx(0.1)
        assert error.value.code == CODE.UNAVAILABLE
        assert len(handler.calls) == 1


def test_not_for_ever() -> None:
    """Neither more often than allowed, nor beyond the time given, nor without a word when it would help."""
    with obeying(busy(0.01), retries=2) as (handler, saloon):
        with pytest.raises(Overloaded, match="no time") as error:
            saloon.suggest(GAME)
        assert error.value.retry_after == pytest.approx(0.01)
        assert len(handler.calls) == 3
    begun = monotonic()
    with obeying(busy(2.0)) as (handler, saloon):
        with pytest.raises(Overloaded):
            saloon.suggest(GAME, time=0.1, timeout=1)
        assert len(handler.calls) == 1
    with obeying(fails(CODE.RESOURCE_EXHAUSTED)) as (handler, saloon):
        with pytest.raises(Overloaded) as error:
            saloon.games()
        assert (error.value.retry_after, len(handler.calls)) == (None, 1)
    assert monotonic() - begun < 1


def test_what_must_not_be_done_twice_is_not_sent_twice() -> None:
    decision = game_pb2.Decision()
    with obeying(fails(CODE.UNAVAILABLE)) as (handler, saloon):
        for call in (
            lambda: saloon.create_table(moon_river()),
            lambda: saloon.import_table(GAME),
            lambda: saloon.act("t", "token", decision, request_id=""),
        ):
            handler.calls.clear()
            with pytest.raises(NotReachable):
                call()
            assert len(handler.calls) == 1
        handler.calls.clear()
        with pytest.raises(NotReachable):
            saloon.join("t", "Ann")
        tokens = {tables_pb2.JoinTableRequest.FromString(request).seat_token for _, request in handler.calls}
        assert len(handler.calls) == 5
        assert len(tokens) == 1
        assert tokens != {""}
        handler.calls.clear()
        with pytest.raises(NotReachable):
            saloon.act("t", "token", decision)
        names = {tables_pb2.ActRequest.FromString(request).request_id for _, request in handler.calls}
        assert len(handler.calls) == 5
        assert len(names) == 1
        assert names != {""}


def test_every_call_ends() -> None:
    begun = monotonic()
    with obeying(sleeps, margin=0.2) as (_, saloon):
        with pytest.raises(TooLate, match="allow more with `timeout`"):
            saloon.suggest(GAME, time=0.1)
        with pytest.raises(TooLate):
            saloon.suggest(GAME, time=100, timeout=0.2)
    assert monotonic() - begun < 3


def test_an_analysis_is_only_begun_again_before_its_first_answer() -> None:
    def breaks(context: grpc.ServicerContext) -> Iterator[bytes]:
        yield bots_pb2.AnalyzeResponse().SerializeToString()
        context.abort(CODE.UNAVAILABLE, "gone")

    def none(context: grpc.ServicerContext) -> Iterator[bytes]:
        context.abort(CODE.UNAVAILABLE, "not yet")
        yield b""

    with obeying(none, breaks) as (handler, saloon):
        answers = saloon.analyze(GAME)
        next(answers)
        with pytest.raises(NotReachable):
            next(answers)
        assert len(handler.calls) == 2


def test_watching_goes_on_where_it_was() -> None:
    def two(context: grpc.ServicerContext) -> Iterator[bytes]:
        for _ in range(2):
            number = sum(1 for _ in seen)
            seen.append(number)
            event = tables_pb2.NumberedEvent(number=number)
            yield tables_pb2.WatchTableResponse(event=event).SerializeToString()
        if len(seen) < 6:
            context.abort(CODE.UNAVAILABLE, "gone")

    seen: list[int] = []
    with obeying(two) as (handler, saloon):
        assert [update.event.number for update in saloon.watch("t")] == [0, 1, 2, 3, 4, 5]
        firsts = [tables_pb2.WatchTableRequest.FromString(request).first_event for _, request in handler.calls]
        assert firsts == [0, 2, 4]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (CODE.INVALID_ARGUMENT, InvalidRequest),
        (CODE.UNAUTHENTICATED, NotAllowed),
        (CODE.PERMISSION_DENIED, NotAllowed),
        (CODE.NOT_FOUND, NotFound),
        (CODE.ALREADY_EXISTS, Taken),
        (CODE.FAILED_PRECONDITION, NotNow),
        (CODE.DEADLINE_EXCEEDED, TooLate),
        (CODE.INTERNAL, ServerFault),
        (CODE.UNIMPLEMENTED, ServerFault),
        (CODE.ABORTED, SaloonError),
    ],
)
def test_every_code_has_an_exception(code: grpc.StatusCode, kind: type[SaloonError]) -> None:
    with obeying(fails(code)) as (handler, saloon), pytest.raises(SaloonError) as error:
        saloon.games()
    assert type(error.value) is kind
    assert error.value.code == code
    assert len(handler.calls) == 1
    assert not isinstance(error.value, InvalidRequest) or error.value.field == ""


def test_details_that_are_none_are_ignored() -> None:
    def reply(context: grpc.ServicerContext) -> Any:
        context.set_trailing_metadata((("grpc-status-details-bin", b"\xff\xff"),))
        context.abort(CODE.RESOURCE_EXHAUSTED, "no time")

    with obeying(reply) as (_, saloon), pytest.raises(Overloaded, match="no time") as error:
        saloon.games()
    assert error.value.retry_after is None


# ---- Before any call


@pytest.mark.parametrize("address", ["localhost:1", "127.0.0.2:1", "[::1]:1", "::1", "unix:/tmp/s", "localhost"])
def test_plaintext_stays_on_this_machine(address: str) -> None:
    assert connection(address).credentials is None


@pytest.mark.parametrize("address", ["example.org:1", "10.0.0.1:1", "[2001:db8::1]:1", "dns:///example.org:1"])
def test_elsewhere_it_is_tls(address: str) -> None:
    assert connection(address).credentials is not None
    assert connection(address, insecure=True).credentials is None
    with pytest.raises(ValueError, match="expected TLS, or insecure=True"):
        connection(address, tls=False)


def test_connections_fit_together() -> None:
    assert connection("localhost").address == "localhost:50051"
    assert connection("[::1]").address == "[::1]:50051"
    assert connection("::1").address == "[::1]:50051"
    assert connection("localhost:7", tls=True).credentials is not None
    with pytest.raises(ValueError, match="expected both or neither"):
        connection("localhost:7", client_key=b"key")
    with pytest.raises(ValueError, match="expected True with certificates"):
        connection("localhost:7", tls=False, root_certificates=b"roots")
