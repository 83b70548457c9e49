"""Whatever comes from outside is refused cleanly or is sound; the compiled core never breaks."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from engine_cy import (
    Game,
    GameRules,
    Generator,
    GoldenMap,
    Goldgraeber,
    IllegalDecision,
    ImpossibleOutcome,
    InputError,
    MoonRiver,
    MoonRiverComponents,
    OptionError,
    PositionError,
    Record,
    RecordError,
    View,
)
from engine_cy.moon_river.rules import SCENARIOS
from engine_cy.registry import GAMES
from tests.property.invariants import attempt, check
from tests.property.kinds import KINDS, kind_of
from tests.property.strategies import (
    SEEDS,
    VARIANTS,
    any_games,
    damaged,
    examples,
    games,
    junk,
    numbers,
    play,
    retold,
    variants,
    words,
)
from tests.unit.moon_river.table import standard_data

WHATS = ("scenario", "saloon", "column", "ranchero", "first", "die", "chip", "roll")


def unchanged(game: Game, error: type[Exception], call: Callable[[Game], None]) -> bool:
    """Whether the call was refused; if it was, state and history must be what they were."""
    before, history = bytes(game.state), list(game.history)
    _, refusal = attempt(error, lambda: call(game))
    if refusal:
        assert (bytes(game.state), game.history) == (before, history)
    return refusal is not None


# ---- Decisions and chance


@examples(8)
@given(any_games, st.data())
def test_only_the_options_can_be_decided(game: Game, data: st.DataObject) -> None:
    """Junk, and options that something happened to: IllegalDecision unless it is, to the letter, an option."""
    options = [option.to_list() for option in game.decisions()]
    near = [damaged(data.draw(st.sampled_from(options)))] if options else []
    value = data.draw(st.one_of(junk, *near, *near))
    if not unchanged(game, IllegalDecision, lambda game: game.decide(value)):
        assert isinstance(value, list | tuple)
        assert json.dumps(value) in map(json.dumps, options)


@examples(2)
@given(any_games, any_games)
def test_only_the_options_of_this_game_can_be_decided(game: Game, other: Game) -> None:
    """The same of decisions as objects, taken from another game."""
    options = game.decisions()
    for decision in other.decisions()[:20]:
        taken = game.copy()
        refused = unchanged(taken, IllegalDecision, lambda game, decision=decision: game.decide(decision))  # type: ignore[misc]
        assert refused == (decision.to_list() not in [option.to_list() for option in options])


@examples(8)
@given(games(), st.data())
def test_only_what_can_come_is_revealed(game: Game, data: st.DataObject) -> None:
    """Junk, and true outcomes that something happened to: ImpossibleOutcome, or a record that replays."""
    chances = [i for i, event in enumerate(game.history) if not hasattr(event, "seat")]
    at = data.draw(st.sampled_from(chances))
    told = retold(game, at)
    event: Any = game.history[at]
    what = data.draw(st.one_of(st.just(event.what), st.sampled_from(WHATS), junk))
    near = damaged(event.outcome) if isinstance(event.outcome, list) else words | numbers
    value = data.draw(st.one_of(junk, near, near))
    if not unchanged(told, ImpossibleOutcome, lambda told: told.reveal(what, value)):
        check(told)
        assert Record.from_json(Record.of(told).to_json()).replay(told.rules.components) == told
    for seeded in (game, told):
        if not seeded.chance:
            assert unchanged(seeded, ImpossibleOutcome, lambda game: game.reveal(event.what, event.outcome))


@examples(2)
@given(games(), st.data())
def test_an_outcome_belongs_to_its_owner(game: Game, data: st.DataObject) -> None:
    """What the caller does to the list afterwards does not reach the history."""
    at = data.draw(st.integers(0, len(game.history) - 1))
    told, event = retold(game, at), copy.deepcopy(game.history[at])
    told.play(event)
    if not hasattr(event, "seat") and isinstance(event.outcome, list):
        event.outcome.append("more")
    assert told.history[at] == game.history[at]


@pytest.mark.parametrize("wrap", [bytes, dict.fromkeys, set, iter, range, str], ids=lambda wrap: str(wrap.__name__))
def test_an_outcome_is_a_list(wrap: Callable[[Any], Any]) -> None:
    """What only iterates like the list of a column is none; it could not be written to a record."""
    game = Game(VARIANTS["moon-river-standard, 4 players, base game"])
    game.reveal("saloon", ["desperado"] * 5)
    column = wrap(4) if wrap is range else wrap([0, 5, 1, 6])
    assert unchanged(game, ImpossibleOutcome, lambda game: game.reveal("column", column))


@pytest.mark.parametrize("option", [{"stop": None}, {"stop"}, iter(["stop"])], ids=["table", "set", "iterator"])
def test_a_decision_is_a_list(option: Any) -> None:
    """The same of the list form of decisions."""
    game = play(Game(VARIANTS["moon-river-standard, 4 players, base game"], 1), 1, 30)
    while game.phase != "build":
        play(game, 1, 1)
    assert unchanged(game, IllegalDecision, lambda game: game.decide(option))


def test_a_cell_is_a_list() -> None:
    """And of the cells in it."""
    game = play(Game(VARIANTS["moon-river-standard, 4 players, base game"], 1), 1, 30)
    while game.phase != "build":
        play(game, 1, 1)
    _, *option = game.decisions()[-1].to_list()
    for cell in (bytes(option[1]), dict.fromkeys(option[1])):
        if len(cell) == len(option[1]):
            wrong = ["build", option[0], cell, *option[2:]]
            assert unchanged(game, IllegalDecision, lambda game, wrong=wrong: game.decide(wrong))  # type: ignore[misc]


# ---- Options


@st.composite
def moon_river_options(draw: st.DrawFn) -> dict[str, Any]:
    """The options of a table, most often with one that does not fit."""
    legends, players = draw(st.booleans()), draw(st.sampled_from([2, 3, 4]))
    boards = (
        draw(st.permutations(["mary", "wesley", "calamity", "big_jo"]))[:players] if legends else ["camp"] * players
    )
    fitting: dict[str, Any] = {"players": players, "legends": legends}
    fitting["scenario"] = draw(st.sampled_from([None, *SCENARIOS])) if legends else None
    fitting["boards"] = draw(st.sampled_from([None, boards]))
    near = damaged(boards) | st.sampled_from([*SCENARIOS, 1, 5, True, None, "camp", ["camp"] * 4])
    return fitting | draw(st.dictionaries(st.sampled_from(sorted(fitting)), junk | near, max_size=2))


@st.composite
def goldgraeber_options(draw: st.DrawFn) -> dict[str, Any]:
    """The same of Goldgräber."""
    players = draw(st.integers(3, 6))
    colours = draw(st.permutations(range(6)))[:players]
    fitting: dict[str, Any] = {"players": players, "prospecting": draw(st.booleans())}
    fitting["map"] = draw(st.sampled_from([None, "golden-city"]))
    fitting["colours"] = draw(st.sampled_from([None, colours]))
    near = damaged(list(colours)) | st.sampled_from([0, 2, 7, True, None, "tiny", [0, 1, 2, 3], [0] * players])
    return fitting | draw(st.dictionaries(st.sampled_from(sorted(fitting)), junk | near, max_size=2))


OPTIONS = {"moon_river": moon_river_options(), "goldgraeber": goldgraeber_options()}


@pytest.mark.parametrize("name", GAMES)
@examples(4)
@given(data=st.data())
def test_options_are_refused_or_make_a_game(name: str, data: st.DataObject) -> None:
    """Arbitrary options: OptionError, or a game to the end; the same as plain data."""
    game: Any = GAMES[name]
    options = data.draw(OPTIONS[name])
    rules, _ = attempt(OptionError, lambda: game(**options))
    again, _ = attempt(OptionError, lambda: game.from_options(options))
    assert rules == again
    if rules:
        assert check(play(Game(rules, 1), 1))["phase"] == "over"
        assert game.from_options(rules.options()) == rules
        assert hash(game.from_options(rules.options())) == hash(rules)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@examples(4)
@given(data=st.data())
def test_what_is_no_table_of_options_is_refused(game: type[GameRules], data: st.DataObject) -> None:
    """Arbitrary plain data in their place."""
    names = [field.name for field in game.about().options]
    value = data.draw(st.one_of(junk, st.dictionaries(st.sampled_from(names), junk)))
    _, refusal = attempt(OptionError, lambda: game.from_options(value))
    assert refusal or game.min_players <= value["players"] <= game.max_players


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@given(value=junk.filter(lambda value: value is not None))
def test_components_are_components(game: Any, value: Any) -> None:
    """Anything else is refused, not asked for boards; so are those of another game."""
    with pytest.raises(OptionError):
        game(3, components=value)
    other = next(other for other in GAMES.values() if other is not game)
    with pytest.raises(OptionError):
        game(3, components=other.from_options({"players": 3}).components)


# ---- Positions


@examples(0.5)
@given(variants(), SEEDS)
def test_every_position_can_be_read_back(rules: GameRules, seed: int) -> None:
    """At every event of a whole game, by Game.at and View.at, through JSON."""
    whole, game = play(Game(rules, seed), seed), Game(rules)
    for event in whole.history:
        game.play(event)
        position = json.loads(json.dumps(game.position()))
        again = Game.at(rules, position)
        assert again == game
        assert bytes(again.state) == bytes(game.state)
        assert again.position() == position
        view = game.observe(0)
        assert View.at(rules, view.position(), 0) == view == View.at(rules, position, 0)


@examples(50)
@given(any_games, st.data())
def test_an_edited_position_is_refused_or_sound(game: Game, data: st.DataObject) -> None:
    """After a few accidents: PositionError, or a sound position, read as it stands, that plays to its end."""
    kind = kind_of(game)
    wrong = data.draw(st.one_of(damaged(game.position()), kind.rearranged(game), kind.rearranged(game)))
    before = copy.deepcopy(wrong)
    other, _ = attempt(PositionError, lambda: Game.at(game.rules, wrong))
    assert repr(wrong) == repr(before)
    if other is None:
        return
    note(json.dumps(wrong))
    assert_sound(other)
    assert kind.same(wrong, other.position())


def assert_sound(game: Game) -> None:
    """A position that was accepted is as good as one that was reached."""
    rules = game.rules
    assert Game.at(rules, game.position()) == game
    check(game)
    for seat in range(rules.players):
        view, refused = attempt(PositionError, partial(game.observe, seat))
        if refused is not None:  # the position does not say what this seat has seen
            assert not game.from_start
            continue
        assert view == View.at(rules, game.position(), seat)
        assert bytes(view.state.determinize(Generator(1)).observe(view.viewer)) == bytes(view.state)
    assert [code for code, _ in game.state.appraise()] == game.state.codes()
    game.state.copy().playout(Generator(1), range(rules.players))
    played = Game.at(rules, game.position(), seed=1)
    for _ in range(40):
        check(play(played, 1, 10))
    assert check(play(played, 1))["phase"] == "over"


@examples(4)
@given(games("moon_river"))
def test_a_discard_is_what_building_comes_to(game: Game) -> None:
    """MR-10: no discard while a domino can be placed or need not be, and no building while none can be."""
    position = game.position()
    if position["phase"] in ("build", "discard"):
        position["phase"] = "build" if position["phase"] == "discard" else "discard"
        with pytest.raises(PositionError, match=r"phase|hands"):
            Game.at(game.rules, position)


@examples(4)
@given(variants(), junk)
def test_what_is_no_position_is_refused(rules: GameRules, value: Any) -> None:
    """Arbitrary values."""
    with pytest.raises(PositionError):
        Game.at(rules, value)
    with pytest.raises(PositionError):
        View.at(rules, value, 0)


@examples(4)
@given(any_games, st.data())
def test_a_field_of_the_wrong_kind_is_refused(game: Game, data: st.DataObject) -> None:
    """Any junk in any field of a position: PositionError, or a sound position if it happens to fit."""
    position = game.position()
    table = data.draw(st.sampled_from([position, position["turn"]]))
    table[data.draw(st.sampled_from(sorted(table)))] = data.draw(junk)
    other, _ = attempt(PositionError, lambda: Game.at(game.rules, position))
    if other:
        assert_sound(other)


@given(games(), games())
def test_a_position_of_another_table_is_refused_or_sound(game: Game, other: Game) -> None:
    """Other players, other boards, other components, another game."""
    read, _ = attempt(PositionError, lambda: Game.at(other.rules, game.position()))
    if read:
        assert_sound(read)


@given(games(), junk)
def test_a_viewer_is_a_seat(game: Game, viewer: Any) -> None:
    """Anything else is refused."""
    for call in (lambda: game.observe(viewer), lambda: View.at(game.rules, game.position(), viewer)):
        view, _ = attempt(ValueError, call)
        assert view is None or (view.viewer == viewer and type(viewer) is int)


# ---- The core


def _without_type_errors(call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return call(*arguments)
    except TypeError as error:
        raise ValueError("wrong type") from error


@examples(8)
@given(any_games, junk | numbers, junk | numbers)
def test_the_core_checks_its_arguments(game: Game, value: Any, other: Any) -> None:
    """Every method of a state, with anything: a clean error or False, and nothing changed, or a legal move."""
    state: Any = game.state
    for name, arguments in (
        ("is_legal", (value,)),
        ("apply", (value,)),
        ("after", (value,)),
        ("sample", (value,)),
        ("draw", (value,)),
        ("reveal", (value, other)),
        ("reveal", (state.phase, value)),
        ("reveal", (state.phase, [value, other])),
        ("observe", (value,)),
        ("determinize", (value,)),
        ("playout", (value,)),
        ("playout", (Generator(1), value)),
    ):
        tried = state.copy()
        result, error = attempt(ValueError, partial(_without_type_errors, getattr(tried, name), arguments))
        if error or result is False or name in ("is_legal", "after"):
            assert tried == state
        assert tried.status in (0, 1, 2)


@examples(2)
@given(any_games)
def test_the_core_refuses_what_is_not_due(game: Game) -> None:
    """No draw while a decision is due, no decision while chance is, nothing when the game is over."""
    state, before = game.state, bytes(game.state)
    if state.status != 1:
        with pytest.raises(ValueError, match="draw: no chance event is due"):
            state.draw(Generator(1))
        with pytest.raises(ValueError, match="reveal: no chance event is due"):
            state.reveal(state.phase, [0, 0, 0, 0])
    if state.status != 0:
        assert state.codes() == []
        assert not any(map(state.is_legal, range(0, 2**24, 4099)))
        for call in (lambda: state.apply(0), lambda: state.sample(Generator(1))):
            with pytest.raises(ValueError, match="no decision is due"):
                call()
    if state.status == 2:
        assert state.copy().playout(Generator(1)) == 0
    assert bytes(state) == before


@examples(2)
@given(games(), st.lists(st.integers(0, 2**24 - 1), max_size=200))
def test_a_code_is_legal_only_if_it_is_listed(game: Game, codes: list[int]) -> None:
    """The board of a decision and the list agree, for codes near the listed ones and any others."""
    state = game.state
    listed = set(state.codes())
    near = {code ^ 1 << bit for code in list(listed)[:30] for bit in range(32)}
    for code in listed | near | set(codes):
        assert state.is_legal(code) == (code in listed)


@examples(4)
@given(st.one_of(junk, numbers), st.one_of(junk, numbers))
def test_a_seed_is_a_number_of_64_bits(seed: Any, stream: Any) -> None:
    """Anything else is a ValueError, wherever seeds are taken."""
    rules = VARIANTS["moon-river-standard, 2 players, base game"]
    fits = [type(value) is int and 0 <= value < 2**64 for value in (seed, stream)]
    assert (attempt(ValueError, lambda: Generator(seed, stream))[1] is None) == all(fits)
    assert (attempt(ValueError, lambda: Game(rules, seed))[1] is None) == (fits[0] or seed is None)
    view = Game(rules, 1).observe(0)
    assert (attempt(ValueError, lambda: view.determinize(seed))[1] is None) == fits[0]
    number, _ = attempt(ValueError, lambda: Generator(1).below(seed))
    assert (number is not None) == (type(seed) is int and 0 < seed < 2**32)


@examples(2)
@given(games(), variants())
def test_a_state_belongs_to_its_table(game: Game, other: GameRules) -> None:
    """Personalities judge the same state; rules of other options or components cannot carry it, and are refused."""
    rules = game.rules
    for personality in rules.personalities():
        state = game.state.under(rules.shaped(personality, 0))
        assert bytes(state) == bytes(game.state)
        assert state.codes() == game.state.codes()
    if other != rules:
        assert attempt(ValueError, lambda: game.state.under(other.compiled))[1]


# ---- Monsters: values that cannot even be shown


def nested(depth: int) -> list[Any]:
    """A list in a list in a list."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


