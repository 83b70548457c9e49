"""The client for programs that run on asyncio."""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from types import TracebackType
from typing import Self, TypeVar, Unpack

import grpc
from google.protobuf.message import Message

from saloon_client import calls
from saloon_client.async_seat import AsyncSeat
from saloon_client.calls import Attempts, Call, Policy
from saloon_client.channel import Connection, Lines, Pem, connection, open_async_channel
from saloon_client.errors import from_rpc
from saloon_client.messages import AnyEvent, AnySituation, Cost, Listing, Thinking, listing
from saloon_client.v1 import bots_pb2, game_pb2, rules_pb2, tables_pb2

T = TypeVar("T", bound=Message)


class AsyncClient:
    """A Saloon server.

    Plaintext on this machine, TLS elsewhere unless `insecure`. Every call ends: after its budget and `margin` seconds,
    or after the `timeout` it is given. Calls that may be sent again are, `retries` times at most and within that time,
    when the server has no time or cannot be reached; `seed` is that of the pauses in between.

    >>> async with AsyncClient("localhost:50051") as saloon:
    ...     game = await saloon.new_game(moon_river(players=3), seed=1)
    ...     print((await saloon.suggest(game, time=0.1)).choice.text)
    """

    def __init__(
        self,
        address: str = "localhost:50051",
        *,
        token: str | None = None,
        tls: bool | None = None,
        root_certificates: Pem | None = None,
        client_certificate: Pem | None = None,
        client_key: Pem | None = None,
        insecure: bool = False,
        margin: float = 5.0,
        retries: int = 4,
        seed: int | None = None,
    ) -> None:
        self._to = connection(address, token, tls, root_certificates, client_certificate, client_key, insecure)
        self._policy = Policy(margin, retries, random.Random(seed))  # noqa: S311
        self._lines = Lines(open_async_channel, self._to)

    @property
    def address(self) -> str:
        return self._to.address

    @property
    def connection(self) -> Connection:
        """What it takes to speak to other services of the same server, such as its health."""
        return self._to

    async def close(self) -> None:
        for channel in self._lines.close():
            await channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # ---- Rules

    async def games(self, *, timeout: float | None = None) -> Sequence[rules_pb2.GameInfo]:
        """The games, with their options and components."""
        return (await self._call(calls.games(), timeout)).games

    async def new_game(
        self, options: game_pb2.Options, *, seed: int | None = None, timeout: float | None = None
    ) -> game_pb2.GameRecord:
        """A new game. Without a seed dice and piles are yours: tell what came with `apply`."""
        return (await self._call(calls.new_game(options, seed), timeout)).record

    async def legal_decisions(
        self, situation: AnySituation, *, timeout: float | None = None
    ) -> rules_pb2.LegalDecisionsResponse:
        """What the seat that has to decide may do."""
        return await self._call(calls.legal_decisions(situation), timeout)

    async def apply(
        self, situation: AnySituation, *events: AnyEvent, timeout: float | None = None
    ) -> rules_pb2.ApplyResponse:
        """The situation after some more events; an answer of a bot counts as the event that it chose."""
        return await self._call(calls.apply(situation, events), timeout)

    async def replay(
        self,
        record: game_pb2.GameRecord,
        *,
        events: int | None = None,
        seat: int | None = None,
        timeout: float | None = None,
    ) -> rules_pb2.ReplayResponse:
        """Where a game stood after so many of its events, as a seat saw it."""
        return await self._call(calls.replay(record, events, seat), timeout)

    async def score(self, situation: AnySituation, *, timeout: float | None = None) -> rules_pb2.ScoreResponse:
        """Everybody's points, as if the game ended now."""
        return await self._call(calls.score(situation), timeout)

    async def render(
        self,
        situation: AnySituation,
        *,
        seat: int | None = None,
        dark: bool = False,
        timeout: float | None = None,
    ) -> rules_pb2.RenderResponse:
        """The table as an SVG picture and as plain text."""
        return await self._call(calls.render(situation, seat, dark), timeout)

    # ---- Bots

    async def bots(self, *, timeout: float | None = None) -> bots_pb2.ListBotsResponse:
        """The levels and personalities there are."""
        return await self._call(calls.bots(), timeout)

    async def suggest(
        self,
        situation: AnySituation,
        *,
        count: int = 0,
        evaluate: Iterable[game_pb2.Decision] = (),
        outs: bool = False,
        timeout: float | None = None,
        **how: Unpack[Thinking],
    ) -> bots_pb2.Answer:
        """What a bot would do, and the best `count` decisions with figures; `evaluate` names some to look at too,
        `outs` asks what chance may bring right after the best."""
        return (await self._call(calls.suggest(situation, count, evaluate, outs, how), timeout)).answer

    def analyze(
        self,
        situation: AnySituation,
        *,
        count: int = 0,
        evaluate: Iterable[game_pb2.Decision] = (),
        outs: bool = False,
        timeout: float | None = None,
        **how: Unpack[Thinking],
    ) -> AsyncGenerator[bots_pb2.AnalyzeResponse, None]:
        """Answers that get better. Close it to stop the search before its time."""
        return self._stream(calls.analyze(situation, count, evaluate, outs, how), timeout)

    async def play_turn(
        self, situation: AnySituation, *, timeout: float | None = None, **how: Unpack[Thinking]
    ) -> bots_pb2.PlayTurnResponse:
        """A whole turn, up to where another seat or chance comes next: `apply(situation, *turn.answers)`."""
        return await self._call(calls.play_turn(situation, how), timeout)

    async def judge(
        self,
        situation: AnySituation,
        decisions: Iterable[game_pb2.Decision],
        *,
        seed: int | None = None,
        timeout: float | None = None,
        **how: Unpack[Cost],
    ) -> bots_pb2.JudgeResponse:
        """What decisions that the seat may take one after the other would give away, each beside the best there is.
        `time` is for all of them (1 second if nothing is said), `iterations` for each."""
        return await self._call(calls.judge(situation, decisions, seed, how), timeout)

    def review(
        self,
        record: game_pb2.GameRecord,
        *,
        seed: int | None = None,
        timeout: float | None = None,
        **how: Unpack[Cost],
    ) -> AsyncGenerator[bots_pb2.ReviewResponse, None]:
        """A game looked back on, event by event: what decisions cost, and what was luck; the last one is the summary.
        `time` is for all of it (15 seconds if nothing is said), `iterations` for each decision. Close it to stop."""
        return self._stream(calls.review(record, seed, how), timeout)

    def puzzles(
        self,
        record: game_pb2.GameRecord,
        *,
        least: float | None = None,
        seed: int | None = None,
        timeout: float | None = None,
        **how: Unpack[Cost],
    ) -> AsyncGenerator[bots_pb2.FindPuzzlesResponse, None]:
        """Positions of a game in which one decision is much better than it looks, event by event: all else gives away
        `least` of a win (0.05). `time` is for all of it (15 seconds if nothing is said), `iterations` for each long
        search. Close it to stop."""
        return self._stream(calls.puzzles(record, least, seed, how), timeout)

    # ---- Seats

    def sit(self, seat: int, *, ponder: bool = False, session: str = "", **how: Unpack[Thinking]) -> AsyncSeat:
        """A bot for a seat of a game of yours, for the whole game; `session` goes on with one."""
        return AsyncSeat(self._lines, self._to, self._policy, calls.Sitting(seat, ponder, session, how))

    # ---- Tables

    async def create_table(
        self,
        options: game_pb2.Options,
        *,
        bots: Iterable[tables_pb2.TableBot] = (),
        by_invitation: bool = False,
        seed: int | None = None,
        clock: tables_pb2.TurnClock | None = None,
        account: str = "",
        timeout: float | None = None,
    ) -> tables_pb2.CreateTableResponse:
        """A table on the server. `table_bot` makes bots for it, `turn_clock` a time for each turn.
        `account`: who makes it, from clients that may say so."""
        return await self._call(calls.create_table(options, bots, by_invitation, seed, clock, account), timeout)

    async def import_table(
        self,
        record: game_pb2.GameRecord,
        *,
        bots: Iterable[tables_pb2.TableBot] = (),
        by_invitation: bool = False,
        clock: tables_pb2.TurnClock | None = None,
        account: str = "",
        timeout: float | None = None,
    ) -> tables_pb2.ImportTableResponse:
        """A table that goes on with a record."""
        return await self._call(calls.import_table(record, bots, by_invitation, clock, account), timeout)

    async def tables(
        self, *, timeout: float | None = None, **wanted: Unpack[Listing]
    ) -> AsyncIterator[tables_pb2.Table]:
        """The public tables, or with `mine` those of the person who asks, newest first; `Listing` says what else they
        may be chosen by. Games that are over are among them as long as their records are kept."""
        request = listing(wanted)
        page = ""
        while True:
            answer = await self._call(calls.tables(request, page), timeout)
            for table in answer.tables:
                yield table
            page = answer.next_page_token
            if not page:
                return

    async def table(self, table: str, token: str = "", *, timeout: float | None = None) -> tables_pb2.GetTableResponse:
        """How a table stands, for the seat of the token or for a spectator, and what the seat may do."""
        return await self._call(calls.table(table, token), timeout)

    async def join(
        self,
        table: str,
        name: str,
        *,
        seat: int | None = None,
        token: str = "",
        account: str = "",
        timeout: float | None = None,
    ) -> tables_pb2.JoinTableResponse:
        """Take a free seat, or take one's own back from a bot; once, however often it has to be sent. The answer
        has the seat's token. `account`: whose seat it is, from clients that may say so."""
        return await self._call(calls.join(table, name, seat, token, account), timeout)

    async def seat_bot(
        self,
        table: str,
        token: str,
        bot: tables_pb2.TableBot,
        *,
        away: bool = False,
        timeout: float | None = None,
    ) -> tables_pb2.SeatBotResponse:
        """Let a bot play a free seat (with the host's token), one's own, or that of somebody who is `away` (the
        host's); `join` takes it back."""
        return await self._call(calls.seat_bot(table, token, bot, away), timeout)

    async def act(
        self,
        table: str,
        token: str,
        decision: game_pb2.Decision,
        *,
        after: int | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> tables_pb2.ActResponse:
        """Decide. It is done once however often it has to be sent, unless `request_id` is empty."""
        return await self._call(calls.act(table, token, decision, after, request_id), timeout)

    async def watch(
        self, table: str, token: str = "", *, first: int = 0
    ) -> AsyncIterator[tables_pb2.WatchTableResponse]:
        """Everything that happens from an event's number on, until the game ends. After a lost connection it goes on
        where it was."""
        attempts = Attempts(self._policy, 0.0, float("inf"))
        while True:
            try:
                with self._lines.streaming(calls.watch(table, token, first), None) as stream:
                    async for update in stream:
                        attempts.failed = 0
                        if update.HasField("event"):
                            first = update.event.number + 1
                        yield update
                    return
            except grpc.RpcError as error:
                await self._wait_again(error, attempts)

    async def export_table(self, table: str, token: str = "", *, timeout: float | None = None) -> game_pb2.GameRecord:
        """The record of a game; before its end with the host's token, or with a seat's what that seat has seen."""
        return (await self._call(calls.export_table(table, token), timeout)).record

    async def delete_table(self, table: str, host_token: str, *, timeout: float | None = None) -> None:
        """A table is gone for good, with its game."""
        await self._call(calls.delete_table(table, host_token), timeout)

    # ---- How calls are made

    async def _call(self, call: Call[T], timeout: float | None) -> T:
        attempts = Attempts(self._policy, call.seconds, timeout, call.repeat)
        while True:
            try:
                with self._lines.channel() as channel:
                    method = channel.unary_unary(
                        call.method, type(call.request).SerializeToString, call.answer.FromString
                    )
                    return await method(call.request, timeout=attempts.left, metadata=self._to.metadata)
            except grpc.RpcError as error:
                await self._wait_again(error, attempts)

    async def _stream(self, call: Call[T], timeout: float | None) -> AsyncGenerator[T, None]:
        attempts = Attempts(self._policy, call.seconds, timeout, call.repeat)
        while True:
            try:
                with self._lines.streaming(call, attempts.left) as stream:
                    async for response in stream:
                        attempts.repeat = False
                        yield response
                    return
            except grpc.RpcError as error:
                await self._wait_again(error, attempts)

    async def _wait_again(self, error: grpc.RpcError, attempts: Attempts) -> None:
        """Wait until it is worth trying again, or raise what the caller should know."""
        known = from_rpc(error, self.address)
        pause = attempts.pause(known)
        if pause is None:
            raise known from error
        await asyncio.sleep(pause)
