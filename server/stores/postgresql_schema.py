# May know: basics.
"""The schema `saloon` in PostgreSQL, by versions: each is what has to be done to the one before. A version that was
released never changes."""

from typing import Any

import psycopg
import structlog

from server.basics.settings import ConfigError
from server.stores.postgresql_patience import patience

log = structlog.get_logger()

_LOCK = 0x5A100  # held while the schema is brought up to date
_ANSWER_SECONDS = 10.0

_VERSIONS = (
    """
    CREATE TABLE saloon.tables (
        number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        id text PRIMARY KEY,
        game text NOT NULL,
        options text NOT NULL,
        components text NOT NULL,
        access text NOT NULL,
        invitation bytea,
        host bytea NOT NULL,
        seed text,                  -- integers end at 2^63
        stream text NOT NULL,
        luck text NOT NULL,
        created bigint NOT NULL,
        owner text NOT NULL,
        revision bigint NOT NULL,   -- grows with every write to the table
        written double precision NOT NULL,
        count integer NOT NULL,
        waiting text,               -- for what; NULL before the game begins
        phase text,
        due integer,                -- the seat that has to decide
        free integer NOT NULL,
        bot_due boolean NOT NULL,
        clock text,                 -- the time for each turn; NULL if there is none
        turn_begun integer NOT NULL, -- with so many events
        turn_ends double precision, -- when so many seconds were served; NULL if no time runs
        host_may_know boolean NOT NULL, -- the seed, since it was not drawn here
        bots_at text NOT NULL,      -- the process that lets bots play here
        bots_since double precision NOT NULL -- when it was last heard of here
    );
    CREATE INDEX tables_access ON saloon.tables (access, number);
    CREATE INDEX tables_free ON saloon.tables (access, number) WHERE free > 0;
    CREATE INDEX tables_written ON saloon.tables (written);
    CREATE INDEX tables_bot_due ON saloon.tables (bots_since, bots_at) WHERE bot_due;
    CREATE INDEX tables_not_begun ON saloon.tables (written) WHERE waiting IS NULL;
    CREATE INDEX tables_under_way ON saloon.tables (number) WHERE waiting <> 'over';
    CREATE INDEX tables_turn_ends ON saloon.tables (turn_ends) WHERE turn_ends IS NOT NULL;
    CREATE INDEX tables_owner_written ON saloon.tables (owner, written);

    CREATE TABLE saloon.seats (
        table_id text NOT NULL REFERENCES saloon.tables ON DELETE CASCADE,
        seat integer NOT NULL,
        player text NOT NULL,
        name text NOT NULL,
        token bytea,
        bot text,
        PRIMARY KEY (table_id, seat)
    );
    CREATE TABLE saloon.events (
        table_id text NOT NULL REFERENCES saloon.tables ON DELETE CASCADE,
        number integer NOT NULL,
        data text NOT NULL,
        PRIMARY KEY (table_id, number)
    );
    CREATE TABLE saloon.requests (
        table_id text NOT NULL REFERENCES saloon.tables ON DELETE CASCADE,
        seat integer NOT NULL,
        request_id text NOT NULL,
        answer text NOT NULL,
        PRIMARY KEY (table_id, seat, request_id)
    );
    CREATE TABLE saloon.timed_out (
        table_id text NOT NULL REFERENCES saloon.tables ON DELETE CASCADE,
        events integer NOT NULL,    -- so many had happened
        seat integer NOT NULL,
        PRIMARY KEY (table_id, events)
    );
    CREATE SEQUENCE saloon.processes AS integer CYCLE;

    -- Times of turns are counted in seconds served (docs/decisions.md).
    CREATE TABLE saloon.served (
        seconds double precision NOT NULL, -- that servers served while times of turns ran
        at double precision NOT NULL       -- when that was written, by the clock
    );
    INSERT INTO saloon.served VALUES (0, 0);
    CREATE FUNCTION saloon.clock() RETURNS double precision LANGUAGE sql VOLATILE AS
        'SELECT extract(epoch FROM clock_timestamp())::double precision';
    CREATE FUNCTION saloon.served() RETURNS double precision LANGUAGE sql VOLATILE AS
        'SELECT seconds + CASE WHEN saloon.clock() - at BETWEEN 0 AND 15 THEN saloon.clock() - at ELSE 0 END
         FROM saloon.served';
    """,
    """
    -- Bot seats at tables of others. What a session has decided outlives the process that serves it.
    CREATE TABLE saloon.sessions (
        name text PRIMARY KEY,
        seat integer NOT NULL,
        bot text NOT NULL,          -- with its budget
        ponder boolean NOT NULL,
        owner text NOT NULL,
        turn integer NOT NULL,      -- of streams that served it
        decisions integer NOT NULL,
        attended boolean NOT NULL,  -- by a stream that hears nothing
        process text NOT NULL,      -- where that stream is; '' if there is none
        ended double precision      -- when there was none any more
    );
    CREATE INDEX sessions_process ON saloon.sessions (process) WHERE process <> '';
    CREATE INDEX sessions_ended ON saloon.sessions (ended) WHERE ended IS NOT NULL;
    CREATE TABLE saloon.decided (
        session text NOT NULL REFERENCES saloon.sessions ON DELETE CASCADE,
        number integer NOT NULL,
        id text NOT NULL,
        situation bytea NOT NULL,   -- a key of it
        choices bytea NOT NULL,     -- answers, as messages of the contract
        whole bytea,                -- the same with all they said; only of the last ones
        PRIMARY KEY (session, id)
    );
    CREATE UNIQUE INDEX decided_number ON saloon.decided (session, number);
    """,
    """
    -- Lists by more than time, accounts of people, and games that are over apart from live tables.
    ALTER TABLE saloon.tables
        DROP COLUMN number,         -- and the indexes that had it
        ADD COLUMN players integer,
        ADD COLUMN account text NOT NULL DEFAULT '', -- of the person who made it; '' if the operator has none
        ADD COLUMN state text NOT NULL GENERATED ALWAYS AS ( -- as lists say it
            CASE WHEN waiting IS NULL THEN 'open' WHEN waiting = 'over' THEN 'over' ELSE 'under_way' END) STORED;
    ALTER TABLE saloon.seats ADD COLUMN account text NOT NULL DEFAULT '';
    UPDATE saloon.tables SET players = (SELECT count(*) FROM saloon.seats WHERE table_id = id);
    ALTER TABLE saloon.tables ALTER COLUMN players SET NOT NULL;
    CREATE INDEX tables_listed ON saloon.tables (access, state, created, id);
    CREATE INDEX tables_of_game ON saloon.tables (access, state, game, created, id);
    CREATE INDEX tables_of_players ON saloon.tables (access, state, game, players, created, id);
    CREATE INDEX tables_under_way ON saloon.tables (id) WHERE waiting <> 'over';
    CREATE INDEX tables_over ON saloon.tables (written) WHERE waiting = 'over';

    CREATE TABLE saloon.games (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- about in the order they ended
        id text NOT NULL UNIQUE,    -- the table's
        game text NOT NULL,
        players integer NOT NULL,
        options text NOT NULL,
        components text NOT NULL,
        access text NOT NULL,
        invitation bytea,
        host bytea NOT NULL,
        seed text,
        stream text NOT NULL,
        luck text NOT NULL,
        created bigint NOT NULL,
        clock text,
        host_may_know boolean NOT NULL,
        account text NOT NULL,
        revision bigint NOT NULL,
        phase text NOT NULL,
        turn_begun integer NOT NULL,
        seats text NOT NULL,
        count integer NOT NULL,     -- events
        events text NOT NULL,       -- one a line
        timed_out text NOT NULL,
        result text NOT NULL,       -- '' if the game ended before that was written down
        ended double precision NOT NULL
    );
    CREATE INDEX games_listed ON saloon.games (access, created, id);
    CREATE INDEX games_of_game ON saloon.games (access, game, created, id);
    CREATE INDEX games_of_players ON saloon.games (access, game, players, created, id);
    CREATE INDEX games_ended ON saloon.games (ended, id);
    INSERT INTO saloon.games (
        id, game, players, options, components, access, invitation, host, seed, stream, luck, created, clock,
        host_may_know, account, revision, phase, turn_begun, seats, count, events, timed_out, result, ended)
    SELECT id, game, players, options, components, access, invitation, host, seed, stream, luck, created, clock,
        host_may_know, account, revision, phase, turn_begun,
        (SELECT json_agg(json_strip_nulls(json_build_object('seat', seat, 'player', player, 'name', name,
            'token', encode(token, 'hex'), 'bot', bot::json)) ORDER BY seat)::text
            FROM saloon.seats WHERE table_id = id),
        count, coalesce((SELECT string_agg(data, E'\\n' ORDER BY number) FROM saloon.events WHERE table_id = id), ''),
        coalesce((SELECT json_agg(json_build_array(events, seat) ORDER BY events)::text
            FROM saloon.timed_out WHERE table_id = id), '[]'),
        '', written
    FROM saloon.tables WHERE waiting = 'over' ORDER BY written;

    CREATE TABLE saloon.people (    -- who made a table or sits there, live or over
        account text NOT NULL,
        created bigint NOT NULL,    -- the table
        table_id text NOT NULL,
        PRIMARY KEY (account, created, table_id)
    );
    CREATE INDEX people_table ON saloon.people (table_id);
    """,
)
VERSION = len(_VERSIONS)


