# May know: nothing else of Saloon.
"""Stored values as text and back: the words that every database shares.

Bots, clocks and answers are JSON that a person can read. What is not set is left out.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from server.stores.tables import Clock, SeatRow, Status, StoredAnswer, StoredBot, Summary, TimedOut


def bot_text(bot: StoredBot) -> str:
    """``{"level": "max", "seed": 7, "search": {"win": 0.5}, "time": 0.25}``"""
    return _text(asdict(bot))


def read_bot_text(text: str) -> StoredBot:
    return StoredBot(**json.loads(text))


def clock_text(clock: Clock) -> str:
    """``{"seconds": 90.0, "then": "turn", "bot": {"level": "3", "seed": 7}}``"""
    return _text(asdict(clock))


def read_clock_text(text: str) -> Clock:
    data = json.loads(text)
    return Clock(data["seconds"], data["then"], StoredBot(**data["bot"]))


def answer_text(answer: StoredAnswer) -> str:
    """``{"events": 12, "status": {"waiting": "decision", "phase": "claim", "seat": 1}}``"""
    return _text(asdict(answer))


def read_answer_text(text: str) -> StoredAnswer:
    data = json.loads(text)
    return StoredAnswer(data["events"], Status(**data["status"]) if "status" in data else None)


def seats_text(seats: Sequence[SeatRow]) -> str:
    """``[{"seat": 0, "player": "person", "name": "Ann", "token": "9f86d0..."}, ...]``"""
    rows = [asdict(seat) | {"token": seat.token and seat.token.hex()} for seat in seats]
    return json.dumps([_set(row) for row in rows], ensure_ascii=False)


def read_seats(rows: Sequence[dict[str, Any]]) -> tuple[SeatRow, ...]:
    """What `seats_text` says, once it is no text any more."""
    return tuple(_read_seat(**row) for row in rows)


def _read_seat(token: str | None = None, bot: dict[str, Any] | None = None, **row: Any) -> SeatRow:
    return SeatRow(token=token and bytes.fromhex(token), bot=bot and StoredBot(**bot), **row)  # type: ignore[arg-type]


def timed_out_text(timed_out: Sequence[TimedOut]) -> str:
    """``[[12, 1], ...]``: so many events had happened, the seat."""
    return json.dumps([[out.events, out.seat] for out in timed_out])


def read_timed_out_text(text: str) -> tuple[TimedOut, ...]:
    return tuple(TimedOut(*values) for values in json.loads(text))


def events_text(events: Sequence[str]) -> str:
    """One a line."""
    return "\n".join(events)


def read_events_text(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()


def summary_values(summary: Summary) -> tuple[Any, ...]:
    """As columns: what the game waits for, its phase, the seat that is due, how many are free, whether a bot is due."""
    status = summary.status
    about = (None, None, None) if status is None else (status.waiting, status.phase, status.seat)
    return *about, summary.free, summary.bot_due


def _text(data: dict[str, Any]) -> str:
    return json.dumps(_set(data), ensure_ascii=False)


def _set(data: dict[str, Any]) -> dict[str, Any]:
    """Only what is set."""
    found = {key: _set(value) if isinstance(value, dict) else value for key, value in data.items()}
    return {key: value for key, value in found.items() if value not in (None, "", {})}
