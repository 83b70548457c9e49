# May know: basics, calls, engine_cy.
"""Requests over HTTP to calls: the very methods that gRPC has, through the same outermost chain."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import structlog
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass

from engine_cy.errors import InputError
from server.basics.refusals import NotOffered, Refused, TooLate
from server.calls.forms import Beside, Form, Json
from server.calls.outermost import Method
from server.calls.statuses import told
from server.web.call import Ended, WebCall
from server.web.exchange import Exchange
from server.web.origins import Origins
from server.web.protocols import EITHER, MANY, ONE, Speech

log = structlog.get_logger()

# What curl says of -d if it is told nothing. No page gets through with it: browsers say where a page is from.
_CURL = "application/x-www-form-urlencoded"


class Calls:
    """All of them."""

    def __init__(self, methods: Mapping[str, Method], beside: Beside, origins: Origins, most: int) -> None:
        self._methods = methods
        self._beside = beside
        self._origins = origins
        self._most = most
        self._json: dict[str, Form] = {}

    async def answer(self, exchange: Exchange) -> None:
        """One request. Nobody is told what went wrong inside."""
        try:
            await self._answer(exchange)
        except asyncio.CancelledError:
            exchange.give_up()
        except Exception as error:
            log.error("internal error", path=exchange.path[:100], number=uuid4().hex[:12], exc_info=error)
            exchange.give_up()

    async def _answer(self, exchange: Exchange) -> None:
        origin = exchange.header("origin")
        method = self._methods.get(exchange.path)
        kind = exchange.header("content-type").partition(";")[0].strip().lower()
        if kind == _CURL and not origin:
            kind = "application/json"
        known = {} if method is None else {**(MANY if method.streams else ONE), **EITHER}
        allowed = self._origins.allowed(origin, exchange.header("host"))
        more = self._origins.headers(origin) if allowed else None
        if more is None:
            await _refuse(exchange, 403, "permission_denied", "pages from there may not call; see --http-origins")
        elif exchange.method == "OPTIONS":
            await exchange.begin(204, self._origins.preflight(origin))
            await exchange.finish()
        elif method is None:
            await _refuse(exchange, 404, "unimplemented", "no such method", *more)
        elif exchange.method != "POST":
            await _refuse(exchange, 405, "unimplemented", "expected POST", ("allow", "POST"), *more)
        elif kind not in known:
            expected = " or ".join(list(known)[:2])
            await _refuse(exchange, 415, "unknown", f"content-type: expected {expected}", *more)
        else:
            await self._call(method, known[kind](exchange, kind, self._most, more))

    async def _call(self, method: Method, speech: Speech) -> None:
        call: WebCall | None = None
        try:
            try:
                if method.takes_many and not speech.exchange.both_ways:
                    raise NotOffered("this method needs HTTP/2: both sides speak at a time")
                call = WebCall(speech)
                form = self._form(method) if speech.json else method.binary
                async with asyncio.timeout(call.time_remaining()):
                    if method.streams:
                        await method.stream(call, form)
                    else:
                        await speech.write(await method.answer(call, form))
            except Ended as ended:
                await speech.end(ended.status)
            except TimeoutError:
                await speech.end(told(TooLate("the deadline is over")))
            except (Refused, InputError) as refused:
                await speech.end(told(refused))
            else:
                await speech.end()
        finally:
            if call is not None:
                call.done()

    def _form(self, method: Method) -> Form:
        form = self._json.get(method.name)
        if form is None:
            found: Any = Default().FindMethodByName(method.name[1:].replace("/", "."))
            form = self._json[method.name] = Json(GetMessageClass(found.input_type), self._beside)
        return form


async def _refuse(exchange: Exchange, status: int, code: str, why: str, *headers: tuple[str, str]) -> None:
    """Before it is a call."""
    data = json.dumps({"code": code, "message": why}).encode()
    lines = [("content-type", "application/json"), ("content-length", str(len(data))), *headers]
    await exchange.begin(status, lines)
    if exchange.method != "HEAD":
        await exchange.send(data)
    await exchange.finish()
