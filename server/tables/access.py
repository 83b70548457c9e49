# May know: basics, engine_cy.
"""Tokens, and what whoever has one may do at a table. Of a token only its hash is kept."""

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256

from engine_cy.errors import InputError
from server.basics.caller import ACCOUNTS
from server.basics.refusals import Denied
from server.tables.table import Table

_MOST_ACCOUNT = 100


def check_account(text: str) -> None:
    if len(text) > _MOST_ACCOUNT or not text.isprintable() or not text.strip():
        raise InputError("account", f"1 to {_MOST_ACCOUNT} printable characters", text)


def account_of(said: str) -> str:
    """The person for whom this call is; empty if nobody knows. Denied if the client may not say so."""
    accounts = ACCOUNTS.get()
    if not said:
        return accounts.own
    if not accounts.told:
        raise Denied("account: this client may not say for whom it calls; that takes an access token which may")
    check_account(said)
    return said


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
