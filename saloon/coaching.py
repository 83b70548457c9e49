"""The coach: a word before a turn is ended that gives much away, by what its player may know."""

import re
from collections.abc import Sequence
from typing import Annotated

import typer
from saloon_client import Client
from saloon_client.v1 import bots_pb2, game_pb2

from engine_cy.errors import InputError

_SECONDS = 1.0  # for a turn
_LEAST, _MOST = 3, 100  # percent: less is nothing that a coach can be sure of

CoachFlag = Annotated[
    str | None,
    typer.Option(
        "--coach", help="Warn before a turn that gives away so much of a win, such as 15%.", metavar="PERCENT"
    ),
]


class Coach:
    """Looks at turns before they are sent."""

    def __init__(self, client: Client, least: float) -> None:
        self.client, self.least = client, least

    def worst(
        self, where: game_pb2.GameRecord | game_pb2.Position, decisions: Sequence[game_pb2.Decision]
    ) -> bots_pb2.ReviewedDecision | None:
        """The decision of a turn that gives most away; None if that is less than its player wants to hear of."""
        judged = self.client.judge(where, decisions, time=_SECONDS).decisions
        bad = [one for one in judged if one.quality > bots_pb2.DECISION_CLASS_GOOD and one.lost >= self.least]
        return max(bad, key=lambda one: one.lost, default=None)


def threshold(text: str | None) -> float | None:
    """From how much on somebody wants to be warned."""
    return None if text is None else part_of_a_win(text, "coach", _LEAST)


def part_of_a_win(text: str, field: str, least: int) -> float:
    """`15%` in parts of a win."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?%", text.strip())
    if found is None or not least <= float(found[1]) <= _MOST:
        raise InputError(field, f"a part of a win from {least}% to {_MOST}%", text)
    return float(found[1]) / 100
