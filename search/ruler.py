"""A ruler: decisions with the worth of every move, frozen in a file, to measure bots by (docs/strength.md)."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from engine_cy.errors import InputError
from engine_cy.game import View
from engine_cy.registry import game_class
from engine_cy.rules import GameRules
from search.kept import write_whole
from search.valuing import MEASURES, Move, Valued

VERSION = 1
FOLDER = Path(__file__).parent.parent / "benchmarks" / "regret"


@dataclass(frozen=True, slots=True)
class Position:
    """A decision as its seat sees it, and where it comes from."""

    seat: int
    kind: str  # the game's name of the phase
    third: int  # of its game: 1, 2 or 3
    game: int  # of those that were played; decisions of one game are not independent
    weight: float  # how much more often such decisions come in games than in the ruler
    options: str  # what `options_of` says
    position: dict[str, Any]

    def view(self, rules: GameRules) -> View:
        """What the seat sees; InputError if these rules read the position otherwise than those that wrote it."""
        view = View.at(rules, self.position, self.seat)
        if view.seat != self.seat or options_of(view) != self.options:
            raise InputError("ruler", "a position with the options it was made with; make the ruler anew", self.kind)
        return view


@dataclass(frozen=True)
class Header:
    """How a ruler was made."""

    game: str
    options: dict[str, Any]
    components: str  # their digest
    valuer: str
    visits: int
    sources: list[str]
    games: int
    seed: int
    decisions: int
    decisions_a_seat: float  # in a whole game, of those with a choice
    code: str  # the version that made it

    @cached_property
    def rules(self) -> GameRules:
        """Those it was made for; InputError if they are others now."""
        rules = game_class(self.game).from_options(self.options)
        if rules.component_hash != self.components:
            raise InputError("ruler", f"made with the component set of today, {rules.component_hash}", self.components)
        return rules


@dataclass(frozen=True)
class Ruler:
    header: Header
    positions: list[Position]
    values: list[Valued]  # of the first positions; of all, once it is finished


def options_of(view: View) -> str:
    """A short name for the options in their order, by which values are told apart."""
    text = json.dumps([decision.to_list() for decision in view.decisions()])
    return blake2b(text.encode(), digest_size=6).hexdigest()


def name_of(rules: GameRules) -> str:
    """Game, players, and every option that is not as usual, such as ``moon_river-4-legends-gold_rush``."""
    usual = type(rules).from_options({"players": rules.players}).options()
    parts = [rules.name, str(rules.players)]
    for name, value in rules.options().items():
        if isinstance(value, bool) and value != usual[name]:
            parts.append(name)
        elif isinstance(value, str) and value != usual[name]:
            parts.append(value)
    return "-".join(parts)


def usual_path(rules: GameRules) -> Path:
    return FOLDER / f"{name_of(rules)}.jsonl.gz"


def lines(ruler: Ruler) -> Iterator[str]:
    """Its file, line by line: the header, the positions, what their moves are worth."""
    yield _text({"saloon_ruler": VERSION, **asdict(ruler.header)})
    yield from (_text(asdict(position)) for position in ruler.positions)
    yield from (value_line(value) for value in ruler.values)


def value_line(value: Valued) -> str:
    """Best by measure, then every move: losses by measure, the error of the first, visits."""
    moves = [[*(round(loss, 3) for loss in move.loss), round(move.error, 3), move.visits] for move in value.moves]
    return _text([[round(best, 3) for best in value.best], moves])


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


def parsed(texts: Iterable[str]) -> Ruler:
    """A ruler from its lines; InputError if they are none. It may lack values, and the last line may be cut off."""
    try:
        first, *rest = list(texts)
        data = json.loads(first)
        version = data.pop("saloon_ruler")
        if version != VERSION:
            raise InputError("ruler", f"version {VERSION}; make it anew", version)
        header = Header(**data)
        positions = [Position(**json.loads(text)) for text in rest[: header.decisions]]
        if len(positions) != header.decisions:
            raise ValueError(f"{len(positions)} positions")
        return Ruler(header, positions, list(_values(rest[header.decisions :])))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("ruler", "a file that make ruler wrote", str(error)) from error


def _values(texts: Iterable[str]) -> Iterator[Valued]:
    for text in texts:
        if not text.endswith("]\n"):  # the work ended while it was written
            return
        best, moves = json.loads(text)
        n = len(MEASURES)
        yield Valued(tuple(best), tuple(Move(tuple(row[:n]), row[n], row[n + 1]) for row in moves))


def load(path: Path) -> Ruler:
    """A finished ruler; InputError says what is wrong with another file, OSError that there is none."""
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8")
    except (EOFError, ValueError, gzip.BadGzipFile) as error:
        raise InputError("ruler", "a file that make ruler wrote", str(path)) from error
    ruler = parsed(text.splitlines(keepends=True))
    if len(ruler.values) != len(ruler.positions):
        raise InputError("ruler", f"values of {len(ruler.positions)} decisions", len(ruler.values))
    return ruler


def save(ruler: Ruler, path: Path) -> None:
    """The same ruler gives the same bytes."""
    text = "".join(f"{line}\n" for line in lines(ruler))
    write_whole(path, gzip.compress(text.encode("utf-8"), mtime=0))
