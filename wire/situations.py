"""Where a game stands, read from requests and written into answers, for any game of the contract."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from google.protobuf.message import Message
from grpc import StatusCode
from saloon_client.v1 import game_pb2 as pb

from engine_cy.decision import Decision
from engine_cy.game import Chosen, Event, Game, Happened, View
from engine_cy.records import plain_event
from engine_cy.registry import GAMES, rules_of
from engine_cy.rules import GameRules
from engine_cy.state import State
from server.calls.refusals import Refused, invalid, naming
from wire.plain import fill, fill_event, fill_option, to_event, to_option, to_plain
from wire.replays import Replays, names

MOST_EVENTS = 20_000
_replays = Replays()
_WAITING = (pb.WAITING_DECISION, pb.WAITING_CHANCE, pb.WAITING_OVER)


@dataclass(frozen=True)
class Stand:
    """A situation that was read: a game, or what one seat sees of one."""

    game: Game
    is_record: bool

    @property
    def rules(self) -> GameRules:
        return self.game.rules

    @property
    def state(self) -> State:
        return self.game.state

    def view_to_decide(self) -> View:
        """What the seat sees that has to decide; FAILED_PRECONDITION if none has."""
        if self.game.seat is None:
            due = "the game is over" if self.game.over else f"chance comes next ({self.game.phase})"
            raise Refused(StatusCode.FAILED_PRECONDITION, f"no seat has to decide: {due}")
        return self.game.observe(self.game.seat)


# ---- Reading


def _chosen_game(message: Message, field: str) -> str:
    name: str | None = message.WhichOneof("game")
    if name is None:
        raise invalid(field, "expected one game to be set, got none; known are " + ", ".join(GAMES))
    return name


def read_options(message: pb.Options, field: str) -> GameRules:
    name = _chosen_game(message, field)
    inner = getattr(message, name)
    with naming(f"{field}.{name}"):
        return shared_rules(name, _given(to_plain(inner)))


def shared_rules(name: str, options: dict[str, Any]) -> GameRules:
    """The rules of such a table; the same object for the same options, since compiling them takes a while."""
    return _compiled(name, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=512)
def _compiled(name: str, options: str) -> GameRules:
    return rules_of(name, json.loads(options))


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """Without what is absent, so that the game's defaults hold."""
    return {key: value for key, value in options.items() if value is not None and value != []}


def read_situation(message: pb.Situation, field: str = "situation") -> Stand:
    which = message.WhichOneof("situation")
    if which == "position":
        return Stand(read_position(message.position, f"{field}.position"), False)
    if which == "record":
        return Stand(read_record(message.record, f"{field}.record"), True)
    raise invalid(field, "expected a position or a record, got neither")


def read_position(message: pb.Position, field: str) -> Game:
    name = _chosen_game(message, field)
    inner = getattr(message, name)
    plain = to_plain(inner)
    with naming(f"{field}.{name}.options"):
        rules = shared_rules(name, _given(plain.pop("options") or {}))
    for key, value in plain.items():
        if value is None and inner.DESCRIPTOR.fields_by_name[key].message_type is not None:
            raise invalid(f"{field}.{name}.{key}", "expected a value, got none")
    with naming(f"{field}.{name}", inner.DESCRIPTOR):
        return Game.at(rules, {"game": name, **plain})


def read_record(message: pb.GameRecord, field: str, most: int | None = None) -> Game:
    """Play a record again, the first `most` events of it; chance that follows from the seed may be left out at the
    end."""
    rules = read_options(message.options, f"{field}.options")
    if message.HasField("components") and message.components.hash not in ("", rules.component_hash):
        raise invalid(
            f"{field}.components.hash", f"expected {rules.component_hash}, got {message.components.hash[:64]!r}"
        )
    if len(message.events) > MOST_EVENTS:
        raise invalid(f"{field}.events", f"expected at most {MOST_EVENTS}, got {len(message.events)}")
    known_as = names(message, most)
    known, game = _replays.find(known_as)
    if game is None:
        game = Game(rules, message.seed if message.HasField("seed") else None, stream=message.stream)
    for index, event in enumerate(message.events[known:most], known):
        play_event(game, event, f"{field}.events[{index}]", index)
    _replays.keep(known_as[-1], game)
    return game


def play_event(game: Game, event: pb.Event, field: str, index: int | None = None) -> None:
    """Let an event happen. In a record (`index` given) one that followed from the seed only has to be the same."""
    kind = event.WhichOneof("event")
    if kind is None:
        raise invalid(field, "expected a decision or a chance event, got neither")
    if index is not None and index < len(game.history):
        known = game.history[index]
        if read_event(game.rules, event, field) != plain_event(known):
            raise invalid(field, f"expected {plain_event(known)}, which follows from the seed")
        return
    with naming(f"{field}.{kind}"):
        if kind == "chance":
            what, outcome = read_chance(game.rules, event.chance, f"{field}.chance")
            game.reveal(what, outcome)
            return
        if not event.chosen.HasField("seat") or event.chosen.seat != game.seat:
            got = event.chosen.seat if event.chosen.HasField("seat") else None
            raise invalid(f"{field}.chosen.seat", f"expected {game.seat}, got {got}")
        game.decide(read_decision(game.rules, event.chosen.decision, f"{field}.chosen.decision"))


