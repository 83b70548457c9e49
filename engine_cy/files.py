"""Component files as text: TOML of a bounded size."""

import tomllib
from pathlib import Path
from typing import Any

from engine_cy.errors import ComponentError

# Five times the largest. A key of thousands of parts (a.a.a) takes the reader time and memory that grow with their
# square: 60 kB of them 15 s, 16 kB still a second and 250 MB. A key is in one line.
MOST_BYTES = 16_384
_MOST_DOTS = 1000  # in a line; several times what a map has of fields that are none


def read_tables(path: str | Path) -> dict[str, Any]:
    """The tables of a file; ComponentError if it is too large or no TOML, OSError if there is none."""
    with Path(path).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    return parse_tables(data, str(path))


def parse_tables(data: bytes, source: str) -> dict[str, Any]:
    """The same of what such a file holds."""
    if len(data) > MOST_BYTES:
        raise ComponentError(source, f"at most {MOST_BYTES} bytes", "more")
    if any(line.count(b".") > _MOST_DOTS for line in data.split(b"\n")):
        raise ComponentError(source, f"at most {_MOST_DOTS} dots in a line", "more")
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, a number too long, nested too deep
        raise ComponentError(source, "a TOML file", str(error)) from error
