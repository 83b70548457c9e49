"""How the service grows with workers and clients, as a part of docs/performance.md."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from load.chart import chart
from load.pages import machine, put


@dataclass(frozen=True)
class Cell:
    """One measurement."""

    workers: int
    clients: int
    answers: float  # a second
    over_p99_ms: float  # later than their budget
    refused: float  # share of all that was asked
    iterations: float  # a second


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
    workers = sorted({c.workers for c in cells})
    clients = sorted({c.clients for c in cells})
    lines = {f"{w} worker{'s' if w > 1 else ''}": [c.answers for c in cells if c.workers == w] for w in workers}
    (folder / "scale.svg").write_text(chart("Answers a second", clients, "clients", lines), encoding="utf-8")
    put(
        folder,
        "make scale",
        f"{machine()}. {seconds:g} s each.\n\n{table(cells)}\n\n![Answers a second](scale.svg)",
    )
