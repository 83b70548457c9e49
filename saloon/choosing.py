"""One of many decisions, found by a number, by fields, or by a few letters of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from saloon.screens.screen import FIELD, Choice

_MANY = 14


@dataclass(frozen=True)
class Entry:
    """A line of the menu: one choice, or several that go together."""

    text: str
    choices: Sequence[int]


@dataclass
class Menu:
    """What may be chosen, and what is in view of it."""

    choices: Sequence[Choice]
    within: Sequence[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Everything is in view again."""
        self.within = range(len(self.choices))

    def entries(self) -> list[Entry]:
        """The lines in view: groups if there are many choices, else one by one."""
        groups: dict[str, list[int]] = {}
        for index in self.within:
            groups.setdefault(self.choices[index].group or f"#{index}", []).append(index)
        together = {self.choices[index].group for index in self.within} - {""}
        if len(self.within) <= _MANY or len(together) < 2:
            return [Entry(self.choices[i].short, [i]) for i in self.within]
        return [Entry(self._line(name, group), group) for name, group in groups.items()]

    def _line(self, name: str, group: Sequence[int]) -> str:
        return self.choices[group[0]].short if len(group) == 1 else f"{name}: {len(group)} ways"

    def choose(self, entered: str) -> Choice | None:
        """What was entered leads to one choice, or narrows the view (None); ValueError if to nothing."""
        if not entered:
            self.reset()
            return None
        found = self._numbered(int(entered)) if entered.isdecimal() else self._matching(entered.lower())
        if len(found) == 1:
            return self.choices[found[0]]
        self.within = found
        return None

    def _numbered(self, number: int) -> Sequence[int]:
        entries = self.entries()
        if not 1 <= number <= len(entries):
            raise ValueError(f"expected 1 to {len(entries)}, got {number}")
        return entries[number - 1].choices

    def _matching(self, entered: str) -> Sequence[int]:
        """The choice that is told so; else those with all of the words, first among those in view, then among all."""
        found = [i for i, choice in enumerate(self.choices) if entered in (choice.text.lower(), choice.short.lower())]
        words = entered.split()
        for among in (self.within, range(len(self.choices))):
            found = found or [i for i in among if all(self._has(i, word) for word in words)]
        if not found:
            raise ValueError(f"nothing you can do has {' '.join(words)!r} in it; Enter shows everything, help helps")
        return found

    def _has(self, index: int, word: str) -> bool:
        """A field must be there as a whole, of anything else a part will do."""
        text = f"{self.choices[index].text} {self.choices[index].short}".lower()
        return word in re.findall(r"\w+", text) if FIELD.fullmatch(word) else word in text
