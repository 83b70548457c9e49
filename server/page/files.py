# May know: nothing else of Saloon.
"""The files of the page: read once, kept as they are sent."""

import gzip
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "assets"  # made by `make page` from clients/page

_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
}
_HASHED = re.compile(r".*-[A-Z0-9]{8}\.\w+")  # another content has another name


@dataclass(frozen=True, slots=True)
class File:
    """One of them."""

    kind: str
    tag: str  # of its content
    keep: str  # how long a browser may keep it
    whole: bytes
    packed: bytes  # gzip


def read_files(folder: Path = FOLDER) -> dict[str, File]:
    """By the path of a request. Whatever else is asked for does not exist: no path on the disk is made of one."""
    found = {f"/{path.name}": _file(path) for path in sorted(folder.iterdir()) if path.suffix in _KINDS}
    return {"/": found.pop("/index.html"), **found}


def _file(path: Path) -> File:
    data = path.read_bytes()
    keep = "public, max-age=31536000, immutable" if _HASHED.fullmatch(path.name) else "no-cache"
    tag = hashlib.sha256(data).hexdigest()[:20]
    return File(_KINDS[path.suffix], tag, keep, data, gzip.compress(data, 9, mtime=0))
