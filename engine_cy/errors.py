"""What the engine raises for input it refuses. Every message names the field, what was expected and what came."""

from typing import Any


class InputError(ValueError):
    """Something from outside does not fit; `more` are other things in it that do not."""

    more: "tuple[InputError, ...]" = ()

    def __init__(self, field: str, expected: str, got: Any) -> None:
        self.field = field
        self.expected = expected
        self.got = got
        super().__init__(f"{field}: expected {expected}, got {short(got)}")

    def __reduce__(self) -> tuple[Any, ...]:
        """It comes back whole from a process that works for us."""
        return type(self), (self.field, self.expected, self.got), {"more": self.more}

    @property
    def all(self) -> "tuple[InputError, ...]":
        return self, *self.more


class ComponentError(InputError):
    """A component file is wrong."""


class OptionError(InputError):
    """A game cannot be started so."""


class PositionError(InputError):
    """A position contradicts the rules or itself."""


class IllegalDecision(InputError):
    """A decision that is not one of the options."""


class ImpossibleOutcome(InputError):
    """A chance event that cannot come out so."""


class RecordError(ValueError):
    """A game record is corrupt or illegal; `index` is the offending entry, None for the header."""

    def __init__(self, index: int | None, reason: str) -> None:
        self.index = index
        self.reason = reason
        super().__init__(f"{'header' if index is None else f'entry {index}'}: {reason}")


def short(value: Any, limit: int = 120) -> str:
    """A value as errors show it."""
    try:
        text = repr(value)
    except Exception:  # too deep, too many digits, or an object that cannot be shown: the refusal must still be
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= limit else text[: limit - 3] + "..."
