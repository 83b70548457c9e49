"""The Rules service: enough for a front end that has no rules of its own."""

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest
from hypothesis import given
from hypothesis import strategies as st
from saloon_client.v1 import bots_pb2, game_pb2, moon_river_pb2, rules_pb2

from engine_cy import Game, Generator, Goldgraeber, MoonRiver, Record
from engine_cy.registry import GAMES
from tests.service.games import Stubs, details, of
from tests.tables import advance, tables
from wire.reading import Reader
from wire.writing import Writer, position_message

# The service has the standard components only.
TABLES = {name: rules for name, rules in tables().items() if rules.printed}


def test_games_are_described(stubs: Stubs) -> None:
    """Enough to build a form, and to draw every component."""
    games = {game.name: game for game in stubs.rules.ListGames(rules_pb2.ListGamesRequest()).games}
    assert set(games) == set(GAMES)
    moon_river = games["moon_river"]
    fields = {field.name for field in moon_river.options}
    assert fields == {field.name for field in moon_river_pb2.MoonRiverOptions.DESCRIPTOR.fields}
    assert sum(plot.count for plot in moon_river.components.moon_river.plots) == 96
    for game in games.values():
        for option in game.options:
            assert option.label
            assert option.help
            assert option.needs in ("", *(other.name for other in game.options))


def filled_in(game: rules_pb2.GameInfo, players: int, number: int) -> game_pb2.Options:
    """What a form built from the description alone sends: every field filled in, with its choice of this number."""
    options = game_pb2.Options()
    message = getattr(options, game.name)
    for option in game.options:
        field = message.DESCRIPTOR.fields_by_name[option.name]
        choices: list[Any] = list(option.choices) or list(range(option.low, option.high + 1))
        if field.enum_type is not None:
            named = {value.name.lower(): value.number for value in field.enum_type.values}
            choices = [next(n for name, n in named.items() if name.endswith("_" + choice)) for choice in choices]
        match option.kind:
            case rules_pb2.OPTION_KIND_BOOLEAN:
                setattr(message, option.name, True)
            case rules_pb2.OPTION_KIND_INTEGER | rules_pb2.OPTION_KIND_CHOICE:
                chosen = players if option.name == "players" else choices[number % len(choices)]
                setattr(message, option.name, chosen)
            case rules_pb2.OPTION_KIND_CHOICE_PER_SEAT | rules_pb2.OPTION_KIND_INTEGER_PER_SEAT:
                turned = choices[number % len(choices) :] + choices[: number % len(choices)]
                getattr(message, option.name).extend(turned[:players])
            case other:
                raise AssertionError(f"no such field in a form: {other}")
    return options


@pytest.mark.parametrize("name", GAMES)
def test_what_a_form_sends_makes_a_game(stubs: Stubs, name: str) -> None:
    """The fields of ListGames, filled in from their descriptions, are accepted as they are: at every size of table, and
    every choice of every field."""
    (game,) = (game for game in stubs.rules.ListGames(rules_pb2.ListGamesRequest()).games if game.name == name)
    for players in range(game.min_players, game.max_players + 1):
        for number in range(7):
            options = filled_in(game, players, number)
            record = stubs.rules.NewGame(rules_pb2.NewGameRequest(options=options, seed=1)).record
            played = getattr(record.options, name)
            for field, _ in played.ListFields():
                if field.name not in {option.name for option in game.options}:
                    played.ClearField(field.name)  # what no form asks for, such as an edition
            assert record.options == options


