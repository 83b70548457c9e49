"""For locust itself, distributed or with its web page, against a service that is up:

SALOON_PROFILE=steady locust -f load/locustfile.py --host localhost:50051 --headless [--master | --worker]

Exit code 1 if a limit of the profile does not hold. What the server's processes use is not seen from here, so limits of
memory and efficiency are not judged.
"""

import os
import sys
from typing import Any

from locust import events
from locust.env import Environment
from locust.runners import WorkerRunner

from load.playing import kinds, steps
from load.profiles import load
from load.verdict import broken_limits, client_figures

_profile = load(os.environ.get("SALOON_PROFILE", "smoke"))
globals().update({kind.__name__: kind for kind in kinds(_profile)})
Steps = steps(_profile)


def judge(environment: Environment, **_: Any) -> None:
    """The verdict, where the statistics of all workers come together."""
    if isinstance(environment.runner, WorkerRunner):
        return
    broken = broken_limits(_profile, client_figures(environment.stats))
    for line in broken:
        print(f"does not hold: {line}", file=sys.stderr)
    environment.process_exit_code = 1 if broken else 0


events.quitting.add_listener(judge)  # type: ignore[no-untyped-call]
