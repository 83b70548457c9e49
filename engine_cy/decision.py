"""What every decision of every game can do."""

from typing import Any, ClassVar, Self


class Decision:
    """One option of a seat. Equal decisions are equal objects; `str` gives words for people.

    One that a game offers carries its code. That number means something to the rules that offered it and in that phase
    alone, so it is no part of what makes decisions equal, and one made by hand has none.
    """

    __slots__ = ("_offered",)
    kind: ClassVar[str]
    words: ClassVar[str]  # for people, as a format of the decision
    __match_args__: ClassVar[tuple[str, ...]]  # the fields of a dataclass
    _offered: tuple[object, int, int]  # by which rules, in which phase, under which code

    @property
    def code(self) -> int | None:
        """The engine's number for it; None if it was made by hand."""
        return getattr(self, "_offered", (None, None, None))[2]

    def offered(self, rules: object, phase: int, code: int) -> Self:
        """This decision as these rules offer it in the phase."""
        object.__setattr__(self, "_offered", (rules, phase, code))
        return self

    def code_for(self, rules: object, phase: int) -> int | None:
        """Its code, if these rules offered it in this phase."""
        by, there, code = getattr(self, "_offered", (None, None, None))
        return code if by is rules and there == phase else None

    def to_list(self) -> list[Any]:
        """The list form of records and traces, e.g. ``["select", 0]``: the kind, then every field."""
        return [self.kind, *(_plain(getattr(self, name)) for name in self.__match_args__)]

    def __str__(self) -> str:
        return self.words.format(self)


def bare(decision: Decision) -> Decision:
    """An equal one that was offered by nobody, to be kept for long: it keeps no rules alive."""
    fields = [getattr(decision, name) for name in decision.__match_args__]
    return type(decision)(*fields)


def _plain(value: Any) -> Any:
    """A place as its coordinates, a piece of a component set by its number."""
    return list(value) if isinstance(value, tuple) else getattr(value, "id", value)
