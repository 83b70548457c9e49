"""Every method of every service under input nobody meant to send: the right status code, the field that is at fault,
and afterwards the server still answers.

Messages come from three sources: made up from the contract's descriptors, damaged copies of good ones, and bytes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import BadRequest
from hypothesis import given
from hypothesis import strategies as st
from saloon_client.v1 import bots_pb2, game_pb2, goldgraeber_pb2, rules_pb2, seats_pb2, tables_pb2

from tests.property.strategies import examples
from tests.service.games import Stubs, details, iterations, of
from tests.service.running import serving

FILES = (bots_pb2, rules_pb2, seats_pb2, tables_pb2)
METHODS = {
    f"/{service.full_name}/{method.name}": method
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
ATTEND, TELL = "/saloon.v1.Seats/Attend", "/saloon.v1.Seats/Tell"
# What the contract's comments allow; INTERNAL and UNKNOWN are bugs.
EXPECTED = {
    "OK", "INVALID_ARGUMENT", "NOT_FOUND", "FAILED_PRECONDITION", "PERMISSION_DENIED", "ALREADY_EXISTS",
    "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED", "CANCELLED",
}  # fmt: skip
_INTEGERS = st.one_of(st.integers(-2, 6), st.sampled_from([64, 255, 2**31 - 1, -(2**31)]))
_TEXTS = st.one_of(st.sampled_from(["", "1", "max", "herder", "mary"]), st.text(max_size=8), st.just("x" * 5000))


def values(field: Any, depth: int) -> st.SearchStrategy[Any]:
    """Anything that the type of a field can hold, small values first."""
    kind = field.type
    if kind == FieldDescriptor.TYPE_MESSAGE:
        return messages(field.message_type, depth - 1)
    if kind == FieldDescriptor.TYPE_ENUM:
        return st.one_of(st.sampled_from([v.number for v in field.enum_type.values]), st.just(77))
    if kind == FieldDescriptor.TYPE_BOOL:
        return st.booleans()
    if kind == FieldDescriptor.TYPE_STRING:
        return _TEXTS
    if kind in (FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT):
        return st.floats()
    if kind in (FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_UINT32):
        return st.one_of(st.integers(0, 9), st.just(2**32 - 1))
    return _INTEGERS


@st.composite
def messages(draw: st.DrawFn, descriptor: Any, depth: int = 5) -> Any:
    """A message of this type with some of its fields."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        nested = field.type == FieldDescriptor.TYPE_MESSAGE
        if (nested and depth <= 0) or not draw(st.booleans()):
            continue
        if field.is_repeated:
            for value in draw(st.lists(values(field, depth), max_size=3)):
                getattr(message, field.name).extend([value])
        elif nested:
            getattr(message, field.name).CopyFrom(draw(values(field, depth)))
        else:
            setattr(message, field.name, draw(values(field, depth)))
    return message


def damage(draw: Any, message: Any) -> None:
    """Change one field, somewhere inside."""
    descriptor = message.DESCRIPTOR
    inner: list[Any] = [f for f, _ in message.ListFields() if f.type == FieldDescriptor.TYPE_MESSAGE]
    if inner and draw(st.integers(0, 4)):
        field = draw(st.sampled_from(inner))
        value = getattr(message, field.name)
        damage(draw, draw(st.sampled_from(list(value))) if field.is_repeated else value)
        return
    if not descriptor.fields:
        return
    field = draw(st.sampled_from(list(descriptor.fields)))
    message.ClearField(field.name)
    if draw(st.booleans()):
        return
    made = draw(values(field, 2))
    if field.is_repeated:
        getattr(message, field.name).extend([made] * draw(st.integers(1, 3)))
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        getattr(message, field.name).CopyFrom(made)
    else:
        setattr(message, field.name, made)


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stubs]:
    """A server that thinks for a moment only."""
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with serving(folder, longest=0.02, patience=5.0) as service, grpc.insecure_channel(service.address) as channel:
        yield Stubs(channel)


