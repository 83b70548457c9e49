"""Work on many machines with Ray (the extra `cluster`): texts in, texts out, in order. Only this module knows Ray."""

import os
import signal
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from secrets import token_hex
from types import ModuleType
from typing import Any, Protocol
from urllib.parse import urlsplit

from engine_cy.errors import InputError

LOCAL = "local"
ADDRESSES = f"{LOCAL} (one on this machine), auto, HOST:PORT or ray://HOST:PORT"
_PATIENCE = 10.0  # seconds for a machine to say anything at all
_RETRIES = 3
_LOOK_SECONDS = 0.5  # after which it is seen that somebody pressed Ctrl-C
_STORE = 100 << 20  # bytes for objects of a Ray of one's own, near the least it takes: they are short texts


class Workers(Protocol):
    """Whatever does such work."""

    @property
    def cores(self) -> int: ...
    def map(self, work: Callable[[str], str], texts: Iterable[str]) -> Iterator[str]:
        """What `work`, a function of a module, makes of every text, in order, as it is done."""


class Interrupts:
    """Ctrl-C, between calls of Ray: in the middle of one it may leave a lock behind, for which Ray would wait for ever
    when it is left. A second one is not put off."""

    def __init__(self) -> None:
        self._calling = self._pressed = False

    @contextmanager
    def heard(self) -> Iterator[None]:
        """In the main thread, which alone is interrupted."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._press)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Until this block ends."""
        self._calling = True
        try:
            yield
        finally:
            self._calling = False
        if self._pressed:
            self._pressed = False
            raise KeyboardInterrupt

    def _press(self, *_: object) -> None:
        if self._pressed or not self._calling:
            raise KeyboardInterrupt
        self._pressed = True


class Cluster:
    """A Ray that was joined."""

    def __init__(self, ray: ModuleType, jobs: int | None, interrupts: Interrupts) -> None:
        self._ray = ray
        self._jobs = jobs
        self._interrupts = interrupts

    @property
    def cores(self) -> int:
        """Of all machines as they are now."""
        with self._interrupts.put_off():
            return max(1, int(self._ray.cluster_resources().get("CPU", 0)))

    def map(self, work: Callable[[str], str], texts: Iterable[str]) -> Iterator[str]:
        """A worker that is lost loses nothing: Ray does its work again elsewhere."""
        task = self._ray.remote(max_retries=_RETRIES)(work)
        under_way: deque[Any] = deque()
        for text in texts:
            with self._interrupts.put_off():
                under_way.append(task.remote(text))
            # The cores are counted anew each time, so that machines which join meanwhile get work.
            while len(under_way) >= (self._jobs or 2 * self.cores):
                yield self._result(under_way.popleft())
        while under_way:
            yield self._result(under_way.popleft())

    def _result(self, promise: Any) -> str:
        try:
            while True:
                with self._interrupts.put_off():
                    if self._ray.wait([promise], timeout=_LOOK_SECONDS)[0]:
                        return str(self._ray.get(promise))
        except self._ray.exceptions.RayTaskError as error:
            raise ConnectionError(
                f"ray: a worker could not do its work; is this version of Saloon on every machine? {error}"
            ) from error
        except self._ray.exceptions.RayError as error:
            raise ConnectionError(
                f"ray: the same work was lost {1 + _RETRIES} times, the last time by: {error}"
            ) from error


@contextmanager
def joined(address: str, jobs: int | None = None) -> Iterator[Cluster]:
    """The cluster at an address, or a Ray of this machine for as long as it is needed; at most so many jobs at a
    time (None: all cores have work)."""
    _check(address)
    ray = _ray(address)
    own = {"num_cpus": jobs, "include_dashboard": False, "object_store_memory": _STORE} if address == LOCAL else {}
    # Ray tells of lost workers on the standard output, which is for results.
    interrupts = Interrupts()
    with redirect_stdout(sys.stderr), interrupts.heard():
        try:
            ray.init(address, log_to_driver=False, logging_level="ERROR", **own)
        except Exception as error:  # of many kinds, none of them documented
            raise InputError("ray", f"a Ray cluster that lets this machine join ({error})", address) from error
        try:
            yield Cluster(ray, jobs, interrupts)
        finally:
            ray.shutdown()


def _check(address: str) -> None:
    """That something listens there: Ray itself would try for minutes, and end the process."""
    if address in (LOCAL, "auto"):
        return
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if parts.scheme not in ("", "ray") or not host or not port:
        raise InputError("ray", ADDRESSES, address)
    try:
        socket.create_connection((host, port), _PATIENCE).close()
    except OSError as error:
        raise InputError("ray", f"the address of a Ray cluster ({error})", address) from error


def _ray(address: str) -> ModuleType:
    """Ray, if it is installed, with settings that it reads only while it is imported."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if address == LOCAL:
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # on any system: listen to this machine alone
        # Only who started it may use it; left to itself Ray would write a token that changes every later Ray here.
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=token_hex(32))
    else:
        os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "1")  # of half a minute each; 20 would look as if it hung
    try:
        import ray
    except ModuleNotFoundError as error:
        raise InputError("ray", "Ray to be installed: pip install 'saloon-server[cluster]'", str(error)) from error
    return ray
