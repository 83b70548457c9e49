"""The targets by name."""

from collections.abc import Mapping
from typing import Any

from tests.fuzz.codec import CODEC
from tests.fuzz.names import BROKEN, NAMES
from tests.fuzz.plain import COMPONENTS, POSITIONS, RECORDS
from tests.fuzz.target import Target


def _broken(data: bytes) -> float:
    return 1 / (data[:1] != b"!")


_ALL: tuple[Target[Any], ...] = (
    CODEC,
    RECORDS,
    POSITIONS,
    COMPONENTS,
    Target(BROKEN, (), _broken, lambda _: None, lambda data, chance: None),
)
TARGETS: Mapping[str, Target[Any]] = {target.name: target for target in _ALL}
assert set(TARGETS) == {*NAMES, BROKEN}
