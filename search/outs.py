"""What chance may bring right after a decision, and what of it would make another decision the better one.

Only where chance comes next, and in few ways: what comes after others have decided depends on them, and of a column of
four plots there are a million, each of which by itself says nothing. The ways are drawn from all that agrees with what
the seat sees. Each is valued by what the seat sees then, without a search, as it was learned; what it differs by from
the mean of all is what it changes of how likely the search says that the seat wins.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine_cy.game import View
from engine_cy.ops import CHANCE
from engine_cy.state import Generator, State
from search.outlook import outlook

MOST = 40  # ways that are worth telling apart
_DRAWS = 1000
_LOOKS = 8  # at each of them, where worlds differ that agree with it
_STREAM = 1 << 46

_Way = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Out:
    """Something that chance may bring."""

    what: str
    outcome: Any
    chance: float
    win: float  # of the seat, if it comes
    changes: bool  # whether the other decision would have been better, had one known


def outs(view: View, code: int, win: float, other_win: float | None, seed: int) -> tuple[Out, ...]:
    """What may come right after a decision, likeliest first; nothing if chance does not come next, or in too many ways.
    `win`: how likely the search says that the seat wins with it; `other_win`: with the next best, if there is one."""
    if view.rules.compiled.network is None:
        return ()
    generator = Generator(seed, _STREAM)
    ways: Counter[_Way] = Counter()
    after: dict[_Way, State] = {}
    for _ in range(_DRAWS):
        state = view.state.determinize(generator)
        state.apply(code)
        if state.status != CHANCE:
            return ()
        phase, items, _ = state.draw(generator)
        ways[phase, items] += 1
        after.setdefault((phase, items), state)
        if len(ways) > MOST:
            return ()
    worths = {way: _worth(view.viewer, state, generator) for way, state in after.items()}
    mean = sum(worths[way] * number for way, number in ways.items()) / _DRAWS
    found = []
    for (phase, items), number in ways.most_common():
        then = min(1.0, max(0.0, win + worths[phase, items] - mean))
        name, outcome = view.rules.phase_name(phase), view.rules.outcome(phase, items)
        found.append(Out(name, outcome, number / _DRAWS, then, other_win is not None and then < other_win))
    return tuple(found)


def _worth(seat: int, state: State, generator: Generator) -> float:
    wins: Sequence[float] = outlook(state.observe(seat), generator, _LOOKS, 0)[0]
    return wins[seat]
