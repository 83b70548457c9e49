# May know: engine_cy, wire.
"""Whether what a JSON request says fits the contract, by its descriptors: protobuf's own reader names no field
for much of what it refuses, and passes over words that an enumeration does not have."""

import base64
import binascii
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from engine_cy.errors import InputError
from wire.naming import Words

_DURATION = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,9})?s")
_LONGEST = 315_576_000_000  # seconds that protobuf takes
_HALF = re.compile("[\ud800-\udfff]")  # a character
_WHOLE: Final = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


def plain(data: bytes) -> Any:
    """The JSON as objects, lists and values; InputError if it is none."""
    try:
        return json.loads(data, object_pairs_hook=_without_doubles)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        where = f"text that is none: {error.msg} at line {error.lineno}, column {error.colno}"
        raise InputError("request", "JSON", Words(where)) from None
    except RecursionError:
        raise InputError("request", "JSON of the contract", Words("lists in lists, too deep")) from None
    except ValueError:  # not UTF-8, or a number of thousands of digits
        raise InputError("request", "JSON", Words("bytes that are none")) from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError("request", "each name once in an object", Words(f"{twice!r} twice"))
    return found


def check(kind: Any, value: Any) -> None:
    """InputError names the first field whose value is of another kind. Names that nobody knows are passed over."""
    _message(kind, value, "")


def _message(kind: Descriptor, value: Any, path: str) -> None:
    if kind.full_name == "google.protobuf.Duration":
        if not isinstance(value, str) or not _DURATION.fullmatch(value) or abs(float(value[:-1])) > _LONGEST:
            raise InputError(path, 'seconds as text, such as "0.5s"', value)
        return
    if not isinstance(value, dict):
        raise InputError(path or "request", "an object", value)
    known = _fields(kind)
    chosen: dict[str, str] = {}  # by oneof
    for name, inner in value.items():
        field = known.get(name)
        if field is None or inner is None:
            continue
        here = f"{path}.{field.name}" if path else field.name
        group = field.containing_oneof
        if group is not None and len(group.fields) > 1:
            other = chosen.setdefault(group.name, field.name)
            if other != field.name:
                few = ", ".join(each.name for each in group.fields)
                raise InputError(path or "request", f"one of {few}", Words(f"{other} and {field.name}"))
        if not field.is_repeated:
            _value(field, inner, here)
        elif not isinstance(inner, list):
            raise InputError(here, "a list", inner)
        else:
            for index, entry in enumerate(inner):
                _value(field, entry, f"{here}[{index}]")


@cache
def _fields(kind: Descriptor) -> dict[str, FieldDescriptor]:
    """By either of their names."""
    return {name: field for field in kind.fields for name in (field.name, field.json_name)}


def _value(field: FieldDescriptor, value: Any, path: str) -> None:
    if field.message_type is not None:
        _message(field.message_type, value, path)
    elif field.enum_type is not None:
        _word(field, value, path)
    elif field.cpp_type in _WHOLE:
        _whole(value, path, *_WHOLE[field.cpp_type])
    else:
        expected, fits = _OTHERS[field.type]
        if not fits(value):
            raise InputError(path, expected, value)


def _word(field: FieldDescriptor, value: Any, path: str) -> None:
    assert field.enum_type is not None
    words = field.enum_type.values_by_name
    if isinstance(value, str) and (value in words or re.fullmatch("-?[0-9]{1,10}", value)):
        return
    if isinstance(value, bool) or not isinstance(value, int):
        # The first means that nothing was said.
        raise InputError(path, f"one of {', '.join(list(words)[1:])}", value)
    _whole(value, path, -(2**31), 2**31 - 1)


def _whole(value: Any, path: str, least: int, most: int) -> None:
    number = value
    digits = isinstance(value, str) and re.fullmatch("-?[0-9]{1,20}", value)
    if digits or (isinstance(value, float) and value.is_integer()):
        number = int(value)
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise InputError(path, f"a whole number from {least} to {most}", value)


def _number(value: Any) -> bool:
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return False
        return True
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _bytes(value: Any) -> bool:
    try:
        base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
    except (TypeError, ValueError, binascii.Error):
        return False
    return True


_OTHERS: Final[dict[int, tuple[str, Callable[[Any], bool]]]] = {
    FieldDescriptor.TYPE_STRING: ("text", lambda value: isinstance(value, str) and not _HALF.search(value)),
    FieldDescriptor.TYPE_BOOL: ("true or false", lambda value: isinstance(value, bool)),
    FieldDescriptor.TYPE_BYTES: ("bytes as text in base64", _bytes),
    FieldDescriptor.TYPE_DOUBLE: ("a number", _number),
    FieldDescriptor.TYPE_FLOAT: ("a number", _number),
}
