"""A load test from beginning to end: `python -m load.run PROFILE` starts a service, plays the profile against it, stops
it, and says whether everything held. Exit code 0 if so, 1 if not."""

# Locust makes blocking calls cooperative when it is imported, which has to be before anything else.
import locust  # noqa: F401, I001

import argparse
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import gevent
from locust.env import Environment
from locust.html import get_html_report
from locust.stats import stats_history

from load.playing import kinds, steps
from load.profiles import Profile, ProfileError, load
from load.users import answers
from load.verdict import Usage, Work, broken_limits, client_figures, server_figures
from saloon.launching import own_server
from saloon.ports import free_port


class Served:
    """A service that is up, and what its processes use, read from the system and from their metrics."""

    def __init__(self, pid: int, port: int, workers: int) -> None:
        self.pid, self.port, self.workers = pid, port, workers

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

    def metric(self, name: str) -> float:
        """The sum of a metric over the workers."""
        total = 0.0
        for number in range(self.workers):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port + 1 + number}/metrics", timeout=10) as response:
                text = response.read().decode()
            total += next(float(line.split()[1]) for line in text.splitlines() if line.startswith(name + " "))
        return total

    def work(self) -> Work:
        return Work(
            self.cpu_seconds(), self.metric("saloon_search_cpu_seconds_total"), self.metric("saloon_iterations_total")
        )


@contextmanager
def service(profile: Profile, workers: int) -> Iterator[Served]:
    """The service of a profile, once it answers; its metrics are on the ports that follow."""
    port = free_port(1 + workers)
    how = ["--metrics-port", str(port + 1), "--workers", str(workers), "--log-level", "warning", *profile.server]
    with own_server(*how, port=port) as server:
        yield Served(server.process.pid, port, workers)


def play(profile: Profile, served: Served) -> tuple[Environment, Usage]:
    """The profile against the service; what it used for that."""
    shape = steps(profile)()
    environment = Environment(user_classes=kinds(profile), host=f"localhost:{served.port}", shape_class=shape)
    runner = environment.create_local_runner()
    before = served.work()
    runner.start_shape()
    history = gevent.spawn(stats_history, runner)
    # Memory counts from the time when every kind of user has been served for a while.
    gevent.sleep(profile.seconds / 5)
    memory = served.memory()
    assert runner.shape_greenlet is not None
    runner.shape_greenlet.join()
    usage = Usage(before, served.work(), memory, served.memory())
    runner.quit()
    history.kill()
    return environment, usage


def bare_search() -> int:
    """What the search alone makes of the situations that were answered, in a process without locust."""
    with TemporaryDirectory() as folder:
        sample = Path(folder) / "sample.json"
        answers.save(sample)
        done = subprocess.run([sys.executable, "-m", "load.bare", sample], check=True, capture_output=True, text=True)
    return int(json.loads(done.stdout)["iterations"])


def run(profile: Profile, out: Path, workers: int) -> list[str]:
    """Everything; what does not hold. The report and the figures are written to the folder."""
    with service(profile, workers) as served:
        environment, usage = play(profile, served)
    bare = bare_search()
    figures = client_figures(environment.stats) | server_figures(usage, answers.iterations / bare if bare else None)
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
    parser.add_argument("--seconds", type=float, help="how long, if not as long as the profile says")
    parser.add_argument("--workers", type=int, default=1, help="processes of the service")
    parser.add_argument("--out", type=Path, default=Path("build/load"), help="folder of the report")
    arguments = parser.parse_args()
    try:
        profile = load(arguments.profile)
        if arguments.seconds is not None:
            profile = profile.lasting(arguments.seconds)
        broken = run(profile, arguments.out, arguments.workers)
    except ProfileError as error:
        sys.exit(str(error))
    for line in broken:
        print(f"does not hold: {line}", file=sys.stderr)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
