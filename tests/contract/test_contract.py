"""The contract of the game interface: every table of every game passes all of it."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engine_cy import (
    Chosen,
    Decision,
    Game,
    GameRules,
    Generator,
    Goldgraeber,
    Happened,
    IllegalDecision,
    MoonRiver,
    Record,
)
from engine_cy.game import View
from tests.tables import advance, tables

TABLES = tables()


@pytest.fixture(params=TABLES)
def rules(request: pytest.FixtureRequest) -> GameRules:
    return TABLES[request.param]


def positions(rules: GameRules, seed: int = 5) -> list[Game]:
    """Every position of one random game that waits for a decision, and its end."""
    game, chooser = Game(rules, seed), Generator(seed, stream=9)
    found = [game.copy()]
    while not game.over:
        advance(game, chooser, 1)
        found.append(game.copy())
    return found


def test_a_decision_is_a_choice(rules: GameRules) -> None:
    """At least two options, all different as objects, list forms, words and codes, and all legal."""
    for game in positions(rules)[:-1]:
        options = game.decisions()
        assert len(options) >= 2
        assert len({str(option) for option in options}) == len(options)
        assert len({json.dumps(option.to_list()) for option in options}) == len(options)
        codes = game.state.codes()
        assert len(set(codes)) == len(codes) == len(options)
        assert all(game.state.is_legal(code) for code in codes)
        assert [rules.encode(game.state.phase, option.to_list()) for option in options] == codes


def test_a_decision_carries_its_code(rules: GameRules) -> None:
    """One that was offered has its code; the same made by hand has none, and is as good."""
    for game in positions(rules)[:-1:7]:
        for option in game.decisions():
            by_hand = replace(option)  # type: ignore[type-var]
            assert by_hand == option
            assert hash(by_hand) == hash(option)
            assert by_hand.code is None
            assert rules.encode(game.state.phase, by_hand) == option.code


def test_an_offer_means_the_same_elsewhere(rules: GameRules) -> None:
    """In another phase, or to other rules, an offered decision is what its list form is, words of refusal included."""

    def comes_of(game: Game, decision: Decision | list[Any]) -> str | Game:
        try:
            game.decide(decision)
        except IllegalDecision as refusal:
            return str(refusal)
        return game

    waiting = {game.state.phase: game for game in positions(rules)[:-1]}
    offers = [option for game in waiting.values() for option in game.decisions()[:2]]
    offers += positions(Goldgraeber(4) if rules.name == "moon_river" else MoonRiver(2))[0].decisions()
    for game in waiting.values():
        for option in offers:
            assert comes_of(game.copy(), option) == comes_of(game.copy(), option.to_list())


def test_nothing_else_is_legal(rules: GameRules) -> None:
    """Codes near the legal ones and anywhere are refused, and change nothing."""
    generator = Generator(3)
    for game in positions(rules)[:-1:7]:
        legal = set(game.state.codes())
        tries = {code ^ 1 << bit for code in list(legal)[:20] for bit in range(32)}
        tries |= {generator.below(1 << 24) for _ in range(200)}
        before = bytes(game.state)
        for code in tries - legal:
            assert not game.state.is_legal(code)
            with pytest.raises(ValueError, match="not legal"):
                game.state.apply(code)
        assert bytes(game.state) == before


def test_the_end_offers_nothing(rules: GameRules) -> None:
    end = positions(rules)[-1]
    assert end.over
    assert end.seat is None
    assert end.decisions() == []
    with pytest.raises(IllegalDecision, match="the game is over"):
        end.decide(["select", 0])


def test_same_seed_same_game(rules: GameRules) -> None:
    first, second = (advance(Game(rules, 11), Generator(12)) for _ in range(2))
    assert first.history == second.history
    assert bytes(first.state) == bytes(second.state)
    assert advance(Game(rules, 13), Generator(12)).history != first.history


def test_who_sees_a_draw_is_known_before_it(rules: GameRules) -> None:
    """Whoever reveals an event by hand and whoever lets it be drawn note the same seats."""
    generator, state = Generator(31), rules.compiled.start(Generator(30))
    while state.status != 2:
        if state.status == 0:
            state.apply(state.sample(generator))
        else:
            expected = state.audience()
            assert state.draw(generator)[2] == expected


def test_copies_are_independent(rules: GameRules) -> None:
    """A copy goes on by itself, and both have the same future."""
    game = advance(Game(rules, 21), Generator(1), 20)
    copy = game.copy()
    before = bytes(game.state)
    advance(copy, Generator(2))
    assert bytes(game.state) == before
    assert advance(game, Generator(2)) == copy


def test_a_view_shows_the_same_choice(rules: GameRules) -> None:
    """Whoever decides sees the same options in their view, and a view is a view of itself."""
    for game in positions(rules)[:-1]:
        assert game.seat is not None
        view = game.observe(game.seat)
        assert view.decisions() == game.decisions()
        assert view.viewer == game.seat == view.seat
        assert view.state.observe(game.seat) == view.state


def test_determinized_games_look_the_same(rules: GameRules) -> None:
    """Observing a determinization gives the view again, byte for byte; its game can be played to the end."""
    for game in positions(rules)[:-1:5]:
        for seat in range(rules.players):
            view = game.observe(seat)
            other = view.determinize(seed=seat)
            assert bytes(other.state.observe(seat)) == bytes(view.state)
            assert advance(other, Generator(4)).over


def test_views_do_not_move(rules: GameRules) -> None:
    """A view holds a filling where its seat knows nothing, so it must not be played on."""
    view = advance(Game(rules, 2), Generator(3), 10).observe(0)
    with pytest.raises(ValueError, match="determinize"):
        view.state.apply(view.state.codes()[0])
    with pytest.raises(ValueError, match="determinize"):
        view.state.playout(Generator(1))


def test_sampling_is_uniform(rules: GameRules) -> None:
    """`sample` gives every listed decision, about equally often (5 sigma), and no other."""
    generator = Generator(6)
    for game in positions(rules)[:-1:25]:
        codes = game.state.codes()
        draws = 400 * len(codes) if len(codes) < 50 else 60 * len(codes)
        seen = Counter(game.state.sample(generator) for _ in range(draws))
        assert set(seen) == set(codes)
        expected = draws / len(codes)
        assert all(abs(n - expected) < 5 * expected**0.5 for n in seen.values())


def test_playouts_end(rules: GameRules) -> None:
    """A playout ends the game; playouts from the start take as many decisions as random games do, on average."""
    generator = Generator(8)
    counts = []
    for _ in range(300):
        state = rules.compiled.start(generator)
        counts.append(state.playout(generator))
        assert state.status == 2
    slow = [sum(isinstance(e, Chosen) for e in advance(Game(rules, s), Generator(s, 5)).history) for s in range(30)]
    mean, slow_mean = sum(counts) / len(counts), sum(slow) / len(slow)
    spread = (sum((n - slow_mean) ** 2 for n in slow) / len(slow)) ** 0.5
    assert abs(mean - slow_mean) < 5 * spread / len(slow) ** 0.5 + 0.5


def test_scores_and_places(rules: GameRules) -> None:
    """Totals are the engine's points; places order them, the best is 1, ties leave a gap."""
    for game in positions(rules)[::10]:
        points, places = game.state.score()
        assert [score.total for score in game.scores()] == list(points)
        assert [score.seat for score in game.scores()] == list(range(rules.players))
        assert game.ranking() == list(places)
        for seat, place in enumerate(places):
            better = sum(other < place for other in places)
            assert place == better + 1
            assert all(points[o] >= points[seat] for o in range(rules.players) if places[o] < place)


