# May know: saloon_client.
"""The SQLite file of the hosted tables: its schema, and what is done to a file of an earlier version.

Version 1 held numbers and messages of the contract where words are now; 1 and 2 knew no time for turns, 1 to 3 not
which process lets bots play, 1 to 4 nothing of bot seats.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from server.stores.tables import Status, StoredAnswer, StoredBot, Waiting
from server.stores.words import answer_text, bot_text

VERSION = 5
_TABLES = {
    "tables": """(
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        components TEXT NOT NULL,
        access TEXT NOT NULL,
        invitation BLOB,
        host BLOB NOT NULL,
        seed TEXT,                   -- integers of SQLite end at 2^63
        stream TEXT NOT NULL,
        luck TEXT NOT NULL,
        created INTEGER NOT NULL,
        owner TEXT NOT NULL,
        revision INTEGER NOT NULL,   -- grows with every write to any table, so that news can be asked for
        written REAL NOT NULL,
        count INTEGER NOT NULL,
        waiting TEXT,                -- for what; NULL before the game begins
        phase TEXT,
        due INTEGER,                 -- the seat that has to decide
        free INTEGER NOT NULL,
        bot_due INTEGER NOT NULL,
        clock TEXT,                  -- the time for each turn; NULL if there is none
        turn_begun INTEGER NOT NULL, -- with so many events
        turn_ends REAL,              -- when so many seconds were served; NULL if no time runs
        host_may_know INTEGER NOT NULL, -- the seed, since it was not drawn here
        bots_at TEXT NOT NULL,       -- the process that lets bots play here
        bots_since REAL NOT NULL     -- when it was last heard of here
    )""",
    "newest": """(
        revision INTEGER NOT NULL    -- of all tables, those deleted too
    )""",
    "served": """(
        seconds REAL NOT NULL,       -- that servers served while times of turns ran
        at REAL NOT NULL             -- the machine's steady clock when that was written
    )""",
    "seats": """(
        table_id TEXT NOT NULL REFERENCES tables (id),
        seat INTEGER NOT NULL,
        player TEXT NOT NULL,
        name TEXT NOT NULL,
        token BLOB,
        bot TEXT,
        PRIMARY KEY (table_id, seat)
    ) WITHOUT ROWID""",
    "events": """(
        table_id TEXT NOT NULL REFERENCES tables (id),
        number INTEGER NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID""",
    "requests": """(
        table_id TEXT NOT NULL REFERENCES tables (id),
        seat INTEGER NOT NULL,
        request_id TEXT NOT NULL,
        answer TEXT NOT NULL,
        PRIMARY KEY (table_id, seat, request_id)
    ) WITHOUT ROWID""",
    "sessions": """(
        name TEXT PRIMARY KEY,
        seat INTEGER NOT NULL,
        bot TEXT NOT NULL,           -- with its budget
        ponder INTEGER NOT NULL,
        owner TEXT NOT NULL,
        turn INTEGER NOT NULL,       -- of streams that served it
        decisions INTEGER NOT NULL,
        attended INTEGER NOT NULL,   -- by a stream that hears nothing
        process TEXT NOT NULL,       -- where that stream is; '' if there is none
        ended REAL                   -- when there was none any more
    ) WITHOUT ROWID""",
    "decided": """(
        session TEXT NOT NULL REFERENCES sessions (name) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        id TEXT NOT NULL,
        situation BLOB NOT NULL,     -- a key of it
        choices BLOB NOT NULL,       -- answers, as messages of the contract
        whole BLOB,                  -- the same with all they said; only of the last ones
        PRIMARY KEY (session, id)
    ) WITHOUT ROWID""",
    "timed_out": """(
        table_id TEXT NOT NULL REFERENCES tables (id),
        events INTEGER NOT NULL,     -- so many had happened
        seat INTEGER NOT NULL,
        PRIMARY KEY (table_id, events)
    ) WITHOUT ROWID""",
}
_INDEXES = (
    "CREATE UNIQUE INDEX IF NOT EXISTS tables_revision ON tables (revision)",
    "CREATE INDEX IF NOT EXISTS tables_access ON tables (access, number)",
    "CREATE INDEX IF NOT EXISTS tables_free ON tables (access, number) WHERE free > 0",
    "CREATE INDEX IF NOT EXISTS tables_written ON tables (written)",
    "CREATE INDEX IF NOT EXISTS tables_bot_due ON tables (bots_since, bots_at) WHERE bot_due",
    "CREATE INDEX IF NOT EXISTS tables_not_begun ON tables (written) WHERE waiting IS NULL",
    "CREATE INDEX IF NOT EXISTS tables_under_way ON tables (number) WHERE waiting <> 'over'",
    "CREATE INDEX IF NOT EXISTS tables_turn_ends ON tables (turn_ends) WHERE turn_ends IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS sessions_process ON sessions (process) WHERE process <> ''",
    "CREATE INDEX IF NOT EXISTS sessions_ended ON sessions (ended) WHERE ended IS NOT NULL",
    "CREATE UNIQUE INDEX IF NOT EXISTS decided_number ON decided (session, number)",
    "CREATE INDEX IF NOT EXISTS tables_owner_written ON tables (owner, written)",
    "CREATE INDEX IF NOT EXISTS tables_owner_not_begun ON tables (owner, written) WHERE waiting IS NULL",
)
# What a row of an earlier version becomes; what is not named stays as it is.
_FROM_1 = {
    "tables": "number, id, game, options, components, access_1(access), invitation, host, seed, stream, luck, created, "
    "'', revision, written, count, waiting_1(status), phase_1(status), due_1(status), free, bot_due, NULL, 0, NULL, 1, "
    "'', 0",
    "seats": "table_id, seat, player_1(player), name, token, bot_1(bot)",
    "requests": "table_id, seat, request_id, answer_1(answer)",
}
_FROM_2 = {"tables": "*, NULL, 0, NULL, 1, '', 0"}  # nobody wrote down who had chosen the seed
_NEW_5 = ("sessions", "decided")
_FROM_3 = {"tables": "*, '', 0"}


def version_of(db: sqlite3.Connection) -> int:
    """Of the file; 0 if it is new."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def bring_up_to_date(db: sqlite3.Connection) -> None:
    """Call it in a transaction that nobody else can write beside, with foreign keys not enforced: while a table is
    replaced, others refer to one that is not there."""
    match version_of(db):
        case 0:
            _create(db, _TABLES)
            db.execute("INSERT INTO newest VALUES (0)")
        case 1:
            for name, convert in _CONVERTERS_1.items():
                db.create_function(f"{name}_1", 1, convert)
            _replace(db, _FROM_1)
            _create(db, ("newest", "served", "timed_out", *_NEW_5))
            db.execute("INSERT INTO newest SELECT coalesce(max(revision), 0) FROM tables")
        case 2:
            _replace(db, _FROM_2)
            _create(db, ("served", "timed_out", *_NEW_5))
        case 3:
            _replace(db, _FROM_3)
            _create(db, _NEW_5)
        case 4:
            _create(db, _NEW_5)
        case _:
            return
    db.execute("INSERT INTO served SELECT 0, 0 WHERE NOT EXISTS (SELECT * FROM served)")
    for statement in _INDEXES:
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {VERSION}")


def _create(db: sqlite3.Connection, names: Iterable[str]) -> None:
    for name in names:
        db.execute(f"CREATE TABLE {name} {_TABLES[name]}")


def _replace(db: sqlite3.Connection, rows: Mapping[str, str]) -> None:
    """Put these tables in the place of those of an earlier version. Their indexes go with the old ones."""
    for name, values in rows.items():
        db.execute(f"CREATE TABLE new_{name} {_TABLES[name]}")
        db.execute(f"INSERT INTO new_{name} SELECT {values} FROM {name}")  # noqa: S608
    # Numbers of tables that were deleted are not given again.
    db.execute(
        "UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'tables') "
        "WHERE name = 'new_tables'"
    )
    for name in rows:
        db.execute(f"DROP TABLE {name}")
        db.execute(f"ALTER TABLE new_{name} RENAME TO {name}")


# ---- What version 1 held


@lru_cache(maxsize=10_000)  # few are different
def _status_1(data: bytes) -> Status | None:
    message = game_pb2.Status.FromString(data)
    waiting = _WAITING_1.get(message.waiting)
    return waiting and Status(waiting, message.phase, message.seat if message.HasField("seat") else None)


def _bot_1(data: bytes | None) -> str | None:
    if data is None:
        return None
    message = pb.TableBot.FromString(data)
    bot, budget = message.bot, message.budget
    stored = StoredBot(
        level=bot.level,
        seed=bot.seed,
        personality=bot.personality,
        search={field.name: value for field, value in bot.search.ListFields()},
        time=budget.time.seconds + budget.time.nanos / 1e9 if budget.HasField("time") else None,
        iterations=budget.iterations if budget.HasField("iterations") else None,
    )
    return bot_text(stored)


@lru_cache(maxsize=10_000)
def _answer_1(data: bytes) -> str:
    message = pb.ActResponse.FromString(data)
    return answer_text(StoredAnswer(message.events, _status_1(message.status.SerializeToString())))


_WAITING_1: dict[int, Waiting] = {1: "decision", 2: "chance", 3: "over"}
_CONVERTERS_1: dict[str, Callable[[Any], Any]] = {
    "access": {1: "public", 2: "invitation"}.__getitem__,
    "player": {1: "free", 2: "person", 3: "bot"}.__getitem__,
    "waiting": lambda status: getattr(_status_1(status), "waiting", None),
    "phase": lambda status: getattr(_status_1(status), "phase", None),
    "due": lambda status: getattr(_status_1(status), "seat", None),
    "bot": _bot_1,
    "answer": _answer_1,
}
