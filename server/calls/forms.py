# May know: basics, wire, engine_cy.
"""How messages look on their way: binary, or JSON."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from google.protobuf import json_format
from google.protobuf.message import Message

from engine_cy.errors import InputError
from server.basics import limits
from server.calls.fitting import check, plain
from wire.naming import Words

Beside = Callable[..., Awaitable[Any]]  # does work beside the event loop: `Requests.beside`


class Form(Protocol):
    """One method's messages as bytes."""

    async def read(self, data: bytes) -> Any:
        """The request; whatever it raises, the bytes are none of the contract's."""

    async def written(self, message: Any) -> bytes:
        """An answer."""


class Binary:
    """As protobuf has it. That is C and takes a millisecond at most."""

    def __init__(self, read: Callable[[bytes], Any], written: Callable[[Any], bytes]) -> None:
        self._read = read
        self._written = written

    async def read(self, data: bytes) -> Any:
        return self._read(data)

    async def written(self, message: Any) -> bytes:
        return self._written(message)


class Json:
    """As protobuf's JSON. That is Python and a hundred times slower, so what is long is done beside the event loop."""

    def __init__(self, kind: type[Message], beside: Beside) -> None:
        self._kind = kind
        self._beside = beside

    async def read(self, data: bytes) -> Any:
        _count(data)
        return await self._beside(self._parse, data) if len(data) > limits.JSON_BYTES else self._parse(data)

    def _parse(self, data: bytes) -> Message:
        said = plain(data)
        check(self._kind.DESCRIPTOR, said)
        message = self._kind()
        try:
            return json_format.ParseDict(said, message, ignore_unknown_fields=True)
        except Exception as error:  # whatever a parser may raise at values from outside
            raise InputError("request", "JSON of the contract", Words(_short(str(error)))) from None

    async def written(self, message: Message) -> bytes:
        if message.ByteSize() > limits.JSON_ANSWER_BYTES:
            data: bytes = await self._beside(_json, message)
            return data
        return _json(message)


def _json(message: Message) -> bytes:
    return json_format.MessageToJson(message, indent=None).encode()


def _count(data: bytes) -> None:
    """Its values are counted before they are looked at: each takes microseconds."""
    objects, values = data.count(b"{"), data.count(b",")
    if objects > limits.JSON_OBJECTS or values > limits.JSON_VALUES:
        most = f"at most {limits.JSON_OBJECTS} objects and {limits.JSON_VALUES} values"
        raise InputError("request", most, Words(f"{objects} objects and {values} values"))


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}..."
