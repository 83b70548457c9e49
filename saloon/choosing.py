"""One of many decisions, found by a number, by cells, or by a few letters of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from saloon_client.v1 import game_pb2

_CELL = re.compile(r"[a-e](10|[1-9])")
_MANY = 14


@dataclass(frozen=True)
class Entry:
    """A line of the menu: one decision, or several that go together."""

    text: str
    decisions: Sequence[int]


@dataclass
class Menu:
    """What may be chosen, and what is in view of it."""

    decisions: Sequence[game_pb2.Decision]
    texts: Sequence[str]
    within: Sequence[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Everything is in view again."""
        self.within = range(len(self.decisions))

    def entries(self) -> list[Entry]:
        """The lines in view: groups if there are many decisions, else one by one."""
        groups: dict[tuple[int, ...], list[int]] = {}
        rest = []
        for index in self.within:
            decision = self.decisions[index].moon_river
            if decision.WhichOneof("decision") == "build":
                pair = tuple(sorted((decision.build.plot, decision.build.other_plot)))
                groups.setdefault(pair, []).append(index)
            else:
                rest.append(Entry(self.texts[index], [index]))
        if len(self.within) <= _MANY or len(groups) < 2:
            single = [Entry(self.short(i), [i]) for group in groups.values() for i in group]
            return single + rest
        return [Entry(self._pair(group), group) for group in groups.values()] + rest

    def short(self, index: int) -> str:
        """A build without its first word: ``desert on b2, farm on c2``."""
        return self.texts[index].removeprefix("build ")

    def _pair(self, group: Sequence[int]) -> str:
        names = sorted(re.sub(r" on \w+", "", self.short(group[0])).split(", "))
        return f"{' and '.join(names)}: {len(group)} {'ways' if len(group) > 1 else 'way'}"

    def choose(self, entered: str) -> int | None:
        """What was entered leads to one decision, or narrows the view (None); ValueError if to nothing."""
        if not entered:
            self.reset()
            return None
        found = self._numbered(int(entered)) if entered.isdigit() else self._matching(entered.lower().split())
        if len(found) == 1:
            return found[0]
        self.within = found
        return None

    def _numbered(self, number: int) -> Sequence[int]:
        entries = self.entries()
        if not 1 <= number <= len(entries):
            raise ValueError(f"expected 1 to {len(entries)}, got {number}")
        return entries[number - 1].decisions

    def _matching(self, words: Sequence[str]) -> Sequence[int]:
        """The decisions with all of the words; first among those in view, then among all."""
        for among in (self.within, range(len(self.decisions))):
            found = [i for i in among if all(self._has(i, word) for word in words)]
            if found:
                return found
        raise ValueError(f"nothing you can do has {' '.join(words)!r} in it; Enter shows everything, help helps")

    def _has(self, index: int, word: str) -> bool:
        text = self.texts[index].lower()
        return word in re.findall(r"\w+", text) if _CELL.fullmatch(word) else word in text
