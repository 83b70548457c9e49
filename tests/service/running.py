"""A real server for tests: in this process, on a port of its own, in a thread of its own."""

import asyncio
import gc
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from server.basics.logs import configure
from server.basics.settings import load
from server.process.service import Service

THREAD = "service"
MOST_CPU = 0.1  # seconds that one step of the event loop may take
_RUN = asyncio.Handle._run


@contextmanager
def watched(most_cpu: float) -> Iterator[None]:
    """Nothing that the service does on its event loop keeps it from others for long. Only its own CPU time counts: how
    busy the machine is does not matter."""
    run = asyncio.Handle._run
    slow = list[str]()

    def timed(handle: asyncio.Handle) -> None:
        begun = time.thread_time()
        run(handle)
        taken = time.thread_time() - begun
        if taken > most_cpu and threading.current_thread().name == THREAD:
            slow.append(f"{taken * 1000:.0f} ms: {handle!r}")

    gc.freeze()  # what tests have made before is not looked through on the service's time
    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]
        if run is _RUN:  # else it would be looked through on the time of another that still runs
            gc.unfreeze()
    assert not slow, slow


@contextmanager
def serving(folder: Path, *, most_cpu: float = MOST_CPU, **settings: Any) -> Iterator[Service]:
    """The service, until the block ends. What it stores is in the folder."""
    with watched(most_cpu):
        yield from _serving(folder, **settings)


def _serving(folder: Path, **settings: Any) -> Iterator[Service]:
    configure("json", "error")
    chosen = load(**{"port": 0, "http_port": 0, "database": folder / "tables.sqlite", "slots": 2, **settings})
    loop, ready = asyncio.new_event_loop(), threading.Event()
    found: list[Service | BaseException] = []

    async def begin() -> None:
        try:
            service = Service(chosen)
            await service.start()
            found.append(service)
        except BaseException as error:
            found.append(error)
        finally:
            ready.set()

    def work() -> None:
        asyncio.set_event_loop(loop)
        loop.create_task(begin())
        loop.run_forever()

    thread = threading.Thread(target=work, name=THREAD)
    thread.start()
    try:
        assert ready.wait(30)
        service = found[0]
        if isinstance(service, BaseException):
            raise service
        try:
            yield service
        finally:
            asyncio.run_coroutine_threadsafe(service.stop(0), loop).result(30)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()


def ended(service: Service, method: str, code: str) -> float:
    """How many calls ended like this."""
    return float(service.metrics.calls.labels(method, code)._value.get())


def until(true: Any, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)
