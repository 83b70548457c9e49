# May know: nothing else of Saloon.
"""Sessions of bot seats in a SQLite file.

What is written outlives its process, but is not flushed to disk: a machine that loses its power forgets the last of it.
"""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from server.stores.seats import REMEMBERED, WHOLE, Gone, StoredDecision, StoredSession
from server.stores.sqlite import SqliteFile
from server.stores.words import bot_text, read_bot_text

T = TypeVar("T")
_SESSION = "name, seat, bot, ponder, owner, turn, decisions, attended"


class SqliteSeats:
    """See `SeatStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def create(self, session: StoredSession) -> None:
        await self._file.do(self._write, self._create, session)

    async def resume(self, name: str, attended: bool) -> tuple[StoredSession, Sequence[str]] | None:
        return await self._file.do(self._write, self._resume, name, attended)

    async def look(self, name: str) -> StoredSession | None:
        return await self._file.do(self._look, name)

    async def decision(self, name: str, decision: str) -> StoredDecision | None:
        return await self._file.do(self._decision, name, decision)

    async def remember(self, session: StoredSession, decision: StoredDecision) -> StoredDecision:
        return await self._file.do(self._write, self._remember, session, decision)

    async def leave(self, session: StoredSession) -> None:
        sql = "UPDATE sessions SET process = '', attended = 0, ended = ? WHERE name = ? AND turn = ?"
        await self._file.do(self._write, self._file.rows, sql, time.time(), session.name, session.turn)

    async def served_here(self) -> Collection[tuple[str, int]]:
        sql = "SELECT name, turn FROM sessions WHERE process = ?"
        return {(name, turn) for name, turn in await self._file.do(self._file.rows, sql, self._file.processes.me)}

    async def forget(self, name: str) -> int:
        rows = await self._file.do(
            self._write, self._file.rows, "DELETE FROM sessions WHERE name = ? RETURNING decisions", name
        )
        return rows[0][0] if rows else 0

    async def tidy(self, keep_seconds: float) -> None:
        await self._file.do(self._tidy, time.time(), keep_seconds)

    # ---- In the thread

    def _write(self, work: Callable[..., T], *arguments: Any) -> T:
        """One transaction, which nobody waits for on the disk."""
        self._file.rows("PRAGMA synchronous = NORMAL")
        try:
            with self._file.transaction("IMMEDIATE"):
                return work(*arguments)
        finally:
            self._file.rows("PRAGMA synchronous = FULL")

    def _create(self, s: StoredSession) -> None:
        self._file.rows(
            f"INSERT INTO sessions ({_SESSION}, process) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            s.name, s.seat, bot_text(s.bot), s.ponder, s.owner, s.turn, s.decisions, s.attended,
            self._file.processes.me,
        )  # fmt: skip

    def _resume(self, name: str, attended: bool) -> tuple[StoredSession, Sequence[str]] | None:
        self._file.rows(
            "UPDATE sessions SET turn = turn + 1, process = ?, attended = ?, ended = NULL WHERE name = ?",
            self._file.processes.me, attended, name,
        )  # fmt: skip
        session = self._look(name)
        decided = self._file.rows("SELECT id FROM decided WHERE session = ? ORDER BY number", name)
        return None if session is None else (session, [row[0] for row in decided])

    def _look(self, name: str) -> StoredSession | None:
        rows = self._file.rows(f"SELECT {_SESSION} FROM sessions WHERE name = ?", name)  # noqa: S608
        if not rows:
            return None
        name, seat, bot, ponder, owner, turn, decisions, attended = rows[0]
        return StoredSession(name, seat, read_bot_text(bot), bool(ponder), owner, turn, decisions, bool(attended))

    def _decision(self, name: str, decision: str) -> StoredDecision | None:
        sql = "SELECT id, situation, choices, whole FROM decided WHERE session = ? AND id = ?"
        rows = self._file.rows(sql, name, decision)
        return StoredDecision(*rows[0]) if rows else None

    def _remember(self, session: StoredSession, decision: StoredDecision) -> StoredDecision:
        sql = "UPDATE sessions SET decisions = decisions + 1 WHERE name = ? AND (turn = ? OR ?) RETURNING decisions"
        rows = self._file.rows(sql, session.name, session.turn, session.attended)
        if not rows:
            raise Gone
        number, d = rows[0][0], decision
        sql = "INSERT OR IGNORE INTO decided (session, number, id, situation, choices, whole) VALUES (?, ?, ?, ?, ?, ?)"
        made = self._file.db.execute(sql, (session.name, number, d.id, d.situation, d.choices, d.whole))
        if not made.rowcount:
            self._file.rows("UPDATE sessions SET decisions = decisions - 1 WHERE name = ?", session.name)
            return self._decision(session.name, decision.id) or decision
        sql = "UPDATE decided SET whole = NULL WHERE session = ? AND number = ?"
        self._file.rows(sql, session.name, number - WHOLE)
        if number > REMEMBERED:
            sql = "DELETE FROM decided WHERE session = ? AND number <= ?"
            self._file.rows(sql, session.name, number - REMEMBERED)
        return decision

    def _tidy(self, now: float, keep_seconds: float) -> None:
        found = self._file.rows("SELECT DISTINCT process FROM sessions WHERE process <> ''")
        gone = [name for (name,) in found if not self._file.processes.alive(name)]
        old = self._file.rows("SELECT 1 FROM sessions WHERE ended < ? LIMIT 1", now - keep_seconds)
        if gone or old:
            self._write(self._end_and_forget, gone, now, now - keep_seconds)

    def _end_and_forget(self, gone: Sequence[str], now: float, before: float) -> None:
        for process in gone:
            self._file.rows("UPDATE sessions SET process = '', attended = 0, ended = ? WHERE process = ?", now, process)
        self._file.rows("DELETE FROM sessions WHERE ended < ?", before)