async def bring_up_to_date(connection: psycopg.AsyncConnection[Any]) -> None:
    """ConfigError if a newer server was here, or what is acknowledged there would not be on disk."""
    with patience(connection, _ANSWER_SECONDS):
        version = await _version(connection)
        commit = await _one(connection, "SELECT current_setting('synchronous_commit')")
    if version < VERSION:
        version = await _brought_up_to_date(connection)
    if version > VERSION:
        raise ConfigError(f"database: has version {version}, this server knows {VERSION}; it belongs to a newer one")
    if commit == "off":
        raise ConfigError(
            "database: synchronous_commit is off there, so what is acknowledged could be lost; "
            "ALTER ROLE ... SET synchronous_commit = on"
        )


async def _brought_up_to_date(connection: psycopg.AsyncConnection[Any]) -> int:
    """The version then. One process does it, in one transaction, which may take long; others wait for it."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        version = await _version(connection)
        if version >= VERSION:
            return version
        log.info("database is brought up to date", version=version, to=VERSION)
        if version == 0:
            await connection.execute("CREATE SCHEMA IF NOT EXISTS saloon")
            await connection.execute("CREATE TABLE saloon.version (version integer NOT NULL)")
            await connection.execute("INSERT INTO saloon.version VALUES (0)")
        for statements in _VERSIONS[version:]:
            await connection.execute(statements.encode())
        await connection.execute("UPDATE saloon.version SET version = %s", [VERSION])
        return VERSION


async def expect_newest(connection: psycopg.AsyncConnection[Any]) -> None:
    """ConfigError if a server would have to bring it up to date, or a newer one was here. Nothing is changed."""
    with patience(connection, _ANSWER_SECONDS):
        version = await _version(connection)
    if version != VERSION:
        raise ConfigError(
            f"database: has version {version}, expected {VERSION}; a server of this version brings it up to date"
        )


async def _version(connection: psycopg.AsyncConnection[Any]) -> int:
    """Of the schema; 0 if there is none yet."""
    # Not by to_regclass, which in a transaction that waited for another one goes on not knowing of its tables.
    if await _one(connection, "SELECT 1 FROM pg_tables WHERE (schemaname, tablename) = ('saloon', 'version')") is None:
        return 0
    return int(await _one(connection, "SELECT version FROM saloon.version"))


async def _one(connection: psycopg.AsyncConnection[Any], sql: str) -> Any:
    row = await (await connection.execute(sql)).fetchone()
    return None if row is None else row[0]
