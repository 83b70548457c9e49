"""The Seats service: a bot takes a seat at a table that a front end runs by itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from time import monotonic

from grpc import StatusCode
from saloon_client.v1 import bots_pb2, seats_pb2_grpc
from saloon_client.v1 import seats_pb2 as pb

from engine_cy.game import Game
from search.ismcts import clock_ns
from server.calls.context import Context
from server.calls.refusals import Refused, invalid
from server.process.metrics import Metrics
from server.process.settings import Settings
from server.seats.sessions import Session, Sessions
from server.thinking.minds import BotPlan, Thought, read_bot
from server.thinking.searches import Searches, check_budget
from server.thinking.service import SUGGESTIONS, status_after, to_message
from wire.answers import duration
from wire.situations import read_situation

_PATIENCE = 10.0  # seconds a seat's decision may wait for a search slot: a seat is a promise
_MOST_ID = 128


class SeatsService(seats_pb2_grpc.SeatsServicer):
    """See seats.proto."""

    def __init__(self, searches: Searches, settings: Settings, metrics: Metrics) -> None:
        self.searches = searches
        self.settings = settings
        self.sessions = Sessions(settings)
        self.streams: set[asyncio.Queue[pb.SitResponse | None]] = set()
        self.draining = False
        metrics.sessions.set_function(lambda: len(self.sessions))

    async def Sit(self, requests: AsyncIterator[pb.SitRequest], context: Context) -> AsyncIterator[pb.SitResponse]:
        """What the bot says comes through a queue, so that a server that drains can speak in between."""
        out: asyncio.Queue[pb.SitResponse | None] = asyncio.Queue()
        serving = asyncio.create_task(self._serve(requests, out))
        serving.add_done_callback(lambda _: out.put_nowait(None))
        self.streams.add(out)
        try:
            if self.draining:
                self._tell_to_move(out)
            while (response := await out.get()) is not None:
                yield response
            await serving
        finally:
            self.streams.discard(out)
            serving.cancel()
            with suppress(asyncio.CancelledError, Refused):
                await serving

    def drain(self) -> None:
        """Tell every seat to move."""
        self.draining = True
        for out in self.streams:
            self._tell_to_move(out)

    def _tell_to_move(self, out: asyncio.Queue[pb.SitResponse | None]) -> None:
        out.put_nowait(pb.SitResponse(move=pb.Move(grace=duration(self.settings.drain_seconds))))

    async def _serve(self, requests: AsyncIterator[pb.SitRequest], out: asyncio.Queue[pb.SitResponse | None]) -> None:
        session: Session | None = None
        try:
            async for request in requests:
                kind = request.WhichOneof("message")
                if session is None:
                    if kind != "sit":
                        raise Refused(
                            StatusCode.FAILED_PRECONDITION, f"the first message has to be 'sit', got {kind!r}"
                        )
                    session = await self._sit(request.sit, out)
                elif kind == "sit":
                    raise Refused(
                        StatusCode.FAILED_PRECONDITION, "the bot sits already; 'sit' is the first message only"
                    )
                elif kind == "decide":
                    await out.put(pb.SitResponse(decided=await self._decide(session, request.decide)))
                elif kind == "watch":
                    if await self._watch(session, request.watch):
                        return self._leave(session, out)
                elif kind == "leave":
                    return self._leave(session, out)
                else:
                    raise invalid("message", "expected sit, decide, watch or leave, got none")
        finally:
            if session is not None and session.task is asyncio.current_task():
                session.task, session.ended = None, monotonic()
                await session.stop_pondering()

    async def _sit(self, sit: pb.SitDown, out: asyncio.Queue[pb.SitResponse | None]) -> Session:
        if sit.session:
            session = self.sessions.resume(sit.session)
            if session.task is not None:  # its old connection is dead and does not know it yet
                session.task.cancel()
                await asyncio.wait([session.task])
        else:
            self._check(sit)
            session = self.sessions.new(sit)
        session.task = asyncio.current_task()
        seated = pb.Seated(session=session.name, resumed=bool(sit.session), decided=session.decided)
        await out.put(pb.SitResponse(seated=seated))
        return session

    def _check(self, sit: pb.SitDown) -> None:
        """What can be wrong before the game is known; the personality is one of the game's."""
        if not 0 <= sit.seat < 16:
            raise invalid("sit.seat", f"expected a seat, from 0, got {sit.seat}")
        read_bot(sit.bot, [sit.bot.personality], "sit.bot")
        check_budget(sit.budget, "sit.budget")

    def _leave(self, session: Session, out: asyncio.Queue[pb.SitResponse | None]) -> None:
        self.sessions.forget(session)
        out.put_nowait(pb.SitResponse(goodbye=pb.Goodbye(decisions=len(session.decided))))

    def _game(self, session: Session, game: Game, field: str) -> BotPlan:
        """The bot for this game."""
        if not 0 <= session.seat < game.rules.players:
            raise invalid(
                field, f"expected a game with the bot's seat {session.seat}, got {game.rules.players} players"
            )
        if session.bot is None:
            session.bot = read_bot(session.settings, game.rules.personalities(), "sit.bot")
        return session.bot

    async def _watch(self, session: Session, watch: pb.Watch) -> bool:
        """Ponder, if that is wanted; True if the game is over."""
        game = read_situation(watch.situation, "watch.situation").game
        bot = self._game(session, game, "watch.situation")
        await session.stop_pondering()
        if session.ponder and game.seat is not None and game.seat != session.seat and not bot.weaker:
            session.start_pondering(game, bot, self.searches)
        return game.over

    async def _decide(self, session: Session, decide: pb.Decide) -> pb.Decided:
        arrived = clock_ns()
        if not 0 < len(decide.id) <= _MOST_ID:
            raise invalid("decide.id", f"expected 1 to {_MOST_ID} characters, got {len(decide.id)}")
        known = session.remembered(decide)
        if known is not None:
            return known
        game = read_situation(decide.situation, "decide.situation").game
        bot = self._game(session, game, "decide.situation")
        if game.seat != session.seat:
            due = f"seat {game.seat}" if game.seat is not None else game.phase
            raise invalid("decide.situation", f"expected one in which seat {session.seat} has to decide, got {due}")
        budget: bots_pb2.Budget = decide.budget if decide.HasField("budget") else session.budget
        plan = replace(self.searches.plan(budget, game.rules.name, None, arrived, "decide.budget"), patience=_PATIENCE)
        mind, pondered = await session.mind_for(game, bot)
        async with self.searches.slot(plan) as slot:
            thoughts: list[Thought]
            if decide.turn:
                thoughts, _ = await slot.run(lambda: mind.turn(slot.budget, slot.deadline_ns, SUGGESTIONS), mind.stop)
            else:
                thoughts = [await slot.run(lambda: mind.decide(slot.budget, slot.deadline_ns, SUGGESTIONS), mind.stop)]
            self.searches.count(slot, mind)
        status = status_after(thoughts[-1])
        answer = pb.Decided(
            id=decide.id,
            answers=[to_message(thought, bot, slot) for thought in thoughts],
            next=status,
            game_over=status.phase == "over",
            pondered=duration(pondered),
        )
        session.remember(decide, answer)
        return answer