def read_event(rules: GameRules, event: pb.Event, field: str) -> list[Any]:
    """An event as records hold it."""
    if event.WhichOneof("event") == "chance":
        return ["chance", *read_chance(rules, event.chance, f"{field}.chance")]
    return ["decision", event.chosen.seat, read_decision(rules, event.chosen.decision, f"{field}.chosen.decision")]


def _of_game(message: Message, rules: GameRules, field: str) -> Message:
    name = _chosen_game(message, field)
    if name != rules.name:
        raise invalid(field, f"expected {rules.name}, the game that is played, got {name}")
    return cast(Message, getattr(message, name))


def read_decision(rules: GameRules, message: pb.Decision, field: str) -> list[Any]:
    """A decision in list form; whether it is legal is for the game to say."""
    option = to_option(_of_game(message, rules, field), "decision")
    if option is None:
        raise invalid(field, "expected a decision, got none")
    return option


def read_chance(rules: GameRules, message: pb.Chance, field: str) -> tuple[str, Any]:
    event = to_event(_of_game(message, rules, field), "event")
    if event is None:
        raise invalid(field, "expected a chance event, got none")
    return event


def read_seat(seat: int, rules: GameRules, field: str) -> int:
    if not 0 <= seat < rules.players:
        raise invalid(field, f"expected 0 to {rules.players - 1}, got {seat}")
    return seat


def read_code(view: View, message: pb.Decision, field: str) -> int:
    """The code of a decision that is legal now."""
    option = read_decision(view.rules, message, field)
    with naming(field):
        code = view.rules.encode(view.state.phase, option)
    if not view.state.is_legal(code):
        raise invalid(field, f"expected one of the options of {view.phase}, got {option}")
    return code


# ---- Writing


def decision_message(rules: GameRules, decision: Decision) -> pb.Decision:
    return _decision_message(rules.name, decision)


@lru_cache(maxsize=8192)
def _decision_message(game: str, decision: Decision) -> pb.Decision:
    """Not to be changed: it is used again whenever somebody decides so."""
    message = pb.Decision(text=str(decision))
    fill_option(getattr(message, game), decision.to_list())
    return message


@lru_cache(maxsize=8192)
def _chance_message(game: str, what: str, outcome: Any) -> pb.Chance:
    """As above."""
    message = pb.Chance()
    fill_event(getattr(message, game), what, outcome)
    return message


def _frozen(outcome: Any) -> Any:
    return tuple(map(_frozen, outcome)) if isinstance(outcome, list) else outcome


def event_message(rules: GameRules, event: Event) -> pb.Event:
    match event:
        case Happened(what, outcome):
            return pb.Event(chance=_chance_message(rules.name, what, _frozen(outcome)))
        case Chosen(seat, decision):
            return pb.Event(chosen=pb.Chosen(seat=seat, decision=decision_message(rules, decision)))


def options_message(rules: GameRules) -> pb.Options:
    message = pb.Options()
    fill(getattr(message, rules.name), rules.options())
    return message


def position_message(rules: GameRules, state: State) -> pb.Position:
    """Everything the state shows; of a full state only what everybody knows, so that nothing hidden leaves here."""
    message = pb.Position()
    data = rules.position(state.spectate() if state.viewer is None else state)
    data.pop("game")
    inner = getattr(message, rules.name)
    fill(inner, {"options": rules.options(), **data})
    return message


def record_message(game: Game) -> pb.GameRecord:
    rules = game.rules
    return pb.GameRecord(
        options=options_message(rules),
        components=pb.ComponentSet(name=rules.component_name, hash=rules.component_hash),
        seed=game.seed,
        stream=game.stream,
        events=[event_message(rules, event) for event in game.history],
    )


def situation_message(stand: Stand) -> pb.Situation:
    if stand.is_record:
        return pb.Situation(record=record_message(stand.game))
    return pb.Situation(position=position_message(stand.rules, stand.state))


def status_message(rules: GameRules, state: State) -> pb.Status:
    return pb.Status(waiting=_WAITING[state.status], phase=rules.phase_name(state.phase), seat=state.seat)


def beliefs_message(rules: GameRules, state: State) -> pb.Beliefs:
    message = pb.Beliefs()
    fill(getattr(message, rules.name), rules.beliefs(state))
    return message


def score_messages(rules: GameRules, state: State) -> list[pb.SeatScore]:
    _, places = state.score()
    messages = []
    for score in rules.scores(state):
        message = pb.SeatScore(seat=score.seat, total=score.total, place=places[score.seat])
        known = getattr(message, rules.name)
        names = known.DESCRIPTOR.fields_by_name
        fill(known, {name: value for name, value in score.to_dict().items() if name in names})
        messages.append(message)
    return messages
