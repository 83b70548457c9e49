# May know: basics, engine_cy, wire, gRPC.
"""What every call passes, whatever way it came: who is calling, how it ends, and what is counted. No internals leave
the process.

A call comes on a `Line`: gRPC's own context, or over HTTP `server/web/call.py`.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from time import monotonic
from traceback import clear_frames
from typing import Any
from uuid import uuid4

import grpc
import structlog
from grpc_status import rpc_status

from engine_cy.errors import InputError
from server.basics import limits
from server.basics.caller import ACCOUNTS, CALLER
from server.basics.metrics import Metrics
from server.basics.refusals import (
    Internal,
    Overloaded,
    StoreUnavailable,
    TooLate,
    Unauthenticated,
    Unavailable,
)
from server.basics.turns import LoopTurns
from server.calls.callers import Caller, Callers
from server.calls.context import EOF, Line
from server.calls.forms import Binary, Form
from server.calls.statuses import TELLING, code_of, status_of
from server.calls.tokens import Client, Tokens
from wire.naming import NONE, Words

log = structlog.get_logger()

_OPEN_TO_ALL = "/grpc.health.v1.Health/"
_STORE_SECONDS = 2.0  # after which it is worth trying the table store again
# That a write was lost in the middle of it nobody can tell from one that was done.
_NOT_STORED = (
    "the tables cannot be stored or read just now; send the same again, with its request_id a change is made only once"
)


class Outermost:
    """Every method: tokens, limits, turns, status codes, metrics, logs. It stands where generated code expects a
    server, wraps what it is told, once, and tells gRPC."""

    def __init__(self, metrics: Metrics, tokens: Tokens | None, server: grpc.aio.Server) -> None:
        self.metrics = metrics
        self.tokens = tokens
        self.server = server
        self.callers = Callers()
        self.turns = LoopTurns()
        self.methods: dict[str, Method] = {}  # by path

    def add_generic_rpc_handlers(self, _: Any) -> None:
        """The same handlers come by their names, too."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        wrapped = {}
        for name, handler in handlers.items():
            method = self.methods[f"/{service}/{name}"] = Method(self, f"/{service}/{name}", handler)
            wrapped[name] = method.handler
        self.server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, wrapped),))


class Method:
    """One method, wrapped once."""

    def __init__(self, outer: Outermost, name: str, handler: Any) -> None:
        self.name = name
        self.outer = outer
        self.open_to_all = name.startswith(_OPEN_TO_ALL)
        self.tokens = None if self.open_to_all else outer.tokens
        self.streams: bool = handler.response_streaming
        self.takes_many: bool = handler.request_streaming
        self.calls = outer.metrics.calls
        self.open = outer.metrics.open.labels(name)
        self.seconds = outer.metrics.seconds.labels(name)
        self.fine = self.calls.labels(name, "OK")
        self.binary = Binary(handler.request_deserializer, handler.response_serializer)
        sides = (handler.request_streaming, handler.response_streaming)
        self.behaviour = getattr(handler, "_".join("stream" if many else "unary" for many in sides))
        # Whatever it takes, gRPC is told that it takes a stream: then nothing is read before it is asked for, and it is
        # known first that whoever sends it may call.
        self.handler = handler._replace(
            request_streaming=True,
            request_deserializer=None,
            response_serializer=None,
            unary_unary=None,
            unary_stream=None,
            stream_unary=None if self.streams else self._single,
            stream_stream=self._streaming if self.streams else None,
        )

    async def _single(self, _: Any, context: Any) -> bytes:
        return await self.answer(context, self.binary)

    async def _streaming(self, _: Any, context: Any) -> None:
        await self.stream(context, self.binary)

    async def answer(self, context: Line, form: Form) -> bytes:
        """One call of a method with one answer."""
        call = _Call(self, context, form)
        try:
            call.admit()
            work = self.behaviour(call.read_all() if self.takes_many else await call.read(), context)
            data = await form.written(await work)
        except BaseException as error:
            await call.fail(error)
            raise
        call.end(self.fine, len(data))
        return data

    async def stream(self, context: Line, form: Form) -> None:
        """One call of a method with many."""
        call = _Call(self, context, form)
        try:
            call.admit()
            responses = self.behaviour(call.read_all() if self.takes_many else await call.read(), context)
            try:
                async for response in responses:
                    await call.write(await form.written(response))
            finally:
                await responses.aclose()
        except BaseException as error:
            await call.fail(error)
            raise
        call.end(self.fine)