TINY = KINDS["goldgraeber"].variants["tiny, 3 players, prospecting"]

ENTRIES: dict[str, Callable[[Any], object]] = {
    "decision": lambda value: Game(VARIANTS["scarce, 2 players, base game"], 1).decide(value),
    "outcome": lambda value: Game(VARIANTS["scarce, 2 players, base game"]).reveal("saloon", value),
    "event": lambda value: Game(VARIANTS["scarce, 2 players, base game"]).reveal(value, 1),
    "option": lambda value: MoonRiver(value),
    "boards": lambda value: MoonRiver(2, legends=True, boards=value),
    "position": lambda value: Game.at(VARIANTS["scarce, 2 players, base game"], value),
    "components": MoonRiverComponents.from_dict,
    "decision of a digger": lambda value: play(Game(TINY, 1), 1, 3).decide(value),
    "first player": lambda value: Game(TINY).reveal("first", value),
    "colours": lambda value: Goldgraeber(3, colours=value),
    "position of diggers": lambda value: Game.at(TINY, value),
    "map": GoldenMap.from_dict,
    "key": lambda value: MoonRiverComponents.from_dict(standard_data() | {value if type(value) is int else 1: 1}),
}


@pytest.mark.parametrize("value", [10**5000, [10**5000], nested(5000)], ids=["number", "in a list", "nested"])
@pytest.mark.parametrize("entry", ENTRIES)
def test_a_monstrous_value_is_refused(entry: str, value: Any) -> None:
    """Numbers with more digits than Python prints, lists nested deeper than it goes: an InputError like any other."""
    with pytest.raises(InputError):
        ENTRIES[entry](value)


