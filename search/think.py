"""Thinking for a seat: an answer that a front end can show, or a whole turn, within a budget.

Everything starts from a `View`, so that nothing hidden can be used.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import takewhile
from math import sqrt
from typing import Any

from engine_cy.decision import Decision
from engine_cy.errors import IllegalDecision
from engine_cy.game import View
from engine_cy.state import State
from search.bots import Budget, shaped
from search.ismcts import Search, clock_ns

_SOLVE_POSITIONS = 200_000  # about 20 ms; a rest of the game that does not fit is searched instead
_PROBE_SHARE = 20  # decisions asked for by name get at least this part (a twentieth) of the iterations together
_PROBE_LEAST = 50
_LINES = 5  # so many of the best suggestions come with their principal variation


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What is believed of one decision, for the seat that decides."""

    decision: Decision
    visits: int
    share: float  # of all visits
    reward: float  # what the search maximizes, 0 to 1
    error: float  # standard error of the reward
    win: float  # probability; shared wins count by their part
    points: float
    margin: float  # ahead of the best other seat
    places: tuple[float, ...]  # how likely each place
    line: tuple[str, ...] = ()  # the principal variation in words, "seat: decision"


@dataclass(frozen=True, slots=True)
class Answer:
    """Decisions, best first, and how the answer came about."""

    suggestions: tuple[Suggestion, ...]
    stopped: str  # time, iterations, settled (in a whole turn: no other decision can win any more), solved, cancelled
    iterations: int
    nodes: int
    depth: int
    options: int  # decisions there are, whether suggested or not
    seconds: float
    seed: int
    evaluated: tuple[Suggestion, ...] = ()  # the decisions asked for by name

    @property
    def best(self) -> Decision:
        return self.suggestions[0].decision


