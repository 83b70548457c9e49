"""From the engine to messages, for any game of the contract."""

from functools import lru_cache
from typing import Any

from saloon_client.v1 import game_pb2 as pb

from engine_cy.decision import Decision, bare
from engine_cy.game import Chosen, Event, Game, Happened
from engine_cy.rules import GameRules
from engine_cy.state import State
from wire.plain import fill, fill_event, fill_option
from wire.reading import Situation

_WAITING = (pb.WAITING_DECISION, pb.WAITING_CHANCE, pb.WAITING_OVER)


_MOST_KEPT = 8192
_decisions: dict[tuple[str, Decision], pb.Decision] = {}


def decision_message(rules: GameRules, decision: Decision) -> pb.Decision:
    """Not to be changed: it is used again whenever somebody decides so."""
    message = _decisions.get((rules.name, decision))
    if message is None:
        message = pb.Decision(text=str(decision))
        fill_option(getattr(message, rules.name), decision.to_list())
        if len(_decisions) >= _MOST_KEPT:
            _decisions.clear()
        _decisions[rules.name, bare(decision)] = message
    return message


@lru_cache(maxsize=_MOST_KEPT)
def _chance_message(game: str, what: str, outcome: Any) -> pb.Chance:
    """Not to be changed either."""
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
    return plain_options_message(rules.name, rules.options())


def plain_options_message(game: str, options: dict[str, Any]) -> pb.Options:
    """The options as rules give them; KeyError if the contract does not know one."""
    message = pb.Options()
    fill(getattr(message, game), options)
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


def situation_message(situation: Situation) -> pb.Situation:
    if situation.is_record:
        return pb.Situation(record=record_message(situation.game))
    return pb.Situation(position=position_message(situation.rules, situation.state))


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
