"""Which field of a message an error is about."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from google.protobuf.descriptor import Descriptor

from engine_cy.errors import InputError
from wire.plain import sole_list

_CELL = {"[0]": "row", "[1]": "column"}


class Words(str):
    """What came, as errors are to say it: without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


NONE = Words("none")


@contextmanager
def naming(field: str, descriptor: Descriptor | None = None) -> Iterator[None]:
    """What the engine refuses, at this field of the request."""
    try:
        yield
    except InputError as error:
        named = _named(error, field, descriptor)
        named.more = tuple(_named(other, field, descriptor) for other in error.more)
        raise named from error


def _named(error: InputError, field: str, descriptor: Descriptor | None) -> InputError:
    inner = field_path(descriptor, error.field) if descriptor is not None else error.field
    return InputError(".".join(filter(None, (field, inner))), error.expected, error.got)


def field_path(descriptor: Any, path: str) -> str:
    """Where the engine's path, such as ``ranches[0][3].cell``, leads in a message: ``ranches[0].plots[3].cell``."""
    words = path.replace("[", ".[").split(".")
    out: list[str] = []
    current: Any = descriptor
    entry = False  # whether an index would say which entry of a repeated field
    for word in words:
        if not word.startswith("["):
            field = current.fields_by_name.get(word) if current is not None else None
            current = field.message_type if field is not None else None
            entry = field is not None and field.is_repeated
            out.append(word)
            continue
        sole = sole_list(current) if current is not None and not entry else None
        if sole is not None:
            out.append(sole.name + word)
            current = sole.message_type
        elif current is not None and not entry and current.name == "Cell" and word in _CELL:
            out.append(_CELL[word])
        else:
            out[-1] += word
        entry = False
    return ".".join(out)
