# May know: saloon_client.
"""The SQLite file of the hosted tables: its schema, and what is done to a file of an earlier version.

Version 1 held numbers and messages of the contract where words are now; 1 and 2 knew no time for turns, 1 to 3 not
which process lets bots play, 1 to 4 nothing of bot seats, 1 to 5 nothing of accounts, and kept games that are over
among the others.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from server.stores.tables import SeatRow, Status, StoredAnswer, StoredBot, TimedOut, Waiting
from server.stores.words import answer_text, bot_text, events_text, read_bot_text, seats_text, timed_out_text

VERSION = 6
_TABLES = {
    "tables": """(
        id TEXT NOT NULL PRIMARY KEY,
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
        bots_since REAL NOT NULL,    -- when it was last heard of here
        players INTEGER NOT NULL,    -- seats
        account TEXT NOT NULL,       -- of the person who made it; '' if the operator has none
        state TEXT NOT NULL AS (     -- as lists say it
            CASE WHEN waiting IS NULL THEN 'open' WHEN waiting = 'over' THEN 'over' ELSE 'under_way' END)
    )""",
    "games": """(
        number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order they ended
        id TEXT NOT NULL UNIQUE,     -- the table's
        game TEXT NOT NULL,
        players INTEGER NOT NULL,
        options TEXT NOT NULL,
        components TEXT NOT NULL,
        access TEXT NOT NULL,
        invitation BLOB,
        host BLOB NOT NULL,
        seed TEXT,
        stream TEXT NOT NULL,
        luck TEXT NOT NULL,
        created INTEGER NOT NULL,
        clock TEXT,
        host_may_know INTEGER NOT NULL,
        account TEXT NOT NULL,
        revision INTEGER NOT NULL,
        phase TEXT NOT NULL,
        turn_begun INTEGER NOT NULL,
        seats TEXT NOT NULL,
        count INTEGER NOT NULL,      -- events
        events TEXT NOT NULL,        -- one a line
        timed_out TEXT NOT NULL,
        result TEXT NOT NULL,        -- '' if the game ended before that was written down
        ended REAL NOT NULL
    )""",
    "people": """(                   -- who made a table or sits there, live or over
        account TEXT NOT NULL,
        created INTEGER NOT NULL,    -- the table
        table_id TEXT NOT NULL,
        PRIMARY KEY (account, created, table_id)
    ) WITHOUT ROWID""",
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
        account TEXT NOT NULL,       -- of the person it belongs to; '' if the operator has none
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
    "CREATE INDEX IF NOT EXISTS tables_listed ON tables (access, state, created, id)",
    "CREATE INDEX IF NOT EXISTS tables_of_game ON tables (access, state, game, created, id)",
    "CREATE INDEX IF NOT EXISTS tables_of_players ON tables (access, state, game, players, created, id)",
    "CREATE INDEX IF NOT EXISTS games_listed ON games (access, created, id)",
    "CREATE INDEX IF NOT EXISTS games_of_game ON games (access, game, created, id)",
    "CREATE INDEX IF NOT EXISTS games_of_players ON games (access, game, players, created, id)",
    "CREATE INDEX IF NOT EXISTS games_ended ON games (ended, id)",
    "CREATE INDEX IF NOT EXISTS people_table ON people (table_id)",
    "CREATE INDEX IF NOT EXISTS tables_written ON tables (written)",
    "CREATE INDEX IF NOT EXISTS tables_bot_due ON tables (bots_since, bots_at) WHERE bot_due",
    "CREATE INDEX IF NOT EXISTS tables_not_begun ON tables (written) WHERE waiting IS NULL",
    "CREATE INDEX IF NOT EXISTS tables_under_way ON tables (id) WHERE waiting <> 'over'",
    "CREATE INDEX IF NOT EXISTS tables_over ON tables (written) WHERE waiting = 'over'",
    "CREATE INDEX IF NOT EXISTS tables_turn_ends ON tables (turn_ends) WHERE turn_ends IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS sessions_process ON sessions (process) WHERE process <> ''",
    "CREATE INDEX IF NOT EXISTS sessions_ended ON sessions (ended) WHERE ended IS NOT NULL",
    "CREATE UNIQUE INDEX IF NOT EXISTS decided_number ON decided (session, number)",
    "CREATE INDEX IF NOT EXISTS tables_owner_written ON tables (owner, written)",
    "CREATE INDEX IF NOT EXISTS tables_owner_not_begun ON tables (owner, written) WHERE waiting IS NULL",
)
# What a row of an earlier version becomes.
_SAME_SINCE_2 = (
    "id, game, options, components, access, invitation, host, seed, stream, luck, created, owner, revision, written, "
    "count, waiting, phase, due, free, bot_due"
)
_SAME_SINCE_3 = f"{_SAME_SINCE_2}, clock, turn_begun, turn_ends, host_may_know"
_NO_CLOCK = "NULL, 0, NULL, 1"  # nobody wrote down who had chosen the seed
_NEW_6 = "(SELECT count(*) FROM seats WHERE table_id = id), ''"
_ROWS = {
    1: {
        "tables": "id, game, options, components, access_1(access), invitation, host, seed, stream, luck, created, '', "
        "revision, written, count, waiting_1(status), phase_1(status), due_1(status), free, bot_due, "
        f"{_NO_CLOCK}, '', 0, {_NEW_6}",
        "seats": "table_id, seat, player_1(player), name, token, bot_1(bot), ''",
        "requests": "table_id, seat, request_id, answer_1(answer)",
    },
    2: {"tables": f"{_SAME_SINCE_2}, {_NO_CLOCK}, '', 0, {_NEW_6}"},
    3: {"tables": f"{_SAME_SINCE_3}, '', 0, {_NEW_6}"},
    4: {"tables": f"{_SAME_SINCE_3}, bots_at, bots_since, {_NEW_6}"},
}
_ROWS[5] = _ROWS[4]
_SEATS = {"seats": "*, ''"}
# The version that brought a table.
_SINCE = {"newest": 2, "served": 3, "timed_out": 3, "sessions": 5, "decided": 5, "games": 6, "people": 6}


def version_of(db: sqlite3.Connection) -> int:
    """Of the file; 0 if it is new."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def bring_up_to_date(db: sqlite3.Connection) -> None:
    """Call it in a transaction that nobody else can write beside, with foreign keys not enforced: while a table is
    replaced, others refer to one that is not there."""
    version = version_of(db)
    if version == VERSION:
        return
    if version:
        for name, convert in _CONVERTERS_1.items() if version == 1 else ():
            db.create_function(f"{name}_1", 1, convert)
        _replace(db, _SEATS | _ROWS[version])
    _create(db, [name for name in _TABLES if _SINCE.get(name, 1) > version])
    revision = "SELECT (SELECT coalesce(max(revision), 0) FROM tables)"
    db.execute(f"INSERT INTO newest {revision} WHERE NOT EXISTS (SELECT * FROM newest)")  # noqa: S608
    db.execute("INSERT INTO served SELECT 0, 0 WHERE NOT EXISTS (SELECT * FROM served)")
    for statement in _INDEXES:
        db.execute(statement)
    if version:
        _keep_games(db)
    db.execute(f"PRAGMA user_version = {VERSION}")


