"""A real server for tests: in this process, on a port of its own, in a thread of its own."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from server.process.logs import configure
from server.process.service import Service
from server.process.settings import load


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Service]:
    """The service, until the block ends. What it stores is in the folder."""
    configure("json", "error")
    chosen = load(**{"port": 0, "database": folder / "tables.sqlite", "slots": 2, **settings})
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

    thread = threading.Thread(target=work, name="service")
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
