# May know: basics, calls, thinking, rules, stores, seats, tables, web, page, saloon_client, engine_cy, gRPC.
"""The service of one process: what it is made of, how it starts, and how it stops."""

import asyncio
import gc
import signal
import sys
from contextlib import suppress
from time import monotonic
from typing import Any

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc
from grpc_reflection.v1alpha._async import ReflectionServicer
from saloon_client.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
    seats_pb2,
    seats_pb2_grpc,
    tables_pb2,
    tables_pb2_grpc,
)

from engine_cy.component_sets import ComponentSets
from engine_cy.errors import InputError
from server.basics import limits
from server.basics.metrics import Metrics
from server.basics.settings import ConfigError, Settings
from server.calls.outermost import Outermost
from server.calls.reading import Requests
from server.calls.shared_use import SharedUse
from server.calls.tokens import Tokens
from server.page.files import read_files
from server.page.page import Page
from server.process.health import HealthService
from server.process.own_socket import OwnSocket
from server.process.tls import credentials
from server.rules.service import RulesService
from server.seats.service import SeatsService
from server.stores.opening import stores_of
from server.tables.service import TablesService
from server.thinking.searches import Searches
from server.thinking.service import BotsService
from server.web.calls import Calls
from server.web.origins import Origins
from server.web.server import WebServer

log = structlog.get_logger()

_FILES: tuple[Any, ...] = (bots_pb2, rules_pb2, seats_pb2, tables_pb2)
_RELOAD_SECONDS = 5.0
# grpc answers CANCELLED to calls beyond about a thousand that wait to be accepted; ours are accepted at once and
# admitted or refused by admission.py.
_PENDING = 100_000
_SWITCH_SECONDS = 0.0002  # after which a thread that works in Python lets the event loop go on
_IDLE_MS, _PING_MS, _PONG_MS, _HANDSHAKE_MS = 300_000, 60_000, 20_000, 10_000
_WINDOW = 64 << 10
_MEASURE_SECONDS, _LATEST_SECONDS = 0.2, 30.0


def service_names() -> list[str]:
    return [service.full_name for file in _FILES for service in file.DESCRIPTOR.services_by_name.values()]


def _component_sets(settings: Settings) -> ComponentSets:
    try:
        return ComponentSets(settings.components)
    except (InputError, OSError) as error:
        raise ConfigError(f"components: {error}") from error


