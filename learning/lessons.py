"""Games to learn from, as jobs for workers: texts in, texts out."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any
from zlib import compress, decompress

import numpy as np

from engine_cy import Generator
from engine_cy.judgement import Lesson
from engine_cy.network import Network, described
from engine_cy.registry import rules_of
from learning.selfplay import play
from learning.training import Rows
from search.arena import play as play_with_bots
from search.arena import replayed
from search.specs import spec

_GAMES = 100  # of a job
_MOST_ROWS = 256  # of a game that are kept
_THINKING = "ismcts:iterations=100"  # who plays when what was learned is set right
_SEEN = 12  # of so many decisions there one is kept
_SETTLING = 1 << 44  # the stream that chooses it


@dataclass(frozen=True, slots=True)
class Job:
    """Some games of one table."""

    game: str
    options: dict[str, Any]
    network: str  # what is thought, in base 64; empty: nothing yet
    glance: bool  # all decide at a glance, else by the network
    seed: int
    stream: int
    games: int
    trust: float
    tried: int
    noise: float
    kept: int


def jobs(
    game: str, lesson: Lesson, network: bytes, glance: bool, games: int, seed: int, number: int, trust: float
) -> Iterator[str]:
    """Round `number` of a lesson, as texts; each table gets its part of the games."""
    stream = number << 20
    for part, options in lesson.tables:
        left = round(part * games)
        while left > 0:
            job = Job(
                game, dict(options), b64encode(network).decode(), glance, seed, stream, min(left, _GAMES), trust,
                lesson.tried, lesson.noise, lesson.kept,
            )  # fmt: skip
            yield json.dumps(asdict(job))
            left -= _GAMES
            stream += 1


def work(text: str) -> str:
    """A worker's part: play the games of a job, and say what was seen."""
    job = Job(**json.loads(text))
    rules = rules_of(job.game, job.options).compiled
    network = Network(b64decode(job.network)) if job.network else None
    room = job.games * _MOST_ROWS
    x = np.zeros((room, rules.features), np.uint8)
    gain = np.zeros((room, rules.parts), np.float32)
    n = play(
        rules.start(), Generator(job.seed, job.stream), network, job.games, job.trust, x, gain,
        glance=job.glance, tried=job.tried, noise=job.noise, kept=job.kept,
    )  # fmt: skip
    return " ".join([str(n), _written(x[:n]), _written(gain[:n])])


def settling(game: str, lesson: Lesson, network: bytes, games: int, seed: int) -> Iterator[str]:
    """Games of bots that think with what was learned, as texts; each table gets its part of them."""
    deal = 0
    for part, options in lesson.tables:
        for _ in range(max(1, round(part * games))):
            yield json.dumps([game, options, b64encode(network).decode(), seed, deal])
            deal += 1


def settle(text: str) -> str:
    """A worker's part: one game, and what its seats saw now and then, with what they got after."""
    game, options, network, seed, deal = json.loads(text)
    rules = rules_of(game, options)
    rules.compiled.network = Network(b64decode(network))
    played = play_with_bots(rules, [spec(_THINKING)] * rules.players, seed, deal, deal)
    luck = Generator(seed, _SETTLING + deal)
    seen = []
    for again, _ in replayed(played):
        if luck.below(_SEEN) == 0:
            seen += [(seat, *described(again.state, seat)) for seat in range(rules.players)]
    ends = [described(played.state, seat)[1] for seat in range(rules.players)]
    x = np.array([list(counts) for _, counts, _ in seen], np.uint8)
    gain = np.array([np.subtract(ends[seat], now) for seat, _, now in seen], np.float32)
    return " ".join([str(len(seen)), _written(x), _written(gain)])


def _written(array: np.ndarray[Any, Any]) -> str:
    return b64encode(compress(array.tobytes(), 1)).decode()


def read(text: str) -> Rows:
    """What a worker said."""
    n, x, gain = text.split(" ")
    return Rows(
        np.frombuffer(decompress(b64decode(x)), np.uint8).reshape(int(n), -1),
        np.frombuffer(decompress(b64decode(gain)), np.float32).reshape(int(n), -1),
    )
