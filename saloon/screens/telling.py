"""What tells of a table: names of seats, and what they do."""

from collections.abc import Callable


class Teller:
    """Tells somebody at seat `me`, or a spectator, with these names."""

    def __init__(self, name: Callable[[int], str], me: int | None) -> None:
        self.name, self.me = name, me

    def does(self, seat: int, words: str) -> str:
        """``seat 1 rolls 4``, but ``you roll 4``; the first word ends in s."""
        first, _, rest = words.partition(" ")
        return f"{self.name(seat)} {_of_you(first) if seat == self.me else first} {rest}".rstrip()

    def whose(self, seat: int) -> str:
        return "your" if seat == self.me else f"{self.name(seat)}'s"


def _of_you(verb: str) -> str:
    return verb[:-2] if verb.endswith(("sses", "shes", "ches")) else verb[:-1]