class _Call:
    """One call, from its begin until its answer is written."""

    def __init__(self, method: Method, context: Line, form: Form) -> None:
        self.method = method
        self.context = context
        self.form = form
        self.begun = monotonic()
        self.caller: Caller | None = None
        self.client: Client | None = None
        self.task = asyncio.current_task()
        self.unread = 0
        method.open.inc()
        context.add_done_callback(self._written)

    # ---- Who calls

    def admit(self) -> None:
        """Let it in, and say who calls, before anything of what was sent is read."""
        method = self.method
        if method.tokens is None:
            name = self.context.peer().rpartition(":")[0]  # without the port
        else:
            assert self.task is not None
            self.client = method.tokens.admit(self.context.invocation_metadata(), self.task)
            name = self.client.name
            ACCOUNTS.set(self.client.accounts)
        self.caller = method.outer.callers.begin(name, method.streams)
        CALLER.set(name)

    # ---- What is sent and answered

    async def read(self) -> Any:
        """The first message, or the only one."""
        assert self.caller is not None
        self.method.outer.turns.look(self.caller.name)  # nothing is read in vain
        with self.caller.reading() as seconds:
            try:
                async with asyncio.timeout(seconds):
                    data = await self.context.read()
            except TimeoutError:
                raise TooLate(f"the request did not come within {seconds:g} s") from None
        if data is EOF:
            raise InputError("request", "a message of the contract", NONE)
        if self.method.open_to_all and len(data) > limits.HEALTH_BYTES:
            raise InputError("request", f"at most {limits.HEALTH_BYTES} bytes", len(data))
        return await self._parsed(data)

    async def read_all(self) -> AsyncIterator[Any]:
        """One message after the other. Nothing of them is kept here while the next one is waited for."""
        message = [await self.read()]
        while message:
            yield message.pop()
            data = await self.context.read()
            if data is not EOF:
                message.append(await self._parsed(data, patient=True))  # a stream is not ended for it
            del data

    async def _parsed(self, data: bytes, patient: bool = False) -> Any:
        """Read the bytes when it is this client's turn. Only what is understood is kept."""
        assert self.caller is not None
        await self.method.outer.turns.take(self.caller.name, patient)
        try:
            message = await self.form.read(data)
        except (InputError, Overloaded):
            raise
        except Exception:  # whatever a parser may raise at bytes from outside
            raise InputError("request", "a message of the contract", Words("bytes that are none")) from None
        message.DiscardUnknownFields()
        return message

    async def write(self, data: bytes) -> None:
        assert self.caller is not None
        with self.caller.writing(len(data)):
            await self.context.write(data)

    # ---- How it ends

    def end(self, count: Any, unread: int = 0) -> None:
        """Nothing more is done for it; so many bytes are on their way."""
        count.inc()
        self.method.seconds.observe(monotonic() - self.begun)
        if self.caller is not None:
            self.unread = unread
            self.caller.unread += unread

    def _written(self, _: Any) -> None:
        method = self.method
        method.open.dec()
        if self.client is not None and self.task is not None:
            self.client.release(self.task)
        if self.caller is not None:
            self.caller.unread -= self.unread
            method.outer.callers.end(self.caller, method.streams)

    async def fail(self, error: BaseException) -> None:
        """It did not end well; what the caller is told is not what happened inside."""
        told = _as_told(error, self.method.name)
        if told is None and self.client is not None and self.client.revoked:
            told = Unauthenticated("the token is not valid any more")
        code = code_of(told).name if told else "CANCELLED"
        self.end(self.method.calls.labels(self.method.name, code))
        log.debug("call failed", method=self.method.name, code=code, ms=round((monotonic() - self.begun) * 1000, 2))
        _let_go(error)
        if isinstance(told, Overloaded) and told.retry_seconds is not None and self.caller is not None:
            told.retry_seconds = self.caller.again(told.retry_seconds)
        if told is not None:
            await self.context.abort_with_status(rpc_status.to_status(status_of(told)))


def _let_go(error: BaseException | None) -> None:
    """Keep nothing alive of what the call had in hand, such as a large request, by the traceback of its error."""
    while error is not None:
        clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _as_told(error: BaseException | None, method: str) -> Exception | None:
    """What the caller is told of an error; of one nobody expected only a number to ask the operator about."""
    match error:
        case None | asyncio.CancelledError() | GeneratorExit() | grpc.aio.BaseError():
            return None
        case Exception() if isinstance(error, TELLING):
            return error
        case StoreUnavailable():
            log.error("tables cannot be stored", method=method, reason=str(error))
            return Unavailable(_NOT_STORED, _STORE_SECONDS)
        case _:
            number = uuid4().hex[:12]
            log.error("internal error", method=method, number=number, exc_info=error)
            return Internal(f"internal error {number}; the server's log says more")
