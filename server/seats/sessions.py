# May know: basics, thinking, stores, saloon_client, engine_cy, search, wire.
"""The bots that sit at tables of others. What was decided is in the store, so that a session can be gone on with at any
process; here is what serves it."""

import asyncio
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

import structlog
from saloon_client.v1 import seats_pb2

from engine_cy.game import Game, View
from engine_cy.rules import GameRules
from search.player import Budget, Player
from server.basics.caller import CALLER
from server.basics.refusals import NotFound, NotNow, Overloaded
from server.basics.settings import Settings
from server.seats.pondering import Pondering
from server.stores.seats import Gone, SeatStore, StoredDecision, StoredSession
from server.stores.tables import StoredBot
from server.thinking.searches import Searches
from wire.bots import Bot, check_personality

log = structlog.get_logger()

_MOST_WHOLE = 16 << 10  # bytes of an answer that is kept with all it said
_BUSY_SECONDS = 5.0
_LOOK_SECONDS = 2.0  # until a stream whose session goes on elsewhere is told


@dataclass(eq=False)
class Session:
    """A bot on its seat, as this process serves it."""

    stored: StoredSession
    bot: Bot
    budget: Budget
    known: set[str] = field(default_factory=set)  # decisions that are remembered; who attends, may have told others
    task: asyncio.Task[object] | None = None  # the stream that serves it now
    left: asyncio.Queue[seats_pb2.SitRequest] | None = None  # by which that stream learns that it is over, if it is
    # Attend's
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # one thing after the other
    ended: float = field(default_factory=monotonic)  # when its last stream ended
    pondering: Pondering | None = None
    checked: GameRules | None = None  # the game that was seen to know the bot's personality

    @property
    def name(self) -> str:
        return self.stored.name

    @property
    def seat(self) -> int:
        return self.stored.seat

    def check(self, rules: GameRules) -> None:
        """That the bot may have its personality in this game; it was not known when it sat down."""
        if self.checked is not rules:
            check_personality(self.bot, "sit.bot", rules)
            self.checked = rules

    # ---- Pondering

    def start_pondering(self, game: Game, player: Player, searches: Searches) -> None:
        self.pondering = Pondering(game, self.seat, self.bot.seed, player, searches)

    async def stop_pondering(self) -> Pondering | None:
        """What was thought about, now at rest."""
        pondering, self.pondering = self.pondering, None
        if pondering is not None:
            await pondering.stop()
        return pondering

    async def player_for(self, game: Game, view: View) -> tuple[Player, float]:
        """For the decision that is due: the one that pondered if it thought of this course, and for how long."""
        pondering = await self.stop_pondering()
        if pondering is not None and pondering.led_to(game, view):
            return pondering.player, pondering.seconds
        return self.bot.player(), 0.0


def _choices(decided: seats_pb2.Decided) -> seats_pb2.Decided:
    """What was decided, without what was thought of it."""
    short = seats_pb2.Decided(id=decided.id, game_over=decided.game_over)
    for answer in decided.answers:
        short.answers.add(choice=answer.choice, seat=answer.seat)
    if decided.HasField("next"):
        short.next.CopyFrom(decided.next)
    return short


