# May know: nothing else of Saloon.
"""Sessions of bot seats in PostgreSQL."""

from collections.abc import Collection, Sequence
from typing import Any

from psycopg import errors

from server.stores.postgresql import Postgres
from server.stores.postgresql_news import ALIVE
from server.stores.seats import REMEMBERED, WHOLE, Gone, StoredDecision, StoredSession
from server.stores.words import bot_text, read_bot_text

_SESSION = "name, seat, bot, ponder, owner, turn, decisions, attended"
_CREATE = f"""
    INSERT INTO saloon.sessions ({_SESSION}, process)
    VALUES (%(name)s, %(seat)s, %(bot)s, %(ponder)s, %(owner)s, %(turn)s, %(decisions)s, %(attended)s, %(me)s)
"""  # noqa: S608
_RESUME = f"""
    UPDATE saloon.sessions SET turn = turn + 1, process = %(me)s, attended = %(attended)s, ended = NULL
    WHERE name = %(name)s
    RETURNING {_SESSION}, ARRAY(SELECT id FROM saloon.decided WHERE session = name ORDER BY number)
"""  # noqa: S608
# Nothing if the stream is not the session's any more, or the decision is known.
_REMEMBER = """
    WITH mine AS (
        UPDATE saloon.sessions SET decisions = decisions + 1
        WHERE name = %(name)s AND (turn = %(turn)s OR %(attended)s)
            AND NOT EXISTS (SELECT FROM saloon.decided WHERE session = %(name)s AND id = %(id)s)
        RETURNING name, decisions
    ), made AS (
        INSERT INTO saloon.decided SELECT name, decisions, %(id)s, %(situation)s, %(choices)s, %(whole)s FROM mine
    ), shortened AS (
        UPDATE saloon.decided SET whole = NULL FROM mine WHERE session = name AND number = decisions - %(most_whole)s
    ), forgotten AS (
        DELETE FROM saloon.decided USING mine WHERE session = name AND number <= decisions - %(most)s
    )
    SELECT decisions FROM mine
"""
_DECISION = """
    SELECT id, situation, choices, whole FROM saloon.decided WHERE session = %(name)s AND id = %(id)s
"""
_LEAVE = """
    UPDATE saloon.sessions SET process = '', attended = false, ended = saloon.clock()
    WHERE name = %(name)s AND turn = %(turn)s
"""
_TIDY = f"""
    WITH ended AS (
        UPDATE saloon.sessions SET process = '', attended = false, ended = saloon.clock()
        WHERE process <> '' AND %(settled)s AND process NOT IN ({ALIVE})
    )
    DELETE FROM saloon.sessions WHERE ended < (SELECT saloon.clock()) - %(keep)s
"""  # noqa: S608


class PostgresSeats:
    """See `SeatStore`."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._listening = postgres.listening

    async def create(self, session: StoredSession) -> None:
        s = session
        values = {
            "name": s.name, "seat": s.seat, "bot": bot_text(s.bot), "ponder": s.ponder, "owner": s.owner,
            "turn": s.turn, "decisions": s.decisions, "attended": s.attended, "me": self._listening.me,
        }  # fmt: skip
        await self._postgres.rows(_CREATE, values)

    async def resume(self, name: str, attended: bool) -> tuple[StoredSession, Sequence[str]] | None:
        values = {"name": name, "attended": attended, "me": self._listening.me}
        rows = await self._postgres.rows(_RESUME, values, again=True)
        return (_session(*rows[0][:-1]), rows[0][-1]) if rows else None

    async def look(self, name: str) -> StoredSession | None:
        sql = f"SELECT {_SESSION} FROM saloon.sessions WHERE name = %(name)s"  # noqa: S608
        rows = await self._postgres.rows(sql, {"name": name}, again=True)
        return _session(*rows[0]) if rows else None

    async def decision(self, name: str, decision: str) -> StoredDecision | None:
        rows = await self._postgres.rows(_DECISION, {"name": name, "id": decision}, again=True)
        return StoredDecision(*rows[0]) if rows else None

    async def remember(self, session: StoredSession, decision: StoredDecision) -> StoredDecision:
        values = {
            "name": session.name, "turn": session.turn, "attended": session.attended, "id": decision.id,
            "situation": decision.situation, "choices": decision.choices, "whole": decision.whole,
            "most_whole": WHOLE, "most": REMEMBERED,
        }  # fmt: skip
        try:
            # If it was done the first time already, it is known the second time.
            rows = await self._postgres.rows(_REMEMBER, values, again=True)
        except errors.UniqueViolation:  # another call for the same was faster by a moment
            rows = []
        if rows:
            return decision
        known = await self.decision(session.name, decision.id)
        if known is None:
            raise Gone
        return known

    async def leave(self, session: StoredSession) -> None:
        await self._postgres.rows(_LEAVE, {"name": session.name, "turn": session.turn}, again=True)

    async def served_here(self) -> Collection[tuple[str, int]]:
        sql = "SELECT name, turn FROM saloon.sessions WHERE process = %(me)s"
        return {(name, turn) for name, turn in await self._postgres.rows(sql, {"me": self._listening.me}, again=True)}

    async def forget(self, name: str) -> int:
        sql = "DELETE FROM saloon.sessions WHERE name = %(name)s RETURNING decisions"
        rows = await self._postgres.rows(sql, {"name": name}, again=True)
        return rows[0][0] if rows else 0

    async def tidy(self, keep_seconds: float) -> None:
        await self._postgres.rows(_TIDY, {"keep": keep_seconds, "settled": self._listening.settled})


def _session(name: str, seat: int, bot: str, *rest: Any) -> StoredSession:
    return StoredSession(name, seat, read_bot_text(bot), *rest)
