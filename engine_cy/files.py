"""Component files as text: TOML of a bounded size."""

import tomllib
from pathlib import Path
from typing import Any

from engine_cy.errors import ComponentError

# Five times the largest. A key of thousands of parts takes the reader a time that grows with their square: 60 kB of
# them take 15 s, these at most a second.
MOST_BYTES = 16_384


def read_tables(path: str | Path) -> dict[str, Any]:
    """The tables of a file; ComponentError if it is too large or no TOML, OSError if there is none."""
    with Path(path).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    return parse_tables(data, str(path))


def parse_tables(data: bytes, source: str) -> dict[str, Any]:
    """The same of what such a file holds."""
    if len(data) > MOST_BYTES:
        raise ComponentError(source, f"at most {MOST_BYTES} bytes", "more")
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, a number too long, nested too deep
        raise ComponentError(source, "a TOML file", str(error)) from error
