"""What not everybody may know stays hidden (MR-7, GG-2, GG-20), and is guessed evenly."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from math import sqrt
from typing import Any

import pytest
from hypothesis import given

from engine_cy import Game, Generator, Happened, MoonRiver, MoonRiverComponents, View
from engine_cy.network import expected, leads
from tests.property.invariants import check
from tests.property.kinds import kind_of
from tests.property.moon_river import rules_of
from tests.property.strategies import SEEDS, any_games, examples, games, play, retold
from tests.unit.moon_river.table import standard_data


def views(game: Game) -> list[View]:
    """What every seat sees."""
    return [game.observe(seat) for seat in range(game.rules.players)]


def public(game: Game | View) -> dict[str, Any]:
    """The position without what not everybody may know."""
    return kind_of(game).public(game.position())


def deciding(game: Game) -> list[View]:
    """What the seats see that know all that the one knows which has to decide; where nobody has a secret, all do."""
    return [view for view in views(game) if not game.rules.private_facts or view.viewer == game.seat]


# ---- One game, many eyes


@examples(3)
@given(any_games, SEEDS)
def test_a_guess_changes_nothing_that_the_seat_sees(game: Game, seed: int) -> None:
    """Observing a determinization gives the observation back, byte for byte; no piece comes or goes."""
    pieces = kind_of(game).pieces
    for view in views(game):
        guess = view.state.determinize(Generator(seed))
        assert guess.viewer is None
        assert bytes(guess.observe(view.viewer)) == bytes(view.state)
        guessed = Game.at(game.rules, game.rules.position(guess))
        assert public(guessed) == public(game) == public(view)
        assert pieces(guessed.position()) == pieces(game.position())
        if not game.chance:
            assert bytes(view.determinize(seed).state) == bytes(guess)


@examples(3)
@given(games(), SEEDS, SEEDS)
def test_different_hidden_orders_look_the_same(game: Game, one: int, other: int) -> None:
    """The seeded game, guesses at it and the same game told event by event: one observation for every seat."""
    told = retold(game)
    for view in views(game):
        seen = bytes(view.state)
        assert bytes(told.observe(view.viewer).state) == seen
        for seed in (one, other):
            assert bytes(view.determinize(seed).observe(view.viewer).state) == seen
        assert view == told.observe(view.viewer)
        assert json.dumps(view.position()) == json.dumps(told.observe(view.viewer).position())


@given(any_games)
def test_every_seat_sees_the_same_table(game: Game) -> None:
    """But for what it has looked at itself."""
    for view in views(game):
        assert public(view) == public(game)
        assert public(game.spectate()) == public(game)


@given(games("moon_river"))
def test_two_orders_are_hidden(game: Game) -> None:
    """MR-7: all other information is public; the pile is shown sorted."""
    for view in views(game):
        position = view.position()
        assert position == views(game)[0].position()
        assert position["pile"] == sorted(position["pile"])


@examples(2)
@given(any_games, SEEDS)
def test_a_view_offers_what_the_game_offers(game: Game, seed: int) -> None:
    """Decisions, whose they are, results and, where nobody has a secret, text are the same for the game, a view and a
    guess."""
    for view in views(game):
        others: list[Game | View] = [view] if game.chance else [view, view.determinize(seed)]
        for other in others:
            assert (other.phase, other.seat, other.chance, other.over) == (
                game.phase, game.seat, game.chance, game.over,
            )  # fmt: skip
            assert other.decisions() == game.decisions()
            assert (other.scores(), other.ranking()) == (game.scores(), game.ranking())
            assert game.rules.private_facts or str(other) == str(game)
        check(view)


@examples(2)
@given(any_games, SEEDS)
def test_a_seat_foresees_what_it_will_see(game: Game, seed: int) -> None:
    """What follows from a decision, up to the next chance event, is public; and so is any judgement of it. Where
    seats have secrets, a chip that others know is chance to a view, and what it shows is not foreseen."""
    for view in deciding(game):
        guess = view.state.determinize(Generator(seed))
        for code in game.state.codes()[:10]:
            after = view.state.after(code)
            if game.rules.private_facts and game.rules.phase_name(after.phase) == "chip":
                continue
            assert bytes(game.state.after(code).observe(view.viewer)) == bytes(after)
            assert bytes(guess.after(code).observe(view.viewer)) == bytes(after)
        assert [code for code, _ in view.state.appraise()] == game.state.codes()
        assert view.state.appraise() == game.state.appraise() == guess.appraise()
        if game.rules.compiled.network is not None:
            assert leads(view.state) == leads(game.state) == leads(guess)
            assert expected(view.state) == expected(game.state) == expected(guess)


@examples(2)
@given(games(), SEEDS, SEEDS)
def test_nothing_hidden_matters_once_the_game_is_determined(game: Game, one: int, other: int) -> None:
    """Then the same decisions lead to the same end whatever the hidden orders, and no chance event comes."""
    if game.state.determined:
        ends = [play(game.observe(0).determinize(seed), 1) for seed in (one, other)]
        assert public(ends[0]) == public(ends[1])
        assert ends[0].history == ends[1].history
        assert not any(isinstance(event, Happened) for event in ends[0].history)
    else:
        assert game.position()["phase"] != "over"


@given(any_games)
def test_a_view_refuses_to_go_on(game: Game) -> None:
    """Neither decisions nor chance: what would come next is not known. Nor can a seat look through other eyes."""
    for view in views(game):
        state, before = view.state, bytes(view.state)
        calls: dict[str, Callable[[], object]] = {
            "apply": partial(state.apply, *state.codes()[:1] or [0]),
            "draw": partial(state.draw, Generator(1)),
            "reveal": partial(state.reveal, state.phase, [0, 0, 0, 0]),
            "playout": partial(state.playout, Generator(1)),
            "observe": partial(state.observe, (view.viewer + 1) % game.rules.players),
        }
        for name, call in calls.items():
            with pytest.raises(ValueError, match=name):
                call()
        assert bytes(view.state) == before
        assert set(vars(view)) == {"rules", "state"}
        assert not {"decide", "reveal", "copy", "history", "generator"} & set(dir(view))
        assert bytes(view.state.observe(view.viewer)) == before


@given(any_games)
def test_only_a_view_is_guessed(game: Game) -> None:
    """A full state is not to be shuffled by mistake."""
    with pytest.raises(ValueError, match="full state"):
        game.state.determinize(Generator(1))


@given(games(), SEEDS)
def test_a_guess_is_a_game(game: Game, seed: int) -> None:
    """It has one future for a seed, and is sound to the end; it cannot pass for a record of the game."""
    view = game.observe(0)
    one, other = (play(view.determinize(seed), seed) for _ in range(2))
    assert one == other
    assert not one.from_start
    check(one)


@given(any_games)
def test_a_view_can_be_written_down(game: Game) -> None:
    """View.at reads the position of the view, and that of the game, as the same view."""
    for view in views(game):
        for position in (view.position(), game.position()):
            assert View.at(game.rules, position, view.viewer) == view


# ---- Evenly


def unlikely(degrees: int) -> float:
    """What chi-square exceeds with a probability of about 3e-5 (Wilson and Hilferty)."""
    share = 2 / (9 * degrees)
    return degrees * (1 - share + 4 * sqrt(share)) ** 3


def assert_even(seen: Iterable[Any], kinds: int) -> None:
    """As many different things as expected, all equally often."""
    counts = Counter(seen)
    assert len(counts) == kinds
    mean = counts.total() / kinds
    assert sum((n - mean) ** 2 for n in counts.values()) / mean < unlikely(kinds - 1)


def small_game(plots: list[int], tokens: list[int], players: int = 4) -> Game:
    """Both columns lie there: a pile of four plots is left, and a stack; of each kind so many."""
    data = standard_data()
    data["saloon_size"] = 1
    data["partners"] = dict(zip(data["partners"], tokens, strict=True))
    data["plot"] = [plot | {"count": 8} for plot in data["plot"][:1]]
    data["plot"] += [plot | {"count": n} for plot, n in zip(standard_data()["plot"][1:], plots, strict=False)]
    game = Game(MoonRiver(players, components=MoonRiverComponents.from_dict(data)))
    while not game.position()["next"]:
        match game.chance:
            case "saloon":
                game.reveal("saloon", ["desperado"])
            case "column":
                game.reveal("column", [0, 0, 0, 0])
            case "ranchero":
                game.reveal("ranchero", game.position()["turn"]["claims"])
            case _:
                game.decide(game.decisions()[0])
    return game


def orders(game: Game, name: str) -> tuple[Any, ...]:
    """A hidden order."""
    return tuple(rules_of(game).compiled.fields(game.state)[name])


PILES = [([1, 1, 1, 1], 24), ([2, 1, 1], 12), ([2, 2], 6), ([3, 1], 4)]


@pytest.mark.parametrize(("plots", "kinds"), PILES, ids=str)
def test_the_pile_is_guessed_evenly(plots: list[int], kinds: int) -> None:
    """Every order of the pile that agrees with the observation is equally likely, repeated kinds or not."""
    view = small_game(plots, [2, 0, 0, 0, 0]).observe(0)
    assert_even((orders(view.determinize(seed), "pile") for seed in range(300 * kinds)), kinds)


@pytest.mark.parametrize(
    ("tokens", "kinds"), [([2, 1, 1, 1, 0], 24), ([2, 1, 2, 0, 0], 12), ([3, 2, 0, 0, 0], 6)], ids=str
)
def test_the_stack_is_guessed_evenly(tokens: list[int], kinds: int) -> None:
    """The same of the partner stack."""
    view = small_game([4], tokens).observe(1)
    assert_even((orders(view.determinize(seed), "stack") for seed in range(300 * kinds)), kinds)


def test_pile_and_stack_are_guessed_independently() -> None:
    """All 24 x 24 pairs of orders are equally likely, guessed by one generator that goes on."""
    view, generator = small_game([1, 1, 1, 1], [2, 1, 1, 1, 0]).observe(2), Generator(5)
    fields = rules_of(view).compiled.fields
    seen = (fields(view.state.determinize(generator)) for _ in range(20 * 576))
    assert_even(((*guess["pile"], *guess["stack"]) for guess in seen), 576)


def test_what_comes_next_is_even() -> None:
    """MR-1, MR-3: a seeded game draws every column, token, ranchero and scenario equally often."""
    data = standard_data()
    data["saloon_size"], data["plot"] = 1, [plot | {"count": 1} for plot in data["plot"][:8]]
    rules = MoonRiver(4, legends=True, components=MoonRiverComponents.from_dict(data))
    started = [Game(rules, seed).history for seed in range(70 * 200)]
    scenarios, saloons, columns, rancheros = zip(*started, strict=True)
    assert_even((event.outcome for event in scenarios), 4)
    assert_even((frozenset(event.outcome) for event in columns), 70)  # of 8 plots 4, in an order that is MR-2's
    assert_even((event.outcome for event in rancheros), 4)
    tokens = Counter(event.outcome[0] for event in saloons)
    spread = sum((tokens[name] - 700 * n) ** 2 / (700 * n) for name, n in data["partners"].items())
    assert spread < unlikely(4)


def test_the_future_is_guessed_evenly() -> None:
    """What a guess draws next is uniform over the observation, whatever the true order is."""
    game = small_game([1, 1, 1, 1], [2, 1, 1, 1, 0])
    for hidden in range(3):
        truth = game.observe(0).determinize(hidden)
        drawn = (orders(truth.observe(3).determinize(seed), "pile")[-1] for seed in range(2000))
        assert_even(drawn, 4)
