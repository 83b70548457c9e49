"""What a request may cost: every field of the contract, filled up to the largest message, is answered with little work
on the event loop and little memory. New fields and methods are tried by themselves."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2
from saloon_client.v1 import rules_pb2, seats_pb2

from server.basics.settings import Settings
from tests.service import at_tables
from tests.service.games import Stubs, iterations, of
from tests.service.running import serving
from tests.service.test_fuzz import ATTEND, EXPECTED, METHODS, TELL, answers_of

_HEALTH: Any = health_pb2.DESCRIPTOR.services_by_name["Health"]

LARGEST: int = Settings.model_fields["max_message_bytes"].default - 8192  # what lies around it has room, too
MOST_CPU = 0.08  # seconds of one step of the event loop; half of that where nothing else runs
MOST_MEMORY = 20 << 20  # bytes that one call may leave behind
HEALTH = {f"/grpc.health.v1.Health/{method.name}": method for method in _HEALTH.methods}
ALL = METHODS | HEALTH
_DEEP = 8
_SCALARS = (Field.TYPE_STRING, Field.TYPE_BYTES)


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def prefixed(field: Any, data: bytes) -> bytes:
    """A field whose length comes first."""
    return varint(field.number << 3 | 2) + varint(len(data)) + data


def filled(field: Any) -> bytes | None:
    """As much of this field as there may be; None if there is no limit to try."""
    if field.type in _SCALARS and not field.is_repeated:
        return prefixed(field, b"a" * LARGEST)
    if not field.is_repeated:
        return None
    if field.type == Field.TYPE_MESSAGE:
        one = prefixed(field, b"")
    elif field.type in _SCALARS:
        one = prefixed(field, b"a")
    else:
        return prefixed(field, b"\1" * LARGEST)
    return one * (LARGEST // len(one))


def paths(descriptor: Any, seen: frozenset[str], depth: int = _DEEP) -> Iterator[tuple[str, bytes]]:
    """Every field below a message that can be filled: its name, and a message with nothing else in it."""
    for field in descriptor.fields:
        data = filled(field)
        if data is not None:
            yield field.full_name, data
        below = field.message_type
        if below is not None and depth and below.full_name not in seen:
            for name, inner in paths(below, seen | {below.full_name}, depth - 1):
                yield name, prefixed(field, inner)


def unknown() -> Iterator[tuple[str, bytes]]:
    """As much as there may be of what the contract does not know."""
    text = varint(100_000 << 3 | 2)
    yield "(unknown)", text + varint(LARGEST) + b"a" * LARGEST
    one = text + varint(1) + b"a"
    yield "(many unknown)", one * (LARGEST // len(one))


def filled_requests(method: Any) -> Iterator[tuple[str, bytes]]:
    """Every field that a method can be sent, everywhere it can be, once for each."""
    yield from paths(method.input_type, frozenset())
    yield from unknown()


def memory() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) << 12


@pytest.fixture(scope="module")
def channel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[grpc.Channel]:
    with (
        serving(tmp_path_factory.mktemp("cost"), most_cpu=MOST_CPU, max_sessions=10_000) as service,
        grpc.insecure_channel(service.address) as channel,
    ):
        yield channel


class Known:
    """Games and a table there are, so that requests get as far as they can."""

    def __init__(self, channel: grpc.Channel) -> None:
        tables = at_tables.Stub(channel)
        table, tokens, due = at_tables.begin(tables)
        stubs = Stubs(channel)
        game = stubs.rules.NewGame(rules_pb2.NewGameRequest(options=at_tables.options(), seed=1))
        self.sit = seats_pb2.SitDown(seat=game.status.seat)
        self.attending = stubs.seats.Attend(seats_pb2.AttendRequest(sit=self.sit))
        self.values = {
            "situation": of(game.record), "record": game.record, "options": game.record.options,
            "budget": iterations(1), "id": "a", "table": table, "token": tokens[due], "bot": at_tables.bot(due),
            "sit": self.sit, "session": next(self.attending).seated.session,
        }  # fmt: skip

    def good(self, descriptor: Any) -> Any:
        """A message with everything that is known for it."""
        message = GetMessageClass(descriptor)()
        for field in descriptor.fields:
            value = self.values.get(field.name)
            if isinstance(value, str) and field.type == Field.TYPE_STRING:
                setattr(message, field.name, value)
            elif isinstance(value, Message) and field.message_type == value.DESCRIPTOR and not field.is_repeated:
                getattr(message, field.name).CopyFrom(value)
        return message

    def sent(self, method: Any, data: bytes) -> Iterator[list[bytes]]:
        """This alone, and as a part of requests that get further; of a stream all messages."""
        yield [data]
        if method.input_type.name == "TellRequest":
            for request in self.said(method.input_type):
                yield [request + data]
        elif not method.client_streaming:
            yield [self.good(method.input_type).SerializeToString() + data]
        else:
            yield from self.sat_down(method, data)

    def sat_down(self, method: Any, data: bytes) -> Iterator[list[bytes]]:
        sit = seats_pb2.SitRequest(sit=self.sit).SerializeToString()
        for request in self.said(method.input_type):
            yield [sit, request + data]

    def said(self, descriptor: Any) -> Iterator[bytes]:
        """To a bot that sits."""
        for name in ("decide", "watch"):
            request = self.good(descriptor)
            getattr(request, name).CopyFrom(self.good(descriptor.fields_by_name[name].message_type))
            yield request.SerializeToString()


@pytest.fixture(scope="module")
def known(channel: grpc.Channel) -> Known:
    return Known(channel)


@pytest.mark.parametrize("path", ALL)
def test_no_field_of_any_method_is_too_much(channel: grpc.Channel, known: Known, path: str) -> None:
    codes = Counter[str]()
    for name, data in filled_requests(ALL[path]):
        for messages in known.sent(ALL[path], data):
            codes[try_one(channel, path, name, messages)] += 1
    assert codes.keys() - {"NOT_FOUND"}, codes  # it got further than to look for a table
    assert path not in (ATTEND, TELL) or codes["OK"] > 1, codes  # a bot sat down, and listened


def try_one(channel: grpc.Channel, path: str, name: str, messages: list[bytes]) -> str:
    """How it ended."""
    method, before = ALL[path], memory()
    sides = ("stream" if method.client_streaming else "unary", "stream" if method.server_streaming else "unary")
    call: Any = getattr(channel, "_".join(sides))(path)
    try:
        answer = call(iter(messages) if method.client_streaming else messages[0], timeout=10)
        if method.server_streaming:
            list(islice(answer, len(answers_of(path))))
            answer.cancel()
        code = "OK"
    except grpc.RpcError as error:
        code = error.code().name
    assert code in EXPECTED - {"DEADLINE_EXCEEDED"}, (path, name, code)
    assert memory() - before < MOST_MEMORY, (path, name)
    return code
