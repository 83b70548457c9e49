"""What a player says, as messages."""

from collections.abc import Sequence

from google.protobuf.duration_pb2 import Duration
from saloon_client.v1 import bots_pb2 as pb
from saloon_client.v1 import game_pb2

from engine_cy.game import Happened
from engine_cy.rules import GameRules
from search.pacing import pacing
from search.player import Answer, Suggestion, Turn, code_of
from wire.bots import Bot, bot_message
from wire.reasons import reasons, seat_messages
from wire.writing import Writer, beliefs_message, status_message

_EXPLAINED = 20  # of thousands of suggestions
_STOPS = {
    "time": pb.STOP_REASON_TIME,
    "iterations": pb.STOP_REASON_ITERATIONS,
    "solved": pb.STOP_REASON_SOLVED,
    "settled": pb.STOP_REASON_SETTLED,
    "cancelled": pb.STOP_REASON_CANCELLED,
}


def duration(seconds: float) -> Duration:
    message = Duration()
    message.FromNanoseconds(max(0, int(seconds * 1e9)))
    return message


def answer_message(
    writer: Writer, answer: Answer, bot: Bot, version: str, budget: float | None, queued: float
) -> pb.Answer:
    """`budget`: the seconds there were, if time was the limit; `queued`: those before thinking began."""
    view = answer.view
    suggestions, rules, me = answer.suggestions, view.rules, view.viewer
    return pb.Answer(
        choice=writer.decision(rules, answer.choice),
        suggestions=suggestion_messages(writer, rules, me, suggestions, suggestions),
        evaluated=suggestion_messages(writer, rules, me, answer.evaluated, suggestions),
        seat=view.viewer,
        stopped=_STOPS[answer.stopped],
        iterations=answer.iterations,
        nodes=answer.nodes,
        depth=answer.depth,
        budget=None if budget is None else duration(budget),
        used=duration(answer.seconds),
        queued=duration(queued),
        pacing=duration(pacing(answer)),
        replay=pb.Replay(bot=bot_message(bot), iterations=answer.iterations, engine_version=version),
        beliefs=beliefs_message(rules, view.state),
    )


def suggestion_messages(
    writer: Writer, rules: GameRules, me: int, these: Sequence[Suggestion], ranked: Sequence[Suggestion]
) -> list[pb.Suggestion]:
    """Some decisions of a seat; they are compared with the best of those that are ranked, or the best with the next."""

    def beside(suggestion: Suggestion) -> Suggestion | None:
        return next((other for other in ranked[:2] if other.decision != suggestion.decision), None)

    messages = [_suggestion(writer, rules, suggestion) for suggestion in these]
    for message, suggestion in zip(messages[:_EXPLAINED], these, strict=False):
        message.seats.extend(seat_messages(suggestion.seats))
        if (other := beside(suggestion)) is not None:
            message.reasons.extend(reasons(rules, me, suggestion.seats, other.seats))
    return messages


def _suggestion(writer: Writer, rules: GameRules, suggestion: Suggestion) -> pb.Suggestion:
    return pb.Suggestion(
        decision=writer.decision(rules, suggestion.decision),
        visits=suggestion.visits,
        share=suggestion.share,
        win=suggestion.win,
        points=suggestion.points,
        margin=suggestion.margin,
        places=suggestion.places,
        reward=suggestion.reward,
        error=suggestion.error,
        line=suggestion.line,
        outs=[
            pb.Out(
                chance=writer.event(rules, Happened(out.what, out.outcome)).chance,
                probability=out.chance,
                win=out.win,
                changes=out.changes,
            )
            for out in suggestion.outs
        ],
    )


def alternatives(writer: Writer, turn: Turn) -> list[pb.Line]:
    rules = turn.answers[0].view.rules
    return [pb.Line(decisions=[writer.decision(rules, d) for d in line]) for line in turn.alternatives]


def status_after(answer: Answer) -> game_pb2.Status:
    """What the game waits for once this was decided."""
    view = answer.view
    return status_message(view.rules, view.state.after(code_of(view, answer.choice)))