def test_a_deep_record_is_refused() -> None:
    """Nested as deep as the JSON reader just goes."""
    for depth in range(1, 1100):
        with pytest.raises(RecordError):
            Record.from_json('{"saloon_record": ' + "[" * depth + "]" * depth + "}")


CRASHES = {
    "a state made by hand": "State.__new__(State).status",
    "a subclass of it": "type('S', (State,), {'__init__': lambda self: None})().status",
    "a generator made by hand": "Generator.__new__(Generator).below(3)",
    "rules made by hand": "Rules.__new__(Rules).start()",
    "a list whose length changes": """
class Growing(list):
    def __len__(self): self.append(0); return 5 if len(self[:]) == 1 else 255
    def __getitem__(self, i): return list.__getitem__(self, i) if isinstance(i, slice) else 65
Game(MoonRiver(2)).state.reveal(1, Growing())""",
}


@pytest.mark.parametrize("name", CRASHES)
def test_the_core_survives(name: str) -> None:
    """What no program does by accident may raise, but neither crash nor hang."""
    setup = "from engine_cy import Game, Generator, MoonRiver\nfrom engine_cy.state import Rules, State\n"
    code = "try:\n" + "".join(f"    {line}\n" for line in CRASHES[name].splitlines())
    code += "except (TypeError, ValueError):\n    pass\n"
    assert subprocess.run([sys.executable, "-c", setup + code], timeout=10, check=False).returncode == 0


WEIGHTS = {
    "not a number": "[{'noise': float('nan')}] * 2",
    "infinite": "[{'noise': float('inf')}] * 2",
    "enormous": "[{'compact': -1e12, 'growth': -1e12}] * 2",
    "a text": "[{'growth': 'x'}] * 2",
    "unknown": "[{'bogus': 1.0}] * 2",
    "too many": "[{str(i): 1.0 for i in range(100_000)}] * 2",
    "for one seat": "[{}]",
    "for three seats": "[{}] * 3",
    "no tables": "[1, 2]",
    "no list": "5",
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_are_refused(name: str) -> None:
    """Those of the quick judgement: one finite number of a known name each, for every seat; else OptionError."""
    code = f"""
from engine_cy import MoonRiver, OptionError
try:
    MoonRiver(2, weights={WEIGHTS[name]})
except OptionError:
    raise SystemExit(0)
raise SystemExit(1)
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=10, check=False).returncode == 0
