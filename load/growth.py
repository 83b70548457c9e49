"""How the service grows with workers and clients, as a part of docs/performance.md."""

import os
import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from load.chart import chart

DOCS = Path(__file__).parent.parent / "docs"
_BEGIN, _END = "<!-- made by make scale: begin -->", "<!-- made by make scale: end -->"


@dataclass(frozen=True)
class Cell:
    """One measurement."""

    workers: int
    clients: int
    answers: float  # a second
    over_p99_ms: float  # later than their budget
    refused: float  # share of all that was asked
    iterations: float  # a second


def machine() -> str:
    """What was measured on."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", info, re.MULTILINE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{found[1] if found else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB; {platform.system()} "
        f"{platform.release().partition('-')[0]}, Python {platform.python_version()}, grpcio {version('grpcio')}"
    )


def table(cells: Iterable[Cell]) -> str:
    rows = [
        "| workers | clients | answers/s | iterations/s | over budget, p99 | refused |",
        "|---|---|---|---|---|---|",
    ]
    rows += [
        f"| {c.workers} | {c.clients} | {c.answers:.1f} | {c.iterations:,.0f} "
        f"| {c.over_p99_ms:.0f} ms | {c.refused:.0%} |"
        for c in cells
    ]
    return "\n".join(rows)


def write(cells: Sequence[Cell], seconds: float, folder: Path) -> None:
    """Table and plot into the documentation."""
    page = folder / "performance.md"
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise SystemExit(f"{page}: expected a part between {_BEGIN!r} and {_END!r}, found none")
    workers = sorted({c.workers for c in cells})
    clients = sorted({c.clients for c in cells})
    lines = {f"{w} worker{'s' if w > 1 else ''}": [c.answers for c in cells if c.workers == w] for w in workers}
    (folder / "scale.svg").write_text(chart("Answers a second", clients, "clients", lines), encoding="utf-8")
    made = f"{machine()}. {seconds:g} s each.\n\n{table(cells)}\n\n![Answers a second](scale.svg)"
    page.write_text(f"{before}{_BEGIN}\n{made}\n{_END}{after}", encoding="utf-8")
