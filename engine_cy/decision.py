"""What every decision of every game can do."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar


class Decision(ABC):
    """One option of a seat. Equal decisions are equal objects; `str` gives words for people."""

    __slots__ = ()
    kind: ClassVar[str]

    @abstractmethod
    def to_list(self) -> list[Any]:
        """The list form of records and traces, e.g. ``["select", 0]``."""

    @abstractmethod
    def __str__(self) -> str: ...
