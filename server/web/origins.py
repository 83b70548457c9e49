# May know: nothing else of Saloon.
"""Which pages may call: browsers say where a page is from, and ask before they send what it wants."""

import re

_LOOPBACK = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?")
_HEADERS = (
    "authorization, content-type, connect-protocol-version, connect-timeout-ms, connect-accept-encoding, "
    "grpc-timeout, x-grpc-web, x-user-agent"
)
_DAY = "86400"


class Origins:
    """Those on loopback names, and those the operator named; ``*`` is any."""

    def __init__(self, named: str) -> None:
        self.named = frozenset(part.strip().rstrip("/").lower() for part in named.split(",") if part.strip())

    def allowed(self, origin: str) -> bool:
        """Whoever says none is no page."""
        if not origin or "*" in self.named:
            return origin.isascii()
        return origin.lower() in self.named or bool(_LOOPBACK.fullmatch(origin))

    def headers(self, origin: str) -> list[tuple[str, str]]:
        """What an answer says of it."""
        if not origin:
            return []
        exposed = "grpc-status, grpc-message, grpc-status-details-bin"
        return [("access-control-allow-origin", origin), ("vary", "origin"), ("access-control-expose-headers", exposed)]

    def preflight(self, origin: str) -> list[tuple[str, str]]:
        return [
            *self.headers(origin),
            ("access-control-allow-methods", "POST"),
            ("access-control-allow-headers", _HEADERS),
            ("access-control-max-age", _DAY),
        ]
