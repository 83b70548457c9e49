# May know: web.
"""The page for people: its files, with what keeps a browser from doing anything with them that it should not."""

import re
from collections.abc import Mapping

from server.page.files import File
from server.web.connection import Answer
from server.web.exchange import Exchange

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
SAFE = (
    ("content-security-policy", _POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
_GZIP = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[0-9.]+\s*)?(?=,|$)", re.IGNORECASE)


class Page:
    """Answers for its files; what is none of them goes to whoever answered before there was a page."""

    def __init__(self, files: Mapping[str, File], others: Answer) -> None:
        self._files = files
        self._others = others

    async def answer(self, exchange: Exchange) -> None:
        file = self._files.get(exchange.path)
        if file is None:
            await self._others(exchange)
        elif exchange.method not in ("GET", "HEAD"):
            await exchange.begin(405, [("allow", "GET, HEAD"), ("content-length", "0")])
            await exchange.finish()
        else:
            await _send(exchange, file)


async def _send(exchange: Exchange, file: File) -> None:
    packed = _GZIP.search(exchange.header("accept-encoding")) is not None
    tag = f'"{file.tag}{"-gzip" * packed}"'
    headers = [("etag", tag), ("cache-control", file.keep), ("vary", "accept-encoding"), *SAFE]
    if _known(exchange.header("if-none-match"), tag):
        await exchange.begin(304, headers)
        await exchange.finish()
        return
    data = file.packed if packed else file.whole
    encoding = [("content-encoding", "gzip")] if packed else []
    await exchange.begin(200, [("content-type", file.kind), ("content-length", str(len(data))), *encoding, *headers])
    if exchange.method == "GET":
        await exchange.send(data)
    await exchange.finish()


def _known(names: str, tag: str) -> bool:
    """Whether the browser has it already. What something on the way has made weak is still the same content."""
    return any(name.strip().removeprefix("W/") in (tag, "*") for name in names.split(","))
