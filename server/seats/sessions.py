# May know: basics, thinking, saloon_client, engine_cy, search, wire.
"""The bots that sit at tables of others: what each remembers, and for how long."""

import asyncio
import secrets
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from time import monotonic

from saloon_client.v1 import seats_pb2

from engine_cy.game import Game, View
from engine_cy.rules import GameRules
from search.player import Budget, Player
from server.basics import limits
from server.basics.caller import CALLER
from server.basics.refusals import NotFound, NotNow, Overloaded
from server.basics.settings import Settings
from server.seats.pondering import Pondering
from server.thinking.searches import Searches
from wire.bots import Bot, check_personality

_REMEMBERED = 300  # decisions of a session; a game has fewer
_WHOLE = 12  # answers of these: whoever comes back asks for the last ones again; of older ones the choice is enough
_BUSY_SECONDS = 5.0


@dataclass(eq=False)
class Session:
    """A bot on its seat."""

    name: str
    seat: int
    bot: Bot
    budget: Budget
    ponder: bool
    owner: str  # who sat down
    decided: OrderedDict[str, tuple[bytes, bytes]] = field(
        default_factory=OrderedDict
    )  # situations and answers by name
    whole: deque[str] = field(default_factory=deque)  # whose answers are kept with all they said
    decisions: int = 0
    kept: int = 0  # bytes of answers
    task: asyncio.Task[object] | None = None  # the stream that serves it now
    left: asyncio.Queue[seats_pb2.SitRequest] | None = None  # by which that stream learns that it is over, if it is
    # Attend's
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # one thing after the other
    ended: float = 0.0  # when its last stream ended
    pondering: Pondering | None = None
    checked: GameRules | None = None  # the game that was seen to know the bot's personality

    def check(self, rules: GameRules) -> None:
        """That the bot may have its personality in this game; it was not known when it sat down."""
        if self.checked is not rules:
            check_personality(self.bot, "sit.bot", rules)
            self.checked = rules

    def remembered(self, name: str, key: bytes) -> seats_pb2.Decided | None:
        """The answer given to this decision before, if it was; never another one for the same name."""
        known = self.decided.get(name)
        if known is None:
            return None
        situation, answer = known
        if situation != key:
            raise NotNow(f"decision {name!r} came before with another situation")
        again = seats_pb2.Decided.FromString(answer)
        again.from_memory = True
        return again

    def remember(self, key: bytes, answer: seats_pb2.Decided) -> None:
        data = answer.SerializeToString()
        self.decided[answer.id] = key, data
        self.whole.append(answer.id)
        self.decisions += 1
        self.kept += len(data)
        if len(self.whole) > _WHOLE:
            self._shorten_oldest()
        if len(self.decided) > _REMEMBERED:
            self._forget_oldest()

    def remember_less(self) -> None:
        """What is asked for least: what old answers said, then old decisions."""
        if len(self.whole) > 1:
            self._shorten_oldest()
        else:
            self._forget_oldest()

    def _shorten_oldest(self) -> None:
        name = self.whole.popleft()
        key, data = self.decided[name]
        short = _choices(seats_pb2.Decided.FromString(data)).SerializeToString()
        self.decided[name] = key, short
        self.kept += len(short) - len(data)

    def _forget_oldest(self) -> None:
        name, (_, data) = self.decided.popitem(last=False)
        self.kept -= len(data)
        if self.whole and self.whole[0] == name:
            self.whole.popleft()

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
    """All bot seats of this process. One whose connection ended is kept for a while."""

    def __init__(self, settings: Settings) -> None:
        self.most = settings.max_sessions
        self.most_each = settings.share_of(settings.max_sessions)
        self.keep = settings.session_time.total_seconds()
        self.sessions: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self.sessions)

    def new(self, seat: int, bot: Bot, budget: Budget, ponder: bool, place: str = "") -> Session:
        """`place`: what its name begins with, for proxies to find this process by."""
        self._forget_old()
        if len(self.sessions) >= self.most:
            raise Overloaded("the server has no seat left", _BUSY_SECONDS)
        owner = CALLER.get()
        if sum(session.owner == owner for session in self.sessions.values()) >= self.most_each:
            raise Overloaded(f"one client has no more than {self.most_each} seats here", _BUSY_SECONDS)
        name = f"{place}.{secrets.token_urlsafe(18)}" if place else secrets.token_urlsafe(18)
        session = Session(name, seat, bot, budget, ponder, owner)
        self.sessions[session.name] = session
        return session

    def resume(self, name: str) -> Session:
        self._forget_old()
        session = self.sessions.get(name)
        if session is None:
            raise NotFound("no such session here (any more); sit down with a new one")
        return session

    def remember(self, session: Session, key: bytes, answer: seats_pb2.Decided) -> None:
        """The answer to a decision; of one client only so much is remembered."""
        session.remember(key, answer)
        own = [other for other in self.sessions.values() if other.owner == session.owner]
        while sum(other.kept for other in own) > limits.REMEMBERED_BYTES:
            max(own, key=lambda other: other.kept).remember_less()

    def forget(self, session: Session) -> None:
        self.sessions.pop(session.name, None)

    def _forget_old(self) -> None:
        now = monotonic()
        for session in [s for s in self.sessions.values() if s.task is None and now - s.ended > self.keep]:
            self.forget(session)
