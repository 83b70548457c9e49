# May know: basics, calls, gRPC.
"""The health service: whether this process takes calls, for its services alone. Nobody needs a token for it."""

import asyncio
from collections.abc import AsyncIterator, Iterable

from grpc_health.v1 import health_pb2, health_pb2_grpc

from server.basics.refusals import NotFound
from server.calls.context import Context


class HealthService(health_pb2_grpc.HealthServicer):
    """All services are alike."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(("", *names))
        self._news = asyncio.Event()  # another one after each change
        self.set(False)

    def set(self, serving: bool) -> None:
        known = health_pb2.HealthCheckResponse
        self.response = known(status=known.SERVING if serving else known.NOT_SERVING)
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
        while True:
            news = self._news
            yield self.response
            await news.wait()

    def _known(self, request: health_pb2.HealthCheckRequest) -> None:
        if request.service not in self.names:
            raise NotFound("no such service here")
