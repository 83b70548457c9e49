"""What the judgement of a game goes by, as data beside its code.

worth.toml holds the weights, in the order of its state.pxd; personalities.toml what each way to play weighs
differently; NAME.network what was learned in the lesson of that name.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from engine_cy.checks import Checker
from engine_cy.errors import OptionError
from engine_cy.network import Network

check = Checker(OptionError)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one network learns from: so many games in each of so many rounds, at these tables, given by their options,
    each with its part of them. In the first rounds all play at a glance, with a number of games for each (none: one
    round like the others). One in `tried` decisions is taken with so much noise, in temperatures of the game, and one
    in `kept` is learned from."""

    name: str
    games: int
    tables: Sequence[tuple[float, Mapping[str, Any]]]
    glances: Sequence[int] = ()
    tried: int = 20
    noise: float = 0.5
    kept: int = 12
    rounds: int = 14


class Judgement:
    """The judgement of one game; its folder has the data. Weights are tuned at these tables, given by their options;
    one that is named twice counts twice."""

    def __init__(self, folder: Path, tables: Sequence[Mapping[str, Any]], lessons: Sequence[Lesson] = ()) -> None:
        self.folder = folder
        self.tables = tables
        self.lessons = lessons
        self._networks: dict[str, Network | None] = {}

    def _read(self, name: str) -> dict[str, Any]:
        return tomllib.loads((self.folder / name).read_text(encoding="utf-8"))

    @property
    def worth_file(self) -> Path:
        return self.folder / "worth.toml"

    @cached_property
    def standard(self) -> dict[str, float]:
        return self._read("worth.toml")

    @cached_property
    def personalities(self) -> dict[str, dict[str, float]]:
        return self._read("personalities.toml")

    def network_file(self, lesson: str) -> Path:
        return self.folder / f"{lesson}.network"

    def network(self, lesson: str) -> Network | None:
        """What was learned in this lesson, or None before anything was."""
        if lesson not in self._networks:
            file = self.network_file(lesson)
            self._networks[lesson] = Network(file.read_bytes()) if file.exists() else None
        return self._networks[lesson]

    def rows(self, weights: Any, players: int) -> list[list[float]]:
        """Every seat's weights, in the order of the game's state.pxd; those not given (all, for None) are the standard
        ones."""
        rows = []
        given = [{}] * players if weights is None else check.items(weights, "weights", players, players)
        for seat, own in enumerate(given):
            at = f"weights[{seat}]"
            for name, value in check.table(own, at, (), self.standard).items():
                if type(value) not in (int, float) or not -1000 <= value <= 1000:  # False for what is not a number
                    raise OptionError(f"{at}.{name}", "a number from -1000 to 1000", value)
            rows.append([float(own.get(name, value)) for name, value in self.standard.items()])
        return rows
