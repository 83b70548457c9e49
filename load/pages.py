"""What was measured, as a part of docs/performance.md."""

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path


def put(folder: Path, what: str, text: str) -> None:
    """This text as the part of the page of performance that is made by this command."""
    page = folder / "performance.md"
    begin, end = f"<!-- made by {what}: begin -->", f"<!-- made by {what}: end -->"
    before, found, rest = page.read_text(encoding="utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise SystemExit(f"{page}: expected a part between {begin!r} and {end!r}, found none")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def machine() -> str:
    """What was measured on."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", info, re.MULTILINE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{found[1] if found else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB; {platform.system()} "
        f"{platform.release().partition('-')[0]}, Python {platform.python_version()}, grpcio {version('grpcio')}"
    )
