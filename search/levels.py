"""Measuring the levels: `python -m search.levels` plays every level against the one below and writes levels.json."""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from engine_cy.errors import InputError
from search.arena import Match, run
from search.cluster import ADDRESSES, Workers, joined
from search.plot import climbs
from search.simple_players import levels
from search.stats import elo, interval

# The options of the tables at which levels are measured.
TABLES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "moon_river": (
        {"players": 2},
        {"players": 3},
        {"players": 4},
        {"players": 4, "legends": True, "scenario": "gold_rush"},
    ),
    "goldgraeber": ({"players": 3}, {"players": 4}, {"players": 6}),
}
_SHORT = 250  # iterations for which as many games are played as without a search
_LEAST_GAMES = 100
MEASURED = Path(__file__).parent / "levels.json"
PICTURE = Path(__file__).parent.parent / "docs" / "levels.svg"


def measure(
    game: str, options: Mapping[str, Any], games: int, jobs: int, workers: Workers | None = None
) -> dict[str, dict[str, Any]]:
    """By level: its share against the level below, with its interval, and its rating (level 1 is 0)."""
    seats = options["players"]
    rows: dict[str, dict[str, Any]] = {next(iter(levels())): {"rating": 0.0}}
    rating = 0.0
    for below, name in pairwise(levels()):
        match = Match(game, dict(options), f"level:{name}", f"level:{below}", seed=7)
        slower = 1 + levels()[name].efforts[game].iterations // _SHORT
        number = max(_LEAST_GAMES, games // slower) // seats * seats
        shares = [played.share for played in run(match, range(number), jobs, workers=workers)]
        share = sum(shares) / len(shares)
        low, high = interval(shares, seats)
        rating += elo(min(max(share, 0.01), 0.99), seats) or 0.0
        rows[name] = {
            "beats_below": round(share, 3),
            "ci95": [round(low, 3), round(high, 3)],
            "games": len(shares),
            "rating": round(rating, 0),
        }
        print(name, rows[name], flush=True)
    return rows


@dataclass(frozen=True, slots=True)
class Measured:
    """How strong the levels are at one table."""

    game: str
    options: Mapping[str, Any]
    levels: Mapping[str, Mapping[str, Any]]  # as `measure` says

    @property
    def title(self) -> str:
        return ", ".join([self.game, f"{self.options['players']} players", *self.more_options])

    @property
    def more_options(self) -> list[str]:
        """Beside the players, in words."""
        others = {name: value for name, value in self.options.items() if name != "players"}
        return [name if value is True else f"{name} {value}" for name, value in others.items()]


def measured() -> list[Measured]:
    """What was measured last."""
    return [Measured(**table) for table in json.loads(MEASURED.read_text(encoding="utf-8"))]


def _keep(new: Measured) -> None:
    """In the place of what was measured at the same table."""
    known = {(table.game, json.dumps(table.options)): table for table in [*measured(), new]}
    order = [(game, json.dumps(options)) for game, tables in TABLES.items() for options in tables]
    report = [asdict(known[key]) for key in order if key in known]
    MEASURED.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    PICTURE.write_text(picture(measured()), encoding="utf-8")


def picture(tables: Iterable[Measured]) -> str:
    """How the levels climb, as SVG."""
    lines = {table.title: [row["rating"] for row in table.levels.values()] for table in tables}
    return climbs(lines, list(levels()), "Rating of the levels; 100 points: 64 % of games of two")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--jobs", type=int, help="games at a time; 2, or over Ray as many as it has cores for")
    parser.add_argument("--ray", metavar="ADDRESS", help=f"play over a Ray cluster: {ADDRESSES}")
    parser.add_argument("--game", choices=TABLES, help="only this one; the others stay as they are")
    parser.add_argument("--players", type=int, help="only tables with so many")
    arguments = parser.parse_args()
    try:
        with joined(arguments.ray, arguments.jobs) if arguments.ray else nullcontext() as workers:
            for game in [arguments.game] if arguments.game else TABLES:
                for options in TABLES[game]:
                    if arguments.players in (None, options["players"]):
                        print(game, json.dumps(options), flush=True)
                        rows = measure(game, options, arguments.games, arguments.jobs or 2, workers)
                        _keep(Measured(game, options, rows))
    except (InputError, ConnectionError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
