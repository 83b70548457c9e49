"""The search signature: one hash over searches of fixed positions. It changes when the search does, and only then.

If the change is meant, write it anew with `python -m tests.search.test_signature` and say in the commit what changed.
"""

import hashlib
from pathlib import Path
from typing import Any

from engine_cy import Game, Generator
from search.ismcts import Search
from tests.tables import advance, tables

PATH = Path(__file__).parent / "signature.txt"
PLIES = (0, 12, 30, 60, 90)
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"glances": 50},
    {"prior": 0.0, "informed": 0, "exploration": 0.7},
    {"flat": True, "informed": 1, "win": 0.0},
)


def signature() -> str:
    digest = hashlib.sha256()
    for name, rules in tables().items():
        for plies in PLIES:
            game = advance(Game(rules, 7), Generator(7, stream=1), plies)
            if game.seat is None:
                continue
            for settings in SETTINGS:
                search = Search(game.state.observe(game.seat), 11, **settings)
                search.run(150)
                rows = [(code, outcome.visits, outcome.reward.hex()) for code, outcome in search.outcomes().items()]
                digest.update(repr((name, plies, rows, search.nodes, search.depth)).encode())
    return digest.hexdigest()


def test_signature() -> None:
    assert signature() == PATH.read_text(encoding="utf-8").strip()


if __name__ == "__main__":
    PATH.write_text(signature() + "\n", encoding="utf-8")