def test_knowledge_survives_apply_and_is_never_made_up(stubs: Stubs) -> None:
    """What a seat has looked at stays in its position; who has seen what a position does not say is not asked."""
    game = Game(Goldgraeber(3, prospecting=True), 5)
    generator = Generator(5)
    while True:
        options = game.decisions()
        seat = game.seat
        assert seat is not None
        mine = [entry for entry in game.observe(seat).position()["chips"] if entry["chip"]]
        if mine and game.phase == "walk":
            break
        wanted = [d for d in options if d.to_list() == ["prospect"]]
        game.decide(wanted[0] if wanted else options[generator.below(len(options))])

    def situation(viewer: int) -> game_pb2.Situation:
        return game_pb2.Situation(position=position_message(game.rules, game.observe(viewer).state))

    def said(position: game_pb2.Position) -> list[Any]:
        return [chip for chip in position.goldgraeber.chips if chip.HasField("chip")]

    own = situation(seat)
    walk = stubs.rules.LegalDecisions(rules_pb2.LegalDecisionsRequest(situation=own)).decisions[0]
    event = game_pb2.Event(chosen=game_pb2.Chosen(seat=seat, decision=walk))
    after = stubs.rules.Apply(rules_pb2.ApplyRequest(situation=own, events=[event])).situation.position
    walked = walk.goldgraeber.walk.field
    assert said(after) == [chip for chip in said(own.position) if chip.field != walked]
    assert len(said(own.position)) == len(mine)
    budget = bots_pb2.Budget(iterations=50)
    stubs.bots.Suggest(bots_pb2.SuggestRequest(situation=own, budget=budget))
    with pytest.raises(grpc.RpcError) as error:
        stubs.bots.Suggest(bots_pb2.SuggestRequest(situation=situation((seat + 1) % 3), budget=budget))
    assert details(error.value, BadRequest).field_violations[0].field == "situation.position.goldgraeber.chips"


@pytest.mark.parametrize("table", TABLES)
def test_a_thin_client_can_play(stubs: Stubs, table: str) -> None:
    """A whole game with nothing but the service: what is legal, what happens, where it stands, who wins."""
    rules = TABLES[table]
    game = Game(rules, 11)
    situation, chooser = of(Writer().record(game)), Generator(3)
    steps = 0
    while not game.over:
        legal = stubs.rules.LegalDecisions(rules_pb2.LegalDecisionsRequest(situation=situation))
        texts = [str(decision) for decision in game.decisions()]
        assert [decision.text for decision in legal.decisions] == texts
        number = chooser.below(len(texts))
        seat = legal.status.seat
        event = game_pb2.Event(chosen=game_pb2.Chosen(seat=seat, decision=legal.decisions[number]))
        situation = stubs.rules.Apply(rules_pb2.ApplyRequest(situation=situation, events=[event])).situation
        game.decide(game.decisions()[number])
        steps += 1
        if steps > 60:  # the rest at once
            advance(game, chooser, 10_000)
            situation = of(Writer().record(game))
    scores = stubs.rules.Score(rules_pb2.ScoreRequest(situation=situation))
    assert scores.status.waiting == game_pb2.WAITING_OVER
    assert [score.total for score in scores.scores] == [score.total for score in game.scores()]
    assert [score.place for score in scores.scores] == game.ranking()


def test_a_front_end_may_own_the_piles(stubs: Stubs) -> None:
    """Without a seed the game waits for chance; what cannot come is refused and changes nothing."""
    record = stubs.new_game(seed=None, players=2)
    assert stubs.after(record).status.phase == "saloon"
    source = Game(MoonRiver(2), 3)
    advance(source, Generator(1), 30)
    told = Writer().record(source)
    told.ClearField("seed")
    applied = stubs.rules.Apply(rules_pb2.ApplyRequest(situation=of(record), events=told.events))
    assert applied.situation.record.events == told.events
    bad = moon_river_pb2.MoonRiverChance(column=moon_river_pb2.MoonRiverColumn(plots=[0, 0, 0, 63]))
    event = game_pb2.Event(chance=game_pb2.Chance(moon_river=bad))
    with pytest.raises(grpc.RpcError) as caught:
        stubs.rules.Apply(rules_pb2.ApplyRequest(situation=of(record), events=[told.events[0], event]))
    assert details(caught.value, BadRequest).field_violations[0].field.startswith("events[1]")


