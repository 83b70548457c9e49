# May know: basics, calls, thinking, stores, saloon_client, engine_cy, search, wire, gRPC.
"""The Seats service: a bot takes a seat at a table that a front end runs by itself."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing

from saloon_client.v1 import game_pb2, seats_pb2_grpc
from saloon_client.v1 import seats_pb2 as pb

from engine_cy.errors import InputError
from engine_cy.game import Game
from search.ismcts import clock_ns
from search.player import Question
from server.basics.metrics import Metrics
from server.basics.refusals import NotNow
from server.basics.settings import Settings
from server.basics.version import ENGINE_VERSION
from server.calls.context import Context
from server.calls.reading import Requests
from server.seats.outgoing import Outgoing
from server.seats.sessions import Session, Sessions
from server.stores.seats import SeatStore
from server.thinking.searches import Searches
from wire.answers import answer_message, duration, status_after
from wire.bots import SUGGESTIONS, read_bot, read_budget
from wire.memory import situation_keys
from wire.naming import NONE, Words, naming
from wire.reading import check_length

_PATIENCE = 10.0  # seconds a seat's decision may wait for a search slot: a seat is a promise
_MOST_ID = 128
_PLACE = "saloon-seat"  # the header by which proxies send Attend and Tell to one server
_MOST_SEATS = 16  # no game has more; how many this one has is not known yet


class SeatsService(seats_pb2_grpc.SeatsServicer):
    """See seats.proto."""

    def __init__(
        self, requests: Requests, searches: Searches, settings: Settings, metrics: Metrics, store: SeatStore
    ) -> None:
        self.requests = requests
        self.searches = searches
        self.settings = settings
        self.sessions = Sessions(settings, store)
        self.streams: set[Outgoing] = set()
        self.draining = False
        metrics.sessions.set_function(lambda: len(self.sessions))

    def start(self) -> None:
        """The store has to be open."""
        self.sessions.start()

    async def close(self) -> None:
        await self.sessions.close()

    async def Sit(self, requests: AsyncIterator[pb.SitRequest], context: Context) -> AsyncIterator[pb.SitResponse]:
        async with aclosing(self._bot(requests)) as responses:
            async for response in responses:
                yield response

    async def Attend(self, request: pb.AttendRequest, context: Context) -> AsyncIterator[pb.AttendResponse]:
        """A Sit that hears nothing but its end: what else is said comes by Tell."""
        if not request.HasField("sit"):
            raise InputError("sit", "a bot and its seat", NONE)
        left = asyncio.Queue[pb.SitRequest](1)
        place = _place(context)

        async def requests() -> AsyncIterator[pb.SitRequest]:
            yield pb.SitRequest(sit=request.sit)
            yield await left.get()

        async with aclosing(self._bot(requests(), left, place)) as responses:
            async for said in responses:
                kind = said.WhichOneof("message")
                assert kind is not None
                yield pb.AttendResponse(**{kind: getattr(said, kind)})

    async def Tell(self, request: pb.TellRequest, context: Context) -> pb.TellResponse:
        session = await self.sessions.attended(request.session)
        kind = request.WhichOneof("message")
        if kind == "decide":
            return pb.TellResponse(decided=await self._decide(session, request.decide, context.time_remaining()))
        if kind == "watch":
            if not await self._watch(session, request.watch):
                return pb.TellResponse()
        elif kind != "leave":
            raise InputError("message", "decide, watch or leave", NONE)
        if session.left is None:  # its stream is at another process, which looks for what is over
            return pb.TellResponse(goodbye=pb.Goodbye(decisions=await self.sessions.forget(session)))
        if session.left.empty():
            session.left.put_nowait(pb.SitRequest(leave=pb.Leave()))
        return pb.TellResponse(goodbye=pb.Goodbye(decisions=session.stored.decisions))

    async def _bot(
        self, requests: AsyncIterator[pb.SitRequest], left: asyncio.Queue[pb.SitRequest] | None = None, place: str = ""
    ) -> AsyncGenerator[pb.SitResponse, None]:
        """The bot is served by a task of its own, so that a server that drains can speak in between."""
        out = Outgoing()
        serving = asyncio.create_task(self._serve(requests, out, left, place))
        serving.add_done_callback(lambda _: out.end())
        self.streams.add(out)
        try:
            if self.draining:
                self._tell_to_move(out)
            async for response in out:
                yield response
            if serving.cancelled():
                raise NotNow("the session goes on at another stream, which sat down with its name")
            await serving
        finally:
            self.streams.discard(out)
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    def drain(self) -> None:
        """Tell every seat to move."""
        self.draining = True
        for out in self.streams:
            self._tell_to_move(out)

    def _tell_to_move(self, out: Outgoing) -> None:
        out.announce(pb.SitResponse(move=pb.Move(grace=duration(self.settings.drain_seconds))))

    async def _serve(
        self,
        requests: AsyncIterator[pb.SitRequest],
        out: Outgoing,
        left: asyncio.Queue[pb.SitRequest] | None,
        place: str,
    ) -> None:
        session: Session | None = None
        try:
            async for request in requests:
                kind = request.WhichOneof("message")
                if session is None:
                    if kind != "sit":
                        raise NotNow(f"the first message has to be 'sit', got {kind!r}")
                    session = await self._sit(request.sit, out, left, place)
                elif kind == "sit":
                    raise NotNow("the bot sits already; 'sit' is the first message only")
                elif kind == "decide":
                    await out.say(pb.SitResponse(decided=await self._decide(session, request.decide)))
                elif kind == "watch":
                    if await self._watch(session, request.watch):
                        return await self._leave(session, out)
                elif kind == "leave":
                    return await self._leave(session, out)
                else:
                    raise InputError("message", "sit, decide, watch or leave", NONE)
                del request  # nothing of it is kept while the next one is waited for
        finally:
            if session is not None and session.task is asyncio.current_task():
                await self.sessions.leave(session)

    async def _sit(
        self, sit: pb.SitDown, out: Outgoing, left: asyncio.Queue[pb.SitRequest] | None, place: str
    ) -> Session:
        decided: Sequence[str] = ()
        if sit.session:
            session, decided = await self.sessions.resume(sit.session, left is not None)
        else:
            if not 0 <= sit.seat < _MOST_SEATS:
                raise InputError("sit.seat", "a seat, from 0", sit.seat)
            bot, budget = read_bot(sit.bot, "sit.bot", None), read_budget(sit.budget, "sit.budget")
            session = await self.sessions.new(sit.seat, bot, budget, sit.ponder, place, left is not None)
        session.task, session.left = asyncio.current_task(), left
        seated = pb.Seated(session=session.name, resumed=bool(sit.session), decided=decided)
        await out.say(pb.SitResponse(seated=seated))
        return session

    async def _leave(self, session: Session, out: Outgoing) -> None:
        decisions = await self.sessions.forget(session)
        out.announce(pb.SitResponse(goodbye=pb.Goodbye(decisions=decisions)))

    async def _game(
        self, session: Session, situation: game_pb2.Situation, field: str, keys: Sequence[bytes] | None = None
    ) -> Game:
        """Where the game of the bot stands."""
        game = (await self.requests.situation(situation, field, keys)).game
        if session.seat >= game.rules.players:
            players = Words(f"{game.rules.players} players")
            raise InputError(field, f"a game with the bot's seat {session.seat}", players)
        session.check(game.rules)
        return game

    async def _watch(self, session: Session, watch: pb.Watch) -> bool:
        """Ponder, if that is wanted; True if the game is over."""
        async with session.turn:
            game = await self._game(session, watch.situation, "watch.situation")
            await session.stop_pondering()
            if session.stored.ponder and session.task and game.seat is not None and game.seat != session.seat:
                player = session.bot.player()
                if player.improves:
                    session.start_pondering(game, player, self.searches)
            return game.over

    async def _decide(self, session: Session, decide: pb.Decide, time_left: float | None = None) -> pb.Decided:
        """What comes twice waits for the first, and is answered from memory."""
        arrived = clock_ns()
        async with session.turn:
            return await self._decided(session, decide, arrived, time_left)

    async def _decided(self, session: Session, decide: pb.Decide, arrived: int, time_left: float | None) -> pb.Decided:
        if not 0 < len(decide.id) <= _MOST_ID:
            raise InputError("decide.id", f"1 to {_MOST_ID} characters", len(decide.id))
        check_length(decide.situation.record, "decide.situation.record")
        keys = situation_keys(decide.situation)
        known = await self.sessions.remembered(session, decide.id, keys[-1])
        if known is not None:
            return known
        game = await self._game(session, decide.situation, "decide.situation", keys)
        if game.seat != session.seat:
            due = f"seat {game.seat}" if game.seat is not None else game.phase
            expected = f"one in which seat {session.seat} has to decide"
            raise InputError("decide.situation", expected, Words(due))
        budget = read_budget(decide.budget, "decide.budget") if decide.HasField("budget") else session.budget
        job = self.searches.job(
            budget,
            game.rules.name,
            arrived,
            time_left=time_left,
            patience=_PATIENCE,
            most=session.bot.player().most,
            turn=decide.turn,
        )
        with naming("decide.situation"):
            view = game.observe(session.seat)
        player, pondered = await session.player_for(game, view)
        async with self.searches.slot(job):
            question = Question(view, job.limit, session.bot.seed, SUGGESTIONS)
            if decide.turn:
                answers = (await self.searches.run(job, player, lambda: player.turn(question))).answers
            else:
                answers = (await self.searches.run(job, player, lambda: player.think(question)),)
        status = status_after(answers[-1])
        decided = pb.Decided(
            id=decide.id,
            answers=[
                answer_message(self.requests.writer, answer, session.bot, ENGINE_VERSION, job.budget, job.queued)
                for answer in answers
            ],
            next=status,
            game_over=status.phase == "over",
            pondered=duration(pondered),
        )
        return await self.sessions.remember(session, keys[-1], decided)


def _place(context: Context) -> str:
    """What the caller wants the session's name to begin with."""
    given = next((value for name, value in context.invocation_metadata() or () if name == _PLACE), "")
    if given and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", str(given)):
        raise InputError(_PLACE, "1 to 64 letters, digits, '-' and '_'", str(given)[:80])
    return str(given)
