# May know: basics, engine_cy, wire.
"""Messages one after the other, each with its length before it, as Connect's streams and gRPC-Web have them."""

import base64
import binascii

from engine_cy.errors import InputError
from server.basics.refusals import NotOffered, Overloaded
from server.web.exchange import Exchange
from wire.naming import Words

_HEAD = 5  # a byte of flags and four of length
_COMPRESSED = 1


def broken(expected: str, got: str) -> InputError:
    """What was sent is no request."""
    return InputError("request", expected, Words(got))


def too_large(most: int) -> Overloaded:
    return Overloaded(f"a request may have {most} bytes, this one has more")


def envelope(flags: int, data: bytes) -> bytes:
    return bytes((flags,)) + len(data).to_bytes(4, "big") + data


class Envelopes:
    """Read no further than is asked for."""

    def __init__(self, exchange: Exchange, most: int, text: bool = False) -> None:
        """`text`: in base64."""
        self._exchange = exchange
        self._most = most
        self._text = text
        self._half = b""  # of four characters
        self._have = bytearray()

    async def next(self) -> bytes | None:
        """The next message; None after the last."""
        if not await self._upto(_HEAD):
            return None
        flags, size = self._have[0], int.from_bytes(self._have[1:_HEAD], "big")
        if size > self._most:
            raise too_large(self._most)
        if flags & _COMPRESSED:
            raise NotOffered("requests that are compressed are not read")
        if not await self._upto(_HEAD + size):
            raise broken("whole messages", "one that ends before its end")
        data = bytes(self._have[_HEAD : _HEAD + size])
        del self._have[: _HEAD + size]
        return data

    async def _upto(self, size: int) -> bool:
        """False if it has ended before."""
        while len(self._have) < size:
            part = await self._exchange.read()
            if not part:
                if self._have or self._half:
                    raise broken("whole messages", "one that ends before its end")
                return False
            self._have += self._plain(part) if self._text else part
        return True

    def _plain(self, part: bytes) -> bytes:
        part = self._half + part
        whole = len(part) - len(part) % 4
        self._half = part[whole:]
        try:
            return base64.b64decode(part[:whole], validate=True)
        except binascii.Error:
            raise broken("base64", "what is none") from None


async def whole_body(exchange: Exchange, most: int) -> bytes:
    """Everything that is asked."""
    size = exchange.header("content-length")
    if size.isdecimal() and int(size) > most:
        raise too_large(most)
    body = bytearray()
    while part := await exchange.read():
        body += part
        if len(body) > most:
            raise too_large(most)
    return bytes(body)