def test_replay_shows_every_moment(stubs: Stubs) -> None:
    record = stubs.played(6)
    for events in (0, 7, len(record.events)):
        answer = stubs.rules.Replay(rules_pb2.ReplayRequest(record=record, events=events))
        assert answer.events >= events
        whole = stubs.rules.Replay(rules_pb2.ReplayRequest(record=record, events=events, seat=2))
        assert sorted(whole.position.moon_river.pile) == sorted(answer.position.moon_river.pile)
        assert list(whole.position.moon_river.pile) == sorted(answer.position.moon_river.pile)


@pytest.mark.parametrize("theme", [rules_pb2.THEME_LIGHT, rules_pb2.THEME_DARK])
def test_pictures(stubs: Stubs, theme: rules_pb2.Theme.ValueType) -> None:
    situation = of(stubs.played(10))
    table = stubs.rules.Render(rules_pb2.RenderRequest(situation=situation, theme=theme))
    ranch = stubs.rules.Render(rules_pb2.RenderRequest(situation=situation, theme=theme, seat=1))
    assert ElementTree.fromstring(table.svg).tag.endswith("svg")
    assert len(ranch.svg) < len(table.svg)
    assert "seat 1" in table.text


def test_what_does_not_fit_is_named(stubs: Stubs) -> None:
    record = stubs.played(3)
    broken = game_pb2.GameRecord()
    broken.CopyFrom(record)
    broken.events[-1].chosen.seat = 7
    foreign = game_pb2.GameRecord()
    foreign.CopyFrom(record)
    foreign.components.hash = "0" * 64
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: stubs.rules.NewGame(rules_pb2.NewGameRequest()), "options"),
        (lambda: stubs.new_game(players=5), "options.moon_river.players"),
        (lambda: stubs.new_game(players=3, boards=["mary"]), "options.moon_river.boards"),
        (lambda: stubs.rules.Replay(rules_pb2.ReplayRequest(record=record, events=-1)), "events"),
        (lambda: stubs.rules.Replay(rules_pb2.ReplayRequest(record=record, seat=4)), "seat"),
        (lambda: stubs.rules.Score(rules_pb2.ScoreRequest(situation=of(foreign))), "situation.record.components.hash"),
        (lambda: stubs.rules.Render(rules_pb2.RenderRequest(situation=of(record), theme=9)), "theme"),  # type: ignore[arg-type]
    ]
    for call, field in calls:
        with pytest.raises(grpc.RpcError) as caught:
            call()
        assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT, field
        assert details(caught.value, BadRequest).field_violations[0].field == field
    with pytest.raises(grpc.RpcError) as caught:
        stubs.rules.Score(rules_pb2.ScoreRequest(situation=of(broken)))
    assert (
        f"situation.record.events[{len(record.events) - 1}]"
        in details(caught.value, BadRequest).field_violations[0].field
    )


@pytest.mark.parametrize("table", TABLES)
@given(seed=st.integers(0, 2**32), decisions=st.integers(0, 200))
def test_the_wire_loses_nothing(table: str, seed: int, decisions: int) -> None:
    """Records and positions come back as they went, in every game, at every moment."""
    rules = TABLES[table]
    game = advance(Game(rules, seed), Generator(seed), decisions)
    again = Reader().record(Writer().record(game), "record")
    assert again == game
    assert Record.of(again) == Record.of(game)
    back = Reader().position(position_message(rules, game.state), "position")
    assert back.state.spectate() == game.state.spectate()


@pytest.mark.parametrize("table", TABLES)
def test_positions_hold_nothing_hidden(table: str) -> None:
    """Two games that look alike to everybody are the same position on the wire."""
    game = advance(Game(TABLES[table], 3), Generator(3), 40)
    assert game.seat is not None
    view = game.spectate()
    first, second = (position_message(game.rules, view.determinize(seed).state) for seed in (1, 2))
    assert first == second == position_message(game.rules, game.state)
