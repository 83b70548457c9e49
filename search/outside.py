"""Bots outside this process, by their specs: programs (``exec:``), and servers (``grpc:``), which a program asks."""

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import takewhile

from engine_cy.errors import OptionError
from search.player import Budget, Player
from search.program_player import ProgramPlayer
from search.settings import Reader, read, real, seconds, whole, word

_PATIENCE = 60.0  # seconds that an answer may be late, as a machine may be busy
_USUAL = Budget(seconds=0.1)
_GLANCE = Budget(iterations=1)  # of a level, whose choice takes what it takes: no figures are wanted beside it
_BEST = "max"

_PROGRAM: Mapping[str, Reader] = {"time": seconds, "iterations": whole, "patience": seconds}
# What the contract knows of a bot. It has no reference opponents.
_SERVER: Mapping[str, Reader] = {
    "time": seconds,
    "iterations": whole,
    "level": word,
    "personality": word,
    "insecure": whole,
    **dict.fromkeys(("exploration", "prior", "temperature", "win", "margin"), real),
}


@dataclass(frozen=True)
class Outside:
    """A bot that a program plays."""

    name: str
    command: tuple[str, ...]
    budget: Budget
    patience: float = _PATIENCE

    def player(self) -> Player:
        return ProgramPlayer(self.name, self.command, self.patience)


def _program(text: str) -> Outside:
    """``exec:[time=100ms] [iterations=50] [patience=60s] COMMAND``: without a limit the program knows its own."""
    try:
        words = shlex.split(text.partition(":")[2])
    except ValueError as error:
        raise OptionError("bot exec", f"a command ({error})", text) from error
    settings = list(takewhile(lambda word: word.partition("=")[0] in _PROGRAM and "=" in word, words))
    command = tuple(words[len(settings) :])
    if not command:
        raise OptionError("bot exec", "a command", text)
    given = read("exec", settings, _PROGRAM)
    budget = Budget(given.get("time"), given.get("iterations"))
    return Outside(text, command, budget, given.get("patience", _PATIENCE))


def _server(text: str) -> Outside:
    """``grpc:HOST:PORT[,level=max][,time=100ms][,iterations=50][,...]``."""
    address, *items = text.partition(":")[2].split(",")
    if not address.rpartition(":")[2].isdecimal():
        raise OptionError("bot grpc", "HOST:PORT, then settings, all with commas in between", text)
    given = read("grpc", items, _SERVER)
    budget = Budget(given.pop("time", None), given.pop("iterations", None))
    if budget == Budget():
        budget = _USUAL if given.get("level", _BEST) == _BEST else _GLANCE
    command = (sys.executable, "-m", "saloon.remote", address, json.dumps(given))
    return Outside(text, command, budget)


_KINDS: Mapping[str, Callable[[str], Outside]] = {"exec": _program, "grpc": _server}
OUTSIDE = tuple(_KINDS)


def outside(kind: str, text: str) -> Outside:
    """The bot of a whole spec of this kind."""
    return _KINDS[kind](text)
