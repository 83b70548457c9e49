"""Thinking about a whole turn: every decision of it, up to where another seat or chance comes next."""

from dataclasses import dataclass
from typing import Any

from engine_cy.decision import Decision
from engine_cy.game import View
from search.bots import Budget
from search.ismcts import clock_ns
from search.think import Answer, Thinker

_PARTS = 8  # so often a decision asks itself whether it is settled, before half of the budget left is spent


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn: what to decide, one after the other, up to where another seat or chance comes next."""

    decisions: tuple[Decision, ...]
    answers: tuple[Answer, ...]
    alternatives: tuple[tuple[Decision, ...], ...]  # the best turns that begin otherwise


def turn(view: View, budget: Budget, seed: int, *, threads: int = 1, **settings: Any) -> Turn:
    """The whole turn within one budget, spent where it matters: a decision may take half of what is left, so that the
    first, on which the others hang, can get most, but ends once its outcome cannot change any more; what it saves is
    left to those that follow. Each starts from the tree of the one before."""
    deadline = budget.deadline_ns()
    return turn_of(Thinker(view, seed, threads=threads, **settings), budget, deadline)


def turn_of(thinker: Thinker, budget: Budget, deadline: int | None, count: int | None = None) -> Turn:
    """The turn that a thinker finds, with the `count` best suggestions at each decision; at least three."""
    left = budget.iterations
    decisions: list[Decision] = []
    answers: list[Answer] = []
    alternatives: tuple[tuple[Decision, ...], ...] = ()
    while True:
        known = thinker.iterations
        _decide_one(thinker, left, deadline)
        answer = thinker.answer(None if count is None else max(3, count))
        if not answers:
            alternatives = tuple(thinker.turn_line(s.decision) for s in answer.suggestions[1:3])
        answers.append(answer)
        decisions.append(answer.best)
        left = None if left is None else max(0, left - (answer.iterations - known))
        if not thinker.follow(thinker.code(answer.best)):
            return Turn(tuple(decisions), tuple(answers), alternatives)


def _decide_one(thinker: Thinker, left: int | None, deadline: int | None) -> None:
    """Think about one decision of a turn until its part of the budget is spent or nothing can change any more. Its part
    is half of what is left, or all of it if the turn ends with the best decision."""
    start, known, part = clock_ns(), thinker.iterations, 0
    parts = _PARTS
    while part < parts:
        part += 1
        share = part / (2 * _PARTS)
        limit = None if left is None else known + max(1, int(left * share))
        until = None if deadline is None else start + int((deadline - start) * share)
        thinker.run(Budget(iterations=limit), until)
        if thinker.stopped not in ("iterations", "time"):
            return
        best, lead = thinker.leader()
        parts = 2 * _PARTS if thinker.ends_turn(best) else _PARTS
        if lead > (thinker.iterations - known) / part * (parts - part) and part < parts:
            thinker.stopped = "settled"
            return
