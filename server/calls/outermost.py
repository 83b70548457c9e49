"""What every call passes: who is calling, how it ends, and what is counted. No internals leave the process."""

import asyncio
from collections.abc import AsyncIterator
from inspect import isasyncgenfunction
from time import monotonic
from traceback import clear_frames
from typing import Any
from uuid import uuid4

import grpc
import structlog
from grpc_status import rpc_status

from engine_cy.errors import InputError
from server.basics.caller import CALLER
from server.basics.metrics import Metrics
from server.basics.refusals import Internal, Overloaded, StoreUnavailable, Unauthenticated, Unavailable
from server.calls.statuses import TELLING, code_of, status_of
from server.calls.tokens import Client, Tokens
from wire.naming import Words

log = structlog.get_logger()

_OPEN_TO_ALL = ("/grpc.health.v1.Health/",)
_MOST_OPEN = {"/grpc.health.v1.Health/Watch": 1000}  # streams that stay open though nobody asks for a token
_CROWDED_SECONDS = 10.0
_STORE_SECONDS = 2.0  # after which it is worth trying the table store again


class Outermost(grpc.aio.ServerInterceptor):
    """Every call: tokens, status codes, metrics, logs."""

    def __init__(self, metrics: Metrics, tokens: Tokens | None) -> None:
        self.metrics = metrics
        self.tokens = tokens
        self.methods: dict[str, _Method] = {}

    async def intercept_service(self, continuation: Any, handler_call_details: grpc.HandlerCallDetails) -> Any:
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        name = handler_call_details.method
        method = self.methods.get(name)
        if method is None:
            method = self.methods[name] = _Method(self, name, handler)
        return method.handler


class _Method:
    """One method, wrapped once."""

    def __init__(self, outer: Outermost, name: str, handler: Any) -> None:
        self.name = name
        self.tokens = None if name.startswith(_OPEN_TO_ALL) else outer.tokens
        self.most = _MOST_OPEN.get(name)
        self.under_way = 0
        self.calls = outer.metrics.calls
        self.open = outer.metrics.open.labels(name)
        self.seconds = outer.metrics.seconds.labels(name)
        self.fine = self.calls.labels(name, "OK")
        self.parse = handler.request_deserializer
        sides = (handler.request_streaming, handler.response_streaming)
        kind = "_".join("stream" if streaming else "unary" for streaming in sides)
        behaviour = getattr(handler, kind)
        # A method that streams may also write by itself and return nothing: the health service does.
        wrap = self._streaming if isasyncgenfunction(behaviour) else self._single
        # Bytes come here as they are, and are read once it is known that whoever sent them may call.
        self.handler = handler._replace(**{kind: wrap(behaviour), "request_deserializer": None})

    def _single(self, behaviour: Any) -> Any:
        async def serve(request: Any, context: Any) -> Any:
            call = _Call(self)
            try:
                call.admit(context)
                work = behaviour(self._read(request), context)
                del request  # the bytes are read
                response = await work
            except BaseException as error:
                await call.fail(error, context)
                raise
            call.end(self.fine)
            return response

        return serve

    def _streaming(self, behaviour: Any) -> Any:
        async def serve(request: Any, context: Any) -> AsyncIterator[Any]:
            call = _Call(self)
            try:
                call.admit(context)
                responses = behaviour(self._read(request), context)
                del request
                async for response in responses:
                    yield response
            except BaseException as error:
                await call.fail(error, context)
                raise
            call.end(self.fine)

        return serve

    def _read(self, request: Any) -> Any:
        """The request, or the stream of them."""
        return self._read_all(request) if hasattr(request, "__aiter__") else self._read_one(request)

    async def _read_all(self, requests: AsyncIterator[bytes]) -> AsyncIterator[Any]:
        async for request in requests:
            yield self._read_one(request)

    def _read_one(self, request: bytes) -> Any:
        try:
            return self.parse(request)
        except Exception:  # whatever a parser may raise at bytes from outside
            raise InputError("request", "a message of the contract", Words("bytes that are none")) from None


class _Call:
    """One call, from its begin to its end."""

    def __init__(self, method: _Method) -> None:
        self.method = method
        self.begun = monotonic()
        self.client: Client | None = None
        self.task = asyncio.current_task()
        method.under_way += 1
        method.open.inc()

    def admit(self, context: Any) -> None:
        """Let it in, and say who calls."""
        method = self.method
        if method.most is not None and method.under_way > method.most:
            raise Overloaded(f"more than {method.most} of these streams are open", _CROWDED_SECONDS)
        if method.tokens is None:
            CALLER.set(context.peer().rpartition(":")[0])  # without the port
            return
        assert self.task is not None
        self.client = method.tokens.admit(context.invocation_metadata(), self.task)
        CALLER.set(self.client.name)

    def end(self, count: Any) -> None:
        method = self.method
        if self.client is not None and self.task is not None:
            self.client.release(self.task)
        method.under_way -= 1
        method.open.dec()
        count.inc()
        method.seconds.observe(monotonic() - self.begun)

    async def fail(self, error: BaseException, context: Any) -> None:
        """It did not end well; what the caller is told is not what happened inside."""
        told = _as_told(error, self.method.name)
        if told is None and self.client is not None and self.client.revoked:
            told = Unauthenticated("the token is not valid any more")
        code = code_of(told).name if told else "CANCELLED"
        self.end(self.method.calls.labels(self.method.name, code))
        log.debug("call failed", method=self.method.name, code=code, ms=round((monotonic() - self.begun) * 1000, 2))
        _let_go(error)
        if told is not None:
            await context.abort_with_status(rpc_status.to_status(status_of(told)))


def _let_go(error: BaseException | None) -> None:
    """Keep nothing alive of what the call had in hand, such as a large request, by the traceback of its error."""
    while error is not None:
        clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _as_told(error: BaseException | None, method: str) -> Exception | None:
    """What the caller is told of an error; of one nobody expected only a number to ask the operator about."""
    match error:
        case None | asyncio.CancelledError() | GeneratorExit() | grpc.aio.AbortError():
            return None
        case Exception() if isinstance(error, TELLING):
            return error
        case StoreUnavailable():
            log.error("tables cannot be stored", method=method, reason=str(error))
            return Unavailable("the tables cannot be stored or read just now; nothing was done", _STORE_SECONDS)
        case _:
            number = uuid4().hex[:12]
            log.error("internal error", method=method, number=number, exc_info=error)
            return Internal(f"internal error {number}; the server's log says more")
