"""Tables played at several servers on two PostgreSQLs, one following the other, while all of them, and the way between
them, are killed, stand still, are cut off or full; every history is checked, and every record replayed.

`make chaos-tables` does it for a night, `make chaos-tables CHAOS_SECONDS=600` for ten minutes, `make chaos-tables
KILLS=1000` until so many servers were killed.
"""

import argparse
import math
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

from tests.chaos.faults import BACK_SECONDS, Faults, Kept
from tests.chaos.played import Played
from tests.service.between import between
from tests.service.disks import Disk, NoDisk, small_disk
from tests.service.pair import pair
from tests.service.postgres import place
from tests.service.processes import Server

_MEGABYTES = 400  # of each disk
_ROUND_SECONDS = 60.0
_KILLS = 3  # of servers for each other fault


@contextmanager
def world(servers: int, random: Random, say: Callable[[str], None]) -> Iterator[Faults]:
    """Servers that reach the two databases by a proxy each, and what may happen to all of it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        disks = list[Disk]()
        where = stack.enter_context(place())
        try:
            disks = [stack.enter_context(small_disk(where / f"disk-{name}", _MEGABYTES)) for name in "ab"]
        except NoDisk as reason:
            say(f"SKIPPED: no disk gets full here: {reason}")
        two = stack.enter_context(pair(disks or (None, None), max_wal_size="64MB", min_wal_size="32MB"))
        two.primary.sql("CREATE DATABASE saloon")
        ways = [stack.enter_context(between(each.socket)) for each in two.both]
        url = two.url("saloon", [way.port for way in ways])
        flags = ["--database", url, "--drain-seconds", "1", "--notice-seconds", "0"]
        running = [Kept(folder, *flags) for _ in range(servers)]
        for each in running:
            each.keep()
            stack.callback(each.let_go)
        yield Faults(running, two, ways, disks, random)


def run(
    seconds: float,
    *,
    seed: int,
    kills: float = math.inf,
    kills_each: int = _KILLS,
    servers: int = 3,
    tables: int = 3,
    say: Callable[[str], None] = print,
) -> list[str]:
    """So long, or until so many servers were killed; what was wrong."""
    random, problems, end = Random(seed), list[str](), time.monotonic() + seconds
    decisions = looks = 0
    with world(servers, random, say) as faults:
        while time.monotonic() < end and faults.counted["kill_server"] < kills:
            _until_all_serve(faults.servers)
            played = [Played(faults.servers, random.getrandbits(31)) for _ in range(tables)]
            round_end = min(end, time.monotonic() + _ROUND_SECONDS)
            while time.monotonic() < round_end and faults.counted["kill_server"] < kills:
                faults.next(kills_each)
                time.sleep(random.uniform(0.2, 1))
            _until_all_serve(faults.servers)
            time.sleep(1)  # bots go on
            for one in played:
                problems += one.check()
            decisions += sum(act.outcome == "done" for one in played for act in one.history.acts)
            looks += sum(len(one.history.looks) for one in played)
            counted = ", ".join(f"{count} {name}" for name, count in faults.counted.most_common())
            say(f"{decisions} decisions acknowledged, {looks} looks; {counted}; {len(problems)} problems")
    return problems


def _until_all_serve(servers: Sequence[Server]) -> None:
    until = time.monotonic() + BACK_SECONDS
    while not all(server.answers() for server in servers):
        assert time.monotonic() < until, "a server does not answer any more"
        time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--kills", type=float, default=math.inf, help="of servers, and then it ends")
    parser.add_argument("--kills-each", type=int, default=_KILLS, help="of servers for each other fault")
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    begun = time.monotonic()
    problems = run(
        arguments.seconds,
        seed=arguments.seed,
        kills=arguments.kills,
        kills_each=arguments.kills_each,
        servers=arguments.servers,
        say=lambda text: print(f"{time.monotonic() - begun:.0f} s: {text}", flush=True),
    )
    for problem in problems:
        print(problem)
    raise SystemExit(bool(problems))


if __name__ == "__main__":
    main()
