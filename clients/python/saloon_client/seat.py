"""A bot's seat at a game that the front end runs by itself."""

import logging
import queue
import threading
from time import sleep
from types import TracebackType
from typing import Any, Self, Unpack

import grpc

from saloon_client.calls import SIT, Attempts, Policy, Sitting
from saloon_client.channel import Connection, Lines
from saloon_client.errors import NotFound, SaloonError, from_rpc, not_reachable, too_late
from saloon_client.messages import AnySituation, Cost, situation
from saloon_client.v1 import seats_pb2

log = logging.getLogger("saloon_client")


class Seat:
    """A bot that plays one seat of a whole game.

    Connections are made when they are needed. If one is lost, the next is made with the same session and the decision
    is asked for again by the same id, so that nothing is decided twice. Not for several threads at a time.
    """

    def __init__(self, lines: Lines[grpc.Channel], to: Connection, policy: Policy, sitting: Sitting) -> None:
        self._lines = lines
        self._to = to
        self._policy = policy
        self._sitting = sitting
        self._link: _Link | None = None

    @property
    def session(self) -> str:
        """The name of the session, for `sit(session=...)` in another process; empty before the first connection."""
        return self._sitting.session

    def decide(
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
                link = self._connected(attempts)
                link.send(request)
                while True:
                    response = link.receive(attempts.left)
                    self._sitting.heard(response)
                    if response.WhichOneof("message") == "decided" and response.decided.id == request.decide.id:
                        return response.decided
            except SaloonError as error:
                self._again(error, attempts)

    def watch(self, where: AnySituation) -> None:
        """Show the bot how the others play, so that it can ponder. Nothing is lost if it does not get there."""
        request = seats_pb2.SitRequest(watch=seats_pb2.Watch(situation=situation(where)))
        try:
            self._connected(Attempts(self._policy, 0.0, None)).send(request)
        except SaloonError as error:
            self._drop()
            log.warning("the bot's seat could not be shown the game: %s", error)

    def leave(self) -> int:
        """The bot is not needed any more, and its session is forgotten; how many decisions it took, as far as known."""
        try:
            if self._sitting.session:
                # After the end of a game the old connection may have said goodbye already.
                link = self._link or self._connected(Attempts(self._policy, 0.0, None))
                link.send(seats_pb2.SitRequest(leave=seats_pb2.Leave()))
                while True:
                    response = link.receive(self._policy.margin)
                    if response.WhichOneof("message") == "goodbye":
                        return response.goodbye.decisions
        except SaloonError as error:
            log.warning("the bot's seat did not say goodbye: %s", error)
        finally:
            self._sitting.session = ""
            self._drop()
        return 0

    def close(self) -> None:
        """End the connection. The session stays for a while; `session` names it."""
        self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def _connected(self, attempts: Attempts) -> "_Link":
        if self._link is not None and (self._link.ended or self._sitting.moved):
            self._drop()
        if self._link is None:
            self._link = _Link(self._lines, self._to)
            self._link.send(self._sitting.hello())
            self._sitting.heard(self._link.receive(attempts.left))
        return self._link

    def _again(self, error: SaloonError, attempts: Attempts) -> None:
        """Drop the connection and wait until it is worth making another, or raise the error."""
        self._drop()
        if isinstance(error, NotFound) and self._sitting.session:
            self._sitting.session = ""  # the server has forgotten it: sit anew
            return
        pause = attempts.pause(error)
        if pause is None:
            raise error
        sleep(pause)

    def _drop(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None


class _Link:
    """One connection. A thread of its own reads, since reading cannot be given a time."""

    def __init__(self, lines: Lines[grpc.Channel], to: Connection) -> None:
        self._lines, self._line = lines, lines.take()
        self.address = to.address
        self.ended = False
        self._out: queue.SimpleQueue[seats_pb2.SitRequest | None] = queue.SimpleQueue()
        self._in: queue.SimpleQueue[Any] = queue.SimpleQueue()
        method = self._line.channel.stream_stream(
            SIT, seats_pb2.SitRequest.SerializeToString, seats_pb2.SitResponse.FromString
        )
        self._call = method(iter(self._out.get, None), metadata=to.metadata)
        self._reader = threading.Thread(target=self._read, name="saloon seat", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        try:
            for response in self._call:
                self._in.put(response)
            self._in.put(not_reachable(self.address, "the server ended the session"))
        except grpc.RpcError as error:
            self._in.put(from_rpc(error, self.address))
            # The error is the call itself, and what it remembers would keep both until Python ends, when gRPC may wait
            # for a thread that is gone.
            error.__traceback__ = None
        self.ended = True

    def send(self, request: seats_pb2.SitRequest) -> None:
        self._out.put(request)

    def receive(self, seconds: float) -> seats_pb2.SitResponse:
        try:
            got = self._in.get(timeout=seconds)
        except queue.Empty:
            raise too_late("the bot's seat") from None
        if isinstance(got, SaloonError):
            raise got
        assert isinstance(got, seats_pb2.SitResponse)
        return got

    def close(self) -> None:
        self._out.put(None)
        self._call.cancel()
        self._reader.join(5)
        del self._call
        self._lines.give_back(self._line)
