"""Measuring the levels: `python -m search.levels` plays every level against the one below and writes levels.json."""

import argparse
import json
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

from engine_cy.errors import InputError
from search.arena import Match, run
from search.cluster import ADDRESSES, Workers, joined
from search.simple_players import levels
from search.stats import elo, interval

_MEASURED = {"moon_river": (2, 4), "goldgraeber": (4,)}  # by game, with so many players
MEASURED = Path(__file__).parent / "levels.json"


def measure(
    game: str, options: dict[str, Any], games: int, jobs: int, workers: Workers | None = None
) -> dict[str, dict[str, Any]]:
    """By level: its share against the level below, with its interval, and its rating (level 1 is 0)."""
    seats = options["players"]
    names = list(levels())
    rows: dict[str, dict[str, Any]] = {names[0]: {"rating": 0.0}}
    rating = 0.0
    for below, name in pairwise(names):
        match = Match(game, options, f"level:{name}", f"level:{below}", seed=7)
        slower = 1 + levels()[name].iterations // 60  # fewer games where a game takes long, but no less than 100
        number = int(max(100, games // slower)) // seats * seats
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


def measured() -> dict[str, Any]:
    """What was measured last, by game and number of players."""
    return dict(json.loads(MEASURED.read_text(encoding="utf-8")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--jobs", type=int, help="games at a time; 2, or over Ray as many as it has cores for")
    parser.add_argument("--ray", metavar="ADDRESS", help=f"play over a Ray cluster: {ADDRESSES}")
    parser.add_argument("--game", choices=_MEASURED, help="only this one; the others stay as they are")
    arguments = parser.parse_args()
    report = measured() if arguments.game else {}
    try:
        with joined(arguments.ray, arguments.jobs) if arguments.ray else nullcontext() as workers:
            for game in [arguments.game] if arguments.game else _MEASURED:
                report[game] = {
                    str(n): measure(game, {"players": n}, arguments.games // n * 2, arguments.jobs or 2, workers)
                    for n in _MEASURED[game]
                }
    except (InputError, ConnectionError) as error:
        parser.error(str(error))
    MEASURED.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
