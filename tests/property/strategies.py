"""Strategies: rules of every variant, games in progress, junk, and plain data that something happened to."""

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import note, settings
from hypothesis import strategies as st

from engine_cy import Game, GameRules, Generator, Happened
from tests.property.kinds import KINDS

SEEDS = st.integers(0, 2**64 - 1)


def examples(times: float) -> settings:
    """So many times the examples of the profile."""
    return settings(max_examples=round(settings().max_examples * times))


@st.composite
def variants(draw: st.DrawFn, game: str | None = None) -> GameRules:
    """The rules of a table: any variant of this game, or of any."""
    kind = KINDS[game or draw(st.sampled_from(sorted(KINDS)))]
    name = draw(st.sampled_from(list(kind.variants)))
    note(name)
    return kind.variants[name]


def take(game: Game, chooser: Generator) -> None:
    """Take a random decision."""
    game.decide(game.rules.decode(game.state.phase, game.state.sample(chooser)))


def play(game: Game, seed: int, decisions: int = 10_000) -> Game:
    """Take so many random decisions, or as many as there are."""
    chooser = Generator(seed, stream=1)
    for _ in range(decisions):
        if game.over:
            break
        take(game, chooser)
    return game


@st.composite
def games(draw: st.DrawFn, name: str | None = None) -> Game:
    """A seeded game in progress, waiting for a decision of any kind that comes up in it, or over."""
    rules, seed = draw(variants(name)), draw(SEEDS)
    waits: dict[str, list[int]] = {}
    game, chooser = Game(rules, seed), Generator(seed, stream=1)
    for decisions in range(10_000):
        waits.setdefault(game.phase, []).append(decisions)
        if game.over:
            break
        take(game, chooser)
    decisions = draw(st.sampled_from(waits[draw(st.sampled_from(sorted(waits)))]))
    note(f"seed {seed}, {decisions} decisions")
    return play(Game(rules, seed), seed, decisions)


def retold(game: Game, events: int | None = None) -> Game:
    """The same game without a seed, up to an event; its hidden orders need not be the same."""
    other = Game(game.rules)
    for event in game.history[:events]:
        other.play(event)
    return other


@st.composite
def told_games(draw: st.DrawFn) -> Game:
    """A game without a seed; half of them wait for chance, for any event of it."""
    game = draw(games())
    waits: dict[str, list[int]] = {"": [len(game.history)]}
    for i, event in enumerate(game.history):
        if isinstance(event, Happened):
            waits.setdefault(event.what, []).append(i)
    what = draw(st.one_of(st.just(""), st.sampled_from(sorted(waits))))
    return retold(game, draw(st.sampled_from(waits[what])))


VARIANTS = {name: rules for kind in KINDS.values() for name, rules in kind.variants.items()}
any_games = st.one_of(games(), told_games())

# ---- Things from outside

WORDS = sorted({word for kind in KINDS.values() for word in kind.words})
words = st.sampled_from(WORDS)
numbers = st.one_of(
    st.integers(-2, 70), st.integers(), st.sampled_from([255, 256, 2**31, 2**32, 2**63, 2**64, -(2**63)])
)
scalars = st.one_of(st.none(), st.booleans(), numbers, st.floats(), st.text(max_size=8), words)


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.one_of(words, st.text(max_size=4))
    return st.one_of(st.lists(inner, max_size=6), st.dictionaries(keys, inner, max_size=4))


plain = st.recursive(scalars, _nested, max_leaves=12)  # what JSON can say, and a little more: NaN, infinities
junk = st.one_of(plain, st.builds(object), st.tuples(plain, plain))


def replaced(old: Any) -> st.SearchStrategy[Any]:
    """Something of the same type that is near, or often not."""
    match old:
        case bool():
            return st.just(not old)
        case int():
            return st.one_of(st.sampled_from([old - 1, old + 1]), st.integers(0, 12), st.none(), numbers)
        case str():
            return words
        case None:
            return st.one_of(st.integers(0, 12), words, st.lists(st.integers(0, 4), min_size=2, max_size=2))
    return plain


def _place(draw: st.DrawFn, data: Any) -> tuple[Any, Any]:
    """A list or table somewhere in the data, and a place in it."""
    while True:
        key = draw(st.sampled_from(list(data) if isinstance(data, dict) else range(len(data))))
        child = data[key]
        if not isinstance(child, dict | list) or not child or draw(st.integers(0, 3)) == 0:
            return data, key
        data = child


def _replace(draw: st.DrawFn, data: Any) -> None:
    at, key = _place(draw, data)
    at[key] = draw(replaced(at[key]))


def _spoil(draw: st.DrawFn, data: Any) -> None:
    at, key = _place(draw, data)
    at[key] = draw(plain)


def _delete(draw: st.DrawFn, data: Any) -> None:
    at, key = _place(draw, data)
    del at[key]


def _repeat(draw: st.DrawFn, data: Any) -> None:
    at, key = _place(draw, data)
    if isinstance(at, list):
        at.insert(key, copy.deepcopy(at[key]))
    else:
        at[draw(words)] = copy.deepcopy(at[key])


def _swap(draw: st.DrawFn, data: Any) -> None:
    (at, key), (other, place) = _place(draw, data), _place(draw, data)
    at[key], other[place] = copy.deepcopy(other[place]), copy.deepcopy(at[key])


def _lists(data: Any) -> list[list[Any]]:
    inside = list(data.values()) if isinstance(data, dict) else data if isinstance(data, list) else []
    return [data] * isinstance(data, list) + [found for child in inside for found in _lists(child)]


def _move(draw: st.DrawFn, data: Any) -> None:
    lists = _lists(data)
    source, target = (draw(st.sampled_from(lists)) if lists else [] for _ in range(2))
    if source:
        piece = source.pop(draw(st.integers(0, len(source) - 1)))
        target.append(copy.deepcopy(piece))


_EDITS: list[Callable[[st.DrawFn, Any], None]] = [_replace, _replace, _spoil, _delete, _repeat, _swap, _move, _move]


@st.composite
def damaged(draw: st.DrawFn, data: Any, edits: int = 3) -> Any:
    """A copy of plain data (a table or list that is not empty) after a few accidents."""
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, edits))):
        if data:
            draw(st.sampled_from(_EDITS))(draw, data)
    return data
