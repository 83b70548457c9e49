"""Answers of the search as messages."""

from google.protobuf.duration_pb2 import Duration
from saloon_client.v1 import bots_pb2 as pb

from engine_cy.decision import Decision
from engine_cy.game import View
from search.pacing import pacing
from search.think import Answer, Suggestion
from server.process.version import ENGINE_VERSION
from wire.situations import beliefs_message, decision_message

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
    view: View,
    answer: Answer,
    bot: pb.BotSettings,
    *,
    choice: Decision | None = None,
    budget: float | None = None,
    queued: float = 0.0,
) -> pb.Answer:
    """An answer for the wire. `choice` is what the bot does, if that need not be the best."""
    rules = view.rules
    return pb.Answer(
        choice=decision_message(rules, choice or answer.best),
        suggestions=[_suggestion(view, s) for s in answer.suggestions],
        evaluated=[_suggestion(view, s) for s in answer.evaluated],
        seat=view.viewer,
        stopped=_STOPS[answer.stopped],
        iterations=answer.iterations,
        nodes=answer.nodes,
        depth=answer.depth,
        budget=None if budget is None else duration(budget),
        used=duration(answer.seconds),
        queued=duration(queued),
        pacing=duration(pacing(answer)),
        replay=pb.Replay(bot=bot, iterations=answer.iterations, engine_version=ENGINE_VERSION),
        beliefs=beliefs_message(rules, view.state),
    )


def _suggestion(view: View, suggestion: Suggestion) -> pb.Suggestion:
    return pb.Suggestion(
        decision=decision_message(view.rules, suggestion.decision),
        visits=suggestion.visits,
        share=suggestion.share,
        win=suggestion.win,
        points=suggestion.points,
        margin=suggestion.margin,
        places=suggestion.places,
        reward=suggestion.reward,
        error=suggestion.error,
        line=suggestion.line,
    )