_Outcome = tuple[int, float, float, float, float, float, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Found:
    """What one search knows of the decision."""

    outcomes: dict[int, _Outcome]
    nodes: int
    depth: int
    line: Callable[[int], Sequence[tuple[int, int]]]


class Thinker:
    """Thinks about one decision, in as many steps as wanted; other threads may stop it."""

    def __init__(
        self, view: View, seed: int, *, threads: int = 1, personality: str | None = None, **settings: Any
    ) -> None:
        self.view = view
        self.seed = seed
        self.personality = personality
        self.started = clock_ns()
        observation = shaped(view, personality)
        self.searches = [Search(observation, seed, stream=i, **settings) for i in range(max(1, threads))]
        self.stopped = "iterations"
        self.cancelled = False
        self._exact: dict[int, float] | None = None

    @property
    def state(self) -> State:
        return self.searches[0].observation

    def stop(self) -> None:
        """Make it answer at once, from any thread, now and in all that follows of its turn."""
        self.cancelled = True
        self.pause()

    def pause(self) -> None:
        """End the run that is under way, from any thread; it can go on."""
        for search in self.searches:
            search.stop()

    def probe(self, decisions: Sequence[Decision | Sequence[Any]], budget: Budget) -> list[int]:
        """Look at decisions asked for by name, however bad; returns their codes."""
        rules = self.view.rules
        codes = []
        for decision in decisions:
            option = decision.to_list() if isinstance(decision, Decision) else decision
            code = rules.encode(self.state.phase, option)
            if not self.state.is_legal(code):
                raise IllegalDecision("evaluate", f"options of {rules.phase_name(self.state.phase)}", option)
            codes.append(code)
        self.probe_codes(codes, budget)
        return codes

    def probe_codes(self, codes: Sequence[int], budget: Budget, deadline_ns: int | None = None) -> None:
        """Look at these legal decisions; within the deadline, if there is one."""
        each = max(_PROBE_LEAST, (budget.iterations or 0) // _PROBE_SHARE // max(1, len(codes)))
        for code in codes:
            if deadline_ns is None or clock_ns() < deadline_ns:
                self.searches[0].probe(code, each)

    def run(self, budget: Budget, deadline_ns: int | None = None) -> None:
        """Search until the budget of this step is spent; iterations count from the start of the decision."""
        deadline = budget.deadline_ns() if deadline_ns is None else deadline_ns
        first = self.searches[0]
        if self.cancelled:
            self.stopped = "cancelled"
            first.run(1)  # something to answer with
            return
        if self._exact is None and first.iterations == 0 and first.observation.determined:
            half = None if deadline is None else clock_ns() + (deadline - clock_ns()) // 2
            self._exact = first.solve(_SOLVE_POSITIONS, half)
        if self._exact is not None:
            self.stopped = "solved"
            first.run(max(first.iterations, 100), deadline)  # the figures people ask about, and lines
            return
        limit = None if budget.iterations is None else -(-budget.iterations // len(self.searches))
        self.stopped = min(self.run_all(limit, deadline))  # cancelled before iterations before time

    def run_all(self, limit: int | None, deadline: int | None) -> list[str]:
        """Let every search run; returns why each stopped."""
        if len(self.searches) == 1:
            return [self.searches[0].run(limit, deadline)]
        with ThreadPoolExecutor(len(self.searches)) as pool:
            return list(pool.map(lambda search: search.run(limit, deadline), self.searches))

    def found(self) -> list[Found]:
        """What every search knows, in the order of their streams."""
        return [Found(search.outcomes(), search.nodes, search.depth, search.line) for search in self.searches]

    def follow(self, code: int) -> bool:
        """Take a decision and think about the next one of the turn; False if the turn is over with it."""
        self.started = clock_ns()
        self._exact = None
        goes_on = [search.follow(code) for search in self.searches]  # all of them, whatever the first says
        return all(goes_on)

    def adopt(self, view: View, codes: Sequence[tuple[int, int]]) -> bool:
        """Think on where these decisions, as (seat, code), have led; True if something is known of it already."""
        self.view, self.started, self._exact = view, clock_ns(), None
        observation = shaped(view, self.personality)
        known = [search.adopt(observation, codes) for search in self.searches]
        return all(known)

    def answer(self, count: int | None = None, evaluate: Sequence[int] = ()) -> Answer:
        """What is known so far: the `count` best decisions (None: all), and those asked for."""
        found = self.found()
        merged = _merge([part.outcomes for part in found])
        total = sum(outcome[0] for outcome in merged.values())
        ranked = sorted(merged, key=lambda code: self._rank(code, merged[code]), reverse=True)

        def suggestion(code: int, with_line: bool) -> Suggestion:
            return self._suggestion(code, merged[code], total, self._line(found[0], code) if with_line else ())

        return Answer(
            suggestions=tuple(suggestion(code, place < _LINES) for place, code in enumerate(ranked[:count])),
            stopped=self.stopped,
            iterations=total,
            nodes=sum(part.nodes for part in found),
            depth=max(part.depth for part in found),
            options=len(merged),
            seconds=(clock_ns() - self.started) / 1e9,
            seed=self.seed,
            evaluated=tuple(suggestion(code, True) for code in evaluate),
        )

    def _rank(self, code: int, outcome: _Outcome) -> tuple[float, ...]:
        exact = self._exact[code] if self._exact is not None else 0.0
        return exact, outcome[0], outcome[1], -code

    def _suggestion(self, code: int, outcome: _Outcome, total: int, line: tuple[str, ...]) -> Suggestion:
        visits, reward, square, win, points, margin, places = outcome
        rules, phase = self.view.rules, self.state.phase
        exact = self._exact is not None
        return Suggestion(
            decision=rules.decode(phase, code),
            visits=visits,
            share=visits / total if total else 0.0,
            reward=self._exact[code] if self._exact is not None else reward,
            error=0.0 if exact or not visits else sqrt(max(0.0, square - reward * reward) / visits),
            win=win,
            points=points,
            margin=margin,
            places=places,
            line=line,
        )

    def _line(self, first: Found, code: int) -> tuple[str, ...]:
        """The most visited continuation up to the next chance event, in words."""
        decode = self.view.rules.decode
        steps = _walk(self.state, first.line(code))
        return tuple(f"{state.seat}: {decode(state.phase, step)}" for state, step in steps)

    @property
    def iterations(self) -> int:
        """Made for the decision in question, by all threads."""
        return sum(search.iterations for search in self.searches)

    @property
    def made(self) -> int:
        """Iterations made for all decisions so far."""
        return sum(search.made for search in self.searches)

    def leader(self) -> tuple[int, int]:
        """The best decision so far, and by how many visits it is ahead of the second."""
        merged = _merge([search.outcomes() for search in self.searches])
        best, second = sorted(merged, key=lambda code: self._rank(code, merged[code]), reverse=True)[:2]
        return best, merged[best][0] - merged[second][0]

    def ends_turn(self, code: int) -> bool:
        """Whether somebody else, or chance, comes after this decision."""
        after = self.state.after(code)
        return after.seat != self.state.seat or after.turn != self.state.turn

    def turn_line(self, decision: Decision) -> tuple[Decision, ...]:
        """The most visited rest of this turn that begins with the decision."""
        decode, number, seat = self.view.rules.decode, self.state.turn, self.state.seat
        steps = _walk(self.state, self.searches[0].line(self.code(decision)))
        own = takewhile(lambda step: step[0].turn == number and step[0].seat == seat, steps)
        return tuple(decode(state.phase, code) for state, code in own)

    def code(self, decision: Decision) -> int:
        return self.view.rules.encode(self.state.phase, decision.to_list())


def _walk(state: State, line: Sequence[tuple[int, int]]) -> Iterator[tuple[State, int]]:
    """The states of a line, each with the decision taken there, up to the first chance event."""
    for seat, code in line:
        if state.seat != seat or not state.is_legal(code):
            return
        yield state, code
        state = state.after(code)


def _merge(parts: Sequence[dict[int, _Outcome]]) -> dict[int, _Outcome]:
    """Root parallel searches as one: visits add up, means are weighted by them, in the order of the streams."""
    if len(parts) == 1:
        return parts[0]
    merged: dict[int, _Outcome] = {}
    for code in parts[0]:
        rows = [part[code] for part in parts]
        visits = sum(row[0] for row in rows)
        weights = [row[0] / visits if visits else 0.0 for row in rows]
        reward, square, win, points, margin, *places = (
            sum(weight * value for weight, value in zip(weights, column, strict=True))
            for column in zip(*(row[1:6] + row[6] for row in rows), strict=True)
        )
        merged[code] = (visits, reward, square, win, points, margin, tuple(places))
    return merged


def think(
    view: View,
    budget: Budget,
    seed: int,
    *,
    count: int | None = None,
    evaluate: Sequence[Decision | Sequence[Any]] = (),
    threads: int = 1,
    **settings: Any,
) -> Answer:
    """The best decisions of the seat that the view belongs to."""
    deadline = budget.deadline_ns()
    thinker = Thinker(view, seed, threads=threads, **settings)
    codes = thinker.probe(evaluate, budget)
    thinker.run(budget, deadline)
    return thinker.answer(count, codes)


def improving(view: View, budget: Budget, seed: int, *, first: float = 0.02, **settings: Any) -> Iterator[Answer]:
    """Answers that get better: after `first` seconds, then whenever the time has grown by half, the last one final."""
    deadline = budget.deadline_ns()
    thinker = Thinker(view, seed, **settings)
    step = first
    while True:
        pause = clock_ns() + int(step * 1e9)
        thinker.run(budget, pause if deadline is None else min(pause, deadline))
        final = thinker.stopped != "time" or (deadline is not None and clock_ns() >= deadline)
        yield thinker.answer()
        if final:
            return
        step *= 1.5
