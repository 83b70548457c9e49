"""What a request may cost: every field of the contract, filled up to the largest message, is answered with little work
on the event loop and little memory. New fields and methods are tried by themselves."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor as Field

from server.basics.settings import Settings
from tests.service.running import serving
from tests.service.test_fuzz import EXPECTED, METHODS

LARGEST: int = Settings.model_fields["max_message_bytes"].default - 200  # what lies around it has room, too
MOST_CPU = 0.05  # seconds of one step of the event loop
MOST_MEMORY = 20 << 20  # bytes that one call may leave behind
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


def requests() -> Iterator[tuple[str, str, bytes]]:
    """Every field that a method can be sent, once for each method."""
    for path, method in METHODS.items():
        for name, data in dict(paths(method.input_type, frozenset())).items():
            yield path, name, data


def memory() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) << 12


@pytest.fixture(scope="module")
def channel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[grpc.Channel]:
    with (
        serving(tmp_path_factory.mktemp("cost"), most_cpu=MOST_CPU) as service,
        grpc.insecure_channel(service.address) as channel,
    ):
        yield channel


def test_no_field_of_any_method_is_too_much(channel: grpc.Channel) -> None:
    fields = set()
    for path, name, data in requests():
        fields.add(name)
        try_one(channel, path, name, data)
    assert len(fields) > 50


def try_one(channel: grpc.Channel, path: str, name: str, data: bytes) -> None:
    method, before = METHODS[path], memory()
    sides = ("stream" if method.client_streaming else "unary", "stream" if method.server_streaming else "unary")
    call: Any = getattr(channel, "_".join(sides))(path)
    try:
        answer = call(iter([data]) if method.client_streaming else data, timeout=10)
        if method.server_streaming:
            list(islice(answer, 3))
            answer.cancel()
        code = "OK"
    except grpc.RpcError as error:
        code = error.code().name
    assert code in EXPECTED - {"DEADLINE_EXCEEDED"}, (path, name, code)
    assert memory() - before < MOST_MEMORY, (path, name)