def test_records_replay(rules: GameRules) -> None:
    """Any prefix of a game replays to the identical state, hidden orders included."""
    components = getattr(rules, "components", None)
    for game in positions(rules)[::12]:
        record = Record.from_json(Record.of(game).to_json())
        again = record.replay(components)
        assert again == game
        assert again.history == game.history


def test_a_game_told_event_by_event(rules: GameRules) -> None:
    """Without a seed every chance event is told from outside; every seat ends up seeing the same."""
    game = advance(Game(rules, 31), Generator(32))
    told = Game(rules)
    for event in game.history:
        match event:
            case Happened(what, outcome):
                assert told.chance == what
                told.reveal(what, outcome)
            case Chosen(seat, decision):
                assert told.seat == seat
                told.decide(decision)
    assert told.over
    assert all(told.observe(seat) == game.observe(seat) for seat in range(rules.players))


def test_positions_are_complete(rules: GameRules) -> None:
    """A position is plain data and starts the same game again, whatever it waits for."""
    for game in positions(rules):
        data = json.loads(json.dumps(game.position()))
        assert Game.at(rules, data) == game
        assert View.at(rules, data, 0) == game.observe(0)


def test_people_can_read_it(rules: GameRules) -> None:
    """The table fits a terminal of 100 columns and shows everybody's points."""
    for game in positions(rules)[::40]:
        text = str(game)
        assert max(len(line) for line in text.splitlines()) <= 100
        assert all(f"{score.total} points" in text for score in game.scores())
