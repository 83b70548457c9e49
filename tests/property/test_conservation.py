"""Nothing is invented and nothing is lost: plots, cows, tokens, rancheros; chips, rafts, diggers."""

from hypothesis import given
from hypothesis import strategies as st

from engine_cy import Game, GameRules, Generator, Happened, MoonRiver
from engine_cy.registry import GAMES
from tests.property.invariants import check
from tests.property.kinds import KINDS, kind_of
from tests.property.moon_river import laid, pieces, rules_of
from tests.property.strategies import SEEDS, any_games, examples, games, play, retold, variants


def test_every_game_is_looked_at() -> None:
    """A game that comes to the registry has to say what is true of it."""
    assert set(KINDS) == set(GAMES)


def columns(game: Game) -> int:
    """How many columns were drawn."""
    return sum(isinstance(event, Happened) and event.what == "column" for event in game.history)


@given(variants(), SEEDS)
def test_everything_adds_up_after_every_event(rules: GameRules, seed: int) -> None:
    """From the first event to the last; pieces that leave the game never come back."""
    whole, told = play(Game(rules, seed), seed), Game(rules)
    left = kind_of(told).pieces(check(told))
    for event in whole.history:
        told.play(event)
        now = kind_of(told).pieces(check(told))
        assert now <= left
        left = now
    assert told.over


@examples(2)
@given(variants(), SEEDS)
def test_the_score_as_if_the_game_ended_now_holds_when_it_does(rules: GameRules, seed: int) -> None:
    """Of the seeded game, of the same told event by event, and of the core."""
    whole = play(Game(rules, seed), seed)
    told = retold(whole)
    assert told.over
    assert told.scores() == whole.scores()
    assert ([score.total for score in told.scores()], told.ranking()) == tuple(map(list, told.state.score()))


@examples(2)
@given(games("moon_river"))
def test_plots_leave_the_game_only_by_twos_and_at_the_end_of_a_round(game: Game) -> None:
    """MR-10, MR-23: before the last round, by discards of two and with the plots of a column that nobody chose."""
    rules, position = rules_of(game), game.position()
    rounds = max(0, columns(game) - 2)
    left_over = rules.components.column_size - (3 if rules.players == 3 else 4)
    gone = sum(plot.count for plot in rules.components.plots) - pieces(position).total()
    discarded = gone - rounds * left_over
    if not position["last_round"]:
        assert discarded >= 0
        assert discarded % 2 == 0


@given(variants("moon_river"), SEEDS)
def test_the_columns_are_as_many_as_the_pile_gives(rules: MoonRiver, seed: int) -> None:
    """MR-24, MR-25: 24 columns of 4 in the standard set; every event is recorded once."""
    game = play(Game(rules, seed), seed)
    set_ = rules.components
    assert columns(game) * set_.column_size == sum(plot.count for plot in set_.plots)
    events = [event.what for event in game.history if isinstance(event, Happened)]
    assert events.count("ranchero") == (1 if rules.players == 2 else rules.players - 1)  # MR-3, MR-4
    assert events.count("scenario") == (rules.legends and rules.scenario is None)  # MR-6
    assert set_.name != "moon-river-standard" or columns(game) == 24


@given(variants("moon_river"), SEEDS)
def test_overpopulation_returns_cows(rules: MoonRiver, seed: int) -> None:
    """MR-27."""
    position = play(Game(rules, seed), seed).position()
    assert position["supply"] + sum(entry["cows"] for entry in laid(position)) == rules.components.cows
    assert all(entry["cows"] <= 1 for entry in laid(position))


@given(games())
def test_a_copy_is_independent_and_has_the_same_future(game: Game) -> None:
    """Copies share nothing; a seeded one goes on as the original does."""
    before, history = bytes(game.state), list(game.history)
    one, two = play(game.copy(), 1), play(game.copy(), 1)
    assert one == two
    assert one.history == two.history
    assert (bytes(game.state), game.history) == (before, history)


@examples(2)
@given(any_games, st.data())
def test_every_listed_decision_can_be_taken(game: Game, data: st.DataObject) -> None:
    """Any option, not only a probable one, leads to a sound position."""
    check(game)
    if decisions := game.decisions():
        taken = game.copy()
        taken.decide(data.draw(st.sampled_from(decisions)))
        check(taken)


@given(variants("moon_river"), SEEDS)
def test_every_turn_has_a_number_of_its_own(rules: MoonRiver, seed: int) -> None:
    """MR-8: decisions of one turn, and only those, share the number with the one before."""
    whole, told = play(Game(rules, seed), seed), Game(rules)
    before: tuple[object, int] | None = None
    for event in whole.history:
        if not told.chance and told.phase != "claim":
            position = told.position()
            turn = (position["last_round"], len(position["pile"]), [slot["plot"] for slot in position["current"]])
            if before:
                assert (before[0] == turn) == (before[1] == told.state.turn_number)
            before = turn, told.state.turn_number
        told.play(event)


@given(variants("goldgraeber"), SEEDS)
def test_a_turn_has_the_number_of_its_seat(rules: GameRules, seed: int) -> None:
    """The next turn is always another seat's."""
    whole, told = play(Game(rules, seed), seed), Game(rules)
    for event in whole.history:
        told.play(event)
        assert told.state.turn_number == told.position()["turn"]["seat"]


@examples(2)
@given(games())
def test_the_state_counts_as_the_position_shows(game: Game) -> None:
    """The playout of the core ends as sound as a game played by hand."""
    rules = game.rules
    state = game.state.copy()
    state.playout(Generator(1))
    end = Game.at(rules, rules.position(state))
    assert end.over
    assert end.state == state
    check(end)
