"""The rules of the games in short, for people: a file beside each game, which the page brings along as well."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Section:
    """A topic of the rules."""

    topic: str
    title: str
    explains: tuple[str, ...]  # the phases in which it helps most
    text: tuple[str, ...]


@dataclass(frozen=True)
class InShort:
    """The rules of a game in short, in one language."""

    sections: tuple[Section, ...]
    why_not: dict[str, str]  # why something cannot be chosen, by phase; {0} stands for the steps of a walk
    parts: dict[str, str]  # what points are made of, as `GameRules.parts` and `finer` name it, after "by"

    def section(self, topic: str) -> Section | None:
        return next((section for section in self.sections if section.topic == topic), None)


@cache
def in_short(game: str, language: str = "en") -> InShort:
    """Those of a game; without any if it has no such file."""
    file = files("engine_cy") / game / "in_short.json"
    if not file.is_file():
        return InShort((), {}, {})
    known = json.loads(file.read_text(encoding="utf-8"))[language]
    sections = (
        Section(one["topic"], one["title"], tuple(one["explains"]), tuple(one["text"])) for one in known["sections"]
    )
    return InShort(tuple(sections), known["why_not"], known["parts"])
