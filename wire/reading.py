"""From messages to the engine, for any game of the contract; an InputError names the field that does not fit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from google.protobuf.message import Message
from saloon_client.v1 import game_pb2 as pb

from engine_cy.component_sets import ComponentSets
from engine_cy.decision import Decision
from engine_cy.errors import InputError
from engine_cy.game import Game, View
from engine_cy.ops import DECISION
from engine_cy.problems import each
from engine_cy.records import plain_event
from engine_cy.registry import GAMES
from engine_cy.rules import ComponentSet, GameRules
from engine_cy.state import State
from wire.memory import PlayedRecords, Recent, record_keys
from wire.naming import NONE, Words, naming
from wire.plain import to_event, to_option, to_plain

MOST_IN_A_ROW = 100  # decisions of one seat
MOST_EVENTS = 2000  # three times as many as the longest games have
_RULES = 512


class NobodyDecides(ValueError):
    """A seat has to decide in what was sent, but none has."""


@dataclass(frozen=True)
class Situation:
    """A game, or what one seat sees of one, as a request told it."""

    game: Game
    is_record: bool

    @property
    def rules(self) -> GameRules:
        return self.game.rules

    @property
    def state(self) -> State:
        return self.game.state

    def seat_to_decide(self) -> int:
        if self.game.seat is None:
            due = "the game is over" if self.game.over else f"chance comes next ({self.game.phase})"
            raise NobodyDecides(f"no seat has to decide: {due}")
        return self.game.seat

    def view_to_decide(self, field: str = "situation") -> View:
        """What the seat sees that has to decide; InputError where a position, or another seat's own record, does not
        say what it has seen."""
        seat = self.seat_to_decide()
        with naming(f"{field}.record" if self.is_record else f"{field}.position.{self.rules.name}"):
            return self.game.observe(seat)


class Reader:
    """Reads options, positions and records; it remembers the last ones, since the same come again and again."""

    def __init__(self, sets: ComponentSets | None = None) -> None:
        self.sets = sets or ComponentSets()
        self._rules: Recent[tuple[str, str, str], GameRules] = Recent(_RULES)
        self._known: Recent[tuple[str, str, bytes], GameRules] = Recent(_RULES)  # the same, by their messages
        self._played = PlayedRecords()

    def rules(self, game: str, options: Mapping[str, Any], components: ComponentSet, kept: bool = False) -> GameRules:
        """The rules of such a table; the same object for the same options, since compiling them takes a while. `kept`:
        those of a game that was kept, maybe before there were all of these options."""
        given = {key: value for key, value in options.items() if value is not None and value != []}
        if kept:
            given = GAMES[game].as_kept(given)
        key = game, components.digest, repr(sorted(given.items()))
        rules = self._rules.get(key)
        if rules is None:
            rules = GAMES[game].from_options(given, components)
            self._rules.put(key, rules)
        return rules

    def options(self, message: pb.Options, field: str) -> GameRules:
        name = _chosen_game(message, field)
        with naming(field):
            components = self._components(name, message.components)
        return self._options(message, name, field, components)

    def _options(
        self, message: pb.Options, name: str, field: str, components: ComponentSet, kept: bool = False
    ) -> GameRules:
        options = getattr(message, name)
        with naming(f"{field}.{name}"):
            rules = self.rules(name, to_plain(options), components, kept)
        self._keep(message, rules)
        return rules

    def _keep(self, table: pb.Options | pb.Position, rules: GameRules) -> None:
        for named in (rules.component_hash, "") if rules.printed else (rules.component_hash,):
            self._known.put(_key(table, named), rules)

    def _components(self, game: str, message: pb.ComponentSet) -> ComponentSet:
        return self.sets.find(game, message.hash, message.name)

    def knows(self, message: pb.Options | pb.Position | pb.GameRecord) -> bool:
        """Whether its rules are compiled, or there are none to compile."""
        table = message.options if isinstance(message, pb.GameRecord) else message
        named = message if message.HasField("components") else table
        return table.WhichOneof("game") is None or self._known.get(_key(table, named.components.hash)) is not None

    def situation(
        self, message: pb.Situation, field: str = "situation", keys: Sequence[bytes] | None = None
    ) -> Situation:
        """`keys`: of `situation_keys`, if they are known already."""
        which = message.WhichOneof("situation")
        if which == "position":
            return Situation(self.position(message.position, f"{field}.position"), False)
        if which == "record":
            return Situation(self.record(message.record, f"{field}.record", keys=keys), True)
        raise InputError(field, "a position or a record", Words("neither"))

    def position(self, message: pb.Position, field: str) -> Game:
        name = _chosen_game(message, field)
        inner = getattr(message, name)
        with naming(f"{field}.{name}"):
            plain = to_plain(inner)
        with naming(field):
            components = self._components(name, message.components)
        with naming(f"{field}.{name}.options"):
            rules = self.rules(name, plain.pop("options") or {}, components)
        self._keep(message, rules)

        def need(_: int, key: str) -> None:
            if plain[key] is None and inner.DESCRIPTOR.fields_by_name[key].message_type is not None:
                raise InputError(f"{field}.{name}.{key}", "a value", NONE)

        each(plain, need)
        with naming(f"{field}.{name}", inner.DESCRIPTOR):
            return Game.at(rules, {"game": name, **plain})

    def record(
        self, message: pb.GameRecord, field: str, most: int | None = None, keys: Sequence[bytes] | None = None
    ) -> Game:
        """Play a record again, the first `most` events of it; chance that follows from the seed may be left out at the
        end."""
        rules = self.rules_of_record(message, field)
        check_length(message, field)
        keys = keys or record_keys(message, most)
        known, game = self._played.find(keys)
        if game is None:
            game = Game(rules, message.seed if message.HasField("seed") else None, stream=message.stream)
        for index, event in enumerate(message.events[known:most], known):
            play_event(game, event, f"{field}.events[{index}]", index)
        self._played.keep(keys[-1], game)
        return game

    def rules_of_record(self, message: pb.GameRecord, field: str) -> GameRules:
        """A record names its set; one that somebody wrote may name it in its options instead, or nowhere."""
        name = _chosen_game(message.options, f"{field}.options")
        with naming(field):
            components = self._components(name, message.components)
        with naming(f"{field}.options"):
            asked = self._components(name, message.options.components)
        if not message.HasField("components"):
            components = asked
        elif message.options.HasField("components") and asked is not components:
            raise InputError(f"{field}.options.components.hash", components.digest, asked.digest)
        return self._options(message.options, name, f"{field}.options", components, message.HasField("components"))


def _key(table: pb.Options | pb.Position, components: str) -> tuple[str, str, bytes]:
    """What rules depend on, as it was sent."""
    name = str(table.WhichOneof("game"))
    chosen = getattr(table, name)
    options = chosen.options if isinstance(table, pb.Position) else chosen
    return name, components, options.SerializeToString()


def check_length(record: pb.GameRecord, field: str) -> None:
    """Before anything is done with its events."""
    if len(record.events) > MOST_EVENTS:
        raise InputError(f"{field}.events", f"at most {MOST_EVENTS}", len(record.events))


def play_event(game: Game, event: pb.Event, field: str, index: int | None = None) -> None:
    """Let an event happen. In a record (`index` given) one that followed from the seed only has to be the same."""
    kind = event.WhichOneof("event")
    if kind is None:
        raise InputError(field, "a decision or a chance event", Words("neither"))
    if index is not None and index < len(game.history):
        known, told = plain_event(game.history[index]), read_event(game.rules, event, field)
        if told != known:
            raise InputError(field, f"{known}, which follows from the seed", told)
        return
    with naming(f"{field}.{kind}"):
        if kind == "chance":
            game.reveal(*read_chance(game.rules, event.chance, ""))
            return
        seat = event.chosen.seat if event.chosen.HasField("seat") else None
        if seat is None or seat != game.seat:
            raise InputError("seat", str(game.seat), seat)
        game.decide(read_decision(game.rules, event.chosen.decision, "decision"))


def read_event(rules: GameRules, event: pb.Event, field: str) -> list[Any]:
    """An event as records hold it."""
    if event.WhichOneof("event") == "chance":
        return ["chance", *read_chance(rules, event.chance, f"{field}.chance")]
    return ["decision", event.chosen.seat, read_decision(rules, event.chosen.decision, f"{field}.chosen.decision")]


def read_decision(rules: GameRules, message: pb.Decision, field: str) -> list[Any]:
    """A decision in list form; whether it is legal is for the game to say."""
    with naming(field):
        option = to_option(_of_game(message, rules, ""), "decision")
    if option is None:
        raise InputError(field, "a decision", NONE)
    return option


def read_chance(rules: GameRules, message: pb.Chance, field: str) -> tuple[str, Any]:
    with naming(field):
        event = to_event(_of_game(message, rules, ""), "event")
    if event is None:
        raise InputError(field, "a chance event", NONE)
    return event


def read_seat(seat: int, rules: GameRules, field: str) -> int:
    if not 0 <= seat < rules.players:
        raise InputError(field, f"0 to {rules.players - 1}", seat)
    return seat


def read_code(view: View, message: pb.Decision, field: str) -> int:
    """The code of a decision that is legal now."""
    option = read_decision(view.rules, message, field)
    with naming(field):
        code = view.rules.encode(view.state.phase, option)
    if not view.state.is_legal(code):
        raise InputError(field, f"one of the options of {view.phase}", option)
    return code


def read_row(view: View, messages: Sequence[pb.Decision], field: str) -> list[Decision]:
    """Decisions that the seat of the view may take one after the other."""
    if not 1 <= len(messages) <= MOST_IN_A_ROW:
        raise InputError(field, f"1 to {MOST_IN_A_ROW} decisions", len(messages))
    found, state = [], view.state
    for index, message in enumerate(messages):
        if state.status != DECISION or state.seat != view.viewer:
            raise InputError(
                f"{field}[{index}]", f"nothing: seat {view.viewer} does not decide next", Words("a decision")
            )
        code = read_code(View(view.rules, state), message, f"{field}[{index}]")
        found.append(view.rules.decode(state.phase, code))
        state = state.after(code)
    return found


def _chosen_game(message: Message, field: str) -> str:
    name: str | None = message.WhichOneof("game")
    if name is None:
        raise InputError(field, "one game to be set", Words("none; known are " + ", ".join(GAMES)))
    return name


def _of_game(message: Message, rules: GameRules, field: str) -> Message:
    name = _chosen_game(message, field)
    if name != rules.name:
        raise InputError(field, f"{rules.name}, the game that is played", Words(name))
    return cast(Message, getattr(message, name))
