"""A load test from beginning to end: `python -m load.run PROFILE` starts a service, plays the profile against it, stops
it, and says whether everything held. Exit code 0 if so, 1 if not."""

# Locust makes blocking calls cooperative when it is imported, which has to be before anything else.
import locust  # noqa: I001

import argparse
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gevent
from locust import LoadTestShape
from locust.env import Environment
from locust.html import get_html_report
from locust.stats import stats_history

from load.profiles import Profile, ProfileError, load
from load.users import KINDS
from load.verdict import Usage, broken_limits, summary
from saloon_client import Client, NotReachable

_PORT, _METRICS = 50061, 50062


@contextmanager
def service(profile: Profile, folder: Path, extra: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """The server, once it answers."""
    where = ["--port", str(_PORT), "--metrics-port", str(_METRICS), "--database", str(folder / "tables.sqlite")]
    command = [sys.executable, "-m", "saloon", "serve", *where, "--log-level", "warning", *profile.server, *extra]
    child = subprocess.Popen(command)
    try:
        _wait_until_it_answers(child)
        yield child
    finally:
        child.terminate()
        child.wait(60)


def _wait_until_it_answers(child: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    with Client(f"localhost:{_PORT}", retries=0) as saloon:
        while True:
            try:
                saloon.bots(timeout=2)
                return
            except NotReachable:
                if child.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)


class _Watched:
    """What the server's processes use, read from the system and from their metrics."""

    def __init__(self, pid: int, workers: int) -> None:
        self.pid, self.workers = pid, workers

    def _pids(self) -> list[int]:
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="utf-8").split()
        return [self.pid, *map(int, children)]

    def cpu_seconds(self) -> float:
        total = 0.0
        for pid in self._pids():
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / 100
        return total

    def memory(self) -> int:
        total = 0
        for pid in self._pids():
            text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
            total += int(text.partition("VmRSS:")[2].split()[0])
        return total

    def iterations(self) -> float:
        total = 0.0
        for number in range(self.workers):
            with urllib.request.urlopen(f"http://127.0.0.1:{_METRICS + number}/metrics", timeout=10) as response:
                text = response.read().decode()
            total += next(
                float(line.split()[1]) for line in text.splitlines() if line.startswith("saloon_iterations_t")
            )
        return total


def _shape(profile: Profile) -> LoadTestShape:
    class Steps(LoadTestShape):
        def tick(self) -> tuple[int, float] | None:
            left: float = self.get_run_time()  # type: ignore[no-untyped-call]
            for seconds, users in profile.steps:
                if left < seconds:
                    return users, profile.spawn_rate
                left -= seconds
            return None

    return Steps()  # type: ignore[no-untyped-call]


def play(profile: Profile, watched: _Watched, bare: float) -> tuple[Environment, dict[str, Any]]:
    """The profile against the service; the figures."""
    kinds: list[type[locust.User]] = [KINDS[name] for name, weight in profile.weights.items() if weight]
    for name, weight in profile.weights.items():
        KINDS[name].weight = weight
    environment = Environment(user_classes=kinds, host=f"localhost:{_PORT}", shape_class=_shape(profile))
    runner = environment.create_local_runner()
    cpu, iterations = watched.cpu_seconds(), watched.iterations()
    runner.start_shape()
    history = gevent.spawn(stats_history, runner)
    # Memory counts from the time when every kind of user has been served for a while.
    gevent.sleep(profile.seconds / 5)
    memory = watched.memory()
    assert runner.shape_greenlet is not None
    runner.shape_greenlet.join()
    usage = Usage(watched.cpu_seconds() - cpu, watched.iterations() - iterations, memory, watched.memory())
    runner.quit()
    history.kill()
    return environment, summary(environment.stats, usage, bare)


def bare_search() -> float:
    done = subprocess.run([sys.executable, "-m", "load.bare"], check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["iterations_per_cpu_second"])


def run(profile: Profile, out: Path, workers: int) -> list[str]:
    """Everything; what does not hold. The report and the figures are written to the folder."""
    bare = bare_search()
    with TemporaryDirectory() as folder, service(profile, Path(folder), ["--workers", str(workers)]) as child:
        environment, figures = play(profile, _Watched(child.pid, workers), bare)
    broken = broken_limits(profile, figures)
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"profile": profile.name, "workers": workers, **figures, "broken": broken}, indent=1)
    (out / f"{profile.name}.json").write_text(text + "\n", encoding="utf-8")
    html: str = get_html_report(environment)  # type: ignore[no-untyped-call]
    (out / f"{profile.name}.html").write_text(html, encoding="utf-8")
    print(text)
    return broken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profile", help="a profile of load/profiles.toml")
    parser.add_argument("--workers", type=int, default=1, help="processes of the service")
    parser.add_argument("--out", type=Path, default=Path("build/load"), help="folder of the report")
    arguments = parser.parse_args()
    try:
        broken = run(load(arguments.profile), arguments.out, arguments.workers)
    except ProfileError as error:
        sys.exit(str(error))
    for line in broken:
        print(f"does not hold: {line}", file=sys.stderr)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
