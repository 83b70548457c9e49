"""Bots and budgets of requests: read, checked, and written back so that an answer can be had again."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from saloon_client.v1 import bots_pb2 as pb

from engine_cy.errors import InputError
from engine_cy.registry import GAMES
from engine_cy.rules import GameRules
from search.player import Budget, Player
from search.simple_players import LevelPlayer, levels
from search.specs import RANGES, searching
from wire.naming import Words

BEST = "max"
SUGGESTIONS = 5  # unless the request says how many
_KNOBS = ("exploration", "prior", "temperature", "win", "margin")
_MOST_ITERATIONS = 100_000_000


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot as requests name it, and the seed of its luck; it makes its player."""

    level: str = BEST
    personality: str = ""
    search: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0

    def player(self) -> Player:
        if self.level != BEST:
            return LevelPlayer(levels()[self.level])
        return searching(self.personality or None, self.search)

    @property
    def iterations(self) -> int | None:
        """What each decision of a level takes, if its budget leaves it the time; None for the best, which uses all of
        it."""
        return None if self.level == BEST else max(1, levels()[self.level].most_iterations)


def read_bot(message: pb.BotSettings, at: str, rules: GameRules | None) -> Bot:
    """The bot of a request; a seed of its own if none is given. Without rules its personality is one of any game's, and
    left to be checked."""
    bot = Bot(
        level=message.level or BEST,
        personality=message.personality,
        search=_search(message.search, f"{at}.search"),
        seed=message.seed if message.HasField("seed") else secrets.randbits(63),
    )
    if bot.level not in levels():
        raise InputError(f"{at}.level", f"one of {', '.join(levels())}", bot.level)
    _check_personality(bot, at, _personalities() if rules is None else rules.personalities())
    if bot.level != BEST and (bot.search or bot.personality):
        raise InputError(f"{at}.level", f"{BEST} with a personality or search settings", Words(bot.level))
    return bot


def _search(message: pb.SearchSettings, at: str) -> dict[str, float]:
    knobs = {}
    for name in _KNOBS:
        low, high = RANGES[name]
        if message.HasField(name):  # type: ignore[arg-type]
            knobs[name] = getattr(message, name)
            if not low <= knobs[name] <= high:
                raise InputError(f"{at}.{name}", f"{low:g} to {high:g}", knobs[name])
    return knobs


def check_personality(bot: Bot, at: str, rules: GameRules) -> None:
    """That the game knows it."""
    _check_personality(bot, at, rules.personalities())


def _personalities() -> Sequence[str]:
    return sorted({name for game in GAMES.values() for name in game.personalities()})


def _check_personality(bot: Bot, at: str, known: Sequence[str]) -> None:
    if bot.personality and bot.personality not in known:
        raise InputError(f"{at}.personality", f"one of {', '.join(known)}", bot.personality)


def bot_message(bot: Bot) -> pb.BotSettings:
    settings = pb.BotSettings(level=bot.level, personality=bot.personality, seed=bot.seed)
    if bot.search:
        settings.search.CopyFrom(pb.SearchSettings(**bot.search))
    return settings


def read_budget(message: pb.Budget, at: str) -> Budget:
    """The seconds and the iterations that are asked for."""
    seconds: float | None = None
    if message.HasField("time"):
        seconds = message.time.seconds + message.time.nanos / 1e9
        if not 0.001 <= seconds <= 86_400:
            raise InputError(f"{at}.time", "1 ms to 24 h", Words(f"{seconds} s"))
    if not message.HasField("iterations"):
        return Budget(seconds)
    if not 1 <= message.iterations <= _MOST_ITERATIONS:
        raise InputError(f"{at}.iterations", f"1 to {_MOST_ITERATIONS}", message.iterations)
    return Budget(seconds, message.iterations)
