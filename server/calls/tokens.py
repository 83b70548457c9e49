# May know: basics, engine_cy.
"""Access tokens: who may call, how often, and how much at a time.

The file names every token and holds only its SHA-256, so that reading it gives no access:

    [front-end]
    sha256 = "9f86d081884c7d65..."   # of the token: printf %s TOKEN | sha256sum
    calls_per_minute = 600           # optional
    calls_at_a_time = 50             # optional
    accounts = "told"                # optional; for whom it calls: "own": one person, whose account is this name;
                                     # "told": many, and it says for whom (`account` in requests about tables)
"""

import asyncio
import hashlib
import tomllib
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Any

from engine_cy.checks import Checker
from engine_cy.errors import InputError
from server.basics.caller import NO_ACCOUNTS, Accounts
from server.basics.refusals import Overloaded, Unauthenticated
from server.basics.settings import ConfigError
from server.calls.shared_use import MOST_CLIENTS, SharedUse

_LIMITS = ("calls_per_minute", "calls_at_a_time")
_ACCOUNTS = ("own", "told")

check = Checker(InputError)


class Client:
    """One token's limits, and what it has left of them; over all workers."""

    def __init__(
        self, name: str, per_minute: int | None, at_a_time: int | None, accounts: Accounts = NO_ACCOUNTS
    ) -> None:
        self.name = name
        self.accounts = accounts
        self.per_minute = per_minute
        self.at_a_time = at_a_time
        self.revoked = False
        self._calls: set[asyncio.Task[Any]] = set()  # under way here
        self._left = float(per_minute or 0)
        self._since = monotonic()

    def counted(self, use: SharedUse, worker: int, place: int) -> None:
        """Where its calls are counted."""
        self._use, self._worker, self._place = use, worker, place
        self._made = use.made(place)

    def admit(self, task: asyncio.Task[Any]) -> None:
        """Overloaded if that is too much."""
        if self.per_minute is not None:
            self._look(self.per_minute)
            if self._left < 1:
                raise Overloaded(f"more than {self.per_minute} calls a minute", (1 - self._left) * 60 / self.per_minute)
        if self.at_a_time is not None and self._use.open(self._place) >= self.at_a_time:
            raise Overloaded(f"more than {self.at_a_time} calls at a time", 0.1)
        self._use.count(self._worker, self._place, 1)
        self._calls.add(task)

    def _look(self, per_minute: int) -> None:
        """Bring up to date what is left: time gives, calls of every worker take."""
        now, made = monotonic(), self._use.made(self._place)
        self._left = min(per_minute, self._left + (now - self._since) * per_minute / 60) - (made - self._made)
        self._since, self._made = now, made

    def release(self, task: asyncio.Task[Any]) -> None:
        """One of its calls has ended."""
        self._use.count(self._worker, self._place, -1)
        self._calls.discard(task)

    def limit(self, new: "Client") -> None:
        """Take the limits of the same client as it stands in the file now; what it has used stays used."""
        self.name, self.per_minute, self.at_a_time = new.name, new.per_minute, new.at_a_time
        self.accounts = new.accounts

    def revoke(self) -> None:
        """End its calls."""
        self.revoked = True
        for task in self._calls:
            task.cancel()


class Tokens:
    """The tokens of a file. It is read anew when it changes; a broken one changes nothing and is logged."""

    def __init__(self, path: Path, use: SharedUse, worker: int = 0) -> None:
        self.path = path
        self.use = use
        self.worker = worker
        self.clients = self._read()
        self.stamp = path.stat().st_mtime_ns

    def _read(self) -> dict[str, Client]:
        try:
            data = tomllib.loads(self.path.read_text(encoding="utf-8"))
            if not 1 <= len(data) <= MOST_CLIENTS:
                raise InputError("file", f"1 to {MOST_CLIENTS} tokens", len(data))
            clients = dict(_client(name, table) for name, table in data.items())
            for digest, client in clients.items():
                client.counted(self.use, self.worker, self.use.place_of(digest, self.path))
            return clients
        except (ValueError, OSError) as error:
            raise ConfigError(f"tokens: {error}") from error

    def reload_if_changed(self) -> bool:
        """ConfigError if the new file is broken; the old tokens stay."""
        stamp = self.path.stat().st_mtime_ns
        if stamp == self.stamp:
            return False
        self.stamp = stamp
        known, self.clients = self.clients, self._read()
        for digest, client in known.items():
            if digest in self.clients:
                client.limit(self.clients[digest])
                self.clients[digest] = client
            else:
                client.revoke()
        return True

    def admit(self, metadata: Iterable[tuple[str, Any]] | None, task: asyncio.Task[Any]) -> Client:
        """Let the call in that this task serves, or Unauthenticated, or Overloaded. It is to be released when
        it ends."""
        given = [value for key, value in metadata or () if key == "authorization"]
        if not given:
            raise Unauthenticated("expected metadata 'authorization: Bearer TOKEN', got none")
        scheme, _, token = str(given[0]).partition(" ")
        # The digest is looked up, not the token: timing tells nothing about tokens.
        client = self.clients.get(hashlib.sha256(token.strip().encode()).hexdigest())
        if scheme.lower() != "bearer" or client is None:
            raise Unauthenticated("expected metadata 'authorization: Bearer TOKEN' with a valid token")
        client.admit(task)
        return client


def _client(name: str, table: Any) -> tuple[str, Client]:
    known = check.table(table, name, ("sha256",), (*_LIMITS, "accounts"))
    digest = check.text(known["sha256"], f"{name}.sha256")
    if len(digest) != 64 or not set(digest.lower()) <= set("0123456789abcdef"):
        raise InputError(f"{name}.sha256", "64 hexadecimal digits", digest)
    limits = [check.integer(known[key], f"{name}.{key}", 1, 10**9) if key in known else None for key in _LIMITS]
    kind = check.choice(known["accounts"], f"{name}.accounts", _ACCOUNTS) if "accounts" in known else ""
    accounts = Accounts(own=name if kind == "own" else "", told=kind == "told")
    return digest.lower(), Client(name, limits[0], limits[1], accounts)
