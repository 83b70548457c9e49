"""The same changes of messages, by their descriptors."""

from collections.abc import Iterator
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from tests.fuzz.changes import WORDS, number

_MESSAGE = FieldDescriptor.TYPE_MESSAGE
_FLOATS = (FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT)
_RANGES = {
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
}


def change(message: Any, chance: Random) -> None:
    """One to four changes, somewhere inside."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        found = list(_below(message))
        _change(chance.choice(found), found, chance)


def _below(message: Any) -> Iterator[Any]:
    """A message and all in it."""
    yield message
    for field, value in message.ListFields():
        if field.type == _MESSAGE:
            for inner in value if field.is_repeated else (value,):
                yield from _below(inner)


def _change(message: Any, found: list[Message], chance: Random) -> None:
    fields = list(message.DESCRIPTOR.fields)
    there = [field for field, _ in message.ListFields()]
    if not fields:
        return
    field = chance.choice(there if there and chance.randrange(3) else fields)
    if chance.randrange(8) == 0:
        message.ClearField(field.name)
    elif field.is_repeated:
        _change_list(getattr(message, field.name), field, found, chance)
    elif field.type == _MESSAGE:
        value = getattr(message, field.name)
        value.SetInParent()
        same = [other for other in found if other.DESCRIPTOR is field.message_type]
        if same and chance.randrange(2):
            value.CopyFrom(type(value).FromString(chance.choice(same).SerializeToString()))
    else:
        setattr(message, field.name, _scalar(field, getattr(message, field.name), chance))


def _change_list(values: Any, field: Any, found: list[Message], chance: Random) -> None:
    at = chance.randrange(len(values)) if values else 0
    match chance.randrange(5):
        case 0 if values:
            del values[at]
        case 1 if values:
            del values[at:]
        case 2 if values:
            values.extend([values[at]] * chance.choice((1, 1, 1, 2100)))
        case 3 if len(values) > 1:
            there = chance.randrange(len(values))
            order = [*values]
            order[at], order[there] = order[there], order[at]
            order = [type(value).FromString(value.SerializeToString()) for value in order] if _is(field) else order
            del values[:]
            values.extend(order)
        case _ if _is(field):
            same = [other for other in found if other.DESCRIPTOR is field.message_type]
            values.extend([chance.choice(same)]) if same else values.add()
        case _ if values:
            values[at] = _scalar(field, values[at], chance)
        case _:
            values.append(_scalar(field, field.default_value or 0, chance))


def _is(field: Any) -> bool:
    return bool(field.type == _MESSAGE)


def _scalar(field: Any, old: Any, chance: Random) -> Any:
    if field.type == FieldDescriptor.TYPE_STRING:
        return chance.choice((*WORDS, "", "max", "1", "\n", "x" * 2000))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(9)))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return not old
    if field.type in _FLOATS:
        return chance.choice((0.0, -0.0, 0.5, 1.0, 1e308, float("inf"), float("nan"), -1.0))
    low, high = _RANGES.get(field.type, (-(2**31), 2**31 - 1))
    return min(high, max(low, number(int(old or 0), chance)))
