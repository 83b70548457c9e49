"""How the service grows: `python -m load.scale` measures 1, 2 and 4 workers with 1 to 64 clients that ask for
suggestions; `--docs docs` writes table and plot, with what the machine is, into docs/performance.md."""

# Locust makes blocking calls cooperative when it is imported, which has to be before anything else.
import locust  # noqa: F401, I001

import argparse
from pathlib import Path
from typing import Any

from load.growth import Cell, write
from load.profiles import Profile
from load.run import play, service
from load.verdict import client_figures


def measure(workers: int, clients: int, seconds: float) -> Cell:
    profile = Profile(
        name=f"{workers} x {clients}",
        spawn_rate=float(clients),
        weights={"Suggester": 1},
        limits={},
        steps=[(seconds, clients)],
    )
    with service(profile, workers) as served:
        environment, usage = play(profile, served)
    figures = client_figures(environment.stats)
    asked = figures["methods"].get("over budget Bots/Suggest", {"calls": 0})["calls"]
    return Cell(
        workers,
        clients,
        asked / seconds,
        figures["overshoot_p99_ms"],
        figures["shed_share"],
        (usage.after.iterations - usage.before.iterations) / seconds,
    )


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=_numbers, default=[1, 2, 4], help="such as 1,2,4")
    parser.add_argument("--clients", type=_numbers, default=[1, 2, 4, 8, 16, 32, 64], help="such as 1,8,64")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--docs", type=Path, help="folder of performance.md, where it is to be written, too")
    arguments: Any = parser.parse_args()
    cells = []
    for workers in arguments.workers:
        for clients in arguments.clients:
            cells.append(measure(workers, clients, arguments.seconds))
            print(cells[-1], flush=True)
    if arguments.docs:
        write(cells, arguments.seconds, arguments.docs)


if __name__ == "__main__":
    main()
