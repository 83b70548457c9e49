"""Between the contract's messages and the engine's plain data, by their descriptors alone.

The engine speaks in dicts, lists and names; the contract in typed messages with the same names. So one set of rules
serves every game, and a new game needs messages but no code here:

    message                     plain data
    a Cell                      [row, column]
    a value of an enum          its name without prefix, in lower case; None for UNSPECIFIED
    a field that is absent      None
    a oneof                     one entry named like the oneof, with the value that is set
    a message whose only field
    is a repeated one           that list
    any other message           a dict, in positions; a list of its fields in order, in decisions and chance events
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from engine_cy.errors import InputError

# Two implementations of protobuf, one for each backend, share no type.
_Descriptor = Any
_Field = Any

MOST_ENTRIES = 2000  # several times as many as any position of a game has
_MESSAGE, _ENUM = FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_ENUM
_FLOATS = (FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT)


def sole_list(descriptor: _Descriptor) -> _Field | None:
    """The only field of a message, if it is a repeated one."""
    fields = descriptor.fields
    return fields[0] if len(fields) == 1 and fields[0].is_repeated else None


@cache
def _enum_names(enum: Any) -> Mapping[int, str | None]:
    """Every value's name in plain data."""
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return {v.number: v.name.removeprefix(prefix).lower() if v.number else None for v in enum.values}


@cache
def _enum_numbers(enum: Any) -> Mapping[str | None, int]:
    """The reverse."""
    return {name: number for number, name in _enum_names(enum).items()}


# ---- From messages


class _Room:
    """How many entries a message may still have in its lists. It is asked before any of them is looked at."""

    def __init__(self) -> None:
        self.left = MOST_ENTRIES

    def take(self, field: _Field, entries: int) -> None:
        self.left -= entries
        if self.left < 0:
            raise InputError(field.name, f"at most {MOST_ENTRIES} entries in all lists together", entries)


def to_plain(message: Message) -> Any:
    """A message as a dict; InputError if it is larger than any of a game."""
    return _plain(message, False, _Room())


def _plain(message: Message, listed: bool, room: _Room) -> Any:
    """`listed`: a message as a list of its fields."""
    descriptor = message.DESCRIPTOR
    entries = dict(_entries(message, listed, room))
    sole = sole_list(descriptor)
    if sole is not None:
        return entries[sole.name]
    return list(entries.values()) if listed or descriptor.name == "Cell" else entries


def _entries(message: Message, listed: bool, room: _Room) -> Iterable[tuple[str, Any]]:
    """Name and value of every field, in order; a oneof comes where its first field is."""
    seen = set()
    for field in message.DESCRIPTOR.fields:
        oneof = field.containing_oneof
        if oneof is not None and len(oneof.fields) > 1:
            if oneof.name not in seen:
                seen.add(oneof.name)
                chosen = message.WhichOneof(oneof.name)
                value = _field(message, message.DESCRIPTOR.fields_by_name[chosen], listed, room) if chosen else None
                yield oneof.name, value
        else:
            yield field.name, _field(message, field, listed, room)


def _field(message: Message, field: _Field, listed: bool, room: _Room) -> Any:
    value = getattr(message, field.name)
    if field.is_repeated:
        room.take(field, len(value))
        return [_single(item, field, listed, room) for item in value]
    if field.has_presence and not message.HasField(field.name):
        return None
    return _single(value, field, listed, room)


def _single(value: Any, field: _Field, listed: bool, room: _Room) -> Any:
    if field.type == _MESSAGE:
        return _plain(value, listed, room)
    if field.type == _ENUM:
        return _enum_names(field.enum_type).get(value, value)
    return value


def to_option(message: Message, oneof: str) -> list[Any] | None:
    """A message that is one of several, as [name, field, field ...]: the list form of decisions."""
    chosen = message.WhichOneof(oneof)
    if chosen is None:
        return None
    value = _plain(getattr(message, chosen), True, _Room())
    return [chosen, *(value if isinstance(value, list) else [value])]


def to_event(message: Message, oneof: str) -> tuple[str, Any] | None:
    """A message that is one of several, as (name, outcome): a chance event."""
    chosen = message.WhichOneof(oneof)
    if chosen is None:
        return None
    return chosen, _field(message, message.DESCRIPTOR.fields_by_name[chosen], True, _Room())


# ---- To messages


def fill(message: Message, data: Any, listed: bool = False) -> None:
    """The reverse of `to_plain`, for data of the engine: it is not checked again."""
    descriptor = message.DESCRIPTOR
    sole = sole_list(descriptor)
    if sole is not None:
        _set(message, sole, data, listed)
    elif isinstance(data, dict):
        for name, value in data.items():
            if value is not None:
                _set(message, _find(descriptor, name, value), value, listed)
    else:
        message.SetInParent()
        for field, value in zip(descriptor.fields, data, strict=True):
            if value is not None:
                _set(message, field, value, listed)


def _find(descriptor: _Descriptor, name: str, value: Any) -> _Field:
    """The field of a name; of a oneof, the member for such a value: messages take dicts, numbers anything else."""
    field = descriptor.fields_by_name.get(name)
    if field is not None:
        return field
    members = descriptor.oneofs_by_name[name].fields
    return next(member for member in members if (member.type == _MESSAGE) == isinstance(value, dict))


def _set(message: Message, field: _Field, value: Any, listed: bool) -> None:
    if field.is_repeated:
        target = getattr(message, field.name)
        if field.type == _MESSAGE:
            for item in value:
                fill(target.add(), item, listed)
        else:
            target.extend(_scalar(field, item) for item in value)
    elif field.type == _MESSAGE:
        target = getattr(message, field.name)
        target.SetInParent()
        fill(target, value, listed)
    else:
        setattr(message, field.name, _scalar(field, value))


def _scalar(field: _Field, value: Any) -> Any:
    if field.type == _ENUM:
        return _enum_numbers(field.enum_type)[value]
    return float(value) if field.type in _FLOATS else value


def fill_option(message: Message, option: Sequence[Any]) -> None:
    """The reverse of `to_option`."""
    name, *arguments = option
    target = getattr(message, name)
    target.SetInParent()
    fill(target, arguments, listed=True)


def fill_event(message: Message, what: str, outcome: Any) -> None:
    """The reverse of `to_event`."""
    _set(message, message.DESCRIPTOR.fields_by_name[what], outcome, listed=True)
