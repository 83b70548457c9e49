"""From the engine to messages, for any game of the contract."""

from typing import Any, TypeVar

from saloon_client.v1 import game_pb2 as pb

from engine_cy.decision import Decision, bare
from engine_cy.game import Chosen, Event, Game, Happened
from engine_cy.registry import GAMES
from engine_cy.rules import GameRules
from engine_cy.state import State
from wire.plain import fill, fill_event, fill_option
from wire.reading import Situation

_WAITING = (pb.WAITING_DECISION, pb.WAITING_CHANCE, pb.WAITING_OVER)

_KEPT = 8192
K = TypeVar("K")
V = TypeVar("V")


class Writer:
    """Writes what comes again and again; it remembers the last messages, so none of those it gives is to be changed."""

    def __init__(self) -> None:
        self._decisions: dict[tuple[str, Decision], pb.Decision] = {}
        self._chances: dict[tuple[str, str, Any], pb.Chance] = {}

    def decision(self, rules: GameRules, decision: Decision) -> pb.Decision:
        message = self._decisions.get((rules.name, decision))
        if message is None:
            message = pb.Decision(text=str(decision))
            fill_option(getattr(message, rules.name), decision.to_list())
            _keep(self._decisions, (rules.name, bare(decision)), message)
        return message

    def event(self, rules: GameRules, event: Event) -> pb.Event:
        match event:
            case Happened(what, outcome):
                return pb.Event(chance=self._chance(rules.name, what, outcome))
            case Chosen(seat, decision):
                return pb.Event(chosen=pb.Chosen(seat=seat, decision=self.decision(rules, decision)))

    def _chance(self, game: str, what: str, outcome: Any) -> pb.Chance:
        key = game, what, _frozen(outcome)
        message = self._chances.get(key)
        if message is None:
            message = pb.Chance()
            fill_event(getattr(message, game), what, outcome)
            _keep(self._chances, key, message)
        return message

    def record(self, game: Game) -> pb.GameRecord:
        rules = game.rules
        return pb.GameRecord(
            options=options_message(rules),
            components=_components(rules),
            seed=game.seed,
            stream=game.stream,
            events=[self.event(rules, event) for event in game.history],
        )

    def situation(self, situation: Situation) -> pb.Situation:
        if situation.is_record:
            return pb.Situation(record=self.record(situation.game))
        return pb.Situation(position=_position(situation.rules, situation.rules.told(situation.state)))


def _keep(memory: dict[K, V], key: K, message: V) -> None:
    """Without a lock: several threads may write, and at worst make a message twice."""
    if len(memory) >= _KEPT:
        memory.clear()
    memory[key] = message


def _frozen(outcome: Any) -> Any:
    return tuple(map(_frozen, outcome)) if isinstance(outcome, list) else outcome


def options_message(rules: GameRules) -> pb.Options:
    return plain_options_message(rules.name, rules.options(), rules.component_hash, rules.component_name)


def _components(rules: GameRules) -> pb.ComponentSet:
    return pb.ComponentSet(name=rules.component_name, hash=rules.component_hash)


def plain_options_message(game: str, options: dict[str, Any], digest: str, name: str = "") -> pb.Options:
    """The options as rules give them, with the hash of the component set, and its name if that is known; KeyError if
    the contract does not know one."""
    message = pb.Options()
    fill(getattr(message, game), options)
    if digest != GAMES[game].standard().digest:
        message.components.CopyFrom(pb.ComponentSet(name=name, hash=digest))
    return message


def position_message(rules: GameRules, state: State) -> pb.Position:
    """Everything the state shows; of a full state only what everybody knows, so that nothing hidden leaves here."""
    return _position(rules, rules.position(state.spectate() if state.viewer is None else state))


def _position(rules: GameRules, data: dict[str, Any]) -> pb.Position:
    message = pb.Position()
    data.pop("game")
    inner = getattr(message, rules.name)
    fill(inner, {"options": rules.options(), **data})
    if not rules.printed:
        message.components.CopyFrom(_components(rules))
    return message


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
