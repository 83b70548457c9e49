"""A bot's seat at a game that the front end runs by itself, on asyncio."""

import asyncio
import logging
from types import TracebackType
from typing import Any, Self, Unpack

import grpc

from saloon_client.calls import SIT, Attempts, Policy, Sitting
from saloon_client.channel import Connection, Line, Lines
from saloon_client.errors import NotFound, SaloonError, from_rpc, not_reachable, too_late
from saloon_client.messages import AnySituation, Cost, situation
from saloon_client.v1 import seats_pb2

log = logging.getLogger("saloon_client")


class AsyncSeat:
    """A bot that plays one seat of a whole game; see `Seat`. Not for several tasks at a time."""

    def __init__(self, lines: Lines[grpc.aio.Channel], to: Connection, policy: Policy, sitting: Sitting) -> None:
        self._lines = lines
        self._to = to
        self._policy = policy
        self._sitting = sitting
        self._link: Any = None
        self._line: Line[grpc.aio.Channel] | None = None

    @property
    def session(self) -> str:
        """The name of the session, for `sit(session=...)` in another process; empty before the first connection."""
        return self._sitting.session

    async def decide(
        self,
        where: AnySituation,
        *,
        turn: bool = False,
        id: str | None = None,
        timeout: float | None = None,
        **cost: Unpack[Cost],
    ) -> seats_pb2.Decided:
        """What the bot does where its seat has to decide: one answer, or with `turn` one for each decision of the
        turn. With the `id` of an earlier decision that decision comes again."""
        request, seconds = self._sitting.decide(where, turn, id, cost)
        attempts = Attempts(self._policy, seconds, timeout)
        while True:
            try:
                await self._connect(attempts)
                await self._send(request)
                while True:
                    response = await self._receive(attempts.left)
                    if response.WhichOneof("message") == "decided" and response.decided.id == request.decide.id:
                        return response.decided
            except SaloonError as error:
                await self._again(error, attempts)

    async def watch(self, where: AnySituation) -> None:
        """Show the bot how the others play, so that it can ponder. Nothing is lost if it does not get there."""
        request = seats_pb2.SitRequest(watch=seats_pb2.Watch(situation=situation(where)))
        try:
            await self._connect(Attempts(self._policy, 0.0, None))
            await self._send(request)
        except SaloonError as error:
            self._drop()
            log.warning("the bot's seat could not be shown the game: %s", error)

    async def leave(self) -> int:
        """The bot is not needed any more, and its session is forgotten; how many decisions it took, as far as known."""
        try:
            for last in (False, True):
                try:
                    return await self._leave()
                except NotFound:
                    return 0  # the server has said goodbye by itself, at the end of the game
                except SaloonError as error:
                    self._drop()  # which may have ended just now: the session knows better
                    if last:
                        log.warning("the bot's seat did not say goodbye: %s", error)
        finally:
            self._sitting.session = ""
            self._drop()
        return 0

    async def _leave(self) -> int:
        if self._link is not None and self._link.done() and await self._link.code() == grpc.StatusCode.OK:
            return 0  # likewise
        if not self._sitting.session:
            return 0
        await self._connect(Attempts(self._policy, 0.0, None))
        await self._send(seats_pb2.SitRequest(leave=seats_pb2.Leave()))
        while True:
            response = await self._receive(self._policy.margin)
            if response.WhichOneof("message") == "goodbye":
                return response.goodbye.decisions

    async def close(self) -> None:
        """End the connection. The session stays for a while; `session` names it."""
        self._drop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.leave()

    async def _connect(self, attempts: Attempts) -> None:
        if self._link is not None and (self._link.done() or self._sitting.moved):
            self._drop()
        if self._link is None:
            self._line = self._lines.take()
            method = self._line.channel.stream_stream(
                SIT, seats_pb2.SitRequest.SerializeToString, seats_pb2.SitResponse.FromString
            )
            self._link = method(metadata=self._to.metadata)
            await self._send(self._sitting.hello())
            await self._receive(attempts.left)

    async def _send(self, request: seats_pb2.SitRequest) -> None:
        try:
            await self._link.write(request)
        except asyncio.InvalidStateError:
            await self._receive(self._policy.margin)  # says why it ended
        except grpc.RpcError as error:
            raise from_rpc(error, self._to.address) from error

    async def _receive(self, seconds: float) -> seats_pb2.SitResponse:
        try:
            async with asyncio.timeout(seconds):
                response = await self._link.read()
        except TimeoutError:
            raise too_late("the bot's seat") from None
        except grpc.RpcError as error:
            raise from_rpc(error, self._to.address) from error
        if not isinstance(response, seats_pb2.SitResponse):
            raise not_reachable(self._to.address, "the server ended the session")
        self._sitting.heard(response)
        return response

    async def _again(self, error: SaloonError, attempts: Attempts) -> None:
        """Drop the connection and wait until it is worth making another, or raise the error."""
        self._drop()
        if isinstance(error, NotFound) and self._sitting.session:
            self._sitting.session = ""  # the server has forgotten it: sit anew
            return
        pause = attempts.pause(error)
        if pause is None:
            raise error
        await asyncio.sleep(pause)

    def _drop(self) -> None:
        if self._link is not None:
            self._link.cancel()
            self._link = None
        if self._line is not None:
            self._lines.give_back(self._line)
            self._line = None
