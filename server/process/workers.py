# May know: basics, calls, web.
"""Several processes on one port: the kernel shares the connections out; a process that dies is replaced."""

import asyncio
import multiprocessing
import os
import resource
import signal
import socket
import time
from contextlib import suppress
from multiprocessing.process import BaseProcess
from types import FrameType

import structlog

from server.basics.logs import configure
from server.basics.settings import ConfigError, Settings, unknown_variables
from server.calls.shared_use import SharedUse
from server.process.service import Service
from server.web.server import missing

log = structlog.get_logger()

_RESTART_SECONDS = 1.0
_PARENT_SECONDS = 1.0
_CONFIG_EXIT = 2


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; ConfigError if that cannot be begun."""
    configure(settings.log_format, settings.log_level)
    for name in unknown_variables(os.environ):
        log.warning("no such setting", variable=name)
    _allow_connections()
    if settings.workers == 1:
        asyncio.run(_serve(settings))
    else:
        _Workers(settings).run()


def _allow_connections() -> None:
    """Each is a file: as many as the system allows, whatever the shell said."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems say more than they allow
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def _serve(settings: Settings) -> None:
    # Made inside the loop, since grpc's server belongs to the one it is made in.
    await Service(settings).serve()


async def _serve_as_worker(settings: Settings, number: int, parent: int, use: SharedUse) -> None:
    watching = asyncio.create_task(_end_with(parent))
    await Service(settings, number=number, use=use).serve()
    watching.cancel()


async def _end_with(parent: int) -> None:
    """A worker whose parent was killed ends as if it was told to; nobody else would."""
    while os.getppid() == parent:
        await asyncio.sleep(_PARENT_SECONDS)
    log.error("the parent process is gone")
    os.kill(os.getpid(), signal.SIGTERM)


def _work(settings: Settings, number: int, parent: int, use: SharedUse) -> None:
    configure(settings.log_format, settings.log_level)
    structlog.contextvars.bind_contextvars(worker=number)
    try:
        use.begin(number)
        asyncio.run(_serve_as_worker(settings, number, parent, use))
    except ConfigError as error:
        log.error("cannot serve", reason=str(error))
        raise SystemExit(_CONFIG_EXIT) from None


class _Workers:
    """The parent: it only watches its children."""

    def __init__(self, settings: Settings) -> None:
        try:
            port, *self.held = _hold_port(settings.host, settings.port)
        except OSError as error:
            raise ConfigError(f"port: {settings.host}:{settings.port} cannot be listened on: {error}") from error
        http_port = 0
        if settings.http_port:
            try:
                http_port, *held = _hold_port(settings.host, settings.http_port)
                self.held += held
            except OSError as error:
                missing(settings, error)
        self.settings = settings.model_copy(update={"port": port, "http_port": http_port})
        # Fork would copy the state of grpc's threads.
        self.context = multiprocessing.get_context("spawn")
        self.use = SharedUse(settings.workers, self.context)
        self.ended = False
        self.children: dict[int, BaseProcess] = {}
        self.replaced: set[int] = set()  # numbers of workers that have served before

    def run(self) -> None:
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._end)
        for number in range(self.settings.workers):
            self._start(number)
        while not self.ended:
            time.sleep(0.1)
            for number, child in list(self.children.items()):
                if child.is_alive() or self.ended:
                    continue
                # One that replaces another may find a database that is locked or a disk that is full: the rest goes on.
                if child.exitcode == _CONFIG_EXIT and number not in self.replaced:
                    self._end(signal.SIGTERM, None)
                    raise ConfigError("a worker cannot serve; its log says why")
                log.error("worker died", worker=number, exit=child.exitcode)
                self.replaced.add(number)
                time.sleep(_RESTART_SECONDS)
                self._start(number)
        for child in self.children.values():
            child.join(self.settings.notice_seconds + self.settings.drain_seconds + 5)
            if child.is_alive():
                child.kill()

    def _start(self, number: int) -> None:
        child = self.context.Process(
            target=_work, args=(self.settings, number, os.getpid(), self.use), name=f"saloon-{number}"
        )
        child.start()
        self.children[number] = child

    def _end(self, _signal: int, _frame: FrameType | None) -> None:
        self.ended = True
        for child in self.children.values():
            if child.is_alive():
                child.terminate()


def _hold_port(host: str, port: int) -> tuple[int, socket.socket]:
    """Make sure that nobody else has the port, since sharing would succeed silently, and keep it for the workers."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as alone:
        alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        alone.bind((host.strip("[]"), port))
        port = alone.getsockname()[1]
    held = socket.socket(family)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind((host.strip("[]"), port))
    return port, held
