"""What every call passes: who is calling, how it ends, and what is counted. No internals leave the process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from time import monotonic
from typing import Any
from uuid import uuid4

import grpc
import structlog
from grpc_status import rpc_status

from engine_cy.errors import InputError, RecordError
from server.auth import Tokens
from server.errors import Refused, invalid
from server.metrics import Metrics

log = structlog.get_logger()

_OPEN_TO_ALL = ("/grpc.health.v1.Health/",)


class _Malformed:
    """Stands for a request that could not be read."""


def _careful(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any] | None:
    if deserialize is None:
        return None

    def read(data: bytes) -> Any:
        try:
            return deserialize(data)
        except Exception:  # whatever a parser may raise at bytes from outside
            return _Malformed()

    return read


class Outermost(grpc.aio.ServerInterceptor):
    """Every call: tokens, status codes, metrics, logs."""

    def __init__(self, metrics: Metrics, tokens: Tokens | None) -> None:
        self.metrics = metrics
        self.tokens = tokens

    async def intercept_service(self, continuation: Any, handler_call_details: grpc.HandlerCallDetails) -> Any:
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        method = handler_call_details.method
        changed = {"request_deserializer": _careful(handler.request_deserializer)}
        if handler.request_streaming and handler.response_streaming:
            changed["stream_stream"] = self._streaming(method, handler.stream_stream)
        elif handler.response_streaming:
            changed["unary_stream"] = self._streaming(method, handler.unary_stream)
        elif handler.request_streaming:
            changed["stream_unary"] = self._single(method, handler.stream_unary)
        else:
            changed["unary_unary"] = self._single(method, handler.unary_unary)
        return handler._replace(**changed)

    def _single(self, method: str, behaviour: Any) -> Any:
        async def call(request: Any, context: Any) -> Any:
            async with _Call(self, method, request, context) as checked:
                return await behaviour(checked, context)

        return call

    def _streaming(self, method: str, behaviour: Any) -> Any:
        async def call(request: Any, context: Any) -> AsyncIterator[Any]:
            async with _Call(self, method, request, context) as checked:
                async for response in behaviour(checked, context):
                    yield response

        return call


class _Call:
    """One call, from its arrival to its end."""

    def __init__(self, outer: Outermost, method: str, request: Any, context: Any) -> None:
        self.outer, self.method, self.request, self.context = outer, method, request, context
        self.begun = monotonic()
        self.release: Callable[[], None] = lambda: None

    async def __aenter__(self) -> Any:
        self.outer.metrics.open.labels(self.method).inc()
        try:
            if self.outer.tokens is not None and not self.method.startswith(_OPEN_TO_ALL):
                self.release = self.outer.tokens.admit(self.context.invocation_metadata())
            if isinstance(self.request, _Malformed):
                raise invalid("request", "expected a message of the contract, got bytes that are none")
        except BaseException as error:
            await self._end(error)
            raise
        return self._checked(self.request) if hasattr(self.request, "__anext__") else self.request

    async def _checked(self, requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for request in requests:
            if isinstance(request, _Malformed):
                raise invalid("request", "expected a message of the contract, got bytes that are none")
            yield request

    async def __aexit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        await self._end(error)

    async def _end(self, error: BaseException | None) -> None:
        refused = _as_refused(error, self.method)
        code = "CANCELLED" if isinstance(error, asyncio.CancelledError) else refused.code.name if refused else "OK"
        metrics = self.outer.metrics
        metrics.open.labels(self.method).dec()
        metrics.calls.labels(self.method, code).inc()
        metrics.seconds.labels(self.method).observe(monotonic() - self.begun)
        self.release()
        log.debug("call", method=self.method, code=code, ms=round((monotonic() - self.begun) * 1000, 2))
        if refused is not None:
            await self.context.abort_with_status(rpc_status.to_status(refused.status()))


def _as_refused(error: BaseException | None, method: str) -> Refused | None:
    """What the caller is told of an error; of one nobody expected only a number to ask the operator about."""
    match error:
        case None | asyncio.CancelledError() | GeneratorExit() | grpc.aio.AbortError():
            return None
        case Refused():
            return error
        case InputError():
            return invalid(error.field, str(error).removeprefix(f"{error.field}: "))
        case RecordError():
            return invalid("record" if error.index is None else f"record.events[{error.index}]", error.reason)
        case _:
            number = uuid4().hex[:12]
            log.error("internal error", method=method, number=number, exc_info=error)
            return Refused(grpc.StatusCode.INTERNAL, f"internal error {number}; the server's log says more")