def _create(db: sqlite3.Connection, names: Iterable[str]) -> None:
    for name in names:
        db.execute(f"CREATE TABLE {name} {_TABLES[name]}")


def _replace(db: sqlite3.Connection, rows: Mapping[str, str]) -> None:
    """Put these tables in the place of those of an earlier version. Their indexes go with the old ones."""
    for name, values in rows.items():
        db.execute(f"CREATE TABLE new_{name} {_TABLES[name]}")
        db.execute(f"INSERT INTO new_{name} SELECT {values} FROM {name}")  # noqa: S608
    for name in rows:
        db.execute(f"DROP TABLE {name}")
        db.execute(f"ALTER TABLE new_{name} RENAME TO {name}")


def _keep_games(db: sqlite3.Connection) -> None:
    """Games that were over before there was a place for them."""
    for (table,) in db.execute("SELECT id FROM tables WHERE waiting = 'over' ORDER BY written").fetchall():
        seats = [
            SeatRow(seat, player, name, token, bot and read_bot_text(bot))
            for seat, player, name, token, bot in db.execute(
                "SELECT seat, player, name, token, bot FROM seats WHERE table_id = ? ORDER BY seat", (table,)
            )
        ]
        events = [row[0] for row in db.execute("SELECT data FROM events WHERE table_id = ? ORDER BY number", (table,))]
        out = db.execute("SELECT events, seat FROM timed_out WHERE table_id = ? ORDER BY events", (table,))
        timed_out = [TimedOut(*row) for row in out]
        db.execute(
            "INSERT INTO games SELECT NULL, id, game, players, options, components, access, invitation, host, seed, "
            "stream, luck, created, clock, host_may_know, account, revision, phase, turn_begun, ?, count, ?, ?, '', "
            "written FROM tables WHERE id = ?",
            (seats_text(seats), events_text(events), timed_out_text(timed_out), table),
        )


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
