"""What a run was like, and whether that is what its profile asks for."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from load.profiles import Profile

if TYPE_CHECKING:  # to import locust changes how the whole process waits
    from locust.stats import RequestStats

CALL, OVER, SHED, LATE = "grpc", "over budget", "shed", "late"  # kinds of entries in the statistics


@dataclass(frozen=True)
class Work:
    """What the server's processes have done so far."""

    cpu_seconds: float
    search_cpu_seconds: float  # of those
    iterations: float


@dataclass(frozen=True)
class Usage:
    """What a run was for the server."""

    before: Work
    after: Work
    memory_begin: int  # KiB, once all users are there
    memory_end: int


def client_figures(stats: "RequestStats") -> dict[str, Any]:
    """The run as its clients saw it."""
    by_kind = {kind: [e for e in stats.entries.values() if e.method == kind] for kind in (CALL, OVER, SHED, LATE)}
    count = {kind: sum(e.num_requests for e in entries) for kind, entries in by_kind.items()}
    failed = sum(e.num_failures for e in by_kind[CALL])
    asked = count[OVER] + count[SHED]
    return {
        "calls": count[CALL],
        "failures": failed / max(1, count[CALL]),
        "late": count[LATE] / max(1, asked + count[LATE]),
        "shed_share": count[SHED] / max(1, asked),
        "overshoot_p99_ms": _percentile(by_kind[OVER]),
        "shed_p99_ms": _percentile(by_kind[SHED]),
        "methods": {f"{e.method} {e.name}": _row(e) for e in sorted(stats.entries.values(), key=lambda e: e.name)},
        "errors": {str(e.error)[:200]: e.occurrences for e in stats.errors.values()},
    }


def server_figures(usage: Usage, speed: float | None) -> dict[str, Any]:
    """What the run was for the server. `speed`: iterations in the same situations and times, compared with the search
    alone; their product with the share that searches have of the CPU time is the efficiency."""
    cpu = max(0.01, usage.after.cpu_seconds - usage.before.cpu_seconds)
    share = (usage.after.search_cpu_seconds - usage.before.search_cpu_seconds) / cpu
    return {
        "iterations_per_cpu_second": round((usage.after.iterations - usage.before.iterations) / cpu),
        "search_share": round(share, 3),
        "search_speed": None if speed is None else round(speed, 3),
        "efficiency": None if speed is None else round(share * speed, 3),
        "memory_kib": [usage.memory_begin, usage.memory_end],
        "memory_growth": round(usage.memory_end / max(1, usage.memory_begin) - 1, 3),
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
    """What does not hold of what was measured. Efficiency has a lower limit, all others upper ones."""
    broken = []
    for name, limit in profile.limits.items():
        if name not in figures:
            continue
        value = figures[name]
        fine = value is not None and (value >= limit if name == "efficiency" else value <= limit)
        if not fine:
            side = "at least" if name == "efficiency" else "at most"
            broken.append(f"{name}: expected {side} {limit:g}, got {value}")
    return broken
