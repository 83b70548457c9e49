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

from collections.abc import Callable, Iterable, Mapping, Sequence
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


# ---- What descriptors say, found out once: asking them takes several times as long as the work itself.


class _Part:
    """A field of a message."""

    __slots__ = ("message", "name", "names", "oneof", "optional", "repeated", "written")

    def __init__(self, field: _Field) -> None:
        self.name: str = field.name
        self.repeated: bool = field.is_repeated
        self.message: bool = field.type == _MESSAGE
        self.optional: bool = field.has_presence
        among = field.containing_oneof
        self.oneof: str | None = among.name if among is not None and len(among.fields) > 1 else None
        self.names: Mapping[int, str | None] | None = None  # of an enum's values, in plain data
        self.written: Callable[[Any], Any] | None = None  # how a plain value is written, if not as it is
        if field.type == _ENUM:
            self.names = _enum_names(field.enum_type)
            self.written = {name: number for number, name in self.names.items()}.__getitem__
        elif field.type in _FLOATS:
            self.written = float


class _Kind:
    """A kind of message."""

    __slots__ = ("bare", "named", "oneofs", "parts", "sole")

    def __init__(self, descriptor: _Descriptor) -> None:
        self.parts = [_Part(field) for field in descriptor.fields]
        self.named = {part.name: part for part in self.parts}
        self.sole = self.parts[0] if sole_list(descriptor) is not None else None
        self.bare: bool = descriptor.name == "Cell"  # a list even in positions
        # Of a oneof, the first member for a dict and the first for anything else.
        self.oneofs: dict[str, dict[bool, _Part]] = {}
        for part in self.parts:
            if part.oneof is not None:
                self.oneofs.setdefault(part.oneof, {}).setdefault(part.message, part)


_kind: Callable[[Any], _Kind] = cache(lambda of: _Kind(of.DESCRIPTOR))  # of a class of messages


@cache
def _enum_names(enum: Any) -> Mapping[int, str | None]:
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return {v.number: v.name.removeprefix(prefix).lower() if v.number else None for v in enum.values}


# ---- From messages


class _Room:
    """How many entries a message may still have in its lists. It is asked before any of them is looked at."""

    def __init__(self) -> None:
        self.left = MOST_ENTRIES

    def take(self, name: str, entries: int) -> None:
        self.left -= entries
        if self.left < 0:
            raise InputError(name, f"at most {MOST_ENTRIES} entries in all lists together", entries)


def to_plain(message: Message) -> Any:
    """A message as a dict; InputError if it is larger than any of a game."""
    return _plain(message, False, _Room())


def _plain(message: Message, listed: bool, room: _Room) -> Any:
    """`listed`: a message as a list of its fields."""
    kind = _kind(type(message))
    if kind.sole is not None:
        return _field(message, kind.sole, listed, room)
    entries = dict(_entries(message, kind, listed, room))
    return list(entries.values()) if listed or kind.bare else entries


def _entries(message: Message, kind: _Kind, listed: bool, room: _Room) -> Iterable[tuple[str, Any]]:
    """Name and value of every field, in order; a oneof comes where its first field is."""
    seen = set()
    for part in kind.parts:
        if part.oneof is None:
            yield part.name, _field(message, part, listed, room)
        elif part.oneof not in seen:
            seen.add(part.oneof)
            chosen = message.WhichOneof(part.oneof)
            yield part.oneof, _field(message, kind.named[chosen], listed, room) if chosen else None


def _field(message: Message, part: _Part, listed: bool, room: _Room) -> Any:
    value = getattr(message, part.name)
    if part.repeated:
        room.take(part.name, len(value))
        return [_single(item, part, listed, room) for item in value]
    if part.optional and not message.HasField(part.name):
        return None
    return _single(value, part, listed, room)


def _single(value: Any, part: _Part, listed: bool, room: _Room) -> Any:
    if part.message:
        return _plain(value, listed, room)
    return value if part.names is None else part.names.get(value, value)


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
    return chosen, _field(message, _kind(type(message)).named[chosen], True, _Room())


# ---- To messages


def fill(message: Message, data: Any, listed: bool = False) -> None:
    """The reverse of `to_plain`, for data of the engine: it is not checked again."""
    kind = _kind(type(message))
    if kind.sole is not None:
        _set(message, kind.sole, data, listed)
    elif isinstance(data, dict):
        named = kind.named
        for name, value in data.items():
            if value is not None:
                part = named.get(name) or kind.oneofs[name][isinstance(value, dict)]
                _set(message, part, value, listed)
    else:
        message.SetInParent()
        for part, value in zip(kind.parts, data, strict=True):
            if value is not None:
                _set(message, part, value, listed)


def _set(message: Message, part: _Part, value: Any, listed: bool) -> None:
    if part.message:
        target = getattr(message, part.name)
        if part.repeated:
            for item in value:
                fill(target.add(), item, listed)
        else:
            target.SetInParent()
            fill(target, value, listed)
    elif part.repeated:
        getattr(message, part.name).extend(value if part.written is None else map(part.written, value))
    else:
        setattr(message, part.name, value if part.written is None else part.written(value))


def fill_option(message: Message, option: Sequence[Any]) -> None:
    """The reverse of `to_option`."""
    name, *arguments = option
    target = getattr(message, name)
    target.SetInParent()
    fill(target, arguments, listed=True)


def fill_event(message: Message, what: str, outcome: Any) -> None:
    """The reverse of `to_event`."""
    _set(message, _kind(type(message)).named[what], outcome, listed=True)
