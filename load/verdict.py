"""What a run was like, and whether that is what its profile asks for."""

from dataclasses import dataclass
from typing import Any

from locust.stats import RequestStats

from load.measured import CALL, LATE, OVER, SHED
from load.profiles import Profile


@dataclass(frozen=True)
class Usage:
    """What the server's processes used during the run."""

    cpu_seconds: float
    iterations: float
    memory_begin: int  # KiB, once all users are there
    memory_end: int


def summary(stats: RequestStats, usage: Usage, bare: float) -> dict[str, Any]:
    """The run in figures."""
    by_kind = {kind: [e for e in stats.entries.values() if e.method == kind] for kind in (CALL, OVER, SHED, LATE)}
    count = {kind: sum(e.num_requests for e in entries) for kind, entries in by_kind.items()}
    failed = sum(e.num_failures for e in by_kind[CALL])
    asked = count[OVER] + count[SHED]
    per_second = usage.iterations / usage.cpu_seconds if usage.cpu_seconds else 0.0
    return {
        "calls": count[CALL],
        "failures": failed / max(1, count[CALL]),
        "late": count[LATE] / max(1, asked + count[LATE]),
        "shed_share": count[SHED] / max(1, asked),
        "overshoot_p99_ms": _percentile(by_kind[OVER]),
        "shed_p99_ms": _percentile(by_kind[SHED]),
        "iterations_per_cpu_second": round(per_second),
        "bare_iterations_per_cpu_second": round(bare),
        "efficiency": round(per_second / bare, 3) if bare else None,
        "memory_kib": [usage.memory_begin, usage.memory_end],
        "memory_growth": round(usage.memory_end / max(1, usage.memory_begin) - 1, 3),
        "methods": {f"{e.method} {e.name}": _row(e) for e in sorted(stats.entries.values(), key=lambda e: e.name)},
        "errors": {str(e.error)[:200]: e.occurrences for e in stats.errors.values()},
    }


def _percentile(entries: list[Any], part: float = 0.99) -> float:
    """Of all entries together."""
    times: dict[int, int] = {}
    for entry in entries:
        for time, n in entry.response_times.items():
            times[time] = times.get(time, 0) + n
    left = (1 - part) * sum(times.values())
    for time in sorted(times, reverse=True):
        left -= times[time]
        if left < 0:
            return float(time)
    return 0.0


def _row(entry: Any) -> dict[str, Any]:
    return {
        "calls": entry.num_requests,
        "failures": entry.num_failures,
        "p50_ms": entry.get_response_time_percentile(0.5),
        "p99_ms": entry.get_response_time_percentile(0.99),
        "most_ms": round(entry.max_response_time, 1),
    }


def broken_limits(profile: Profile, figures: dict[str, Any]) -> list[str]:
    """What does not hold. All limits are upper ones but for efficiency: the part of the iterations a CPU second buys
    the search alone that it buys inside the service."""
    broken = []
    for name, limit in profile.limits.items():
        value = figures[name]
        fine = value is not None and (value >= limit if name == "efficiency" else value <= limit)
        if not fine:
            broken.append(
                f"{name}: expected {'at least' if name == 'efficiency' else 'at most'} {limit:g}, got {value}"
            )
    return broken
