"""Access tokens: who may call, how often, and how much at a time.

The file names every token and holds only its SHA-256, so that reading it gives no access:

    [front-end]
    sha256 = "9f86d081884c7d65..."   # of the token: printf %s TOKEN | sha256sum
    calls_per_minute = 600           # optional
    calls_at_a_time = 50             # optional
"""

import asyncio
import hashlib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from grpc import StatusCode

from engine_cy.checks import Checker
from engine_cy.errors import InputError
from server.calls.refusals import Refused, exhausted
from server.process.settings import ConfigError

_KEYS = ("calls_per_minute", "calls_at_a_time")

check = Checker(InputError)


@dataclass
class Client:
    """One token's limits, and what it has left of them."""

    name: str
    per_minute: int | None
    at_a_time: int | None
    left: float = 0.0
    since: float = 0.0
    open: int = 0
    calls: set[asyncio.Task[Any]] = field(default_factory=set)  # under way
    revoked: bool = False

    def admit(self, task: asyncio.Task[Any]) -> None:
        """RESOURCE_EXHAUSTED if that is too much."""
        now = monotonic()
        if self.per_minute is not None:
            self.left = min(self.per_minute, self.left + (now - self.since) * self.per_minute / 60)
            self.since = now
            if self.left < 1:
                raise exhausted(f"more than {self.per_minute} calls a minute", (1 - self.left) * 60 / self.per_minute)
        if self.at_a_time is not None and self.open >= self.at_a_time:
            raise exhausted(f"more than {self.at_a_time} calls at a time", 0.1)
        self.left -= 1
        self.open += 1
        self.calls.add(task)

    def release(self, task: asyncio.Task[Any]) -> None:
        """One of its calls has ended."""
        self.open -= 1
        self.calls.discard(task)

    def limit(self, new: "Client") -> None:
        """Take the limits of the same client as it stands in the file now; what it has used stays used."""
        self.name, self.per_minute, self.at_a_time = new.name, new.per_minute, new.at_a_time

    def revoke(self) -> None:
        """End its calls."""
        self.revoked = True
        for task in self.calls:
            task.cancel()


class Tokens:
    """The tokens of a file. It is read anew when it changes; a broken one changes nothing and is logged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clients = self._read()
        self.stamp = path.stat().st_mtime_ns

    def _read(self) -> dict[str, Client]:
        try:
            data = tomllib.loads(self.path.read_text(encoding="utf-8"))
            if not data:
                raise InputError("file", "at least one token", data)
            return dict(_client(name, table) for name, table in data.items())
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
        """Let the call in that this task serves, or UNAUTHENTICATED, or RESOURCE_EXHAUSTED. It is to be released when
        it ends."""
        given = [value for key, value in metadata or () if key == "authorization"]
        if not given:
            raise Refused(StatusCode.UNAUTHENTICATED, "expected metadata 'authorization: Bearer TOKEN', got none")
        scheme, _, token = str(given[0]).partition(" ")
        # The digest is looked up, not the token: timing tells nothing about tokens.
        client = self.clients.get(hashlib.sha256(token.strip().encode()).hexdigest())
        if scheme.lower() != "bearer" or client is None:
            raise Refused(
                StatusCode.UNAUTHENTICATED, "expected metadata 'authorization: Bearer TOKEN' with a valid token"
            )
        client.admit(task)
        return client


def _client(name: str, table: Any) -> tuple[str, Client]:
    known = check.table(table, name, ("sha256",), _KEYS)
    digest = check.text(known["sha256"], f"{name}.sha256")
    if len(digest) != 64 or not set(digest.lower()) <= set("0123456789abcdef"):
        raise InputError(f"{name}.sha256", "64 hexadecimal digits", digest)
    limits = [check.integer(known[key], f"{name}.{key}", 1, 10**9) if key in known else None for key in _KEYS]
    return digest.lower(), Client(name, limits[0], limits[1], left=float(limits[0] or 0), since=monotonic())
