"""The player that asks a program, by the protocol of docs/outside-bots.md. It tells what the seat sees and no more."""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from engine_cy.errors import OptionError
from engine_cy.game import View
from search.ismcts import clock_ns
from search.player import Answer, Limit, Player, Question
from search.programs import Program, given_back, started

PROTOCOL = 1


class ProgramPlayer(Player):
    """It has a program of its own from its first question until it is closed. `patience`: seconds an answer may take
    beyond its limit, with all that it takes to start."""

    def __init__(self, name: str, command: Sequence[str], patience: float) -> None:
        self._name, self._command, self._patience = name, command, patience
        self._program: Program | None = None

    def think(self, question: Question) -> Answer:
        view, begun = question.view, clock_ns()
        decisions = view.decisions()
        try:
            choice = decisions[self._ask(question, [decision.to_list() for decision in decisions])]
        except BaseException:
            self._give_up()
            raise
        seconds = (clock_ns() - begun) / 1e9
        return Answer(view, choice, options=len(decisions), seconds=seconds, seed=question.seed)

    def close(self) -> None:
        program, self._program = self._program, None
        if program is None:
            return
        try:
            program.tell({"say": "over"}, self._patience)
        except OptionError:
            program.kill()
        else:
            given_back(program)

    def _give_up(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            program.kill()

    def _ask(self, question: Question, options: list[list[Any]]) -> int:
        view = question.view
        if self._program is None:
            self._program = started(self._name, self._command)
            self._program.tell(game_message(view), self._patience)
        seconds = _seconds_left(question.limit)
        message = {
            "say": "decide",
            "position": view.position(),
            "decisions": options,
            "seconds": seconds,
            "iterations": question.limit.iterations,
            "seed": question.seed,
        }
        return self._index(self._program.ask(message, (seconds or 0.0) + self._patience), options)

    def _index(self, answer: dict[str, Any], options: list[list[Any]]) -> int:
        """Which of the options it takes."""
        if "error" in answer:
            raise OptionError(f"bot {self._name}", "a decision", f"its error: {answer['error']}")
        decision = answer.get("decision")
        if type(decision) is int and 0 <= decision < len(options):
            return decision
        with suppress(ValueError):
            if isinstance(decision, list):
                return [json.dumps(option) for option in options].index(json.dumps(decision))
        expected = f"a decision by its index, 0 to {len(options) - 1}, or in its list form"
        raise OptionError(f"bot {self._name}", expected, answer)


def game_message(view: View) -> dict[str, Any]:
    """What stays the same for a whole game."""
    rules = view.rules
    return {
        "say": "game",
        "protocol": PROTOCOL,
        "game": rules.name,
        "options": rules.options(),
        "components": rules.components.tables,
        "seat": view.viewer,
    }


def _seconds_left(limit: Limit) -> float | None:
    # Clocks of programs have nothing in common.
    return None if limit.deadline_ns is None else max(0.0, (limit.deadline_ns - clock_ns()) / 1e9)
