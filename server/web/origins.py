# May know: nothing else of Saloon.
"""Which pages may call: browsers say where a page is from, and ask before they send what it wants."""

import re
from ipaddress import ip_address

_LOOPBACK = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?")
_HEADERS = (
    "authorization, content-type, connect-protocol-version, connect-timeout-ms, connect-accept-encoding, "
    "grpc-timeout, x-grpc-web, x-user-agent, saloon-seat"
)
_DAY = "86400"


class Origins:
    """Those on loopback names, this server's own where it is called by a bare address, and those the operator named;
    ``*`` is any. A name that leads here is not enough: whoever owns a name can let it lead anywhere."""

    def __init__(self, named: str) -> None:
        self.named = frozenset(part.strip().rstrip("/").lower() for part in named.split(",") if part.strip())

    def allowed(self, origin: str, host: str = "") -> bool:
        """Whoever says none is no page; `host`: by which name this server was called."""
        if not origin or "*" in self.named:
            return origin.isascii()
        return origin.lower() in self.named or bool(_LOOPBACK.fullmatch(origin)) or _own_address(origin, host)

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


def _own_address(origin: str, host: str) -> bool:
    if origin.partition("://")[2] != host or not origin.startswith(("http://", "https://")):
        return False
    try:
        ip_address(re.sub(r":[0-9]{1,5}$", "", host).strip("[]"))
    except ValueError:
        return False
    return True