def answers_of(path: str) -> range:
    """As many as are read of a stream: a bot that sits says no more for now."""
    return range(1 if path == ATTEND else 3)


@contextmanager
def attended(stubs: Stubs, path: str, made: list[Any], seat: int) -> Iterator[None]:
    """What is told is told to a bot that sits."""
    if path != TELL:
        yield
        return
    sit = seats_pb2.SitDown(seat=seat, budget=iterations(5))
    stream = stubs.seats.Attend(seats_pb2.AttendRequest(sit=sit))
    made[0].session = next(stream).seated.session
    yield
    stream.cancel()


def call(stubs: Stubs, path: str, *requests: bytes) -> str:
    """Send it; fail on a status that means a fault of the server."""
    method = METHODS[path]
    kind = ("stream" if method.client_streaming else "unary") + ("_stream" if method.server_streaming else "_unary")
    send = getattr(stubs.channel, kind)(path)
    request = iter(requests) if method.client_streaming else requests[0]
    error = outcome(send, request, answers_of(path) if method.server_streaming else None)
    code = error.code().name if error else "OK"
    assert code in EXPECTED, (path, code)
    if code == "INVALID_ARGUMENT":
        violation = details(error, BadRequest).field_violations[0]
        assert violation.field
        assert violation.description
    return code


def outcome(send: Any, request: Any, streaming: range | None) -> Any:
    """The error of a call; None if it went well, streams as far as their first answers."""
    try:
        answers = send(request, timeout=0.5)
        if streaming:
            for _ in zip(streaming, answers, strict=False):
                pass
            answers.cancel()
    except grpc.RpcError as error:
        return error
    return None


def still_answers(stubs: Stubs) -> None:
    assert stubs.bots.ListBots(bots_pb2.ListBotsRequest()).levels


@pytest.mark.parametrize("path", METHODS)
@examples(0.6)
@given(data=st.data())
def test_made_up_messages(stubs: Stubs, path: str, data: st.DataObject) -> None:
    method = METHODS[path]
    count = data.draw(st.integers(1, 4)) if method.client_streaming else 1
    made = [data.draw(messages(method.input_type)) for _ in range(count)]
    with attended(stubs, path, made, seat=0):
        call(stubs, path, *(message.SerializeToString() for message in made))
    still_answers(stubs)


