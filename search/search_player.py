"""The player that searches: it grows trees, and says what it found with figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from threading import Event
from typing import Any

from engine_cy.decision import Decision
from engine_cy.game import View
from engine_cy.rules import GameRules
from engine_cy.state import State
from search.ismcts import Outcome, clock_ns
from search.outs import outs
from search.player import Answer, Limit, Player, Question, SeatEnd, Suggestion, Turn, code_of, same_turn
from search.trees import Trees
from search.turns import whole_turn

EXACT = 200_000  # positions, about 20 ms: a rest of the game that does not fit is searched instead
_PROBE_SHARE = 20  # decisions asked for by name get at least this part (a twentieth) of the iterations together
_PROBE_LEAST = 50
_SOLVED_LEAST = 100  # iterations beside an exact answer, for the figures people ask about
_LINES = 5  # so many of the best suggestions come with their principal variation
_FIRST_NS = 20_000_000
_GROWTH = 1.5  # an answer improves whenever its time has grown by half

Grow = Callable[[View, State, int], Trees]  # what is seen, the same as it is judged, the seed


def local(number: int = 1, in_turn: bool = False, **knobs: Any) -> Grow:
    """Trees on this machine."""
    return lambda _, observation, seed: Trees(observation, seed, number, in_turn, **knobs)


class SearchPlayer(Player):
    """It solves what can be solved (`exact`: positions at most), searches the rest, and takes what was visited most;
    a flat search, which visits all alike, the best mean. Within a turn it goes on with its trees (`reuse`)."""

    improves = True

    def __init__(
        self,
        grow: Grow | None = None,
        *,
        personality: str | None = None,
        exact: int = EXACT,
        reuse: bool = True,
        flat: bool = False,
    ) -> None:
        self._grow = grow or local()
        self._personality = personality
        self._exact_positions = exact
        self._reuse = reuse
        self._flat = flat
        self._trees: Trees | None = None
        self._seed = 0  # of the trees
        self._made_before = 0  # by trees that are gone
        self._exact: dict[int, float] | None = None
        self._cancelled = False
        self._going = Event()  # cleared: rest
        self._going.set()
        self._choice: int | None = None  # the last one
        self.question: Question
        self.started = 0
        self.stopped = "iterations"

    @property
    def trees(self) -> Trees:
        assert self._trees is not None
        return self._trees

    @property
    def exact(self) -> Mapping[int, float] | None:
        """The exact reward of every decision, if the rest of the game was worked out."""
        return self._exact

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._cancelled

    @property
    def made(self) -> int:
        return self._made_before + (0 if self._trees is None else self._trees.made)

    def stop(self) -> None:
        self._cancelled = True
        self._going.set()
        self._interrupt()

    def pause(self) -> None:
        self._going.clear()
        self._interrupt()

    def resume(self) -> None:
        self._going.set()

    def _interrupt(self) -> None:
        trees = self._trees
        if trees is not None:
            trees.stop()

    # ---- Thinking

    def think(self, question: Question) -> Answer:
        self.begin(question)
        self._probe(question.evaluate, question.limit)
        self.run(self._target(question.limit), question.limit.deadline_ns)
        return self.answer()

    def improve(self, question: Question) -> Iterator[Answer]:
        self.begin(question)
        limit, step = question.limit, float(_FIRST_NS)
        target = self._target(limit)
        self._probe(question.evaluate, limit)
        while True:
            pause, deadline = clock_ns() + int(step), limit.deadline_ns
            self.run(target, pause if deadline is None else min(pause, deadline))
            final = self.stopped != "time" or (deadline is not None and clock_ns() >= deadline)
            yield self.answer(final)
            if final:
                return
            step *= _GROWTH

    def turn(self, question: Question) -> Turn:
        return whole_turn(self, question)

    def follow(self, view: View, codes: Sequence[tuple[int, int]]) -> bool:
        self._exact, self._cancelled = None, False  # what was stopped was the thought before
        return self.trees.adopt(self._judged(view), codes)

    # ---- Its parts, which whole turns are made of

    def begin(self, question: Question) -> None:
        """Turn to a decision: with the trees there are if it goes on where they stand, else with new ones."""
        self.question, self.started = question, clock_ns()
        observation = self._judged(question.view)
        if self._trees is None or not self._goes_on(self._trees, observation):
            self._made_before = self.made
            self._trees, self._seed, self._exact = None, question.seed, None
            self._trees = self._grow(question.view, observation, question.seed)

    def _judged(self, view: View) -> State:
        """What the seat sees, judged with its personality."""
        if self._personality is None:
            return view.state
        return view.state.under(view.rules.shaped(self._personality, view.viewer))

    def _goes_on(self, trees: Trees, observation: State) -> bool:
        if not self._reuse or trees.observation.rules is not observation.rules:
            return False
        if trees.observation == observation:
            return True
        code, self._choice = self._choice, None
        if code is None or trees.observation.after(code) != observation:
            return False
        self._exact = None
        return trees.follow(code)

    def _target(self, limit: Limit) -> int | None:
        """How many iterations there will be, with those known already."""
        return None if limit.iterations is None else self.trees.iterations + limit.iterations

    def _probe(self, codes: Sequence[int], limit: Limit) -> None:
        """Look at these legal decisions; all together take half of the time at most."""
        each = max(_PROBE_LEAST, (limit.iterations or 0) // _PROBE_SHARE // max(1, len(codes)))
        now, deadline = clock_ns(), limit.deadline_ns
        for number, code in enumerate(codes, 1):
            until = None if deadline is None else now + (deadline - now) * number // (2 * len(codes))
            self.look(code, each, until)

    def look(self, code: int, times: int, deadline_ns: int | None) -> int:
        """Look at this decision so often, however bad it is, with rests between; not after the deadline or `stop`.
        Returns how often."""
        left = times
        while left and not self._cancelled:
            left -= self.trees.probe(code, left, deadline_ns)
            if self._going.is_set() and deadline_ns is not None and clock_ns() >= deadline_ns:
                break
            if not self.rest(deadline_ns):
                break
        return times - left

    def run(self, iterations: int | None, deadline_ns: int | None) -> None:
        """Search until there are so many iterations, or until then."""
        trees = self.trees
        if self._cancelled:
            self.stopped = "cancelled"
            trees.run(1, None)  # something to answer with
            return
        if self._exact is None and self._exact_positions and trees.iterations == 0 and trees.observation.determined:
            half = None if deadline_ns is None else clock_ns() + (deadline_ns - clock_ns()) // 2
            self._exact = trees.solve(self._exact_positions, half)
        if (exact := self._exact) is not None:
            self.stopped = "solved"
            trees.run(max(trees.iterations, _SOLVED_LEAST), deadline_ns)
            best = max(exact, key=lambda code: (exact[code], -code))
            if not trees.known().outcomes[best].visits:
                trees.probe(best, _PROBE_LEAST, deadline_ns)
            return
        self.stopped = trees.run(iterations, deadline_ns)
        while self.stopped == "cancelled" and not self._cancelled:  # it only rests
            if self.rest(deadline_ns):
                self.stopped = trees.run(iterations, deadline_ns)
            else:
                self.stopped = "time"

    def rest(self, deadline_ns: int | None) -> bool:
        """Wait until it goes on; False if the time was up before."""
        if deadline_ns is None:
            return self._going.wait()
        return self._going.wait(max(0, deadline_ns - clock_ns()) / 1e9)

    # ---- What was found

    def answer(self, final: bool = True) -> Answer:
        """What is known so far."""
        question, view = self.question, self.question.view
        known = self.trees.known()
        total, errors = known.visits, known.errors()
        ranked = self._ranked(known.outcomes)
        self._choice = ranked[0]
        seen = [code for code in ranked if known.outcomes[code].visits]  # of the others nothing is believed

        def suggestion(code: int, with_line: bool) -> Suggestion:
            line = self._line(code) if with_line else ()
            return self._suggestion(view, code, known.outcomes[code], total, errors[code], line)

        suggestions = tuple(suggestion(code, i < _LINES) for i, code in enumerate(seen[: question.count]))
        return Answer(
            view=view,
            choice=view.rules.decode(view.state.phase, ranked[0]),
            suggestions=self._with_outs(suggestions) if question.outs and final else suggestions,
            evaluated=tuple(suggestion(code, True) for code in question.evaluate),
            stopped=self.stopped,
            final=final,
            iterations=total,
            nodes=known.nodes,
            depth=known.depth,
            options=len(ranked),
            seconds=(clock_ns() - self.started) / 1e9,
            seed=self._seed,
        )

    def _with_outs(self, suggestions: tuple[Suggestion, ...]) -> tuple[Suggestion, ...]:
        """The first one with what chance may bring right after it."""
        if not suggestions:
            return ()
        (best, *others), view = suggestions, self.question.view
        next_best = others[0].win if others else None
        found = outs(view, code_of(view, best.decision), best.win, next_best, self._seed)
        return replace(best, outs=found), *others

    def _ranked(self, outcomes: Mapping[int, Outcome]) -> list[int]:
        return sorted(outcomes, key=lambda code: self._rank(code, outcomes[code]), reverse=True)

    def _rank(self, code: int, outcome: Outcome) -> tuple[float, ...]:
        exact = self._exact[code] if self._exact is not None else 0.0
        order = (outcome.reward, outcome.visits) if self._flat else (outcome.visits, outcome.reward)
        return exact, *order, -code

    def _suggestion(
        self, view: View, code: int, outcome: Outcome, total: int, error: float, line: tuple[str, ...]
    ) -> Suggestion:
        exact = self._exact
        return Suggestion(
            decision=view.rules.decode(view.state.phase, code),
            visits=outcome.visits,
            share=outcome.visits / total if total else 0.0,
            reward=exact[code] if exact is not None else outcome.reward,
            error=error if exact is None else 0.0,
            win=outcome.win,
            points=outcome.points,
            margin=outcome.margin,
            places=outcome.places,
            line=line,
            seats=self.ends(code),
        )

    def ends(self, code: int) -> tuple[SeatEnd, ...]:
        """What a decision means for every seat, by the looks at it since it is due."""
        told = self.trees.told(code)
        if not told.looks:
            return ()
        rules = self.question.view.rules
        return tuple(
            SeatEnd(win, points, *_parts(rules, parts, finer))
            for win, points, parts, finer in zip(told.wins, told.points, told.parts, told.finer, strict=True)
        )

    def _line(self, code: int) -> tuple[str, ...]:
        """The most visited continuation up to the next chance event, in words."""
        decode = self.question.view.rules.decode
        return tuple(f"{state.seat}: {decode(state.phase, step)}" for state, step in self._walk(code))

    def _walk(self, code: int) -> Iterator[tuple[State, int]]:
        """The states of a line, each with the decision taken there, up to the first chance event."""
        state = self.question.view.state
        for seat, step in self.trees.line(code):
            if state.seat != seat:
                return
            try:
                following = state.after(step)
            except ValueError:  # legal only with what the viewer does not know
                return
            yield state, step
            state = following

    def leader(self) -> tuple[int, int]:
        """The best decision so far, and by how many visits it is ahead of the second."""
        outcomes = self.trees.known().outcomes
        best, second = self._ranked(outcomes)[:2]
        return best, outcomes[best].visits - outcomes[second].visits

    def ends_turn(self, code: int) -> bool:
        """Whether somebody else, or chance, comes after this decision."""
        state = self.question.view.state
        return not same_turn(state, state.after(code))

    def turn_line(self, decision: Decision) -> tuple[Decision, ...]:
        """The most visited rest of this turn that begins with the decision."""
        view = self.question.view
        own = takewhile(lambda step: same_turn(view.state, step[0]), self._walk(code_of(view, decision)))
        return tuple(view.rules.decode(state.phase, code) for state, code in own)


def _parts(
    rules: GameRules, points: Sequence[float], finer: Sequence[float]
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """By name, and what the first part is made of. What the network sees in a part that this table does not have, since
    it learned from others, goes to the rest in proportion."""
    named = dict(zip(rules.parts, points, strict=False))
    known = {name: each for name, each in named.items() if name not in rules.missing_parts}
    parts = _adding_up(known, sum(named.values()))
    if not parts or not finer:
        return parts, {}
    first = rules.parts[0]
    return parts, {first: _adding_up(dict(zip(rules.finer, finer, strict=True)), parts[first])}


def _adding_up(points: dict[str, float], total: float) -> dict[str, float]:
    """To this, each moved in proportion."""
    all_of_it = sum(map(abs, points.values()))
    share = (total - sum(points.values())) / all_of_it if all_of_it else 0.0
    return {name: each + share * abs(each) for name, each in points.items()}
