"""How a player that searches spends one limit on a whole turn: where it matters."""

from dataclasses import replace
from typing import TYPE_CHECKING

from engine_cy.decision import Decision
from search.ismcts import clock_ns
from search.player import Answer, Question, Turn, rest_of_turn

if TYPE_CHECKING:
    from search.search_player import SearchPlayer

_PARTS = 8  # so often a decision asks itself whether it is settled, before half of the limit left is spent
_ALTERNATIVES = 2


def whole_turn(player: "SearchPlayer", question: Question) -> Turn:
    """A decision may take half of what is left, so that the first, on which the others hang, can get most, but ends
    once its outcome cannot change any more; what it saves is left to those that follow. Each starts from the trees of
    the one before."""
    left, deadline = question.limit.iterations, question.limit.deadline_ns
    if question.count is not None:
        question = replace(question, count=max(1 + _ALTERNATIVES, question.count))
    answers: list[Answer] = []
    alternatives: tuple[tuple[Decision, ...], ...] = ()
    while True:
        player.begin(question)
        known = player.trees.iterations
        _decide(player, left, deadline)
        answer = player.answer()
        if not answers:
            others = answer.suggestions[1 : 1 + _ALTERNATIVES]
            alternatives = tuple(player.turn_line(other.decision) for other in others)
        answers.append(answer)
        left = None if left is None else max(0, left - (answer.iterations - known))
        view = rest_of_turn(answer)
        if view is None:
            return Turn(tuple(answers), alternatives)
        question = replace(question, view=view)


def _decide(player: "SearchPlayer", left: int | None, deadline: int | None) -> None:
    """Think about one decision of a turn until its part of the limit is spent or nothing can change any more. Its part
    is half of what is left, or all of it if the turn ends with the best decision."""
    start, known, part = clock_ns(), player.trees.iterations, 0
    parts = _PARTS
    while part < parts:
        part += 1
        share = part / (2 * _PARTS)
        most = None if left is None else known + max(1, int(left * share))
        until = None if deadline is None else start + int((deadline - start) * share)
        player.run(most, until)
        if player.stopped not in ("iterations", "time"):
            return
        best, lead = player.leader()
        parts = 2 * _PARTS if player.ends_turn(best) else _PARTS
        if lead > (player.trees.iterations - known) / part * (parts - part) and part < parts:
            player.stopped = "settled"
            return
