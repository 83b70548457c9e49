"""Profiles: who comes, for how long, and what must hold."""

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "profiles.toml"
_KINDS = ("Suggester", "TurnPlayer", "Analyst", "Seated", "Host", "Rude")
_LIMITS = ("failures", "late", "overshoot_p99_ms", "shed_p99_ms", "shed_share", "efficiency", "memory_growth")


class ProfileError(ValueError):
    """A profile does not fit."""


@dataclass(frozen=True)
class Profile:
    """One entry of profiles.toml."""

    name: str
    spawn_rate: float
    weights: dict[str, int]
    limits: dict[str, float]
    steps: list[tuple[float, int]]  # (seconds, users), one after the other
    server: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return sum(seconds for seconds, _ in self.steps)

    def lasting(self, seconds: float) -> "Profile":
        """The same, every step longer or shorter."""
        if not 1 <= seconds <= 1_000_000:
            raise ProfileError(f"seconds: expected 1 to 1,000,000, got {seconds:g}")
        return replace(self, steps=[(each * seconds / self.seconds, users) for each, users in self.steps])


def load(name: str, file: Path = FILE) -> Profile:
    """ProfileError says what does not fit."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    if name not in data:
        raise ProfileError(f"profile: expected one of {', '.join(data)}, got {name!r}")
    entry: dict[str, Any] = data[name]
    for group, known in (("weights", _KINDS), ("limits", _LIMITS)):
        for key in entry.get(group, {}):
            if key not in known:
                raise ProfileError(f"{name}.{group}.{key}: no such one; known are {', '.join(known)}")
    steps = entry.get("steps") or [[entry["seconds"], entry["users"]]]
    return Profile(
        name=name,
        spawn_rate=float(entry["spawn_rate"]),
        weights=dict(entry["weights"]),
        limits={key: float(value) for key, value in entry["limits"].items()},
        steps=[(float(seconds), int(users)) for seconds, users in steps],
        server=list(entry.get("server", [])),
    )
