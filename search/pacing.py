"""How long a person would think: a hint for front ends that show a bot at play, so that it does not answer like one."""

from math import log2

from search.player import Answer

_SHORTEST, _LONGEST = 0.4, 4.0


def pacing(answer: Answer) -> float:
    """Seconds: longer the more options there are and the closer the best two, short where all is worked out."""
    suggestions = answer.suggestions
    if answer.stopped == "solved" or len(suggestions) < 2:
        return _SHORTEST
    gap = abs(suggestions[0].reward - suggestions[1].reward)
    doubt = 1 / (1 + 40 * gap)  # 1 for equals, a half where the best leads by a fortieth of the reward
    return round(min(_LONGEST, _SHORTEST + 0.25 * log2(answer.options) * (0.4 + doubt)), 2)