class Sessions:
    """All bot seats that this process serves. One whose connection ended is kept for a while, in the store."""

    def __init__(self, settings: Settings, store: SeatStore) -> None:
        self.most = settings.max_sessions
        self.most_each = settings.share_of(settings.max_sessions)
        self.keep = settings.session_time.total_seconds()
        self.store = store
        self.sessions: dict[str, Session] = {}
        self._looking: asyncio.Task[None] | None = None
        self._unserved: frozenset[tuple[str, int]] = frozenset()

    def __len__(self) -> int:
        return len(self.sessions)

    def start(self) -> None:
        """The store has to be open."""
        self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    # ---- Sitting down

    async def new(
        self, seat: int, bot: Bot, budget: Budget, ponder: bool, place: str = "", attended: bool = False
    ) -> Session:
        """`place`: what its name begins with, for proxies to find this process by."""
        self._forget_old()
        if len(self.sessions) >= self.most:
            raise Overloaded("the server has no seat left", _BUSY_SECONDS)
        owner = CALLER.get()
        if sum(session.stored.owner == owner for session in self.sessions.values()) >= self.most_each:
            raise Overloaded(f"one client has no more than {self.most_each} seats here", _BUSY_SECONDS)
        name = f"{place}.{secrets.token_urlsafe(18)}" if place else secrets.token_urlsafe(18)
        how = StoredBot(bot.level, bot.seed, bot.personality, bot.search, budget.seconds, budget.iterations)
        stored = StoredSession(name, seat, how, ponder, owner, attended=attended)
        session = self.sessions[name] = Session(stored, bot, budget)
        try:
            await self.store.create(stored)
        except BaseException:
            del self.sessions[name]
            raise
        return session

    async def resume(self, name: str, attended: bool = False) -> tuple[Session, Sequence[str]]:
        """The session, served here from now on, and what was decided; NotFound."""
        self._forget_old()
        before = self.sessions.get(name)
        if before is not None and before.task is not None:  # its old connection is dead and does not know it yet
            before.task.cancel()
            await asyncio.wait([before.task])
        found = await self.store.resume(name, attended)
        if found is None:
            self.sessions.pop(name, None)
            raise _not_known()
        session = self.sessions[name] = _session(found[0])
        session.known.update(found[1])
        return session, found[1]

    async def attended(self, name: str) -> Session:
        """One that something is said to which does not come by its stream; that may be at another process. NotFound, or
        NotNow if nobody attends it."""
        session = self.sessions.get(name)
        if session is None or session.left is None:
            stored = await self.store.look(name)
            if stored is None:
                raise _not_known()
            if not stored.attended:
                raise NotNow("nobody attends this session; Attend with its name first")
            if session is None or session.task is None:
                session = self.sessions.setdefault(name, _session(stored))
                session.stored = stored
        return session

    # ---- What is remembered

    async def remembered(self, session: Session, name: str, key: bytes) -> seats_pb2.Decided | None:
        """The answer given to this decision before, if it was; never another one for the same name."""
        if name not in session.known and not session.stored.attended:
            return None
        known = await self.store.decision(session.name, name)
        return None if known is None else _again(known, key)

    async def remember(self, session: Session, key: bytes, answer: seats_pb2.Decided) -> seats_pb2.Decided:
        """The answer to a decision, or the one that somebody else was given to it a moment before."""
        whole = answer.SerializeToString()
        choices = _choices(answer).SerializeToString()
        decision = StoredDecision(answer.id, key, choices, whole if len(whole) <= _MOST_WHOLE else None)
        try:
            kept = await self.store.remember(session.stored, decision)
        except Gone:
            raise NotNow("the session is over, or goes on at another stream, which sat down with its name") from None
        session.known.add(answer.id)
        session.stored = replace(session.stored, decisions=session.stored.decisions + 1)
        return answer if kept is decision else _again(kept, key)

    # ---- Getting up

    async def leave(self, session: Session) -> None:
        """Its stream has ended."""
        session.task, session.left, session.ended = None, None, monotonic()
        await session.stop_pondering()
        if session.name in self.sessions:
            await self.store.leave(session.stored)

    async def forget(self, session: Session) -> int:
        """It is over; how many decisions it took."""
        self.sessions.pop(session.name, None)
        return max(session.stored.decisions, await self.store.forget(session.name))

    def _forget_old(self) -> None:
        """As the store does by itself."""
        now = monotonic()
        for session in [s for s in self.sessions.values() if s.task is None and now - s.ended > self.keep]:
            del self.sessions[session.name]

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                await self.store.tidy(self.keep)
                await self._end_lost(await self.store.served_here())
            except Exception as error:
                log.error("seats not looked at", exc_info=error)

    async def _end_lost(self, served: Collection[tuple[str, int]]) -> None:
        """End streams whose sessions are over, or go on at others; and have nothing served here that is not."""
        streams = {(s.name, s.stored.turn): s for s in self.sessions.values() if s.task is not None}
        for lost in streams.keys() - {*served}:
            session = streams[lost]
            if session.left is not None and session.left.empty() and await self.store.look(session.name) is None:
                session.left.put_nowait(seats_pb2.SitRequest(leave=seats_pb2.Leave()))
            elif session.task is not None:
                session.task.cancel()
        unserved = frozenset(served) - streams.keys()
        for name, turn in unserved & self._unserved:  # and not only one that is about to sit down
            known = self.sessions.get(name)
            if known is None or known.task is None:
                await self.store.leave(StoredSession(name, 0, StoredBot("", 0), False, "", turn))
        self._unserved = unserved


def _session(stored: StoredSession) -> Session:
    how = stored.bot
    bot = Bot(level=how.level, personality=how.personality, search=how.search, seed=how.seed)
    return Session(stored, bot, Budget(how.time, how.iterations))


def _not_known() -> NotFound:
    return NotFound("no such session here (any more); sit down with a new one")


def _again(known: StoredDecision, key: bytes) -> seats_pb2.Decided:
    if known.situation != key:
        raise NotNow(f"decision {known.id!r} came before with another situation")
    answer = seats_pb2.Decided.FromString(known.whole or known.choices)
    answer.from_memory = True
    return answer
