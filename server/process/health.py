# May know: basics, calls, gRPC.
"""The health service: whether this process takes calls, for its services alone. Nobody needs a token for it."""

import asyncio
from collections.abc import AsyncIterator, Iterable

from grpc_health.v1 import health_pb2, health_pb2_grpc

from server.basics import limits
from server.basics.caller import CALLER
from server.basics.places import Places
from server.basics.refusals import NotFound, Overloaded
from server.calls.context import Context


class HealthService(health_pb2_grpc.HealthServicer):
    """All services are alike."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(("", *names))
        self._watches = Places(limits.HEALTH_WATCHES, limits.ALL_HEALTH_WATCHES)
        self._news = asyncio.Event()  # another one after each change
        self.set(False)

    def set(self, serving: bool) -> None:
        known = health_pb2.HealthCheckResponse
        self.response = known(status=known.SERVING if serving else known.NOT_SERVING)
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def Check(self, request: health_pb2.HealthCheckRequest, context: Context) -> health_pb2.HealthCheckResponse:
        self._known(request)
        return self.response

    async def Watch(
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        self._known(request)
        del request
        lost: list[Overloaded] = []

        def lose(why: Overloaded) -> None:
            lost.append(why)
            self._tell()

        said = None
        with self._watches.taken(CALLER.get(), lose):
            while not lost:
                news = self._news
                if said is not self.response:
                    said = self.response
                    yield said
                await news.wait()
        raise lost[0]

    def _known(self, request: health_pb2.HealthCheckRequest) -> None:
        if request.service not in self.names:
            raise NotFound("no such service here")
