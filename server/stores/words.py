# May know: nothing else of Saloon.
"""Stored values as text and back: the words that every database shares.

Bots, clocks and answers are JSON that a person can read. What is not set is left out.
"""

import json
from dataclasses import asdict
from typing import Any

from server.stores.tables import Clock, Status, StoredAnswer, StoredBot, Summary


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
