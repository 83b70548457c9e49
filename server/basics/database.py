# May know: nothing else of Saloon.
"""Where the database is: a file, or PostgreSQL by a URL, which may hold a password and is never shown with it."""

import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import PlainValidator

_URL = re.compile(r"postgres(?:ql)?://")
_PASSWORD_OF_USER = re.compile(r"(?<=//)([^:@/?#]*):.*@")  # though it should be escaped, it may be anything
_PASSWORD_PARAMETER = re.compile(r"(?<=[?&])((?:ssl)?password)=[^&]*")


class PostgresUrl:
    """As libpq takes it; whoever prints it gets it without passwords."""

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def __str__(self) -> str:
        return _PASSWORD_PARAMETER.sub(r"\1=...", _PASSWORD_OF_USER.sub(r"\1:...@", self.secret))

    def __repr__(self) -> str:
        return repr(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PostgresUrl) and other.secret == self.secret

    def __hash__(self) -> int:
        return hash(self.secret)


def _read(value: Any) -> Path | PostgresUrl:
    """ValueError never says what came: it may be a password."""
    if isinstance(value, str) and _URL.match(value):
        return PostgresUrl(value)
    if isinstance(value, PostgresUrl | Path) or (isinstance(value, str) and value and "://" not in value):
        return value if isinstance(value, PostgresUrl) else Path(value)
    raise ValueError("expected a file, or a URL such as postgresql://saloon@db.example.org/saloon")


def _read_url(value: Any) -> PostgresUrl | None:
    if value is None or isinstance(value, PostgresUrl):
        return value
    if isinstance(value, str) and _URL.match(value):
        return PostgresUrl(value)
    raise ValueError("expected a URL such as postgresql://saloon@db.example.org/saloon")


Database = Annotated[Path | PostgresUrl, PlainValidator(_read)]
Url = Annotated[PostgresUrl | None, PlainValidator(_read_url)]