def good_requests(stubs: Stubs, record: game_pb2.GameRecord) -> dict[str, list[Any]]:
    """One that is right for every method, or several for a stream."""
    situation = of(record)
    legal = stubs.rules.LegalDecisions(rules_pb2.LegalDecisionsRequest(situation=situation))
    # As the seat sees it that decides: what is shown to all does not say what it has looked at.
    position = stubs.rules.Replay(rules_pb2.ReplayRequest(record=record, seat=legal.status.seat)).position
    seen = game_pb2.Situation(position=position)
    event = game_pb2.Event(chosen=game_pb2.Chosen(seat=legal.status.seat, decision=legal.decisions[0]))
    sit = seats_pb2.SitDown(seat=legal.status.seat, budget=iterations(5))
    decide = seats_pb2.Decide(id="1", situation=seen, budget=iterations(5))
    bot = tables_pb2.TableBot(seat=1, budget=iterations(5), name="Ada")
    return {
        "/saloon.v1.Bots/Suggest": [
            bots_pb2.SuggestRequest(situation=seen, budget=iterations(5), evaluate=legal.decisions[:1])
        ],
        "/saloon.v1.Bots/Analyze": [bots_pb2.AnalyzeRequest(situation=situation, budget=iterations(5))],
        "/saloon.v1.Bots/PlayTurn": [bots_pb2.PlayTurnRequest(situation=seen, budget=iterations(5))],
        "/saloon.v1.Bots/Judge": [
            bots_pb2.JudgeRequest(situation=seen, decisions=legal.decisions[:1], budget=iterations(2), seed=1)
        ],
        "/saloon.v1.Bots/FindPuzzles": [
            bots_pb2.FindPuzzlesRequest(record=record, budget=iterations(2), seed=1, least=0.1)
        ],
        "/saloon.v1.Bots/Review": [bots_pb2.ReviewRequest(record=record, budget=iterations(2), seed=1)],
        "/saloon.v1.Rules/NewGame": [rules_pb2.NewGameRequest(options=record.options, seed=3)],
        "/saloon.v1.Rules/LegalDecisions": [rules_pb2.LegalDecisionsRequest(situation=seen)],
        "/saloon.v1.Rules/Apply": [rules_pb2.ApplyRequest(situation=seen, events=[event])],
        "/saloon.v1.Rules/Replay": [rules_pb2.ReplayRequest(record=record, events=4, seat=1)],
        "/saloon.v1.Rules/Score": [rules_pb2.ScoreRequest(situation=seen)],
        "/saloon.v1.Rules/Render": [rules_pb2.RenderRequest(situation=seen, seat=1)],
        "/saloon.v1.Seats/Sit": [seats_pb2.SitRequest(sit=sit), seats_pb2.SitRequest(decide=decide)],
        ATTEND: [seats_pb2.AttendRequest(sit=sit)],
        TELL: [seats_pb2.TellRequest(decide=decide)],
        "/saloon.v1.Tables/CreateTable": [tables_pb2.CreateTableRequest(options=record.options, bots=[bot], seed=3)],
        "/saloon.v1.Tables/ImportTable": [tables_pb2.ImportTableRequest(record=record, bots=[bot])],
    }


@pytest.mark.parametrize("path", METHODS)
@examples(1)
@given(data=st.data())
def test_damaged_messages(stubs: Stubs, good: dict[str, list[list[Any]]], path: str, data: st.DataObject) -> None:
    if path not in good:
        return
    chosen = data.draw(st.sampled_from(good[path]))
    made = [type(message).FromString(message.SerializeToString()) for message in chosen]
    with attended(stubs, path, made, due(stubs, path, made)):
        for _ in range(data.draw(st.integers(1, 3))):
            damage(data.draw, data.draw(st.sampled_from(made)))
        call(stubs, path, *(message.SerializeToString() for message in made))
    still_answers(stubs)


@pytest.mark.parametrize("path", METHODS)
def test_good_messages(stubs: Stubs, good: dict[str, list[list[Any]]], path: str) -> None:
    """Else what is damaged would not get far either."""
    for made in good.get(path, []):
        with attended(stubs, path, made, due(stubs, path, made)):
            assert call(stubs, path, *(message.SerializeToString() for message in made)) == "OK"


def due(stubs: Stubs, path: str, made: list[Any]) -> int:
    """The seat that has to decide there."""
    if path != TELL:
        return 0
    asked = rules_pb2.LegalDecisionsRequest(situation=made[0].decide.situation)
    return stubs.rules.LegalDecisions(asked).status.seat


@pytest.fixture(scope="module")
def good(stubs: Stubs) -> dict[str, list[list[Any]]]:
    """Of every game."""
    wanted = game_pb2.Options(goldgraeber=goldgraeber_pb2.GoldgraeberOptions(players=4, prospecting=True))
    record = stubs.rules.NewGame(rules_pb2.NewGameRequest(options=wanted, seed=4)).record
    for turn in range(30):
        record = stubs.after(record, *stubs.turn(record, turn)).situation.record
    games = [good_requests(stubs, found) for found in (stubs.played(9), record)]
    return {path: [game[path] for game in games] for path in games[0]}


@pytest.mark.parametrize("path", METHODS)
@examples(0.3)
@given(bytes_=st.binary(max_size=200))
def test_bytes(stubs: Stubs, path: str, bytes_: bytes) -> None:
    call(stubs, path, bytes_)
    still_answers(stubs)
