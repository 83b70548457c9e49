"""Why one decision is better than another: where the points come from that it brings, in figures and in words."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from saloon_client.v1 import bots_pb2 as pb

from engine_cy.in_short import in_short
from engine_cy.rules import GameRules
from search.player import SeatEnd

OTHERS = "others"
LANGUAGES = ("en", "de")
_LEAST = 0.05  # points: what would be written as 0.0 is no reason
_MOST = 3  # in a line
_OTHERS = {
    "en": ("the others get less", "the others get more"),
    "de": ("die anderen bekommen weniger", "die anderen bekommen mehr"),
}
_BY = {"en": "by", "de": "durch"}


def seat_messages(seats: Sequence[SeatEnd]) -> list[pb.SeatOutlook]:
    return [
        pb.SeatOutlook(
            seat=number,
            win=seat.win,
            points=seat.points,
            parts=_messages(seat.parts, seat.finer),
        )
        for number, seat in enumerate(seats)
    ]


def _messages(parts: Mapping[str, float], finer: Mapping[str, Mapping[str, float]]) -> list[pb.PointsPart]:
    return [
        pb.PointsPart(part=name, points=points, parts=_messages(finer.get(name, {}), {}))
        for name, points in parts.items()
    ]


def _finest(seat: SeatEnd) -> dict[str, float]:
    """What the points are made of, by parts that are made of nothing finer."""
    return {
        name: points
        for part, whole in seat.parts.items()
        for name, points in seat.finer.get(part, {part: whole}).items()
    }


def reasons(rules: GameRules, me: int, these: Sequence[SeatEnd], those: Sequence[SeatEnd]) -> list[pb.Reason]:
    """What makes a decision with these ends better for a seat than one with those, the largest difference first."""
    if not these or not those or not these[me].parts:
        return []
    before = _finest(those[me])
    found = {name: points - before[name] for name, points in _finest(these[me]).items()}
    others = [seat for seat in range(len(these)) if seat != me]
    found[OTHERS] = fmean(those[seat].points - these[seat].points for seat in others)
    return [
        pb.Reason(part=name, points=points, words={each: _words(rules, name, points, each) for each in LANGUAGES})
        for name, points in sorted(found.items(), key=lambda item: -abs(item[1]))
        if abs(points) >= _LEAST
    ]


def in_words(found: Sequence[pb.Reason], language: str = LANGUAGES[0]) -> str:
    """The reasons that count most."""
    return ", ".join(reason.words[language] for reason in found[:_MOST])


def _words(rules: GameRules, part: str, points: float, language: str) -> str:
    figure = f"{points:+.1f}"
    if language == "de":
        figure = figure.replace(".", ",")
    if part == OTHERS:
        return f"{figure}: {_OTHERS[language][points < 0]}"
    return f"{figure} {_BY[language]} {in_short(rules.name, language).parts[part]}"
