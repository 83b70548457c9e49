# May know: basics, calls.
"""The ways to say a call over HTTP: Connect with one answer, Connect with many, gRPC-Web."""

import base64
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from urllib.parse import quote

from server.basics.refusals import NotOffered
from server.calls.statuses import Told
from server.web.envelopes import Envelopes, broken, envelope, whole_body
from server.web.exchange import Exchange

_STATUS = {
    "canceled": 499, "invalid_argument": 400, "deadline_exceeded": 504, "not_found": 404, "already_exists": 409,
    "permission_denied": 403, "resource_exhausted": 429, "failed_precondition": 400, "aborted": 409,
    "out_of_range": 400, "unimplemented": 501, "unavailable": 503, "unauthenticated": 401,
}  # fmt: skip
_SECONDS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_END = 2  # the flag of Connect's last envelope
_TRAILERS = 128  # the flag of gRPC-Web's


class Speech(ABC):
    """One call's: how it is asked and answered."""

    def __init__(self, exchange: Exchange, kind: str, most: int, extra: list[tuple[str, str]]) -> None:
        """`kind`: the type of what is asked and answered; `most`: bytes of a message; `extra`: more headers."""
        self.exchange = exchange
        self.kind = kind
        self.most = most
        self.extra = extra
        self.begun = False

    @property
    @abstractmethod
    def json(self) -> bool:
        """Whether messages are JSON."""

    @abstractmethod
    def seconds(self) -> float | None:
        """Until the deadline."""

    @abstractmethod
    async def read(self) -> bytes | None:
        """The next message; None after the last."""

    @abstractmethod
    async def write(self, data: bytes) -> None:
        """An answer."""

    @abstractmethod
    async def end(self, told: Told | None = None) -> None:
        """After the last one; what the caller is told if it did not end well."""

    async def _begin(self, status: int = 200, kind: str = "", **more: str) -> None:
        self.begun = True
        lines = [(name.replace("_", "-"), value) for name, value in more.items()]
        await self.exchange.begin(status, [("content-type", kind or self.kind), *lines, *self.extra])

    def _refuse_compressed(self, name: str) -> None:
        if self.exchange.header(name) not in ("", "identity"):
            raise NotOffered("requests that are compressed are not read")


class _Connect(Speech):
    @property
    def json(self) -> bool:
        return self.kind.endswith("json")

    def seconds(self) -> float | None:
        given = self.exchange.header("connect-timeout-ms")
        if not given:
            return None
        if not re.fullmatch(r"[0-9]{1,10}", given):
            raise broken("connect-timeout-ms with at most ten digits", given[:20])
        return int(given) / 1000


class ConnectOne(_Connect):
    """One request, one answer, both without anything around them: what curl speaks."""

    async def read(self) -> bytes | None:
        self._refuse_compressed("content-encoding")
        return await whole_body(self.exchange, self.most)

    async def write(self, data: bytes) -> None:
        await self._begin(content_length=str(len(data)))
        await self.exchange.send(data)

    async def end(self, told: Told | None = None) -> None:
        if told is not None:
            data = json.dumps(told.plain()).encode()
            await self._begin(_STATUS.get(told.name, 500), "application/json", content_length=str(len(data)))
            await self.exchange.send(data)
        await self.exchange.finish()


class ConnectMany(_Connect):
    """Envelopes; the last one says how it ended."""

    def __init__(self, exchange: Exchange, kind: str, most: int, extra: list[tuple[str, str]]) -> None:
        super().__init__(exchange, kind, most, extra)
        self._envelopes = Envelopes(exchange, most)

    async def read(self) -> bytes | None:
        self._refuse_compressed("connect-content-encoding")
        return await self._envelopes.next()

    async def write(self, data: bytes) -> None:
        if not self.begun:
            await self._begin()
        await self.exchange.send(envelope(0, data))

    async def end(self, told: Told | None = None) -> None:
        if not self.begun:
            await self._begin()
        error = {} if told is None else {"error": told.plain()}
        await self.exchange.send(envelope(_END, json.dumps(error).encode()))
        await self.exchange.finish()


class GrpcWeb(Speech):
    """Envelopes; the last one holds what gRPC has in its trailers."""

    def __init__(self, exchange: Exchange, kind: str, most: int, extra: list[tuple[str, str]]) -> None:
        super().__init__(exchange, kind, most, extra)
        self._text = kind.startswith("application/grpc-web-text")
        self._envelopes = Envelopes(exchange, most, self._text)

    @property
    def json(self) -> bool:
        return self.kind.endswith("+json")

    def seconds(self) -> float | None:
        given = self.exchange.header("grpc-timeout")
        if not given:
            return None
        if not re.fullmatch(r"[0-9]{1,8}[HMSmun]", given):
            raise broken("grpc-timeout with at most eight digits and a unit", given[:20])
        return int(given[:-1]) * _SECONDS[given[-1]]

    async def read(self) -> bytes | None:
        self._refuse_compressed("grpc-encoding")
        return await self._envelopes.next()

    async def write(self, data: bytes) -> None:
        if not self.begun:
            await self._begin()
        await self._send(envelope(0, data))

    async def end(self, told: Told | None = None) -> None:
        if not self.begun:
            await self._begin()
        lines = "grpc-status: 0\r\n"
        if told is not None:
            details = base64.b64encode(told.whole).decode().rstrip("=")
            message = quote(told.message, safe=" !\"#$&'()*+,/:;<=>?@[\\]^`{|}~")
            lines = f"grpc-status: {told.code}\r\ngrpc-message: {message}\r\ngrpc-status-details-bin: {details}\r\n"
        await self._send(envelope(_TRAILERS, lines.encode()))
        await self.exchange.finish()

    async def _send(self, data: bytes) -> None:
        await self.exchange.send(base64.b64encode(data) if self._text else data)


ONE: dict[str, Callable[..., Speech]] = {"application/json": ConnectOne, "application/proto": ConnectOne}
MANY: dict[str, Callable[..., Speech]] = {
    "application/connect+json": ConnectMany, "application/connect+proto": ConnectMany,
}  # fmt: skip
EITHER: dict[str, Callable[..., Speech]] = {
    f"application/grpc-web{text}{form}": GrpcWeb for text in ("", "-text") for form in ("", "+proto", "+json")
}
