"""What a target is, and what is demanded of every one: whatever bytes come, they are read at a bounded cost, or refused
with one of the documented errors."""

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from engine_cy.errors import InputError

T = TypeVar("T")
MOST_CPU = 2.0  # seconds to read one, on the debug build and watched
MOST_MEMORY = 64 << 20  # bytes that the process may grow by meanwhile
_LONGEST = 1000  # characters of an error


@dataclass(frozen=True)
class Target(Generic[T]):
    """`read` may refuse what comes from outside; `use` may do nothing but work with what was read."""

    name: str
    refusals: tuple[type[Exception], ...]
    read: Callable[[bytes], T]
    use: Callable[[T], None]
    mutate: Callable[[bytes, Random], bytes | None]  # None: not of the form that it knows how to change

    def run(self, data: bytes) -> bool:
        """Try an input; returns whether it was accepted, AssertionError or anything else is a finding."""
        cpu, memory = time.process_time(), _peak()
        try:
            read = self.read(data)
        except self.refusals as error:
            check_refusal(error)
            read = None
        cpu, memory = time.process_time() - cpu, _peak() - memory
        assert cpu <= MOST_CPU, f"{cpu:.1f} s to read {len(data)} bytes, at most {MOST_CPU} are right"
        assert memory <= MOST_MEMORY, f"{memory} bytes to read {len(data)} bytes, at most {MOST_MEMORY} are right"
        if read is None:
            return False
        self.use(read)
        return True


def check_refusal(error: Exception) -> None:
    """It says what is wrong, in words that can be written anywhere and are not too many."""
    text = str(error)
    assert text.encode(), "an error without words"
    assert text.isprintable(), f"an error with control characters: {text!r}"
    assert len(text) <= _LONGEST, f"an error of {len(text)} characters: {text[:200]}"
    if isinstance(error, InputError):
        assert error.field, f"an error that names no field: {text}"
        assert error.expected, f"an error that says nothing of what was expected: {text}"
        assert text.startswith(f"{error.field}: expected {error.expected}, got "), text


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
