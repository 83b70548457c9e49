"""What a review says, as messages."""

from saloon_client.v1 import bots_pb2 as pb

from engine_cy.game import Happened
from engine_cy.rules import GameRules
from search.judging import CLASSES, UNJUDGED, Judged
from search.review import Fell, Review, Sum
from wire.answers import suggestion_messages
from wire.reasons import reasons
from wire.writing import Writer

_CLASSES = (
    pb.DECISION_CLASS_BEST,
    pb.DECISION_CLASS_GOOD,
    pb.DECISION_CLASS_INACCURACY,
    pb.DECISION_CLASS_MISTAKE,
    pb.DECISION_CLASS_BLUNDER,
)


def review_message(
    writer: Writer, rules: GameRules, part: Judged | Fell | Review, events: int, seed: int, version: str
) -> pb.ReviewResponse:
    match part:
        case Judged():
            return pb.ReviewResponse(done=part.event + 1, events=events, decision=judged_message(writer, rules, part))
        case Fell():
            return pb.ReviewResponse(done=part.event + 1, events=events, chance=_chance(writer, rules, part))
        case Review():
            summary = pb.ReviewSummary(
                seats=[_seat(each) for each in part.seats],
                turning_points=part.turning_points,
                over=part.over,
                seed=seed,
                engine_version=version,
            )
            return pb.ReviewResponse(done=events, events=events, summary=summary)


def judged_message(writer: Writer, rules: GameRules, judged: Judged) -> pb.ReviewedDecision:
    if judged.kind == UNJUDGED:
        chosen = writer.decision(rules, judged.chosen)
        return pb.ReviewedDecision(event=judged.event, seat=judged.seat, chosen=chosen, wins=judged.wins)
    return pb.ReviewedDecision(
        event=judged.event,
        seat=judged.seat,
        chosen=writer.decision(rules, judged.chosen),
        best=writer.decision(rules, judged.best),
        quality=_CLASSES[CLASSES.index(judged.kind)],
        lost=judged.lost,
        error=judged.error,
        points_lost=judged.points,
        wins=judged.wins,
        suggestions=suggestion_messages(writer, rules, judged.seat, judged.suggestions, judged.suggestions),
        reasons=reasons(rules, judged.seat, *judged.ends),
    )


def _chance(writer: Writer, rules: GameRules, fell: Fell) -> pb.ReviewedChance:
    chance = writer.event(rules, Happened(fell.what, fell.outcome)).chance
    return pb.ReviewedChance(event=fell.event, chance=chance, luck=fell.luck, points=fell.points)


def _seat(sum: Sum) -> pb.ReviewedSeat:
    return pb.ReviewedSeat(
        seat=sum.seat,
        decisions=sum.decisions,
        classes=[sum.kinds[kind] for kind in CLASSES],
        accuracy=sum.accuracy,
        given_away=sum.given,
        points_given_away=sum.points,
        expected=sum.expected,
        luck=sum.luck,
        lost=sum.lost,
        result=sum.result,
    )
