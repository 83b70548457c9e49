"""Bot seats at tables of others: what a session remembers, and how its bot thinks while others play."""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from grpc import StatusCode
from saloon_client.v1 import bots_pb2, game_pb2, seats_pb2

from engine_cy.game import Chosen, Game, View
from search.bots import Budget
from search.ismcts import clock_ns
from server.calls.refusals import Refused, exhausted
from server.process.settings import Settings
from server.thinking.minds import BotPlan, Mind
from server.thinking.searches import Searches

_MOST_REMEMBERED = 2000  # decisions of a session; a game has far fewer
_PONDER_STEP = 0.05
_PONDER_PAUSE = 0.02
_PONDER_LONGEST = 30.0
_BUSY_SECONDS = 5.0


@dataclass
class Pondering:
    """What the bot thinks about while others play: a position, and how the game came there if that is known."""

    game: Game
    mind: Mind
    task: asyncio.Task[None]
    seconds: float = 0.0


@dataclass(eq=False)
class Session:
    """A bot on its seat."""

    name: str
    seat: int
    bot: BotPlan | None  # None until the first position tells which game it is
    settings: bots_pb2.BotSettings
    budget: bots_pb2.Budget
    ponder: bool
    decided: OrderedDict[str, tuple[bytes, seats_pb2.Decided]] = field(default_factory=OrderedDict)
    task: asyncio.Task[object] | None = None  # the stream that serves it now
    ended: float = 0.0  # when its last stream ended
    pondering: Pondering | None = None

    def remembered(self, decide: seats_pb2.Decide) -> seats_pb2.Decided | None:
        """The answer given to this decision before, if it was; never another one for the same id."""
        known = self.decided.get(decide.id)
        if known is None:
            return None
        digest, answer = known
        if digest != _digest(decide):
            raise Refused(StatusCode.FAILED_PRECONDITION, f"decision {decide.id!r} came before with another situation")
        again = seats_pb2.Decided()
        again.CopyFrom(answer)
        again.from_memory = True
        return again

    def remember(self, decide: seats_pb2.Decide, answer: seats_pb2.Decided) -> None:
        self.decided[decide.id] = (_digest(decide), answer)
        if len(self.decided) > _MOST_REMEMBERED:
            self.decided.popitem(last=False)

    # ---- Pondering

    def start_pondering(self, game: Game, plan: BotPlan, searches: Searches) -> None:
        """Think about what the others may do, with what the server can spare."""
        mind = Mind(plan, View(game.rules, game.observe(self.seat).state))
        task = asyncio.create_task(_ponder(mind, searches, lambda s: self._spent(mind, s)))
        self.pondering = Pondering(game, mind, task)

    def _spent(self, mind: Mind, seconds: float) -> None:
        if self.pondering is not None and self.pondering.mind is mind:
            self.pondering.seconds += seconds

    async def stop_pondering(self) -> Pondering | None:
        """What was thought about, now at rest."""
        pondering, self.pondering = self.pondering, None
        if pondering is not None:
            pondering.task.cancel()
            await asyncio.gather(pondering.task, return_exceptions=True)
        return pondering

    async def mind_for(self, game: Game, plan: BotPlan) -> tuple[Mind, float]:
        """A mind for the decision that is due: the one that pondered if it thought of this course, and for how long."""
        view = game.observe(self.seat)
        pondering = await self.stop_pondering()
        if pondering is not None:
            codes = course(pondering.game, game)
            if codes is not None:
                mind = Mind(plan, view, thinker=pondering.mind.thinker)
                if mind.thinker.adopt(view, codes):
                    return mind, pondering.seconds
        return Mind(plan, view), 0.0


async def _ponder(mind: Mind, searches: Searches, spent: Callable[[float], None]) -> None:
    """In small steps, each only when nobody else wants to search."""
    begun = monotonic()
    while monotonic() - begun < _PONDER_LONGEST:
        if searches.idle:
            before = monotonic()
            async with searches.admission.slot(_PONDER_STEP, 0.0):
                until = clock_ns() + int(_PONDER_STEP * 1e9)
                await searches.in_thread(lambda: mind.thinker.run(Budget(), until), mind.thinker.pause)  # noqa: B023
            spent(monotonic() - before)
        await asyncio.sleep(_PONDER_PAUSE)


def course(before: Game, now: Game) -> Sequence[tuple[int, int]] | None:
    """The decisions, as (seat, code), that lead from one moment of a game to a later one; None if that is another game,
    or not known."""
    n = len(before.history)
    if not n or before.rules is not now.rules or before.history != now.history[:n]:
        return None
    codes = []
    game = before.copy()
    game.generator = None  # chance comes as it did, which need not be as this seed would have it
    for event in now.history[n:]:
        if isinstance(event, Chosen):
            codes.append((event.seat, now.rules.encode(game.state.phase, event.decision.to_list())))
            game.decide(event.decision)
        else:
            game.reveal(event.what, event.outcome)
    return codes


def _digest(decide: seats_pb2.Decide) -> bytes:
    situation: game_pb2.Situation = decide.situation
    return hashlib.sha256(situation.SerializeToString(deterministic=True)).digest()


class Sessions:
    """All bot seats of this process. One whose connection ended is kept for a while."""

    def __init__(self, settings: Settings) -> None:
        self.most = settings.max_sessions
        self.keep = settings.session_time.total_seconds()
        self.sessions: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self.sessions)

    def new(self, sit: seats_pb2.SitDown) -> Session:
        self._forget_old()
        if len(self.sessions) >= self.most:
            raise exhausted("the server has no seat left", _BUSY_SECONDS)
        session = Session(
            name=secrets.token_urlsafe(18),
            seat=sit.seat,
            bot=None,
            settings=sit.bot,
            budget=sit.budget,
            ponder=sit.ponder,
        )
        self.sessions[session.name] = session
        return session

    def resume(self, name: str) -> Session:
        self._forget_old()
        session = self.sessions.get(name)
        if session is None:
            raise Refused(StatusCode.NOT_FOUND, "no such session here (any more); sit down with a new one")
        return session

    def forget(self, session: Session) -> None:
        self.sessions.pop(session.name, None)

    def _forget_old(self) -> None:
        now = monotonic()
        for session in [s for s in self.sessions.values() if s.task is None and now - s.ended > self.keep]:
            self.forget(session)