class Service:
    """One process's server. `start`, then `stop`; `serve` does both, with signals in between."""

    def __init__(self, settings: Settings, *, number: int = 0, use: SharedUse | None = None) -> None:
        """`number` is that of this process among its fellows, with whom it shares the port and `use`."""
        self.settings = settings
        self.number = number
        self._shared = use is not None
        self.metrics = Metrics()
        self.searches = Searches(settings, self.metrics)
        self.tokens = Tokens(settings.tokens, use or SharedUse(), number) if settings.tokens else None
        self.health = HealthService(service_names())
        self.port = 0
        self.server = grpc.aio.server(
            options=[
                ("grpc.so_reuseport", int(self._shared)),
                ("grpc.max_receive_message_length", settings.max_message_bytes),
                ("grpc.server.max_pending_requests", _PENDING),
                ("grpc.server.max_pending_requests_hard_limit", _PENDING),
                ("grpc.max_concurrent_streams", limits.STREAMS_OF_CONNECTION),
                # Of what nobody has asked for yet no more is taken than this.
                ("grpc.http2.bdp_probe", 0),
                ("grpc.http2.lookahead_bytes", _WINDOW),
                # Connections that say nothing, or whose other end is gone, are ended.
                ("grpc.max_connection_idle_ms", _IDLE_MS),
                ("grpc.keepalive_time_ms", _PING_MS),
                ("grpc.keepalive_timeout_ms", _PONG_MS),
                ("grpc.server_handshake_timeout_ms", _HANDSHAKE_MS),
                ("grpc.keepalive_permit_without_calls", 1),
                ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
            ],
        )
        self.calls = Outermost(self.metrics, self.tokens, self.server)
        calls: Any = self.calls  # in the place of a server
        self.requests = Requests(_component_sets(settings))
        bots_pb2_grpc.add_BotsServicer_to_server(BotsService(self.requests, self.searches, settings), calls)
        rules_pb2_grpc.add_RulesServicer_to_server(RulesService(self.requests), calls)
        self.stores = stores_of(settings, self.metrics)
        self.seats = SeatsService(self.requests, self.searches, settings, self.metrics, self.stores.seats)
        seats_pb2_grpc.add_SeatsServicer_to_server(self.seats, calls)
        self.tables = TablesService(self.requests, self.searches, settings, self.metrics, self.stores.tables)
        tables_pb2_grpc.add_TablesServicer_to_server(self.tables, calls)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, calls)
        if settings.with_reflection:
            names = (*service_names(), health_pb2.DESCRIPTOR.services_by_name["Health"].full_name)
            servicer = ReflectionServicer((*names, reflection.SERVICE_NAME))
            reflection_pb2_grpc.add_ServerReflectionServicer_to_server(servicer, calls)  # type: ignore[no-untyped-call]
        origins = Origins(settings.http_origins)
        over_http = Calls(self.calls.methods, self.requests.beside, origins, settings.max_message_bytes)
        self.web = WebServer(Page(read_files(), over_http.answer).answer if settings.page else over_http.answer)
        self._reloading: asyncio.Task[None] | None = None
        self._measuring: asyncio.Task[None] | None = None
        self._own: OwnSocket | None = None

    @property
    def address(self) -> str:
        host = self.settings.host
        return f"{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{self.port or self.settings.port}"

    async def start(self) -> None:
        """Listen; ConfigError if the port, the database or a temporary folder cannot be had: then nothing is left."""
        try:
            await self._start()
        except BaseException:
            await self.web.stop(0)
            if self._own is not None:
                self._own.close()
            await self.seats.close()
            await self.tables.close()
            await self.stores.database.close()
            raise

    async def _start(self) -> None:
        secure = credentials(self.settings)
        try:
            self.port = (
                self.server.add_insecure_port(self.address)
                if secure is None
                else self.server.add_secure_port(self.address, secure)
            )
        except RuntimeError as error:
            raise ConfigError(f"port: {self.address} cannot be listened on; is something else there?") from error
        self.web.bind(self.settings, self._shared)
        if self.settings.metrics_port:
            try:
                self.metrics.serve(self.settings.metrics_host, self.settings.metrics_port + self.number)
            except OSError as error:
                raise ConfigError(f"metrics_port: {error}") from error
        self._own = OwnSocket()
        self.server.add_insecure_port(self._own.address)
        await self.stores.database.open()
        self.tables.start()
        self.seats.start()
        await self.server.start()
        await self.web.start()
        self.health.set(True)
        if self.tokens is not None:
            self._reloading = asyncio.create_task(self._reload(self.tokens))
        self._measuring = asyncio.create_task(self._measure(self._own.address))
        log.info(
            "serving",
            address=self.address,
            searches=self.settings.search_slots,
            tls=secure is not None,
            http=self.web.port,
        )

    async def stop(self, grace: float, notice: float = 0.0) -> None:
        """Say so, take no new calls once that was noticed, let those under way end within the grace, and stop."""
        self.health.set(False)
        self.seats.drain()
        # grpc cancels calls that come in while it stops, so load balancers should have turned away by then.
        await asyncio.sleep(notice)
        self.tables.drain()
        if self._measuring is not None:
            self._measuring.cancel()
        log.info("draining", seconds=grace)
        await asyncio.gather(self.server.stop(grace), self.web.stop(grace))
        if self._reloading is not None:
            self._reloading.cancel()
        if self._own is not None:
            self._own.close()
        await self.seats.close()
        await self.tables.close()
        await self.stores.database.close()
        self.searches.close()
        self.requests.close()
        log.info("stopped")

    async def serve(self) -> None:
        """Until SIGTERM, or SIGINT: nobody turns away from a server that a person ends."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[float] = loop.create_future()

        def end(notice: float) -> None:
            if not ended.done():
                ended.set_result(notice)

        loop.add_signal_handler(signal.SIGTERM, end, self.settings.notice_seconds)
        loop.add_signal_handler(signal.SIGINT, end, 0.0)
        await self.start()
        sys.setswitchinterval(_SWITCH_SECONDS)
        gc.freeze()  # what lives as long as the process is not looked through again and again
        watch = asyncio.create_task(self._watch())
        both: set[asyncio.Future[Any]] = {ended, watch}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            await watch  # raises why
        watch.cancel()
        await self.stop(self.settings.drain_seconds, await ended)

    async def _watch(self) -> None:
        """Until grpc accepts no calls any more; raises why. It says so only when asked again and again."""
        while await self.server.wait_for_termination(1.0):
            pass

    async def _measure(self, address: str) -> None:
        """How long whoever calls has to wait: by calling, through a socket, since what waits in gRPC waits unseen."""
        async with grpc.aio.insecure_channel(address) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            while True:
                begun = monotonic()
                with suppress(grpc.aio.AioRpcError):  # refused or too late: that took its time, too
                    await health.Check(health_pb2.HealthCheckRequest(), timeout=_LATEST_SECONDS)
                self.metrics.loop.observe(monotonic() - begun)
                await asyncio.sleep(_MEASURE_SECONDS)

    async def _reload(self, tokens: Tokens) -> None:
        while True:
            await asyncio.sleep(_RELOAD_SECONDS)
            try:
                if tokens.reload_if_changed():
                    log.info("tokens read anew")
            except (ConfigError, OSError) as error:
                log.error("tokens not read", error=str(error))
