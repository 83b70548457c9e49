"""A judgement learned from nothing: `python -m learning.train --game moon_river` plays, learns, and writes the networks
into the game's folder.

Each round, all seats play by the network as it is (at a glance in the first ones), and it learns from the games of the
last few rounds; in the end its figures are set right by games of bots that think. What was done is kept, round by
round: the same command goes on where it was stopped. The same seed gives the same network on the same machine, wherever
the games were played.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from engine_cy import Generator
from engine_cy.errors import InputError
from engine_cy.judgement import Lesson
from engine_cy.registry import GAMES, rules_of
from engine_cy.rules import GameRules
from learning.lessons import jobs, read, settle, settling, work
from learning.network import Weights
from learning.selfplay import duel
from learning.training import Rows, bias_of, error_of, settled, train
from search.cluster import ADDRESSES, joined
from search.kept import code_version, write_whole

_FIRST, _SECOND = 64, 32  # the sizes of the layers
_REMEMBERED = 4  # rounds that are learned from
_TRUST = 0.9  # how much of the end is left in what a decision is said to bring, for each later thought
_RATE, _LAST_RATE = 1e-3, 1e-4  # of the first half of all rounds, and of the last one; between, by equal factors
_SETTLED_BY = 16  # of so many games as a round has, one in the end
_TESTED = 400  # games against judgement at a glance, at most

Map = Callable[[Callable[[str], str], Iterable[str]], Iterator[str]]


class Course:
    """One lesson and what was done of it, in a folder of its own."""

    def __init__(
        self, game: type[GameRules], lesson: Lesson, folder: Path, seed: int, rounds: int | None, games: int | None
    ) -> None:
        self.game, self.lesson, self.folder = game, lesson, folder / lesson.name
        self.seed, self.rounds, self.games = seed, rounds or lesson.rounds, games or lesson.games
        self.glances = [games or glances for glances in lesson.glances or (lesson.games,)]
        self.rules = rules_of(game.name, lesson.tables[0][1]).compiled
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def _curve_file(self) -> Path:
        return self.folder / "curve.json"

    @property
    def curve(self) -> list[dict[str, Any]]:
        """What every round brought."""
        return json.loads(self._curve_file.read_text(encoding="utf-8")) if self._curve_file.exists() else []

    def run(self, play: Map) -> bytes:
        """All rounds that are not done yet; the network of the last one."""
        for number in range(len(self.curve), self.rounds):
            self._round(number, play)
        made = {
            "by": f"make train GAME={self.game.name}",
            "lesson": self.lesson.name,
            "seed": self.seed,
            "rounds": self.rounds,
            "games": self.games,
            "version": code_version(),
            "curve": self.curve,
        }
        return self._settled(play).integers(made)

    def _settled(self, play: Map) -> Weights:
        """What was learned, set right by games of bots that think: what those say who judge by it is to come true."""
        weights = self._weights(self.rounds - 1)
        games = max(1, self.games // _SETTLED_BY)
        texts = settling(self.game.name, self.lesson, weights.integers({}), games, self.seed)
        seen = Rows.joined([read(text) for text in play(settle, texts)])
        right = settled(weights, seen)
        print(self.lesson.name, "settled:", *(f"{bias_of(each, seen):+.2f}" for each in (weights, right)), flush=True)
        return right

    def _round(self, number: int, play: Map) -> None:
        start = monotonic()
        weights = self._weights(number - 1)
        network = weights.integers({}) if number else b""
        trust = _TRUST if number else 1.0  # what those think who play at a glance nobody knows
        glance = number < len(self.glances)
        games = self.glances[number] if glance else self.games
        texts = jobs(self.game.name, self.lesson, network, glance, games, self.seed, number, trust)
        seen = Rows.joined([read(text) for text in play(work, texts)])
        unseen = error_of(weights, seen)
        _save(self.folder / f"rows-{number}.npz", seen)
        (self.folder / f"rows-{number - _REMEMBERED}.npz").unlink(missing_ok=True)
        first = max(0, number - _REMEMBERED + 1)
        known = Rows.joined([_load(self.folder / f"rows-{i}.npz") for i in range(first, number)] + [seen])
        train(weights, known, epochs=3 if number == 0 else 1, rate=_rate(number, self.rounds), seed=number)
        weights.save(self.folder / f"weights-{number}.npz")
        share, points, others = duel(
            self.rules.start(), Generator(self.seed, 1 << 60), weights.network(), None, min(_TESTED, self.games)
        )
        row = {
            "rows": len(seen),
            "error_of_new_rows": round(unseen, 2),
            "share_against_glance": round(share, 3),
            "points": round(points, 1),
            "theirs": round(others, 1),
        }
        write_whole(self._curve_file, (json.dumps([*self.curve, row], indent=1) + "\n").encode())
        print(self.lesson.name, number, row, f"{monotonic() - start:.0f} s", flush=True)

    def _weights(self, number: int) -> Weights:
        if number >= 0:
            return Weights.load(self.folder / f"weights-{number}.npz")
        return Weights.fresh(self.rules.features, _FIRST, _SECOND, self.rules.parts + 1, self.seed)


def _rate(number: int, rounds: int) -> float:
    half = rounds // 2
    return float(_RATE * (_LAST_RATE / _RATE) ** (max(0, number - half) / max(1, rounds - 1 - half)))


def _save(file: Path, rows: Rows) -> None:
    np.savez_compressed(file, x=rows.x, gain=rows.gain)


def _load(file: Path) -> Rows:
    with np.load(file, allow_pickle=False) as arrays:
        return Rows(arrays["x"], arrays["gain"])


@contextmanager
def workers(address: str | None, processes: int) -> Iterator[Map]:
    """Whatever plays: this process, some of this machine, or a cluster."""
    if address is not None:
        with joined(address) as cluster:
            yield cluster.map
    elif processes == 1:
        yield map
    else:
        with ProcessPoolExecutor(processes) as pool:
            yield partial(pool.map)


def main(arguments: Sequence[str] | None = None) -> None:
    learning = [name for name, game in GAMES.items() if game.judgement.lessons]
    parser = argparse.ArgumentParser(prog="learning.train", description=__doc__)
    parser.add_argument("--game", choices=learning, required=True)
    parser.add_argument("--lesson", help="only this one; else all of the game")
    parser.add_argument("--rounds", type=int, help="if not as many as the lesson says")
    parser.add_argument("--games", type=int, help="of a round, if not as many as the lesson says")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="that play at a time")
    parser.add_argument("--ray", metavar="ADDRESS", help=f"play over a Ray cluster: {ADDRESSES}")
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="where rounds are kept")
    parser.add_argument("--out", type=Path, help="the folder for the networks, if not the game's own")
    given = parser.parse_args(arguments)
    game = GAMES[given.game]
    lessons = [lesson for lesson in game.judgement.lessons if given.lesson in (None, lesson.name)]
    if not lessons:
        parser.error(f"--lesson: expected one of {', '.join(lesson.name for lesson in game.judgement.lessons)}")
    try:
        with workers(given.ray, given.processes) as play:
            for lesson in lessons:
                folder = given.work / given.game
                network = Course(game, lesson, folder, given.seed, given.rounds, given.games).run(play)
                out = (given.out or game.judgement.folder) / game.judgement.network_file(lesson.name).name
                out.write_bytes(network)
                print(f"{out}: {len(network)} bytes")
    except (InputError, ConnectionError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
