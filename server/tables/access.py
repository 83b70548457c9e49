# May know: basics.
"""Tokens, and what whoever has one may do at a table. Of a token only its hash is kept."""

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256

from server.basics.refusals import Denied
from server.tables.table import Table


def new_token() -> str:
    return secrets.token_urlsafe(24)


def digest(token: str) -> bytes:
    """All that is kept of a token. It is drawn at random, so it needs no salt."""
    return sha256(token.encode()).digest()


@dataclass(frozen=True)
class Role:
    """What a token makes of whoever has it."""

    seat: int | None = None
    host: bool = False
    invited: bool = False

    @property
    def known(self) -> bool:
        return self.seat is not None or self.host or self.invited


def role(table: Table, token: str) -> Role:
    """Every token of the table is compared, each in the same time whatever it is."""
    given = digest(token)
    return Role(
        seat=table.seat_with(given),
        host=hmac.compare_digest(table.header.host, given),
        invited=hmac.compare_digest(table.header.invitation or b"", given),
    )


def visitor(table: Table, token: str) -> Role:
    """Whoever may see the table; Denied for all others."""
    if not token and table.header.access == "public":
        return Role()
    found = role(table, token)
    if not found.known:
        raise Denied("the token is not one of this table" if token else "this table is by invitation: expected a token")
    return found
